/** What a call answers: a value of a library's type, what its effects say, or what the project's own function returns. */
import type { Answer, Effect } from '../catalog/schema.ts';
import type { Site } from './arguments.ts';
import type { Calls, Matched } from './calls.ts';
import { elementOf, sampleOf } from './collections.ts';
import type { Evaluator } from './evaluator.ts';
import { pieceValue } from './statements.ts';
import { type Value, constant, either, nothing, text, unknown } from './value.ts';

export class Answers {
  constructor(private readonly calls: Calls) {}

  /** What a call answers when nothing is known of the path. */
  of(site: Site): Value {
    const { call, callee } = site;
    if (callee.kind === 'func') {
      const chained = promiseStep(site, this.calls.evaluator);
      if (chained) return chained;
      if (call.isNew) return unknown('a constructed function');
      const value = this.calls.evaluator.applied(callee, site.args, site.open);
      return value.kind === 'unknown' ? { kind: 'result', site: call, callee, args: site.args } : value;
    }
    if (callee.kind === 'class') return call.isNew ? { kind: 'instance', def: callee.def, args: site.args, site: call } : unknown('a class');
    if (callee.kind === 'either') {
      const funcs = callee.of.filter((it) => it.kind === 'func');
      if (funcs.length) return either(funcs.map((it) => this.calls.evaluator.applied(it, site.args, site.open)));
    }
    const made = this.obtained(site);
    if (made) return made;
    const joined = joinedText(site);
    if (joined) return joined;
    const chained = promiseStep(site, this.calls.evaluator);
    if (chained) return chained;
    for (const it of this.calls.match(site)) {
      const value = this.effectAnswer(it);
      if (value) return value;
    }
    return { kind: 'result', site: call, callee, args: site.args };
  }

  /** A value of a library's type that the call makes or hands out. */
  private obtained(site: Site): Value | undefined {
    const { call, callee } = site;
    const typed = (type: string, base?: Value): Value => ({ kind: 'typed', type, site: call, args: site.args, base, from: call.func.module });
    if (callee.kind === 'export') {
      const rows = this.calls.catalog.obtainFromExport(callee.specifier, call.isNew ? 'new' : 'call', callee.name);
      const row = rows.find((it) => this.calls.holds(it, site));
      if (row) return typed(row.row.type);
      const [head, ...tail] = callee.name.split('.');
      const value = tail.length ? this.calls.catalog.obtainFromExport(callee.specifier, 'value', head!)[0] : undefined;
      const made = value && this.calls.catalog.obtainFromType(value.row.type, 'method', tail.join('.')).find((it) => this.calls.holds(it, site));
      if (made) return typed(made.row.type, site.receiver);
    }
    const type = site.identity?.type ?? (site.identity?.def && site.receiver?.kind !== 'class' ? this.calls.identities.baseType(site.identity.def) : undefined);
    if (type && callee.kind === 'field') {
      const row = this.calls.catalog.obtainFromType(type, 'method', site.name).find((it) => this.calls.holds(it, site));
      if (row) return typed(row.row.type, site.receiver);
    }
    // A container is of no type that is known: what it is asked for says enough.
    if (!type && !site.identity?.def && callee.kind === 'field') {
      const row = this.calls.catalog.obtainFromType('any', 'method', site.name).find((it) => this.calls.holds(it, site));
      if (row) return typed(row.row.type, site.receiver);
    }
    const own = this.calls.identities.of(callee);
    if (own?.type) {
      const row = this.calls.catalog.obtainFromType(own.type, call.isNew ? 'new' : 'call', '()').find((it) => this.calls.holds(it, site));
      if (row) return typed(row.row.type, callee);
    }
    return undefined;
  }

  private effectAnswer(it: Matched): Value | undefined {
    const { site, row } = it;
    const { call } = site;
    // A step of a query that has been asked already: what it answers stays the same.
    if (site.receiver && site.identity?.type !== row.on && it.effects.some((effect) => effect.kind === 'build') && this.calls.isChainStep(it)) return site.receiver;
    if (row.delivery?.returns && row.delivery.callback !== undefined && !promisified(site)) return this.described(row.delivery.returns, site);
    for (const effect of it.effects) {
      switch (effect.kind) {
        case 'fresh':
          return { kind: 'fresh', source: effect.source, site: call };
        case 'derives': {
          const from = this.calls.at(effect.from, site, row);
          if (!from) return unknown('nothing to derive from');
          return this.derived(from, site);
        }
        case 'passes':
          return passed(this.calls.at(effect.value, site, row) ?? nothing, effect.open);
        case 'picks': {
          const name = this.calls.at(effect.name, site, row);
          return name?.kind === 'const' && site.receiver ? { kind: 'field', of: site.receiver, name: String(name.value) } : undefined;
        }
        case 'promisifies':
          return this.calls.at(effect.function, site, row) ?? unknown('a promisified function');
        case 'sql': {
          // A piece of SQL that is handed to a query says what it computes.
          const piece = effect.prepares || (row.lazy && call.use === 'value') ? pieceValue(effect, it, this.calls) : undefined;
          if (piece) return piece;
          break;
        }
        case 'put':
          return effect.refused === undefined ? this.described(effect.done, site) : either([this.described(effect.done, site), this.described(effect.refused, site)]);
        case 'acquire': {
          const granted = this.described(effect.granted, site);
          if (effect.body) return { kind: 'result', site: call, callee: site.callee, args: site.args };
          return effect.refused === 'throws' || effect.refused === 'waits' ? granted : either([granted, this.described(effect.refused, site)]);
        }
        case 'renew':
          return effect.done ? this.described(effect.done, site) : undefined;
        case 'build':
          if (row.answers) return this.built(effect, it);
          break;
        case 'joins': {
          const items = this.calls.at(effect.items, site, row);
          return effect.how === 'all' && items ? items : undefined;
        }
        case 'calls': {
          const body = this.calls.at(effect.body, site, row);
          if (effect.answers === 'body' && body?.kind === 'func') return this.calls.evaluator.applied(body, []);
          if (effect.answers === 'bodies' && body?.kind === 'func') {
            const of = site.receiver;
            const element: Value = of ? elementOf(of) : unknown('an element');
            return sampleOf([this.calls.evaluator.applied(body, [element])]);
          }
          return undefined;
        }
        case 'transaction': {
          if (effect.wraps) break;
          const body = effect.body && this.calls.at(effect.body, site, row);
          if (body?.kind === 'func' && 'ctor' in effect.body!) return this.calls.evaluator.applied(body, site.args);
          if (body?.kind === 'func') return this.calls.evaluator.applied(body, [{ kind: 'typed', type: effect.passes ?? 'any:Transaction', site: call, args: [], base: site.receiver }]);
          if (effect.passes && !effect.body) return { kind: 'typed', type: effect.passes, site: call, args: site.args, base: site.receiver };
          return undefined;
        }
        default:
      }
    }
    if (row.answers) return { kind: 'typed', type: row.answers, site: call, args: site.args, base: site.receiver };
    return undefined;
  }

  private built(effect: Effect & { kind: 'build' }, it: Matched): Value {
    const configured = new Map<string, Value>();
    for (const [name, path] of Object.entries(effect.configure ?? {})) {
      const value = this.calls.at(path, it.site, it.row);
      if (value) configured.set(name, value);
    }
    return { kind: 'typed', type: it.row.answers!, site: it.site.call, args: it.site.args, base: it.site.receiver, configured: configured.size ? configured : undefined };
  }

  private derived(from: Value, site: Site): Value {
    const how = site.name === '()' ? (site.callee.kind === 'global' ? site.callee.name : 'a function') : site.name;
    if (from.kind === 'const') {
      if (how === 'Number' || how === 'Number.parseInt' || how === 'parseInt') return constant(Number(from.value));
      if (how === 'String' || how === 'toString') return constant(String(from.value));
      if (how === 'Boolean') return constant(Boolean(from.value));
      if (typeof from.value === 'number' && how.startsWith('Math.')) return constant(roundings[how]?.(from.value) ?? from.value);
      if (how === 'BigInt') return from;
    }
    if (from.kind === 'either') return either(from.of.map((each) => this.derived(each, site)));
    if (how === 'Boolean') return either([constant(true), constant(false)]);
    if (how === 'String' || how === 'toString') return from;
    return { kind: 'derived', from: [from], how };
  }

  /** A value that the catalog describes, as this call hands it out. */
  described(answer: Answer, site: Site): Value {
    const { call } = site;
    if (answer === 'throws' || answer === 'waits') return unknown('it does not return');
    if ('is' in answer) return constant(answer.is);
    if ('of' in answer) {
      if (answer.of === 'void') return nothing;
      if (answer.of === 'unknown') return unknown('an answer');
      return { kind: 'some', sort: answer.of === 'count' ? 'number' : answer.of, site: call };
    }
    if ('releases' in answer) return { kind: 'releaser', site: call, type: answer.type, isBlind: answer.ownerChecked === false };
    if ('tuple' in answer) return { kind: 'array', items: answer.tuple.map((it) => this.described(it, site)), open: false };
    if ('props' in answer) {
      const props = new Map(Object.entries(answer.props).map(([name, it]) => [name, this.described(it, site)]));
      return { kind: 'object', props, open: true };
    }
    return { kind: 'typed', type: answer.type, site: call, args: site.args, base: site.receiver, from: call.func.module };
  }
}

const roundings: Record<string, (n: number) => number> = { 'Math.ceil': Math.ceil, 'Math.floor': Math.floor, 'Math.round': Math.round, 'Math.trunc': Math.trunc, 'Math.abs': Math.abs };

/** A promisified function answers by promise: its callee is a method that is called without its receiver in sight. */
const promisified = (site: Site): boolean => site.call.callee.kind !== 'member';

/** `[a, b].join(':')` and `a.concat(b)` are texts like templates are. */
function joinedText(site: Site): Value | undefined {
  const { receiver, name, args } = site;
  if (name === 'join' && receiver?.kind === 'array' && !receiver.open) {
    const separator = args[0] ?? constant(',');
    return text(receiver.items.flatMap((it, i) => (i === 0 ? [it] : [separator, it])));
  }
  if (name === 'concat' && (receiver?.kind === 'text' || (receiver?.kind === 'const' && typeof receiver.value === 'string')) && !site.open) return text([receiver, ...args]);
  return undefined;
}

/** `then`, `catch` and `finally` of a promise; a promise stands for its value. */
function promiseStep(site: Site, evaluator: Evaluator): Value | undefined {
  if (site.receiver === undefined || site.callee.kind === 'func') return undefined;
  const [first, second] = site.args;
  if (site.name === 'then' && first?.kind === 'func') {
    const then = evaluator.applied(first, [site.receiver]);
    return second?.kind === 'func' ? either([then, evaluator.applied(second, [unknown('an error')])]) : then;
  }
  if (site.name === 'catch' && first?.kind === 'func') return either([site.receiver, evaluator.applied(first, [unknown('an error')])]);
  if (site.name === 'finally' && first) return site.receiver;
  return undefined;
}

/** An empty object behind which anything may stand is nothing that is known. */
const passed = (value: Value, open: boolean | undefined): Value => (open && value.kind === 'object' ? (value.props.size === 0 ? unknown('what stands behind it') : { ...value, open: true }) : value);
