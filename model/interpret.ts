/** One call → the events that it is, by the catalog's rows; and the functions that it hands control to. */
import type { Effect } from '../catalog/schema.ts';
import type { Site } from './arguments.ts';
import type { Calls, Matched } from './calls.ts';
import { describe, keyName } from './call-names.ts';
import type { CatalogIndex } from './catalog-index.ts';
import { chainEvents } from './chains.ts';
import { elementHanded } from './collections.ts';
import type { Store } from './evaluator.ts';
import { lockOfRead } from './database-locks.ts';
import { DefinedScripts } from './defined-scripts.ts';
import { targetName, writeEvents } from './documents.ts';
import type { AcquireEvent, ModelEvent, OpenEvent, RunsEvent, WriteEvent } from './events.ts';
import type { CallExpr, Module } from './ir.ts';
import { isParamPath, isRunnable } from './handed.ts';
import { acquireEvent, putEvents } from './lock-calls.ts';
import { openCall, possibleGrants, siteOf } from './open-calls.ts';
import { type LockTable, asLockEvent, lockTables, tableOfDocument } from './rows.ts';
import { promiseStep } from './promise-steps.ts';
import { scriptEvents } from './scripts.ts';
import { listedEvents } from './listed-statements.ts';
import { statementEvents } from './statements.ts';
import { type Value, alternatives, constant, unknown } from './value.ts';

/** A function of the project that a call enters. */
export interface Entered {
  callee: Value & { kind: 'func' };
  args: Value[];
  open: boolean;
}

export interface Meaning {
  events: ModelEvent[];
  entered: Entered[];
  /** Why the call is not understood, when it is not. */
  unknown?: string;
}

export class Interpreter {
  private readonly meanings = new WeakMap<CallExpr, Meaning>();
  private readonly plainMeanings = new WeakMap<CallExpr, Meaning>();
  private readonly tables = new WeakMap<Module, Map<string, LockTable>>();
  private readonly definedScripts: DefinedScripts;

  constructor(
    private readonly calls: Calls,
    private readonly catalog: CatalogIndex,
  ) {
    this.definedScripts = new DefinedScripts(calls);
  }

  meaning(call: CallExpr): Meaning {
    const known = this.meanings.get(call);
    if (known) return known;
    // A call that is asked for while it is being interpreted says nothing.
    this.meanings.set(call, { events: [], entered: [] });
    const meaning = this.withLockRows(this.plain(call), call);
    this.meanings.set(call, meaning);
    return meaning;
  }

  /** Writes of a table that holds locks, as what they are to the lock. */
  private withLockRows(meaning: Meaning, call: CallExpr): Meaning {
    if (!meaning.events.some((it) => it.kind === 'write' && it.row)) return meaning;
    const tables = this.tablesOf(call.func.module);
    if (tables.size === 0) return meaning;
    const events = meaning.events.map((it) => {
      const table = it.kind === 'write' ? (tables.get(it.target) ?? tableOfDocument(it, tables)) : undefined;
      return (table && asLockEvent(it as WriteEvent, table)) ?? it;
    });
    return { ...meaning, events };
  }

  private tablesOf(module: Module): Map<string, LockTable> {
    if (this.tables.has(module)) return this.tables.get(module)!;
    this.tables.set(module, new Map());
    const events = module.functions.flatMap((func) => func.graph().steps.flatMap(({ op }) => (op.kind === 'call' ? this.plain(op.call).events : [])));
    const tables = lockTables(events, this.calls.evaluator);
    this.tables.set(module, tables);
    return tables;
  }

  /** What a call means where no table is known to hold locks. */
  private plain(call: CallExpr): Meaning {
    let found = this.plainMeanings.get(call);
    if (!found) this.plainMeanings.set(call, (found = this.interpret(call)));
    return found;
  }

  private interpret(call: CallExpr): Meaning {
    const site = this.calls.site(call);
    // A stand-in beside a client does not make the client's calls its own.
    const own = site.callee.kind === 'either' && site.identity?.type !== undefined ? undefined : this.entered(site);
    if (own) return own;
    const chained = promiseStep(site);
    if (chained) return chained;
    const events: ModelEvent[] = [];
    const matched = this.calls.match(site);
    for (const it of matched) {
      if (it.row.watches) events.push({ kind: 'watch', call, library: it.library, value: this.calls.at(it.row.watches, site, it.row) });
      // A statement that is only handed over is sent by whoever gets it.
      if (it.row.lazy && (call.use === 'value' || call.use === 'chained') && !it.effects.some((effect) => effect.kind === 'build' && effect.op !== undefined) && isArgument(call)) continue;
      const open = openCall(it, this.calls);
      if (open) events.push(open);
      for (const effect of it.effects) events.push(...this.events(effect, it));
      this.callbacks(it, events);
    }
    if (call.use !== 'chained') for (const it of matched) if (it.effects.some((effect) => effect.kind === 'build')) events.push(...chainEvents(it, this.calls));
    if (matched.length === 0) {
      const script = this.definedScripts.eventsOf(site);
      if (script) return { events: script, entered: [] };
      // A function that something unknown gets is taken to run before that something is done.
      for (const it of site.args) for (const each of alternatives(it)) if (each.kind === 'func') events.push({ kind: 'runs', call, library: undefined, body: each, args: [], when: 'now' });
      // What a library's own object is asked to do is not something that was handed over.
      if (site.identity?.type === undefined && (site.callee.kind === 'param' || (site.callee.kind === 'field' && isParamPath(site.callee)))) {
        // `original.apply(this, args)` runs the original.
        const applied = site.callee.kind === 'field' && (site.callee.name === 'apply' || site.callee.name === 'call') ? site.callee.of : undefined;
        events.push({ kind: 'runs', call, library: undefined, body: applied ?? site.callee, args: applied ? [] : site.args, when: 'now' });
      }
      const releaser = alternatives(site.callee).find((it) => it.kind === 'releaser');
      if (releaser) events.push({ kind: 'release', call, library: undefined, handle: releaser, ownerChecked: !releaser.isBlind, how: 'release function', form: 'library' });
      return { events, entered: [], unknown: events.some((it) => it.kind !== 'runs' || it.body.kind === 'func') || site.callee.kind === 'global' || this.isPlain(site) ? undefined : `what ${describe(site)} does` };
    }
    return { events, entered: [] };
  }

  /** It hands out an object of a library, or carries a command that says itself what it does. */
  private isPlain(site: Site): boolean {
    return this.calls.evaluator.value(site.call).kind === 'typed' || (site.call.callee.kind === 'member' && site.call.args.some((it) => it.kind === 'call' && it.isNew && this.calls.match(this.calls.site(it)).length > 0));
  }

  /** What a method does that was called on something handed in, once a caller has said what that is: `order.save()` of an untyped parameter. Its site has a path of its own, so that it is not kept as the call's. */
  ofHanded({ call, body, args }: RunsEvent): ModelEvent[] | undefined {
    if (body.kind !== 'field') return undefined;
    const identity = this.calls.identities.of(body.of);
    if (identity?.type === undefined) return undefined;
    const store: Store = { variables: new Map(), results: new Map(), fields: new Map() };
    const site: Site = { call, store, callee: body, receiver: body.of, identity, name: body.name, args: [...args], open: false };
    const events = this.calls.match(site).flatMap((it) => it.effects.flatMap((effect) => this.events(effect, it)));
    return events.length > 0 && events.every((it) => it.kind === 'write' || it.kind === 'read' || it.kind === 'external' || it.kind === 'put') ? events : undefined;
  }

  /** What a call does that waited for its caller, as far as that says; undefined while it does not. */
  ofOpen(event: OpenEvent): ModelEvent[] | undefined {
    const matched = this.calls.match(siteOf(event));
    return matched.some((it) => openCall(it, this.calls)) ? undefined : matched.flatMap((it) => it.effects.flatMap((effect) => this.events(effect, it)));
  }

  /** The locks that a call takes for a caller who makes it one. */
  possibleGrants(event: OpenEvent): AcquireEvent[] {
    return this.calls.match(event.site).flatMap((it) => possibleGrants(event, it, this.calls));
  }

  /** Functions, methods and constructors of the project, and what stands behind `call`, `apply` and `bind`. */
  private entered(site: Site): Meaning | undefined {
    const { call, callee } = site;
    const found: Entered[] = [];
    for (const it of alternatives(callee)) {
      if (it.kind === 'func') found.push({ callee: it, args: site.args, open: site.open });
      if (it.kind === 'class' && call.isNew) {
        const construct = this.calls.evaluator.construct(it.def);
        if (construct) found.push({ callee: { kind: 'func', func: construct, bindings: [], self: { kind: 'instance', def: it.def, args: site.args, site: call } }, args: site.args, open: site.open });
        else return { events: [], entered: [] };
      }
      if (it.kind === 'field' && it.of.kind === 'func' && (it.name === 'call' || it.name === 'apply')) {
        const args = it.name === 'call' ? site.args.slice(1) : site.args[1]?.kind === 'array' ? site.args[1].items : [];
        found.push({ callee: it.of, args, open: it.name === 'apply' && site.args[1]?.kind !== 'array' });
      }
    }
    return found.length ? { events: [], entered: found } : undefined;
  }

  private callbacks(it: Matched, events: ModelEvent[]): void {
    const { site, row } = it;
    if (row.delivery?.callback === undefined) return;
    const last = site.args[site.args.length - 1];
    if (last?.kind !== 'func') return;
    const acquire = events.find((each): each is AcquireEvent => each.kind === 'acquire');
    // What follows a grant that is told by callback is followed in the callback itself.
    if (acquire) acquire.callback = last;
    else events.push({ kind: 'runs', call: site.call, library: it.library, body: last, args: [constant(null), unknown('a reply')], when: 'now' });
  }

  private events(effect: Effect, it: Matched): ModelEvent[] {
    const { site, row, library } = it;
    const { call } = site;
    const source = { call, library };
    const at = (path: Parameters<Calls['at']>[0] | undefined): Value | undefined => path && this.calls.at(path, site, row);
    switch (effect.kind) {
      case 'acquire':
        return [acquireEvent(effect, it, this.calls)];
      case 'release': {
        const handle = at(effect.handle) ?? (effect.key || effect.session ? undefined : site.receiver);
        return [{ kind: 'release', ...source, key: at(effect.key), handle, session: at(effect.session), ownerChecked: effect.ownerChecked, how: `${library.title}'s release`, form: 'library' }];
      }
      case 'renew': {
        const handle = at(effect.handle) ?? (effect.key || effect.session ? undefined : site.receiver);
        return [{ kind: 'renew', ...source, key: at(effect.key), handle, session: at(effect.session), ownerChecked: effect.ownerChecked, how: `${library.title}'s extension`, loss: effect.lost === 'throws' ? 'throws' : effect.lost ? 'answer' : undefined }];
      }
      case 'holds':
        return [{ kind: 'holds', ...source, value: at(effect.handle) ?? site.receiver }];
      case 'put':
        return putEvents(effect, it, this.calls);
      case 'remove': {
        const keys = at(effect.keys);
        const items = keys?.kind === 'array' ? keys.items : keys ? [keys] : [];
        const compared = at(effect.ifEquals);
        return items.map((key) => ({ kind: 'release', ...source, key, ownerChecked: compared !== undefined || effect.bySession === true, comparedWith: compared, how: site.name.toUpperCase(), form: 'del', several: keys?.kind === 'array' && keys.open }));
      }
      case 'expire': {
        const key = at(effect.key);
        const lease = this.calls.lease(effect.lease, site, row);
        if (!key) return [];
        if (lease?.ms !== undefined && lease.ms <= 0) return [{ kind: 'release', ...source, key, ownerChecked: false, how: `${site.name.toUpperCase()} 0`, form: 'expire' }];
        return [{ kind: 'renew', ...source, key, ownerChecked: false, how: site.name.toUpperCase() }];
      }
      case 'get': {
        const key = at(effect.key);
        if (!key) return [];
        const events: ModelEvent[] = [{ kind: 'get', ...source, key }];
        if (effect.removes) events.push({ kind: 'release', ...source, key, ownerChecked: false, how: 'GETDEL', form: 'getdel' });
        else if (this.calls.lease(effect.lease, site, row)) events.push({ kind: 'renew', ...source, key, ownerChecked: false, how: 'GETEX' });
        return events;
      }
      case 'exists':
        return [{ kind: 'exists', ...source, value: at(effect.key) }];
      case 'increment':
        return [{ kind: 'mint', ...source, key: at(effect.key) }];
      case 'data': {
        if (it.effects.some((each) => each.kind === 'increment')) return [];
        const key = at(effect.key);
        return [{ kind: 'write', ...source, op: 'data', key, target: key ? keyName(key) : 'a key', fenced: isRepeatable.has(site.name.toLowerCase()) ? 'unknown' : 'no', compared: [], sends: site.args }];
      }
      case 'script':
        return scriptEvents(effect, it, this.calls) ?? [{ kind: 'write', ...source, op: 'other', target: 'what the script writes', fenced: 'unknown', compared: [], why: 'the script is not in sight' }];
      case 'command': {
        const words = at(effect.words);
        const items = words?.kind === 'array' ? words.items : words ? [words] : [];
        const given = effect.args && at(effect.args);
        return this.command([...items, ...(given?.kind === 'array' ? given.items : [])], it);
      }
      case 'sql':
        // A statement that is only made is sent by the call that gets it.
        return effect.prepares ? [] : (statementEvents(effect, it, this.calls) ?? []);
      case 'write':
        return writeEvents(effect, it, this.calls);
      case 'read':
        return [{ kind: 'read', ...source, value: constant(targetName(effect, it, this.calls)), locksOn: at(effect.lock) === undefined ? undefined : (at(effect.transaction) ?? site.receiver) }, ...lockOfRead(effect, it, this.calls)];
      case 'external':
        return [{ kind: 'external', ...source, service: effect.service, hasKey: (effect.idempotencyKey ?? []).some((path) => at(path) !== undefined) }];
      case 'transaction': {
        if (effect.step) return [{ kind: effect.step === 'begin' ? 'begin' : 'commit', ...source, value: site.receiver, isRollback: effect.step === 'rollback' }];
        // What only wraps its body runs nothing yet.
        if (effect.wraps) return [];
        if (effect.statements) return listedEvents(at(effect.statements), it, this.calls, (each, matched) => this.events(each, matched));
        const body = at(effect.body);
        const passes: Value = { kind: 'typed', type: effect.passes ?? 'any:Transaction', site: call, args: [], base: site.receiver };
        const args = effect.body && 'ctor' in effect.body ? site.args : [passes];
        const isolation = at(effect.isolation);
        return body ? alternatives(body).filter(isRunnable).map((each) => ({ kind: 'runs', ...source, body: each, args, when: 'now', inTransaction: true, locks: effect.locks, isAmbient: effect.ambient, isSerializable: isolation?.kind === 'const' && /serializable/i.test(String(isolation.value)) })) : [];
      }
      case 'calls': {
        const body = at(effect.body);
        const args = Array.from({ length: Math.max(effect.passes?.length ?? 0, effect.types?.length ?? 0) }, (_, i): Value => {
          const type = effect.types?.[i];
          if (type) return { kind: 'typed', type, site: call, args: [], base: site.receiver };
          const passed = effect.passes?.[i];
          return passed === 'element' ? elementHanded(site.receiver) : unknown(passed ?? 'a value');
        });
        return body ? alternatives(body).filter(isRunnable).map((each): RunsEvent => ({ kind: 'runs', ...source, body: each, args, when: effect.when, onLoss: effect.onLoss })) : [];
      }
      case 'wait':
        return [{ kind: 'wait', ...source, value: at(effect.ms) }];
      case 'exit':
        return [{ kind: 'exit', ...source }];
      case 'log':
        return [{ kind: 'log', ...source }];
      default:
        return [];
    }
  }

  /** The acquire that a library's decorator makes of the method it stands on. */
  decorated(call: CallExpr): AcquireEvent | undefined {
    const site = this.calls.site(call);
    if (site.callee.kind !== 'export') return undefined;
    const found = this.catalog.decoratorOf(site.callee.specifier, site.callee.name);
    if (found?.row.does.kind !== 'acquire') return undefined;
    return acquireEvent(found.row.does, { row: { on: 'module', name: site.callee.name, does: found.row.does }, library: found.library, site, effects: [found.row.does] }, this.calls);
  }

  /** Whether a decorator runs the method that it stands on in a transaction. */
  opensTransaction(call: CallExpr): boolean {
    const { callee } = this.calls.site(call);
    return callee.kind === 'export' && this.catalog.decoratorOf(callee.specifier, callee.name)?.row.does.kind === 'transaction';
  }

  /** A command that is given word by word. */
  private command(words: Value[], it: Matched): ModelEvent[] {
    const [name, ...args] = words;
    if (name?.kind !== 'const') return [];
    const rows = this.catalog.words.get(String(name.value).toLowerCase()) ?? [];
    const site: Site = { ...it.site, name: String(name.value).toLowerCase(), args };
    for (const row of rows) {
      const matched = this.calls.fitting({ row, library: it.library }, site);
      if (matched) return matched.effects.flatMap((effect) => this.events(effect, matched));
    }
    return [];
  }
}

/** The call's result is handed to another call of the same function. */
function isArgument(call: CallExpr): boolean {
  const { start, end } = call.span;
  return call.func.graph().steps.some((step) => step.op.kind === 'call' && step.op.call !== call && step.op.call.args.some((it) => it.span.start <= start && end <= it.span.end && it.kind !== 'function'));
}

/** Commands whose repetition by a stale holder changes nothing, or that only take away. */
const isRepeatable = new Set(['sadd', 'srem', 'hdel', 'zrem', 'xack', 'lrem', 'hsetnx', 'pfadd', 'zremrangebyscore', 'zremrangebyrank', 'lpop', 'rpop', 'blpop', 'brpop', 'zpopmin', 'zpopmax', 'spop']);
