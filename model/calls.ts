/** Which rows of the catalog a call matches, what its arguments are, and what it answers. */
import type { Answer, ArgPath, Call, Constant, Effect, Lease, Sort, Unit, When } from '../catalog/schema.ts';
import type { CallRow, CatalogIndex } from './catalog-index.ts';
import type { Evaluator, Store } from './evaluator.ts';
import type { Identities, Identity } from './identity.ts';
import type { CallExpr, Expr } from './ir.ts';
import { type Value, alternatives, constant, either, nothing, text, unknown } from './value.ts';

/** A call with its receiver and arguments evaluated. */
export interface Site {
  call: CallExpr;
  store: Store | undefined;
  callee: Value;
  /** The receiver of a method call. */
  receiver: Value | undefined;
  identity: Identity | undefined;
  name: string;
  args: Value[];
  /** Arguments were spread from something unknown. */
  open: boolean;
}

export interface Matched extends CallRow {
  site: Site;
  effects: readonly Effect[];
}

/** A lease length as far as it is known. */
export interface LeaseLength {
  value: Value;
  unit: Unit;
  /** In milliseconds, when it is constant and a length. */
  ms?: number;
  site: Expr | undefined;
}

export class Calls {
  private readonly catalog: CatalogIndex;
  private readonly sites = new WeakMap<CallExpr, Site>();
  private readonly matches = new WeakMap<CallExpr, readonly Matched[]>();

  constructor(
    readonly evaluator: Evaluator,
    readonly identities: Identities,
  ) {
    this.catalog = evaluator.project.catalog;
    evaluator.callValue = (call, store) => this.answer(this.site(call, store));
  }

  site(call: CallExpr, store?: Store): Site {
    if (!store) {
      const known = this.sites.get(call);
      if (known) return known;
    }
    const before = this.evaluator.cycles;
    const callee = this.evaluator.value(call.callee, store);
    const isMethod = call.callee.kind === 'member';
    const receiver = isMethod ? this.evaluator.value((call.callee as Expr & { kind: 'member' }).object, store) : callee.kind === 'field' ? callee.of : undefined;
    const name = isMethod ? memberName(call.callee as Expr & { kind: 'member' }, callee) : callee.kind === 'field' ? callee.name : '()';
    const args: Value[] = [];
    let open = false;
    for (const it of call.args) {
      if (it.kind !== 'spread') {
        args.push(this.evaluator.value(it, store));
        continue;
      }
      const inner = this.evaluator.value(it.of, store);
      if (inner.kind === 'array' && !inner.open) args.push(...inner.items);
      else {
        args.push({ kind: 'item', of: inner });
        open = true;
      }
    }
    const site: Site = { call, store, callee, receiver, identity: receiver && this.identities.of(receiver), name, args, open };
    if (!store && this.evaluator.cycles === before) this.sites.set(call, site);
    return site;
  }

  /** The rows that fit, one per library at most; for a receiver of unknown type those that fit by shape. */
  match(site: Site): readonly Matched[] {
    if (!site.store) {
      const known = this.matches.get(site.call);
      if (known) return known;
    }
    const before = this.evaluator.cycles;
    const found = this.find(site);
    if (!site.store && this.evaluator.cycles === before && this.sites.get(site.call) === site) this.matches.set(site.call, found);
    return found;
  }

  private find(site: Site): readonly Matched[] {
    const { callee, call } = site;
    const tag = call.isTag;
    if (callee.kind === 'func' || callee.kind === 'class') {
      // A class of the project that extends a library's: its own methods come first.
      return [];
    }
    if (callee.kind === 'global') return this.first(this.catalog.callsOnGlobal(callee.name), site);
    if (callee.kind === 'export') {
      const name = callee.name;
      const rows = this.catalog.callsOfExport(callee.specifier, name);
      const bare = name.startsWith('default.') ? this.catalog.callsOfExport(callee.specifier, name.slice('default.'.length)) : [];
      const value = this.catalog.obtainFromExport(callee.specifier, 'value', name)[0];
      const onValue = value ? this.catalog.callsOnType(value.row.type, tag ? '`' : '()') : [];
      const [head, ...tail] = name.split('.');
      const valueOfHead = tail.length ? this.catalog.obtainFromExport(callee.specifier, 'value', head!)[0] : undefined;
      const onMember = valueOfHead ? this.catalog.callsOnType(valueOfHead.row.type, tail.join('.')) : [];
      return this.first([...rows, ...bare, ...onValue, ...onMember], site);
    }
    const own = this.identities.of(callee);
    if (own?.type) {
      const rows = this.catalog.callsOnType(own.type, tag ? '`' : '()');
      if (rows.length) return this.first(rows, { ...site, receiver: callee, identity: own });
    }
    const type = site.identity?.type ?? (site.identity?.def && site.receiver?.kind !== 'class' ? this.identities.baseType(site.identity.def) : undefined);
    if (type) {
      const rows = this.first(this.catalog.callsOnType(type, site.name), site);
      if (rows.length && !rows.some((it) => it.effects.some((effect) => effect.kind === 'put' && effect.condition === 'unknown'))) return rows;
      const byShape = rows.length ? this.first(this.catalog.callsOnAny(site.name), site) : [];
      if (rows.length) return byShape.length ? byShape : rows;
      // A known receiver whose library says nothing of the method is not something else by its shape.
      if (this.catalog.typeLibrary(type)?.family !== 'language' && !languageMethods.has(site.name)) return [];
    }
    if (site.receiver === undefined) return [];
    const byShape = this.catalog.callsOnAny(site.name);
    // A `Map` has a `delete` of its own.
    return this.first(site.identity?.builtin ? byShape.filter((it) => it.library.family === 'language') : byShape, site);
  }

  private first(rows: readonly CallRow[], site: Site): readonly Matched[] {
    const found: Matched[] = [];
    for (const it of rows) {
      if (found.some((known) => known.library === it.library)) continue;
      const matched = this.fitting(it, site);
      if (matched) found.push(matched);
    }
    return found.length > 1 && found.some((it) => it.row.on !== 'any') ? found.slice(0, 1) : found;
  }

  /** The row with its effects, when it fits the call. */
  fitting(it: CallRow, site: Site): Matched | undefined {
    if (!this.holds(it, site)) return undefined;
    const effects = effectsOf(it.row);
    // What a client ignores depends on its version: of an unknown one no trap is told.
    const isTrap = effects.some((effect) => 'trap' in effect && effect.trap !== undefined);
    if (isTrap && it.row.versions && this.range(it.library.packages, site) === undefined) return undefined;
    return { ...it, site, effects };
  }

  private holds({ row, library }: CallRow, site: Site): boolean {
    if (isTemplateRow(row) !== site.call.isTag && (site.call.isTag || isTemplateRow(row))) return false;
    if (row.versions && !this.catalog.holdsIn(row.versions, this.range(library.packages, site))) return false;
    return (row.when ?? []).every((it) => this.condition(it, site, row));
  }

  /** The range of the package that the receiver comes from, or of the first of the library's that package.json names. */
  private range(packages: readonly string[], site: Site): string | undefined {
    const typed = site.identity?.typed;
    const from = typed?.from ?? site.call.func.module;
    for (const name of packages) {
      if (name.endsWith('/*')) continue;
      const range = this.evaluator.project.packageRange(from, name);
      if (range !== undefined) return range;
    }
    return undefined;
  }

  private condition(it: When, site: Site, row: Call): boolean {
    if ('has' in it) return present(this.at(it.has, site, row));
    if ('lacks' in it) return !present(this.at(it.lacks, site, row));
    if ('noFlag' in it) return this.flagIndex(it.noFlag, it.from, this.flat(site, row)) < 0;
    if ('flag' in it) return this.flagIndex(it.flag, it.from, this.flat(site, row)) >= 0;
    if ('is' in it) {
      const value = this.at(it.is, site, row);
      const wanted: readonly Constant[] = Array.isArray(it.value) ? (it.value as readonly Constant[]) : [it.value as Constant];
      return value !== undefined && alternatives(value).some((each) => each.kind === 'const' && wanted.includes(each.value as Constant));
    }
    if ('sort' in it) {
      const value = this.at(it.sort, site, row);
      return value !== undefined && this.isSort(value, it.of);
    }
    if ('typed' in it) {
      const value = this.at(it.typed, site, row);
      const type = value && this.identities.of(value)?.type;
      return type !== undefined && it.as.includes(type);
    }
    const count = this.plainArgs(site, row).length;
    return !site.open && (it.atLeast ? count >= it.count : count === it.count);
  }

  /** Whether a text is SQL; set by `sql-events.ts`. */
  isSql: (value: Value) => boolean = () => false;

  private isSort(value: Value, sort: Sort): boolean {
    switch (sort) {
      case 'sql':
        return this.isSql(value);
      case 'function':
        return alternatives(value).some((it) => it.kind === 'func' || it.kind === 'releaser' || (it.kind === 'field' && it.of.kind !== 'unknown' && this.identities.of(it)?.returns !== undefined));
      case 'array':
        return alternatives(value).some((it) => it.kind === 'array') || this.identities.of(value)?.element !== undefined;
      case 'object':
        return alternatives(value).some((it) => it.kind === 'object' || it.kind === 'instance' || it.kind === 'typed');
      case 'string':
        return alternatives(value).some((it) => it.kind === 'text' || it.kind === 'fresh' || (it.kind === 'const' && typeof it.value === 'string') || (it.kind === 'some' && it.sort === 'string'));
      case 'number':
        return alternatives(value).some((it) => (it.kind === 'const' && typeof it.value === 'number') || (it.kind === 'some' && it.sort === 'number') || (it.kind === 'field' && it.name === 'length'));
    }
  }

  /** Arguments without a trailing callback. */
  private plainArgs(site: Site, row: Call | undefined): Value[] {
    if (row?.delivery?.callback === undefined) return site.args;
    const last = site.args[site.args.length - 1];
    return last?.kind === 'func' ? site.args.slice(0, -1) : site.args;
  }

  private flat(site: Site, row: Call | undefined): Value[] {
    return this.plainArgs(site, row).flatMap((it) => (it.kind === 'array' ? it.items : [it]));
  }

  private flagIndex(flag: string, from: number, args: readonly Value[]): number {
    return args.findIndex((it, i) => i >= from && alternatives(it).some((each) => each.kind === 'const' && typeof each.value === 'string' && each.value.toUpperCase() === flag.toUpperCase()));
  }

  /** The value at a path, or undefined when nothing stands there. */
  at(path: ArgPath, site: Site, row?: Call): Value | undefined {
    if ('constant' in path) return constant(path.constant);
    if ('flag' in path) {
      const args = this.flat(site, row);
      const index = this.flagIndex(path.flag, path.from, args);
      return index < 0 ? undefined : args[index + 1];
    }
    if ('rest' in path) {
      const items = this.plainArgs(site, row).slice(path.rest).flatMap((it) => (it.kind === 'array' ? it.items : [it]));
      return { kind: 'array', items, open: site.open };
    }
    if ('last' in path) return site.args[site.args.length - 1];
    if ('self' in path) return site.receiver && this.follow(site.receiver, path.path);
    if ('ctor' in path) {
      const made = constructionArgs(site.identity?.typed, path.ctor);
      return made && this.follow(made, path.path);
    }
    if ('configured' in path) {
      return configuredOf(site.identity?.typed, path.configured);
    }
    if ('each' in path) return this.eachOf(path, site);
    let value: Value | undefined = site.args[path.arg];
    if (path.built !== undefined) value = value?.kind === 'typed' || value?.kind === 'instance' || value?.kind === 'result' ? value.args[path.built] : undefined;
    if (path.chain !== undefined) value = value?.kind === 'typed' ? configuredOf(value, path.chain) : undefined;
    return value && this.follow(value, path.path);
  }

  private eachOf(path: { arg: number; path?: readonly string[]; each: readonly string[] }, site: Site): Value | undefined {
    const list = site.args[path.arg];
    const of = list && this.follow(list, path.path);
    if (of?.kind !== 'array') return undefined;
    const items: Value[] = [];
    for (const it of of.items) {
      const first = this.follow(it, path.each.slice(0, 1));
      if (!first) continue;
      const value = this.follow(first, path.each.slice(1));
      if (!value) return undefined;
      items.push(value);
    }
    return items.length ? { kind: 'array', items, open: of.open } : undefined;
  }

  /** The expression at a path, for reports and edits; only direct arguments have one. */
  exprAt(path: ArgPath, site: Site): Expr | undefined {
    const { args } = site.call;
    if (args.some((it) => it.kind === 'spread')) return undefined;
    let expr: Expr | undefined;
    if ('arg' in path) expr = args[path.arg];
    else if ('last' in path) expr = args[args.length - 1];
    else if ('flag' in path) {
      const index = args.findIndex((it, i) => i >= path.from && it.kind === 'const' && typeof it.value === 'string' && it.value.toUpperCase() === path.flag.toUpperCase());
      expr = index < 0 ? undefined : args[index + 1];
    } else return undefined;
    for (const name of ('path' in path && path.path) || []) {
      if (expr?.kind !== 'object') return undefined;
      expr = expr.props.find((it) => it.name === name)?.value;
    }
    return expr;
  }

  private follow(value: Value, path: readonly string[] | undefined): Value | undefined {
    let at: Value = value;
    for (const name of path ?? []) {
      if (hasNoProperties(at)) return undefined;
      at = this.evaluator.member(at, name);
      if (at.kind === 'const' && at.value === undefined) return undefined;
      // A property of something that is not known may or may not be there.
      if (at.kind === 'field' && at.of.kind !== 'object' && !this.knownProperty(at)) return undefined;
    }
    return at;
  }

  private knownProperty(value: Value & { kind: 'field' }): boolean {
    const of = this.identities.of(value.of);
    return of?.members?.has(value.name) ?? true;
  }

  lease(leases: readonly Lease[] | undefined, site: Site, row: Call): LeaseLength | undefined {
    for (const it of leases ?? []) {
      const value = this.at(it.at, site, row);
      if (value === undefined || (value.kind === 'const' && (value.value === undefined || value.value === null))) continue;
      const named = it.unitFrom && this.at(it.unitFrom.at, site, row);
      const unit = named?.kind === 'const' ? (it.unitFrom!.units[String(named.value)] ?? it.unit) : it.unit;
      return { value, unit, ms: milliseconds(value, unit), site: this.exprAt(it.at, site) };
    }
    const byDefault = leases?.find((it) => it.default !== undefined);
    if (!byDefault) return undefined;
    const value = constant(byDefault.default);
    return { value, unit: byDefault.unit, ms: milliseconds(value, byDefault.unit), site: undefined };
  }

  /** What a call answers when nothing is known of the path. */
  private answer(site: Site): Value {
    const { call, callee } = site;
    if (callee.kind === 'func') {
      const chained = promiseStep(site, this.evaluator);
      if (chained) return chained;
      if (call.isNew) return unknown('a constructed function');
      const value = this.evaluator.applied(callee, site.args, site.open);
      return value.kind === 'unknown' ? { kind: 'result', site: call, callee, args: site.args } : value;
    }
    if (callee.kind === 'class') return call.isNew ? { kind: 'instance', def: callee.def, args: site.args, site: call } : unknown('a class');
    if (callee.kind === 'either') {
      const funcs = callee.of.filter((it) => it.kind === 'func');
      if (funcs.length) return either(funcs.map((it) => this.evaluator.applied(it, site.args, site.open)));
    }
    const made = this.obtained(site);
    if (made) return made;
    const joined = joinedText(site);
    if (joined) return joined;
    const chained = promiseStep(site, this.evaluator);
    if (chained) return chained;
    for (const it of this.match(site)) {
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
      const rows = this.catalog.obtainFromExport(callee.specifier, call.isNew ? 'new' : 'call', callee.name);
      const row = rows.find((it) => this.obtainHolds(it, site));
      if (row) return typed(row.row.type);
    }
    const type = site.identity?.type ?? (site.identity?.def && site.receiver?.kind !== 'class' ? this.identities.baseType(site.identity.def) : undefined);
    if (type && callee.kind === 'field') {
      const row = this.catalog.obtainFromType(type, 'method', site.name).find((it) => this.obtainHolds(it, site));
      if (row) return typed(row.row.type, site.receiver);
    }
    const own = this.identities.of(callee);
    if (own?.type) {
      const row = this.catalog.obtainFromType(own.type, call.isNew ? 'new' : 'call', '()').find((it) => this.obtainHolds(it, site));
      if (row) return typed(row.row.type, callee);
    }
    return undefined;
  }

  private obtainHolds(it: { row: { versions?: string; when?: readonly When[] }; library: CallRow['library'] }, site: Site): boolean {
    if (it.row.versions && !this.catalog.holdsIn(it.row.versions, this.range(it.library.packages, site))) return false;
    return (it.row.when ?? []).every((when) => this.condition(when, site, { on: 'module', name: '', does: [] }));
  }

  private effectAnswer(it: Matched): Value | undefined {
    const { site, row } = it;
    const { call } = site;
    if (row.delivery?.returns && row.delivery.callback !== undefined && !promisified(site)) return this.fromAnswer(row.delivery.returns, site);
    for (const effect of it.effects) {
      switch (effect.kind) {
        case 'fresh':
          return { kind: 'fresh', source: effect.source, site: call };
        case 'derives': {
          const from = this.at(effect.from, site, row);
          if (!from) return unknown('nothing to derive from');
          return this.derived(from, site);
        }
        case 'passes':
          return this.at(effect.value, site, row) ?? nothing;
        case 'promisifies':
          return this.at(effect.function, site, row) ?? unknown('a promisified function');
        case 'put':
          return effect.refused === undefined ? this.fromAnswer(effect.done, site) : either([this.fromAnswer(effect.done, site), this.fromAnswer(effect.refused, site)]);
        case 'acquire': {
          const granted = this.fromAnswer(effect.granted, site);
          if (effect.body) return { kind: 'result', site: call, callee: site.callee, args: site.args };
          return effect.refused === 'throws' || effect.refused === 'waits' ? granted : either([granted, this.fromAnswer(effect.refused, site)]);
        }
        case 'renew':
          return effect.done ? this.fromAnswer(effect.done, site) : undefined;
        case 'build':
          if (row.answers) return this.built(effect, it);
          break;
        case 'joins': {
          const items = this.at(effect.items, site, row);
          return effect.how === 'all' && items ? items : undefined;
        }
        case 'calls': {
          const body = this.at(effect.body, site, row);
          if (effect.answers === 'body' && body?.kind === 'func') return this.evaluator.applied(body, []);
          if (effect.answers === 'bodies' && body?.kind === 'func') {
            const of = site.receiver;
            const element: Value = of?.kind === 'array' && of.items.length && !of.open ? either(of.items) : of ? { kind: 'item', of } : unknown('an element');
            return { kind: 'array', items: [this.evaluator.applied(body, [element])], open: true };
          }
          return undefined;
        }
        case 'transaction': {
          const body = effect.body && this.at(effect.body, site, row);
          if (body?.kind === 'func') return this.evaluator.applied(body, [{ kind: 'typed', type: effect.passes ?? 'any:Transaction', site: call, args: [], base: site.receiver }]);
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
      const value = this.at(path, it.site, it.row);
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

  fromAnswer(answer: Answer, site: Site): Value {
    const { call } = site;
    if (answer === 'throws' || answer === 'waits') return unknown('it does not return');
    if ('is' in answer) return constant(answer.is);
    if ('of' in answer) {
      if (answer.of === 'void') return nothing;
      if (answer.of === 'unknown') return unknown('an answer');
      return { kind: 'some', sort: answer.of === 'count' ? 'number' : answer.of, site: call };
    }
    if ('releases' in answer) return { kind: 'releaser', site: call };
    if ('tuple' in answer) return { kind: 'array', items: answer.tuple.map((it) => this.fromAnswer(it, site)), open: false };
    if ('props' in answer) {
      const props = new Map(Object.entries(answer.props).map(([name, it]) => [name, this.fromAnswer(it, site)]));
      return { kind: 'object', props, open: true };
    }
    return { kind: 'typed', type: answer.type, site: call, args: site.args, base: site.receiver, from: call.func.module };
  }
}

const roundings: Record<string, (n: number) => number> = { 'Math.ceil': Math.ceil, 'Math.floor': Math.floor, 'Math.round': Math.round, 'Math.trunc': Math.trunc, 'Math.abs': Math.abs };

/** Methods that arrays and functions have, whatever else their receiver's library says. */
const languageMethods = new Set(['map', 'forEach', 'filter', 'flatMap', 'reduce', 'bind', 'toString', 'on', 'once']);

function memberName(callee: Expr & { kind: 'member' }, value: Value): string {
  if (typeof callee.name === 'string') return callee.name;
  return value.kind === 'field' ? value.name : value.kind === 'func' ? value.func.name : '';
}

const effectsOf = (row: Call): readonly Effect[] => (Array.isArray(row.does) ? (row.does as readonly Effect[]) : [row.does as Effect]);

const isTemplateRow = (row: Call): boolean => {
  return effectsOf(row).some((it) => it.kind === 'sql' && typeof it.text === 'object' && 'template' in it.text) || row.name === '`' || (Array.isArray(row.name) && row.name.includes('`'));
};

function present(value: Value | undefined): boolean {
  return value !== undefined && !(value.kind === 'const' && (value.value === undefined || value.value === false || value.value === null));
}

/** Texts, numbers and functions: what an options object would say is not there. */
function hasNoProperties(value: Value): boolean {
  return value.kind === 'const' || value.kind === 'text' || value.kind === 'func' || value.kind === 'fresh' || value.kind === 'array' || (value.kind === 'some' && value.sort !== 'object');
}

/** What an earlier step of the chain put down under a name. */
export function configuredOf(typed: (Value & { kind: 'typed' }) | undefined, name: string): Value | undefined {
  for (let at = typed; at; at = at.base?.kind === 'typed' ? at.base : undefined) {
    const value = at.configured?.get(name);
    if (value) return value;
  }
  return undefined;
}

function constructionArgs(typed: (Value & { kind: 'typed' }) | undefined, index: number): Value | undefined {
  return typed?.args[index];
}

/** A promisified function answers by promise: its callee is a method that is called without its receiver in sight. */
const promisified = (site: Site): boolean => site.call.callee.kind !== 'member';

/** In milliseconds, when it is a constant length. */
export function milliseconds(value: Value, unit: Unit): number | undefined {
  if (value.kind === 'const' && unit === 'duration' && typeof value.value === 'string') return duration(value.value);
  if (value.kind !== 'const') return undefined;
  const n = typeof value.value === 'number' ? value.value : typeof value.value === 'string' && value.value.trim() !== '' ? Number(value.value) : NaN;
  if (!Number.isFinite(n)) return undefined;
  return unit === 's' ? n * 1000 : unit === 'ms' || unit === 'duration' ? n : undefined;
}

const unitsOfDuration: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `15s`, `500ms`, `2m`. */
function duration(text: string): number | undefined {
  const unit = Object.keys(unitsOfDuration).filter((it) => text.endsWith(it)).sort((a, b) => b.length - a.length)[0];
  const n = Number(unit ? text.slice(0, -unit.length) : text);
  return Number.isFinite(n) && text !== '' ? n * (unit ? unitsOfDuration[unit]! : 1) : undefined;
}

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
