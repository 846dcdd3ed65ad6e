/**
 * What a function does, in terms of its parameters and its receiver: the events in it and in what it
 * calls, the locks that it leaves taken, the critical sections that begin in it. Made once per
 * function; callers put their own values in.
 */
import type { Evaluator } from './evaluator.ts';
import { type AcquireEvent, type Lock, type ModelEvent, type ReleaseEvent, type RunsEvent, bindEvent, bindLock } from './events.ts';
import { type Flow, type Outcomes, type Tracked, follow, isHeld } from './flow.ts';
import type { Entered, Interpreter } from './interpret.ts';
import { encloses } from './evaluator.ts';
import type { CallExpr, Func, Step, Variable } from './ir.ts';
import { type Binding, type Value, alternatives, contains, either, sameSite, sameValue, unknown } from './value.ts';

/** An event, and by which calls it is reached. */
export interface Deep {
  event: ModelEvent;
  /** The call of this function at which it happens; the event's own call when it happens right here. */
  at: CallExpr;
  /** Calls between `at` and the event, outermost first. */
  via: CallExpr[];
  /** Locks that are held by functions on the way. */
  under: HeldLock[];
  /** For the run of a lock's body: the locks under which it runs, until the body is in sight. */
  bodyOf?: HeldLock[];
  /** A timer or listener runs it, or it is started and not waited for. */
  timing: 'now' | 'later' | 'repeatedly' | 'floating';
  inTransaction?: CallExpr;
  isSerializable?: boolean;
}

export interface HeldLock {
  lock: Lock;
  acquire: AcquireEvent;
  /** Renewals of the lock that its taker starts. */
  renewals: Deep[];
  renews?: 'always' | 'body';
  releases: Deep[];
}

/** A lock that a function leaves taken. */
export interface Grant {
  lock: Lock;
  acquire: AcquireEvent;
  /** Where this function takes it: the acquire's own call, or the call of a helper. */
  at: CallExpr;
  via: CallExpr[];
  outcomes: Outcomes;
}

/** From a granted acquire to its release, within one function and what it calls. */
export interface Section {
  frame: Func;
  lock: Lock;
  acquire: AcquireEvent;
  /** Where the frame takes the lock. */
  at: CallExpr;
  via: CallExpr[];
  items: Deep[];
  releases: Deep[];
  renewals: Deep[];
  /** A release is reached on a path on which nothing was thrown. */
  isReleased: boolean;
  /** The lock's own function runs the work. */
  form: 'pair' | 'body';
  renews?: 'always' | 'body';
  flow?: Flow;
}

export interface Summary {
  deep: Deep[];
  grants: Grant[];
  sections: Section[];
}

const empty: Summary = { deep: [], grants: [], sections: [] };
const maxDeep = 400;
const maxChain = 8;

export class Summaries {
  private readonly known = new Map<Func, Summary>();
  private readonly busy = new Set<Func>();

  constructor(
    private readonly evaluator: Evaluator,
    private readonly interpreter: Interpreter,
  ) {}

  of(func: Func): Summary {
    const known = this.known.get(func);
    if (known) return known;
    // A recursion adds nothing that its first round has not.
    if (this.busy.has(func)) return empty;
    this.busy.add(func);
    const summary = this.summarize(func);
    this.busy.delete(func);
    this.known.set(func, summary);
    return summary;
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
    const sections: Section[] = [];
    const left: Grant[] = [];
    const underByCall = new Map<CallExpr, HeldLock[]>();
    const seen: Grant[] = [];
    for (const grant of grants) {
      // The same acquire in a duplicated block is followed once, with the first.
      if (seen.some((it) => sameSite(it.at, grant.at) && it.acquire.call === grant.acquire.call)) continue;
      seen.push(grant);
      const { section, outcomes } = this.followGrant(func, grant, perCall);
      if (section.isReleased || grant.lock.isCertain) sections.push(section);
      if (outcomes) left.push({ ...grant, outcomes });
      if (section.isReleased) {
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
      for (const it of list) if (it.event.kind === 'acquire' && it.event.callback && it.via.length === 0) sections.push(...this.callbackSection(it.event, it.event.callback, it.at));
    }
    const deep: Deep[] = [];
    for (const [call, list] of perCall) {
      const under = underByCall.get(call);
      for (const it of list) {
        const full: Deep = under ? { ...it, under: [...it.under, ...under], bodyOf: it.event.kind === 'runs' && !wasConcrete(it.event) ? [...(it.bodyOf ?? []), ...under] : it.bodyOf } : it;
        if (deep.length < maxDeep && !deep.some((known) => sameSite(known.event.call, it.event.call) && known.event.kind === it.event.kind && sameSite(known.at, it.at) && known.via.length === it.via.length && keyOf(known.event) === keyOf(it.event))) deep.push(full);
      }
    }
    sections.push(...this.bodySections(func, deep), ...this.decoratedSections(func, deep));
    return { deep, grants: left, sections };
  }

  /** Everything that a call does, seen from its function, and the locks that it leaves taken. */
  private atCall(call: CallExpr, frame: Func): { deep: Deep[]; grants: Grant[] } {
    const meaning = this.interpreter.meaning(call);
    const deep: Deep[] = [];
    const grants: Grant[] = [];
    for (const event of meaning.events) {
      const it: Deep = { event, at: call, via: [], under: [], timing: 'now' };
      deep.push(it);
      if (event.kind === 'acquire' && event.callback) {
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.callback, args: [], when: 'now' };
        deep.push(...this.expand({ event: runs, at: call, via: [], under: [], timing: 'now' }, frame));
        continue;
      }
      if (event.kind === 'acquire' && !event.body) {
        const throws = event.refused === 'throws';
        grants.push({ lock: event.lock, acquire: event, at: call, via: [], outcomes: { held: event.granted, refused: typeof event.refused === 'string' ? undefined : event.refused, refusalThrows: throws } });
      }
      if (event.kind === 'acquire' && event.body) {
        const held: HeldLock = { lock: event.lock, acquire: event, renewals: [], releases: [], renews: event.renews };
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.body, args: event.bodyArgs ?? [], when: 'now' };
        deep.push(...this.expand({ event: runs, at: call, via: [], under: [held], bodyOf: [held], timing: 'now' }, frame));
      }
      if (event.kind === 'runs') deep.push(...this.expand(it, frame).slice(1));
    }
    for (const it of meaning.entered) {
      const entered = this.enter(it, call, frame);
      deep.push(...entered.deep);
      grants.push(...entered.grants);
    }
    return { deep, grants };
  }

  private enter(it: Entered, call: CallExpr, frame: Func): { deep: Deep[]; grants: Grant[] } {
    const { callee } = it;
    if (encloses(callee.func, frame) && this.busy.has(callee.func)) return { deep: [], grants: [] };
    const summary = this.of(callee.func);
    const bindings = bindingsOf(callee, it.args, it.open);
    const deep: Deep[] = [];
    // A function that is written inside the frame is part of it: what happens there happens in place.
    const isInline = encloses(frame, callee.func) && callee.func.name === '';
    for (const inner of summary.deep) {
      if (inner.via.length >= maxChain) continue;
      const event = this.bindAll(inner.event, bindings);
      const under = inner.under.map((held) => this.bindHeld(held, bindings));
      // Once the body is in sight its section has been told.
      const bodyOf = wasConcrete(inner.event) ? undefined : inner.bodyOf?.map((held) => this.bindHeld(held, bindings));
      const bound: Deep = isInline ? { ...inner, event, under, bodyOf } : { ...inner, event, at: call, via: sameSite(inner.at, inner.event.call) && inner.via.length === 0 ? [inner.event.call] : [inner.at, ...inner.via], under, bodyOf };
      deep.push(bound);
      if (event.kind === 'runs' && !wasConcrete(inner.event)) deep.push(...this.expand(bound, frame).slice(1));
      if (deep.length > maxDeep) break;
    }
    const grants = summary.grants.map((grant): Grant => {
      const bind = (value: Value): Value => bindings.reduce((at, binding) => this.evaluator.bind(at, binding), value);
      return {
        lock: bindings.reduce((at, binding) => bindLock(at, binding, this.evaluator), grant.lock),
        acquire: this.bindAll(grant.acquire, bindings),
        at: call,
        via: [grant.at, ...grant.via],
        outcomes: { held: bind(grant.outcomes.held), refused: grant.outcomes.refused && bind(grant.outcomes.refused), refusalThrows: grant.outcomes.refusalThrows },
      };
    });
    return { deep, grants };
  }

  /** The event itself, and what the function that it hands control to does. */
  private expand(it: Deep, frame: Func): Deep[] {
    const found: Deep[] = [it];
    const event = it.event as RunsEvent;
    for (const body of alternatives(event.body)) {
      if (body.kind === 'releaser') {
        found.push({ ...it, event: { kind: 'release', call: event.call, library: undefined, handle: body, ownerChecked: true, how: 'the release function', form: 'library' } });
        continue;
      }
      if (body.kind !== 'func') continue;
      if (this.busy.has(body.func)) continue;
      const summary = this.of(body.func);
      const bindings = bindingsOf(body, event.args, false);
      // What a timer runs is told where the timer is started.
      const isInline = encloses(frame, body.func) && body.func !== frame && event.when !== 'repeatedly';
      const timing = event.when === 'now' ? it.timing : event.when;
      const transaction = event.inTransaction ? { inTransaction: event.call, isSerializable: event.isSerializable } : {};
      for (const inner of summary.deep) {
        if (found.length > maxDeep) break;
        const bound = this.bindAll(inner.event, bindings);
        const under = [...it.under, ...inner.under.map((held) => this.bindHeld(held, bindings))];
        const place = isInline ? { at: inner.at, via: inner.via } : { at: it.at, via: [...it.via, ...(sameSite(inner.at, inner.event.call) ? [inner.event.call] : [inner.at, ...inner.via])] };
        const bodyOf = wasConcrete(inner.event) ? undefined : inner.bodyOf?.map((held) => this.bindHeld(held, bindings));
        const next: Deep = { ...inner, ...place, event: bound, under, bodyOf, timing: inner.timing === 'now' ? timing : inner.timing, ...(inner.inTransaction ? {} : transaction) };
        found.push(next);
        if (bound.kind === 'runs' && !wasConcrete(inner.event)) found.push(...this.expand(next, frame).slice(1));
      }
      // Locks that a body leaves taken cannot be followed further here.
    }
    return found;
  }

  private bindAll<E extends ModelEvent>(event: E, bindings: readonly Binding[]): E {
    return bindings.reduce((at, binding) => bindEvent(at, binding, this.evaluator), event);
  }

  private bindHeld(held: HeldLock, bindings: readonly Binding[]): HeldLock {
    return { ...held, lock: bindings.reduce((at, binding) => bindLock(at, binding, this.evaluator), held.lock), acquire: this.bindAll(held.acquire, bindings) };
  }

  private followGrant(func: Func, grant: Grant, perCall: Map<CallExpr, Deep[]>, answer?: Variable): { section: Section; outcomes: Outcomes | undefined } {
    const { evaluator } = this;
    const section: Section = { frame: func, lock: grant.lock, acquire: grant.acquire, at: grant.at, via: grant.via, items: [], releases: [], renewals: [], isReleased: false, form: 'pair', renews: grant.acquire.renews };
    const releasesAt = (call: CallExpr, values: (value: Value) => Value): Deep[] =>
      (perCall.get(call) ?? []).filter((it) => it.event.kind === 'release' && it.timing === 'now' && this.isReleaseOf(it.event, grant, values));
    const tracked: Tracked = {
      isAcquire: (call) => !answer && sameSite(call, grant.at),
      answer,
      outcomes: grant.outcomes,
      releases: (call, store) => {
        const direct = releasesAt(call, (value) => value).length > 0;
        if (direct) return true;
        // The callee or handle may be known only on this path.
        const value = evaluator.value(call.callee, store);
        if (value.kind === 'releaser') return sameSite(value.site, grant.acquire.call);
        if (value.kind !== 'func') return false;
        return this.enter({ callee: value, args: call.args.map((it) => evaluator.value(it, store)), open: false }, call, func).deep.some((it) => it.event.kind === 'release' && it.timing === 'now' && this.isReleaseOf(it.event, grant, (each) => each));
      },
      disposes: (variable, store) => this.disposed(evaluator.variable(variable, store), grant),
    };
    const flow = follow(func, tracked, evaluator);
    section.flow = flow;
    for (const [step, states] of flow.states) this.gather(step, states, section, grant, perCall, releasesAt);
    section.isReleased ||= [...flow.states].some(([step, states]) => step.op.kind === 'dispose' && states.has('held') && this.disposed(evaluator.variable(step.op.variable), grant));
    const held = [...(flow.returned.get('held') ?? []), ...(flow.returned.get('shaken') ?? [])];
    if (held.length === 0 || section.isReleased) return { section, outcomes: undefined };
    // Whoever comes back without the lock, refused or before having asked, has not got it.
    const refused = [...(flow.returned.get('refused') ?? []), ...(flow.returned.get('before') ?? [])];
    return { section, outcomes: { held: either(held), refused: refused.length ? either(refused) : undefined, refusalThrows: flow.raised.has('refused') } };
  }

  /** The section that begins in the callback which is told the answer. */
  private callbackSection(acquire: AcquireEvent, callback: Value & { kind: 'func' }, at: CallExpr): Section[] {
    const { func } = callback;
    const answer = func.params[1]?.variable;
    if (!answer || this.busy.has(func)) return [];
    const perCall = new Map<CallExpr, Deep[]>();
    for (const step of func.graph().steps) if (step.op.kind === 'call') perCall.set(step.op.call, this.atCall(step.op.call, func).deep);
    const grant: Grant = { lock: acquire.lock, acquire, at, via: [], outcomes: { held: acquire.granted, refused: typeof acquire.refused === 'string' ? undefined : acquire.refused, refusalThrows: false } };
    const { section } = this.followGrant(func, grant, perCall, answer);
    return section.isReleased || acquire.lock.isCertain ? [section] : [];
  }

  private gather(step: Step, states: Set<string>, section: Section, grant: Grant, perCall: Map<CallExpr, Deep[]>, releasesAt: (call: CallExpr, values: (value: Value) => Value) => Deep[]): void {
    if (step.op.kind !== 'call' || !(states.has('held') || states.has('shaken'))) return;
    const { call } = step.op;
    if (sameSite(call, grant.at)) return;
    const releases = releasesAt(call, (value) => value);
    for (const it of releases) {
      if (!section.releases.some((known) => sameSite(known.event.call, it.event.call) && sameSite(known.at, it.at))) section.releases.push(it);
    }
    if (releases.length && states.has('held')) section.isReleased = true;
    // A handle that is a closure: its own events are known only through the value.
    if (!releases.length && states.has('held')) {
      const value = this.evaluator.value(call.callee);
      for (const each of alternatives(value)) {
        if (each.kind === 'releaser' && sameSite(each.site, grant.acquire.call)) section.isReleased = true;
        if (each.kind !== 'func') continue;
        const found = this.enter({ callee: each, args: call.args.map((it) => this.evaluator.value(it)), open: false }, call, section.frame).deep.filter((it) => it.event.kind === 'release' && this.isReleaseOf(it.event, grant, (of) => of));
        if (found.length) {
          section.isReleased = true;
          section.releases.push(...found.filter((it) => !section.releases.some((known) => sameSite(known.event.call, it.event.call))));
        }
      }
    }
    for (const it of perCall.get(call) ?? []) {
      if (it.event.kind === 'renew' && this.isRenewalOf(it.event, section.lock, grant)) {
        // `SETNX` and the `EXPIRE` after it are one acquire in two steps, no renewal.
        const isFirstLease = grant.acquire.form === 'put' && !grant.lock.lease && it.timing === 'now' && sameSite(call, it.event.call) && !section.items.some((each) => each.event.kind === 'write');
        if (!isFirstLease) section.renewals.push(it);
      }
      else if (it.event.kind !== 'release' || !releases.includes(it)) section.items.push(it);
    }
  }

  /** Critical sections of functions that are run under a lock: the first frame in which the function is in sight. */
  private bodySections(func: Func, deep: readonly Deep[]): Section[] {
    const sections: Section[] = [];
    for (const it of deep) {
      if (it.event.kind !== 'runs' || !it.bodyOf?.length) continue;
      const bodies = alternatives(it.event.body).filter((each) => each.kind === 'func');
      if (bodies.length === 0) continue;
      for (const held of it.bodyOf) {
        const items: Deep[] = [];
        for (const body of bodies) {
          for (const inner of this.expand({ ...it, event: { ...it.event, body } as RunsEvent, under: [], bodyOf: undefined }, func).slice(1)) items.push(inner);
        }
        const renewals = [...held.renewals, ...items.filter((each) => each.event.kind === 'renew' && this.isRenewalOf(each.event, held.lock, undefined))];
        sections.push({ frame: func, lock: held.lock, acquire: held.acquire, at: it.at, via: it.via, items: items.filter((each) => !renewals.includes(each)), releases: held.releases, renewals, isReleased: true, form: 'body', renews: held.renews });
      }
    }
    return sections;
  }

  /** A method whose decorator takes a lock around it is a critical section as a whole. */
  private decoratedSections(func: Func, deep: readonly Deep[]): Section[] {
    const sections: Section[] = [];
    for (const it of func.decorators) {
      if (it.kind !== 'call') continue;
      const acquire = this.interpreter.decorated(it);
      const held: HeldLock[] = acquire ? [{ lock: acquire.lock, acquire, renewals: [], releases: [], renews: acquire.renews }] : this.heldByDecorator(it);
      for (const lock of held) {
        sections.push({ frame: func, lock: lock.lock, acquire: lock.acquire, at: it, via: lock.acquire.call === it ? [] : [lock.acquire.call], items: [...deep], releases: lock.releases, renewals: lock.renewals, isReleased: true, form: 'body', renews: lock.renews });
      }
    }
    return sections;
  }

  /** The locks under which a decorator of the project runs what it decorates. */
  private heldByDecorator(call: CallExpr): HeldLock[] {
    const held: HeldLock[] = [];
    for (const decorator of alternatives(this.evaluator.value(call))) {
      if (decorator.kind !== 'func' || this.busy.has(decorator.func)) continue;
      for (const inner of decorator.func.module.functions) {
        if (!encloses(decorator.func, inner)) continue;
        for (const it of this.of(inner).deep) {
          if (it.event.kind !== 'runs' || !it.bodyOf?.length || !contains(it.event.body, (each) => each.kind === 'param' && each.func === decorator.func)) continue;
          for (const lock of it.bodyOf) held.push(this.bindHeld(lock, decorator.bindings));
        }
      }
    }
    return held;
  }

  isReleaseOf(event: ReleaseEvent, grant: Pick<Grant, 'lock' | 'acquire'>, values: (value: Value) => Value): boolean {
    const { lock, acquire } = grant;
    if (event.handle) {
      const handle = values(event.handle);
      if (contains(handle, (it) => (it.kind === 'typed' || it.kind === 'releaser') && sameSite(it.site, acquire.call))) return true;
      if (lock.holder && alternatives(handle).some((it) => sameValue(it, lock.holder!))) return true;
      return false;
    }
    return !!event.key && !!lock.key && sameKey(values(event.key), lock.key);
  }

  private isRenewalOf(event: ModelEvent & { kind: 'renew' }, lock: Lock, grant: Grant | undefined): boolean {
    if (event.handle) {
      const acquire = grant?.acquire;
      return (!!acquire && contains(event.handle, (it) => it.kind === 'typed' && sameSite(it.site, acquire.call))) || (!!lock.holder && sameValue(event.handle, lock.holder));
    }
    return !!event.key && !!lock.key && sameKey(event.key, lock.key);
  }

  /** `using lock = …`: the object's dispose method, or a library's handle. */
  private disposed(value: Value, grant: Grant): boolean {
    for (const it of alternatives(value)) {
      if ((it.kind === 'typed' || it.kind === 'releaser') && sameSite(it.site, grant.acquire.call)) return true;
      for (const name of ['@@asyncDispose', '@@dispose']) {
        const method = this.evaluator.member(it, name);
        if (method.kind !== 'func') continue;
        const found = this.enter({ callee: method, args: [], open: false }, grant.at, grant.at.func);
        if (found.deep.some((each) => each.event.kind === 'release' && this.isReleaseOf(each.event, grant, (of) => of))) return true;
        // A disposable that is given its release: what it runs is what was handed over.
        if (found.deep.some((each) => each.event.kind === 'runs')) return true;
      }
    }
    return false;
  }
}

/** Keys are the same when their structure is; one of several alternatives is enough. */
export function sameKey(a: Value, b: Value): boolean {
  return alternatives(unwrapKey(a)).some((x) => alternatives(unwrapKey(b)).some((y) => sameValue(x, y)));
}

const unwrapKey = (value: Value): Value => (value.kind === 'array' && value.items.length === 1 ? value.items[0]! : value);

/** The parameters, receiver and surroundings of a function value, innermost first. */
export function bindingsOf(callee: Value & { kind: 'func' }, args: Value[], open: boolean): Binding[] {
  return [{ func: callee.func, args, self: callee.self, open }, ...callee.bindings];
}

const wasConcrete = (event: ModelEvent): boolean => event.kind === 'runs' && alternatives(event.body).every((it) => it.kind === 'func');

function keyOf(event: ModelEvent): string {
  return 'key' in event && event.key ? event.key.kind : '';
}

export type { Value };
export { unknown };
