/**
 * What a function does, in terms of its parameters and its receiver: the events in it and in what it
 * calls, and the locks that it leaves taken. Made once per function; callers put their own values in.
 */
import { excludedCalls } from './exclusion.ts';
import { bindingsOf, encloses } from './binding.ts';
import type { Evaluator } from './evaluator.ts';
import { type AtCall, type Caller, type Deep, Distinct, type Grant, type HeldLock, holdingToo, incidental, reached, seenBy, viaOf } from './deep.ts';
import { type ModelEvent, type RunsEvent, bindEvent, bindLock } from './events.ts';
import { isHeld } from './flow.ts';
import { callsOnFailure } from './failures.ts';
import type { Entered, Interpreter } from './interpret.ts';
import type { CallExpr, Func } from './ir.ts';
import { type Section, Sections, type Told } from './sections.ts';
import { statementOf } from './statements.ts';
import { type Binding, type Value, alternatives, sameSite } from './value.ts';

export interface Summary {
  deep: Deep[];
  grants: Grant[];
  sections: Section[];
  /** Every lock that the function was followed with, given back in sight or not. */
  followed: Section[];
  /** Parameters of this function that are told whether a lock was granted. */
  told: Told[];
}

const empty: Summary = { deep: [], grants: [], sections: [], followed: [], told: [] };
const [maxDeep, maxChain] = [400, 8];

export class Summaries {
  private readonly known = new WeakMap<Func, Summary>();
  /** Made while a function that calls them in a circle was being summarized: good enough for that one. */
  private provisional = new WeakMap<Func, Summary>();
  /** By call, seen from its own function. */
  private readonly calls = new WeakMap<CallExpr, AtCall>();
  private readonly busy = new Set<Func>();
  /** Functions whose events are being put in, in the function that is being summarized. */
  private expanding = new Set<Func>();
  /** How often a function was met that was being summarized. */
  private circles = 0;
  private readonly sections: Sections;

  constructor(private readonly evaluator: Evaluator, private readonly interpreter: Interpreter) {
    this.sections = new Sections(evaluator, interpreter, this);
  }

  of(func: Func): Summary {
    const known = this.known.get(func);
    if (known) return known;
    // A recursion adds nothing that its first round has not.
    if (this.isBusy(func)) return empty;
    if (this.busy.size === 0) this.provisional = new WeakMap();
    const half = this.provisional.get(func);
    if (half) return half;
    const before = this.circles;
    this.busy.add(func);
    // What is in hand for a caller says nothing of this function, whose summary is for all.
    const { expanding } = this;
    this.expanding = new Set();
    const summary = this.summarize(func);
    this.expanding = expanding;
    this.busy.delete(func);
    if (this.circles === before || this.busy.size === 0) this.known.set(func, summary);
    else this.provisional.set(func, summary);
    return summary;
  }

  /** The function is being summarized: what it does is not known yet. */
  isBusy(func: Func): boolean {
    const isBusy = this.busy.has(func);
    if (isBusy) this.circles++;
    return isBusy;
  }

  private summarize(func: Func): Summary {
    const perCall = new Map<CallExpr, Deep[]>();
    const grants: Grant[] = [];
    for (const step of func.graph().steps) {
      if (step.op.kind !== 'call') continue;
      const { call } = step.op;
      const found = this.atCall(call, func);
      perCall.set(call, found.deep);
      grants.push(...found.grants);
    }
    const [sections, followed]: [Section[], Section[]] = [[], []];
    const told: Told[] = [];
    const left: Grant[] = [];
    const underByCall = new Map<CallExpr, HeldLock[]>();
    const seen: Grant[] = [];
    for (const grant of grants) {
      // The same acquire in a duplicated block is followed once, with the first.
      if (seen.some((it) => sameSite(it.at, grant.at) && it.acquire.call === grant.acquire.call)) continue;
      seen.push(grant);
      const { section, outcomes } = this.sections.ofGrant(func, grant, perCall);
      followed.push(section);
      if (section.isReleased || grant.lock.isCertain) sections.push(section);
      if (outcomes) left.push({ ...grant, outcomes });
      if (section.isReleased || grant.lock.isCertain) {
        const held: HeldLock = { lock: section.lock, acquire: section.acquire, renewals: section.renewals, releases: section.releases, renews: section.renews };
        for (const [step, states] of section.flow!.states) {
          if (step.op.kind !== 'call' || ![...states].some(isHeld)) continue;
          const list = underByCall.get(step.op.call);
          if (list) list.push(held);
          else underByCall.set(step.op.call, [held]);
        }
      }
    }
    for (const list of [...perCall.values()]) {
      for (const it of list) {
        if (it.kind !== 'acquire' || it.via.length > 0 || !it.event.callback) continue;
        const found = this.sections.ofCallback(it.event, it.event.callback, it.at);
        sections.push(...found.sections);
        followed.push(...found.sections);
        told.push(...found.told.filter((each) => each.func === func));
      }
    }
    for (const [call] of perCall) sections.push(...this.answeredSections(call));
    const distinct = new Distinct();
    for (const [call, list] of perCall) {
      const under = underByCall.get(call);
      const holding = under && holdingToo(under);
      for (const it of list) if (distinct.all.length < maxDeep) distinct.add(it, holding ? seenBy(holding, it, it) : it);
    }
    const deep = distinct.all;
    sections.push(...this.sections.ofBodies(func, deep), ...this.sections.ofDecorators(func, deep));
    return { deep, grants: left, sections, followed, told };
  }

  /** A helper that tells its own callback whether the lock was granted: the section begins there. */
  private answeredSections(call: CallExpr): Section[] {
    return this.interpreter.meaning(call).entered.flatMap((it) => {
      const bindings = bindingsOf(it.callee, it.args, it.open);
      return this.of(it.callee.func).told.flatMap((told) => {
        const callback = it.args[told.index];
        if (callback?.kind !== 'func') return [];
        const grant = this.bindGrant(told.grant, bindings, call);
        return this.sections.ofAnswered(callback.func, grant, told.held, told.refused).sections;
      });
    });
  }

  /** Everything that a call does, seen from its function, and the locks that it leaves taken. */
  atCall(call: CallExpr, frame: Func): AtCall {
    const known = call.func === frame ? this.calls.get(call) : undefined;
    if (known) return known;
    const before = this.circles;
    const found = this.reachedAt(call, frame);
    if (call.func === frame && this.circles === before && this.expanding.size === 0) this.calls.set(call, found);
    return found;
  }

  private reachedAt(call: CallExpr, frame: Func): AtCall {
    const meaning = this.interpreter.meaning(call);
    const [deep, grants]: [Deep[], Grant[]] = [[], []];
    for (const event of meaning.events) {
      const it = reached(event, { at: call, via: [], timing: 'now' });
      deep.push(it);
      if (event.kind === 'acquire' && event.callback) {
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.callback, args: [], when: 'now' };
        deep.push(...this.expand(reached(runs, it), frame));
        continue;
      }
      if (event.kind === 'acquire' && !event.body) {
        const throws = event.refused === 'throws';
        grants.push({ lock: event.lock, acquire: event, at: call, via: [], outcomes: { held: event.granted, refused: typeof event.refused === 'string' ? undefined : event.refused, refusalThrows: throws } });
      }
      if (event.kind === 'acquire' && event.body) {
        const held: HeldLock = { lock: event.lock, acquire: event, renewals: [], releases: [], renews: event.renews };
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.body, args: event.bodyArgs ?? [], when: 'now' };
        deep.push(...this.expand(reached(runs, it, [held], [held]), frame));
      }
      if (event.kind === 'runs') deep.push(...this.expand(it, frame).slice(1));
      // A transaction answers what its body answers: a lock that the body leaves taken is its caller's.
      if (event.kind === 'runs' && event.inTransaction && event.body.kind === 'func' && !this.busy.has(event.body.func)) {
        const bindings = bindingsOf(event.body, event.args, false);
        grants.push(...this.of(event.body.func).grants.map((grant) => this.bindGrant(grant, bindings, call)));
      }
      // `new Promise((resolve) => …)` is granted by what `resolve` is told.
      if (event.kind === 'runs' && call.isNew && event.body.kind === 'func' && !this.busy.has(event.body.func)) {
        for (const told of this.of(event.body.func).told) {
          if (told.index !== 0 || !told.held[0]) continue;
          grants.push({ ...told.grant, at: call, via: [told.grant.at, ...told.grant.via], outcomes: { held: told.held[0], refused: told.refused[0], refusalThrows: false } });
        }
      }
    }
    for (const it of meaning.entered) {
      const entered = this.enter(it, call, frame);
      deep.push(...entered.deep);
      grants.push(...entered.grants);
    }
    return { deep, grants };
  }

  /** What a function that a call enters does, seen from the call. */
  enter(it: Entered, call: CallExpr, frame: Func): AtCall {
    const { callee } = it;
    if (encloses(callee.func, frame) && this.busy.has(callee.func)) return { deep: [], grants: [] };
    const summary = this.of(callee.func);
    const bindings = bindingsOf(callee, it.args, it.open);
    const deep: Deep[] = [];
    // A function that is written inside the frame is part of it: what happens there happens in place.
    const isInline = encloses(frame, callee.func) && callee.func.name === '';
    const excluded = excludedCalls(callee.func, it, this.evaluator);
    const onFailure = isInline ? [] : callsOnFailure(callee.func);
    const callers = new Map<boolean, Caller>();
    const callerOf = (isIncidental: boolean): Caller => {
      let caller = callers.get(isIncidental);
      if (!caller) callers.set(isIncidental, (caller = this.caller(bindings, isIncidental)));
      return caller;
    };
    for (const inner of summary.deep) {
      if (inner.via.length >= maxChain || excluded.some((each) => sameSite(each, inner.at))) continue;
      const isIncidental = onFailure.some((each) => sameSite(each, inner.at));
      if (isIncidental && inner.kind === 'put') continue;
      const caller = callerOf(isIncidental);
      const place = isInline ? inner : { at: call, via: viaOf(inner), timing: inner.timing, inTransaction: inner.inTransaction, isSerializable: inner.isSerializable };
      if (inner.isConcrete || (inner.kind !== 'runs' && inner.kind !== 'statement')) deep.push(seenBy(caller, inner, place));
      else {
        for (const event of this.bindEvents(inner.event, bindings)) {
          if (isIncidental && event.kind === 'put') continue;
          const next = reached(isIncidental ? incidental(event) : event, place, caller.under(inner), caller.bodyOf(inner));
          deep.push(next);
          if (event.kind === 'runs' && !inner.isConcrete) deep.push(...this.expand(next, frame).slice(1));
        }
      }
      if (deep.length > maxDeep) break;
    }
    return { deep, grants: summary.grants.map((grant) => this.bindGrant(grant, bindings, call)) };
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

  private bindGrant(grant: Grant, bindings: readonly Binding[], call: CallExpr): Grant {
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
  expand(it: Deep, frame: Func): Deep[] {
    const found: Deep[] = [it];
    const event = it.event as RunsEvent;
    for (const body of alternatives(event.body)) {
      if (body.kind === 'releaser') {
        found.push(reached({ kind: 'release', call: event.call, library: undefined, handle: body, ownerChecked: !body.isBlind, how: 'the release function', form: 'library' }, it, it.under, it.bodyOf));
        continue;
      }
      // A function that comes to be handed to itself adds nothing that its first round has not.
      if (body.kind !== 'func' || this.busy.has(body.func) || this.expanding.has(body.func) || it.via.length >= maxChain) continue;
      this.expanding.add(body.func);
      const summary = this.of(body.func);
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
      for (const inner of summary.deep) {
        if (found.length > maxDeep) break;
        const place = {
          ...(isInline ? { at: inner.at, via: inner.via } : { at: it.at, via: [...it.via, ...viaOf(inner)] }),
          timing: inner.timing === 'now' ? timing : inner.timing,
          ...(inner.inTransaction ? { inTransaction: inner.inTransaction, isSerializable: inner.isSerializable } : transaction),
        };
        if (inner.isConcrete || (inner.kind !== 'runs' && inner.kind !== 'statement')) {
          found.push(seenBy(caller, inner, place));
          continue;
        }
        for (const bound of this.bindEvents(inner.event, bindings)) {
          const next = reached(bound, place, caller.under(inner), caller.bodyOf(inner));
          found.push(next);
          if (bound.kind === 'runs' && !inner.isConcrete) found.push(...this.expand(next, frame).slice(1));
        }
      }
      this.expanding.delete(body.func);
      // Locks that a body leaves taken cannot be followed further here.
    }
    return found;
  }

  private bindAll<E extends ModelEvent>(event: E, bindings: readonly Binding[]): E {
    return bindings.reduce((at, binding) => bindEvent(at, binding, this.evaluator), event);
  }

  /** The event with the caller's values; a statement becomes what it does once its text is known. */
  private bindEvents(event: ModelEvent, bindings: readonly Binding[]): ModelEvent[] {
    const bound = this.bindAll(event, bindings);
    if (bound.kind === 'runs') return this.interpreter.ofHanded(bound) ?? [bound];
    return bound.kind === 'statement' ? (statementOf(bound) ?? [bound]) : [bound];
  }

  bindHeld(held: HeldLock, bindings: readonly Binding[]): HeldLock {
    return { ...held, lock: bindings.reduce((at, binding) => bindLock(at, binding, this.evaluator), held.lock), acquire: this.bindAll(held.acquire, bindings) };
  }
}
