/** What a function does, seen from a call of it: its events with the caller's values in them. */
import { bindingsOf, encloses } from './binding.ts';
import { type AtCall, type Caller, type Deep, type Effects, type Grant, type HeldLock, type Occurrence, incidental, reached, seenBy, viaOf } from './deep.ts';
import type { Evaluator } from './evaluator.ts';
import { type ModelEvent, type RunsEvent, bindEvent, bindLock } from './events.ts';
import { withFilter } from './documents.ts';
import { excludedCalls } from './exclusion.ts';
import { callsOnFailure } from './failures.ts';
import type { Entered, Interpreter } from './interpret.ts';
import type { CallExpr, Func } from './ir.ts';
import { type Late, granting, joined, whole } from './late.ts';
import { tellsAs } from './open-calls.ts';
import { statementOf } from './statements.ts';
import type { Summaries } from './summaries.ts';
import { type Binding, type Value, alternatives, sameSite } from './value.ts';

const [maxDeep, maxChain] = [400, 8];
/** What a store may be sent. */
export const statement = /^\s*(?:select|update|insert|delete|lock|begin|exec|call|set|with)\b/i;
const nothing = granting(whole([]), []);

/** It waits for a caller to say what is run or sent. */
const isOpen = (it: Deep): boolean => (it.kind === 'runs' && !it.isConcrete) || it.kind === 'statement' || it.kind === 'open';
/** What an open call is taken for stands after it, and is done with as soon as the caller has decided. */
const isMeanwhile = (it: Deep, decided: Deep): boolean => (it.kind === 'put' || it.kind === 'write') && sameSite(it.site, decided.site) && sameSite(it.at, decided.at);
const count = (of: readonly Deep[], test: (it: Deep) => boolean): number => of.filter(test).length;

/** With what an event is told to a caller. */
interface Telling {
  bindings: readonly Binding[];
  isIncidental: boolean;
  frame: Func;
  /** What is asked for of a function that is handed over. */
  of: (summary: Effects) => readonly Deep[];
}

export class Entering {
  /** By function: whether it runs what it is handed unseen. */
  private readonly running = new WeakMap<Func, boolean>();
  /** Functions whose events are being put in, in the function that is being summarized. */
  private expanding = new Set<Func>();

  constructor(
    private readonly evaluator: Evaluator,
    private readonly interpreter: Interpreter,
    private readonly summaries: Summaries,
    private readonly late: Late,
  ) {}

  /** Nothing is in hand for a caller. */
  get isAlone(): boolean {
    return this.expanding.size === 0;
  }

  /** What is in hand for a caller says nothing of the function that `find` is about. */
  apart<T>(find: () => T): T {
    const { expanding } = this;
    this.expanding = new Set();
    try {
      return find();
    } finally {
      this.expanding = expanding;
    }
  }

  /** What a function that a call enters does, seen from the call. */
  enter(it: Entered, call: CallExpr, frame: Func): AtCall {
    const { callee } = it;
    if (encloses(callee.func, frame) && this.summaries.isBeingMade(callee.func)) return nothing;
    // No lock is behind it: what else it does is found when it is asked for.
    if (this.isQuiet(callee.func) && !this.isOf(callee) && !this.isHanded(callee, it.args)) return granting(this.late.effects([], () => this.seen(it, call, frame, (summary) => summary.deep)), []);
    const summary = this.summaries.of(callee.func);
    const effects = summary.isWhole || this.isHanded(callee, it.args) ? whole(this.seen(it, call, frame, (of) => of.deep)) : this.late.effects(this.seen(it, call, frame, (of) => of.known), () => this.seen(it, call, frame, (of) => of.deep));
    return granting(effects, this.granted(summary.grants, it, call));
  }

  /** The locks that an entered function leaves taken, as far as the call's own arguments let it come to them. */
  private granted(grants: readonly Grant[], { callee, args, open }: Entered, call: CallExpr): Grant[] {
    if (grants.length === 0) return [];
    const excluded = excludedCalls(callee.func, { args, open }, this.evaluator);
    return grants.flatMap((grant) => (excluded.some((each) => sameSite(each, grant.at)) ? [] : this.bindGrants(grant, bindingsOf(callee, args, open), call)));
  }

  /** The events of the function that are asked for, seen from the call. */
  private seen({ callee, args, open }: Entered, call: CallExpr, frame: Func, of: (summary: Effects) => readonly Deep[]): readonly Deep[] {
    const bindings = bindingsOf(callee, args, open);
    const deep: Deep[] = [];
    // A function that is written inside the frame is part of it: what happens there happens in place.
    const isInline = encloses(frame, callee.func) && callee.func.name === '';
    const excluded = excludedCalls(callee.func, { args, open }, this.evaluator);
    const onFailure = isInline ? [] : callsOnFailure(callee.func);
    const callers = new Map<boolean, Caller>();
    const callerOf = (isIncidental: boolean): Caller => {
      let caller = callers.get(isIncidental);
      if (!caller) callers.set(isIncidental, (caller = this.caller(bindings, isIncidental)));
      return caller;
    };
    let decided: Deep | undefined;
    for (const inner of of(this.summaries.of(callee.func))) {
      if (inner.via.length >= maxChain || excluded.some((each) => sameSite(each, inner.at)) || (decided && isMeanwhile(inner, decided))) continue;
      const isIncidental = onFailure.some((each) => sameSite(each, inner.at));
      if (isIncidental && inner.kind === 'put') continue;
      const place = isInline ? inner : { at: call, via: viaOf(inner), timing: inner.timing, inTransaction: inner.inTransaction, isSerializable: inner.isSerializable };
      const found = this.told(inner, place, callerOf(isIncidental), { bindings, isIncidental, frame, of });
      if (inner.kind === 'open' && found[0]?.kind !== 'open') decided = inner;
      deep.push(...found);
      if (deep.length > maxDeep) break;
    }
    return deep;
  }

  /** An event as its caller sees it, and what follows from it now that the caller's values are known. */
  private told(inner: Deep, place: Occurrence, caller: Caller, { bindings, isIncidental, frame, of }: Telling): readonly Deep[] {
    if (!isOpen(inner)) return [seenBy(caller, inner, place)];
    const found: Deep[] = [];
    for (const event of this.bindEvents(inner.event, bindings)) {
      if (isIncidental && event.kind === 'put') continue;
      // Whoever decides what a wrapper's call is does it himself: there it is told, and there it can be mended.
      const [own, there] = inner.kind === 'open' && event.kind !== 'open' ? [{ ...event, call: place.at }, { ...place, via: [] }] : [event, place];
      const next = reached(isIncidental ? incidental(own) : own, there, caller.under(inner), caller.bodyOf(inner));
      found.push(next);
      if (event.kind === 'runs') found.push(...of(this.run(next, frame)));
    }
    return found;
  }

  /** Puts the values of `bindings` into events. */
  private caller(bindings: readonly Binding[], isIncidental: boolean): Caller {
    const held = (locks: readonly HeldLock[]): readonly HeldLock[] => (locks.length === 0 ? locks : locks.map((it) => this.bindHeld(it, bindings)));
    return {
      event: (inner) => (isIncidental ? incidental(this.bindAll(inner.event, bindings)) : this.bindAll(inner.event, bindings)),
      under: (inner) => held(inner.under),
      // Once the body is in sight its section has been told.
      bodyOf: (inner) => (inner.isConcrete ? undefined : inner.bodyOf && held(inner.bodyOf)),
    };
  }

  /** The same lock seen from a caller; none where the caller has decided that it is no lock. */
  bindGrants(grant: Grant, bindings: readonly Binding[], call: CallExpr): Grant[] {
    const bound = this.bindGrant(grant, bindings, call);
    if (!grant.open) return [bound];
    const open = this.bindAll(grant.open, bindings);
    const events = this.interpreter.ofOpen(open);
    if (!events) return [{ ...bound, open }];
    return events.flatMap((it) => (it.kind === 'acquire' && tellsAs(it, grant) ? [{ ...bound, lock: it.lock, acquire: { ...it, call }, via: [], open: undefined }] : []));
  }

  bindGrant(grant: Grant, bindings: readonly Binding[], call: CallExpr): Grant {
    const bind = (value: Value): Value => bindings.reduce((at, binding) => this.evaluator.bind(at, binding), value);
    return {
      lock: bindings.reduce((at, binding) => bindLock(at, binding, this.evaluator), grant.lock),
      acquire: this.bindAll(grant.acquire, bindings),
      at: call,
      via: [grant.at, ...grant.via],
      outcomes: { held: bind(grant.outcomes.held), refused: grant.outcomes.refused && bind(grant.outcomes.refused), refusalThrows: grant.outcomes.refusalThrows },
    };
  }

  /** The event itself, and what the function that it hands control to does. */
  expand(it: Deep, frame: Func): Effects {
    return joined([whole([it]), this.run(it, frame)], this.late);
  }

  /** What the function that an event hands control to does. */
  run(it: Deep, frame: Func): Effects {
    const event = it.event as RunsEvent;
    return joined(alternatives(event.body).flatMap((body) => this.runBody(body, it, event, frame) ?? []), this.late);
  }

  private runBody(body: Value, it: Deep, event: RunsEvent, frame: Func): Effects | undefined {
    if (body.kind === 'releaser') return whole([reached({ kind: 'release', call: event.call, library: undefined, handle: body, ownerChecked: !body.isBlind, how: 'release function', form: 'library' }, it, it.under, it.bodyOf)]);
    // A function that comes to be handed to itself adds nothing that its first round has not.
    if (body.kind !== 'func' || this.summaries.isBeingMade(body.func) || this.expanding.has(body.func) || it.via.length >= maxChain) return undefined;
    const all = (of: (effects: Effects) => readonly Deep[]): readonly Deep[] => this.ran(body, it, event, frame, of);
    if (this.isQuiet(body.func) && !this.isOf(body) && !this.isHanded(body, event.args)) return this.late.effects([], () => all((each) => each.deep));
    if (this.summaries.of(body.func).isWhole || this.isHanded(body, event.args)) return whole(all((each) => each.deep));
    return this.late.effects(all((each) => each.known), () => all((each) => each.deep));
  }

  private ran(body: Value & { kind: 'func' }, it: Deep, event: RunsEvent, frame: Func, of: (effects: Effects) => readonly Deep[]): readonly Deep[] {
    // When it is asked for later, it may have come to be handed to itself by then.
    if (this.expanding.has(body.func)) return [];
    const found: Deep[] = [];
    this.expanding.add(body.func);
    try {
      const bindings = bindingsOf(body, event.args, false);
      // What a timer runs is told where the timer is started.
      const isInline = encloses(frame, body.func) && body.func !== frame && event.when !== 'repeatedly';
      const timing = event.when === 'now' ? it.timing : event.when;
      const transaction = event.inTransaction ? { inTransaction: event.call, isSerializable: event.isSerializable } : {};
      const held = (locks: readonly HeldLock[]): readonly HeldLock[] => (locks.length === 0 ? locks : locks.map((each) => this.bindHeld(each, bindings)));
      const caller: Caller = {
        event: (inner) => this.bindAll(inner.event, bindings),
        under: (inner) => (it.under.length === 0 ? held(inner.under) : [...it.under, ...held(inner.under)]),
        bodyOf: (inner) => {
          if (inner.isConcrete) return undefined;
          // What a body runs that it was handed in turn is run under the same lock: `using(key, () => work())`.
          return [...held(inner.bodyOf ?? []), ...(inner.kind === 'runs' ? (it.bodyOf ?? []) : [])];
        },
      };
      let decided: Deep | undefined;
      for (const inner of of(this.summaries.of(body.func))) {
        if (found.length > maxDeep) break;
        if (decided && isMeanwhile(inner, decided)) continue;
        const place = {
          ...(isInline ? { at: inner.at, via: inner.via } : { at: it.at, via: [...it.via, ...viaOf(inner)] }),
          timing: inner.timing === 'now' ? timing : inner.timing,
          ...(inner.inTransaction ? { inTransaction: inner.inTransaction, isSerializable: inner.isSerializable } : transaction),
        };
        const seen = this.told(inner, place, caller, { bindings, isIncidental: false, frame, of });
        if (inner.kind === 'open' && seen[0]?.kind !== 'open') decided = inner;
        found.push(...seen);
      }
    } finally {
      this.expanding.delete(body.func);
    }
    // Locks that a body leaves taken cannot be followed further here.
    return found;
  }

  /** It is handed what it runs or sends where that would not be seen. */
  private isHanded(callee: Value & { kind: 'func' }, args: readonly Value[]): boolean {
    return (args.some((it) => this.holdsCode(it)) || this.isGiven(callee)) && this.runsUnseen(callee.func);
  }

  /** Whether a function runs or sends what it is handed where that would not be seen: of a quiet one nothing is. */
  private runsUnseen(func: Func): boolean {
    const known = this.running.get(func);
    if (known !== undefined) return known;
    const before = this.late.circles;
    const summary = this.summaries.of(func);
    const found = count(summary.deep, isOpen) > (this.isQuiet(func) ? 0 : count(summary.known, isOpen));
    if (this.late.circles === before) this.running.set(func, found);
    return found;
  }

  /** Whether a function can reach no lock, whatever it is called with that is no code. */
  isQuiet(func: Func): boolean {
    return !this.evaluator.project.mayLock(func.module);
  }

  /** The surroundings of a function, or the object that it is of, were made with code of others. */
  private isGiven({ self, bindings }: Value & { kind: 'func' }): boolean {
    return (self?.kind === 'instance' && self.args.some((it) => this.holdsCode(it))) || bindings.some((it) => it.args.some((each) => this.holdsCode(each)));
  }

  /** It is run on an object of a class that can reach a lock, whichever module the function itself is of. */
  private isOf({ self, bindings }: Value & { kind: 'func' }): boolean {
    return (self !== undefined && this.holdsCode(self)) || bindings.some((it) => it.self !== undefined && this.holdsCode(it.self));
  }

  /**
   * What a function that is handed the value may run or send: functions, objects of classes that can reach a
   * lock, statements. A part of an object is what its class says of it, which its own module imports.
   */
  private holdsCode(value: Value): boolean {
    switch (value.kind) {
      case 'func':
      case 'releaser':
        return true;
      case 'const':
        return typeof value.value === 'string' && statement.test(value.value);
      case 'text':
        return value.parts.some((it) => this.holdsCode(it));
      case 'class':
        return this.evaluator.project.mayLock(value.def.module);
      case 'this':
        return this.evaluator.project.mayLock(value.cls.module);
      case 'instance':
        return this.evaluator.project.mayLock(value.def.module) || value.args.some((it) => this.holdsCode(it));
      case 'object':
        return [...value.props.values()].some((it) => this.holdsCode(it));
      case 'array':
        return value.items.some((it) => this.holdsCode(it));
      case 'either':
        return value.of.some((it) => this.holdsCode(it));
      case 'derived':
        return value.from.some((it) => this.holdsCode(it));
      default:
        return false;
    }
  }

  private bindAll<E extends ModelEvent>(event: E, bindings: readonly Binding[]): E {
    const bound: ModelEvent = bindings.reduce((at, binding) => bindEvent(at, binding, this.evaluator), event);
    return (bound.kind === 'write' && bound.handed ? withFilter(bound) : bound) as E;
  }

  /** The event with the caller's values; a statement becomes what it does once its text is known. */
  private bindEvents(event: ModelEvent, bindings: readonly Binding[]): ModelEvent[] {
    const bound = this.bindAll(event, bindings);
    if (bound.kind === 'runs') return this.interpreter.ofHanded(bound) ?? [bound];
    if (bound.kind === 'open') return this.interpreter.ofOpen(bound) ?? [bound];
    return bound.kind === 'statement' ? (statementOf(bound) ?? [bound]) : [bound];
  }

  bindHeld(held: HeldLock, bindings: readonly Binding[]): HeldLock {
    return { ...held, lock: bindings.reduce((at, binding) => bindLock(at, binding, this.evaluator), held.lock), acquire: this.bindAll(held.acquire, bindings) };
  }
}
