/**
 * Critical sections: from where a lock is taken to where it is given back, in the callback that is
 * told of it, in the body that is run under it, or in the method that is decorated with it; and
 * which releases and renewals belong to which lock.
 */
import { encloses } from './binding.ts';
import { Endings } from './endings.ts';
import type { Evaluator } from './evaluator.ts';
import type { AcquireEvent, Lock, ModelEvent, ReleaseEvent } from './events.ts';
import { type Flow, type Outcomes, type Tracked, follow, isHeld } from './flow.ts';
import { intercepting } from './interceptors.ts';
import type { Interpreter } from './interpret.ts';
import type { CallExpr, Func, Step } from './ir.ts';
import { sameKey } from './key-form.ts';
import { isMark } from './marks.ts';
import { isOwnAnswer, isRetry } from './retries.ts';
import { type Deep, type Effects, type Grant, type HeldLock, reached } from './deep.ts';
import type { Summaries } from './summaries.ts';
import { type Value, alternatives, contains, either, sameSite, sameValue } from './value.ts';

/** From a granted acquire to its release, within one function and what it calls. */
export interface Section {
  frame: Func;
  lock: Lock;
  acquire: AcquireEvent;
  /** Where the frame takes the lock. */
  at: CallExpr;
  via: readonly CallExpr[];
  items: Deep[];
  releases: Deep[];
  renewals: Deep[];
  /** A release is reached on a path on which nothing was thrown. */
  isReleased: boolean;
  /** The lock's own function runs the work. */
  form: 'pair' | 'body';
  renews?: 'always' | 'body';
  flow?: Flow;
  /** How the lock was followed: questions about other ways through the function follow it again. */
  tracked?: Tracked;
  /** What each call of the frame does, where the lock was followed through it. */
  perCall?: Map<CallExpr, Effects>;
  /** The field that lets it through, where it is not the lock's own function that does. */
  flag?: string;
  /** The section begins in the callback that is told the answer. */
  isTold?: boolean;
}

/** A function that a caller hands over and that is told whether the lock was granted: `resolve`, a Node callback. */
export interface Told {
  /** The function whose parameter it is. */
  func: Func;
  index: number;
  grant: Grant;
  /** What it is called with, by position. */
  held: Value[];
  refused: Value[];
}

export class Sections {
  private readonly endings: Endings;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly interpreter: Interpreter,
    private readonly summaries: Summaries,
  ) {
    this.endings = new Endings(interpreter);
  }

  /** Follows a lock from where it is taken: the section until its release, or how the function leaves it taken. */
  ofGrant(func: Func, grant: Grant, perCall: Map<CallExpr, Effects>, callback?: Pick<Tracked, 'answers' | 'observe'>): { section: Section; outcomes: Outcomes | undefined } {
    const section: Section = { frame: func, lock: grant.lock, acquire: grant.acquire, at: grant.at, via: grant.via, items: [], releases: [], renewals: [], isReleased: false, form: 'pair', renews: grant.acquire.renews, perCall, isTold: callback !== undefined };
    const releasesAt = releasesOf(grant, perCall);
    const tracked = this.tracked(func, grant, perCall, releasesAt, callback);
    const flow = follow(func, tracked, this.evaluator);
    section.flow = flow;
    section.tracked = tracked;
    // What the acquiring call sets going renews while the section runs.
    section.renewals.push(...(perCall.get(grant.at)?.known ?? []).filter((it) => it.kind === 'renew' && it.timing === 'repeatedly' && isRenewalOf(it.event, grant.lock, grant)));
    for (const [step, states] of flow.states) this.gather(step, states, section, grant, perCall, releasesAt);
    section.isReleased ||= [...flow.states].some(([step, states]) => step.op.kind === 'dispose' && states.has('held') && this.disposed(this.evaluator.variable(step.op.variable), grant));
    if (section.isReleased && !grant.lock.isCertain && isMark(section, flow, perCall)) section.isReleased = false;
    return { section, outcomes: section.isReleased ? undefined : outcomesIn(flow, func) };
  }

  /** How a function leaves a lock taken that may be one, as its caller decides; undefined where it does not. */
  outcomesOf(func: Func, grant: Grant, perCall: Map<CallExpr, Effects>): Outcomes | undefined {
    return outcomesIn(follow(func, this.tracked(func, grant, perCall, releasesOf(grant, perCall)), this.evaluator), func);
  }

  /** How a lock is followed through a function. */
  private tracked(func: Func, grant: Grant, perCall: Map<CallExpr, Effects>, releasesAt: Releases, callback?: Pick<Tracked, 'answers' | 'observe'>): Tracked {
    const { evaluator } = this;
    return {
      isAcquire: (call) => !callback && sameSite(call, grant.at),
      ...callback,
      ends: (call) => this.endings.of(call),
      refusedAgain: (call) => {
        const other = (perCall.get(call)?.known ?? []).find((it) => it.kind === 'acquire' && sameSite(it.site, call) && !sameSite(call, grant.at) && isSameLock(it.event.lock, grant.lock));
        return other?.kind === 'acquire' && other.event.refused !== 'waits' ? other.event.refused : undefined;
      },
      isRetry: (answer) => isRetry(answer, func, evaluator),
      outcomes: grant.outcomes,
      releases: (call, store) => {
        if (releasesAt(call).length > 0) return true;
        // The callee or handle may be known only on this path.
        const value = evaluator.value(call.callee, store);
        if (value.kind === 'releaser') return sameSite(value.site, grant.acquire.call);
        if (value.kind !== 'func') return false;
        return this.summaries.enter({ callee: value, args: call.args.map((it) => evaluator.value(it, store)), open: false }, call, func).known.some((it) => it.kind === 'release' && it.timing === 'now' && isReleaseOf(it.event, grant));
      },
      disposes: (variable, store) => this.disposed(evaluator.variable(variable, store), grant),
    };
  }

  /** The section that begins in the Node callback `(err, answer)` of an acquire, and what that callback tells others. */
  ofCallback(acquire: AcquireEvent, callback: Value & { kind: 'func' }, at: CallExpr): { sections: Section[]; told: Told[] } {
    const refused = typeof acquire.refused === 'string' ? undefined : acquire.refused;
    const grant: Grant = { lock: acquire.lock, acquire, at, via: [], outcomes: { held: acquire.granted, refused, refusalThrows: false } };
    return this.ofAnswered(callback.func, grant, [undefined, acquire.granted], [undefined, refused]);
  }

  /** The section that begins in a function which is told by its arguments whether the lock was granted. */
  ofAnswered(func: Func, grant: Grant, held: (Value | undefined)[], refused: (Value | undefined)[]): { sections: Section[]; told: Told[] } {
    const told: Told[] = [];
    const answers = func.params.flatMap((param, i) => (param.variable && held[i] ? [{ variable: param.variable, held: held[i]!, refused: refused[i] }] : []));
    if (answers.length === 0 || this.summaries.isBusy(func)) return { sections: [], told };
    const perCall = new Map<CallExpr, Effects>();
    for (const step of func.graph().steps) if (step.op.kind === 'call') perCall.set(step.op.call, this.summaries.atCall(step.op.call, func));
    const observe: NonNullable<Tracked['observe']> = (call, state, store) => {
      const callee = this.evaluator.value(call.callee, store);
      if (callee.kind !== 'param' || callee.func === func) return;
      let it = told.find((known) => known.func === callee.func && known.index === callee.index);
      if (!it) told.push((it = { func: callee.func, index: callee.index, grant, held: [], refused: [] }));
      const side = isHeld(state) ? it.held : it.refused;
      call.args.forEach((arg, i) => {
        const value = this.evaluator.value(arg, store);
        side[i] = side[i] ? either([side[i]!, value]) : value;
      });
    };
    const { section } = this.ofGrant(func, grant, perCall, { answers, observe });
    return { sections: section.isReleased || grant.lock.isCertain ? [section] : [], told };
  }

  private gather(step: Step, states: Set<string>, section: Section, grant: Grant, perCall: Map<CallExpr, Effects>, releasesAt: Releases): void {
    if (step.op.kind !== 'call' || !(states.has('held') || states.has('shaken'))) return;
    const { call } = step.op;
    if (sameSite(call, grant.at)) return;
    const deep = perCall.get(call)?.deep ?? [];
    const releases = releasesAt(call, deep);
    for (const it of releases) {
      if (!section.releases.some((known) => sameSite(known.site, it.site) && sameSite(known.at, it.at))) section.releases.push(it);
    }
    if (releases.length && states.has('held')) section.isReleased = true;
    // A handle that is a closure: its own events are known only through the value.
    if (!releases.length && states.has('held')) {
      const value = this.evaluator.value(call.callee);
      for (const each of alternatives(value)) {
        if (each.kind === 'releaser' && sameSite(each.site, grant.acquire.call)) section.isReleased = true;
        if (each.kind !== 'func') continue;
        const found = this.summaries.enter({ callee: each, args: call.args.map((it) => this.evaluator.value(it)), open: false }, call, section.frame).known.filter((it) => it.kind === 'release' && isReleaseOf(it.event, grant));
        if (found.length) {
          section.isReleased = true;
          section.releases.push(...found.filter((it) => !section.releases.some((known) => sameSite(known.site, it.site))));
        }
      }
    }
    // What asks for the lock anew prolongs it as a part of that.
    const isAskedAnew = deep.some((it) => it.kind === 'acquire' && sameSite(it.site, grant.acquire.call));
    for (const it of deep) {
      if (isAskedAnew && it.kind === 'put' && grant.lock.key && sameKey(it.event.key, grant.lock.key)) continue;
      if (it.kind === 'renew' && isRenewalOf(it.event, section.lock, grant)) {
        if (isAskedAnew) continue;
        // `SETNX` and the `EXPIRE` after it are one acquire in two steps, no renewal.
        const isFirstLease = grant.acquire.form === 'put' && !grant.lock.lease && it.timing === 'now' && sameSite(call, it.site) && !section.items.some((each) => each.kind === 'write');
        if (!isFirstLease) section.renewals.push(it);
      } else if (it.kind !== 'release' || !releases.includes(it)) section.items.push(it);
    }
  }

  /** Critical sections of functions that are run under a lock: the first frame in which the function is in sight. */
  ofBodies(func: Func, deep: readonly Deep[]): Section[] {
    const sections: Section[] = [];
    for (const it of deep) {
      if (it.kind !== 'runs' || !it.bodyOf?.length) continue;
      const bodies = alternatives(it.event.body).filter((each) => each.kind === 'func');
      if (bodies.length === 0) continue;
      for (const held of it.bodyOf) {
        const items: Deep[] = [];
        for (const body of bodies) {
          items.push(...this.summaries.run(reached({ ...it.event, body }, it), func).deep);
        }
        const renewals = [...held.renewals, ...items.filter((each) => each.kind === 'renew' && isRenewalOf(each.event, held.lock, undefined))];
        sections.push({ frame: func, lock: held.lock, acquire: held.acquire, at: it.at, via: it.via, items: items.filter((each) => !renewals.includes(each)), releases: held.releases, renewals, isReleased: true, form: 'body', renews: held.renews });
      }
    }
    return sections;
  }

  /** A method whose decorator takes a lock around it is a critical section as a whole. */
  ofDecorators(func: Func, effects: Effects): Section[] {
    const sections: Section[] = [];
    for (const it of func.decorators) {
      if (it.kind !== 'call') continue;
      const acquire = this.interpreter.decorated(it);
      const held: HeldLock[] = acquire ? [{ lock: acquire.lock, acquire, renewals: [], releases: [], renews: acquire.renews }] : this.heldByDecorator(it);
      for (const lock of held) {
        sections.push({ frame: func, lock: lock.lock, acquire: lock.acquire, at: it, via: lock.acquire.call === it ? [] : [lock.acquire.call], items: [...effects.deep], releases: lock.releases, renewals: lock.renewals, isReleased: true, form: 'body', renews: lock.renews });
      }
    }
    for (const { held, at } of intercepting(func, this.evaluator, this.summaries)) {
      sections.push({ frame: func, lock: held.lock, acquire: held.acquire, at, via: [held.acquire.call], items: [...effects.deep], releases: held.releases, renewals: held.renewals, isReleased: true, form: 'body', renews: held.renews });
    }
    return sections;
  }

  /** The locks under which a decorator of the project runs what it decorates. */
  private heldByDecorator(call: CallExpr): HeldLock[] {
    const held: HeldLock[] = [];
    for (const decorator of alternatives(this.evaluator.value(call))) {
      if (decorator.kind !== 'func' || this.summaries.isBusy(decorator.func)) continue;
      for (const inner of decorator.func.module.functions) {
        if (!encloses(decorator.func, inner)) continue;
        for (const it of this.summaries.of(inner).known) {
          if (it.kind !== 'runs' || !it.bodyOf?.length || !contains(it.event.body, (each) => each.kind === 'param' && each.func === decorator.func)) continue;
          for (const lock of it.bodyOf) held.push(this.summaries.bindHeld(lock, decorator.bindings));
        }
      }
    }
    return held;
  }

  /** `using lock = …`: the object's dispose method, or a library's handle. */
  private disposed(value: Value, grant: Grant): boolean {
    for (const it of alternatives(value)) {
      if ((it.kind === 'typed' || it.kind === 'releaser') && sameSite(it.site, grant.acquire.call)) return true;
      for (const name of ['@@asyncDispose', '@@dispose']) {
        const method = this.evaluator.member(it, name);
        if (method.kind !== 'func') continue;
        const found = this.summaries.enter({ callee: method, args: [], open: false }, grant.at, grant.at.func);
        if (found.known.some((each) => each.kind === 'release' && isReleaseOf(each.event, grant))) return true;
        // A disposable that is given its release: what it runs is what was handed over.
        if (found.deep.some((each) => each.kind === 'runs')) return true;
      }
    }
    return false;
  }
}

/** The releases of a lock among what a call does; among what is known of it, where nothing else is handed in. */
type Releases = (call: CallExpr, of?: readonly Deep[]) => Deep[];

const releasesOf = (grant: Grant, perCall: Map<CallExpr, Effects>): Releases => (call, of = perCall.get(call)?.known) => (of ?? []).filter((it) => it.kind === 'release' && it.timing === 'now' && isReleaseOf(it.event, grant));

/** What a function answers that ends with the lock taken, and what without. */
function outcomesIn(flow: Flow, func: Func): Outcomes | undefined {
  const [granted, shaken] = [flow.returned.get('held') ?? [], flow.returned.get('shaken') ?? []];
  if (granted.length + shaken.length === 0) return undefined;
  // Whoever comes back without the lock, refused or before having asked, has not got it.
  const refused = [...(flow.returned.get('refused') ?? []), ...(flow.returned.get('before') ?? [])].filter((it) => !isOwnAnswer(it, func));
  // A helper that fails behind the grant and answers as for a refusal loses the lock itself: to its caller it is one.
  const held = [...granted, ...(granted.length > 0 ? shaken.filter((it) => !alternatives(it).every((each) => refused.flatMap(alternatives).some((other) => sameValue(each, other)))) : shaken)];
  return { held: either(held), refused: refused.length ? either(refused) : undefined, refusalThrows: flow.raised.has('refused') && (refused.length === 0 || refusesByThrow(func, flow)) };
}

/** Beside its answers; that something else fails on the way of a refusal is none. */
function refusesByThrow(func: Func, flow: Flow): boolean {
  const { raise } = func.graph();
  return [...flow.states].some(([step, states]) => step.op.kind === 'throw' && step.fail === raise && states.has('refused'));
}

/** The row or key that is made, and the same one that is taken over where it has expired. */
const isSameLock = (a: Lock, b: Lock): boolean =>
  a.space === b.space && (a.space === 'row' ? a.table !== undefined && a.table === b.table : a.key !== undefined && b.key !== undefined && sameKey(a.key, b.key));

/** Whether a release gives back this lock: by its handle, by its holder, or by its key. */
export function isReleaseOf(event: ReleaseEvent, { lock, acquire }: Pick<Grant, 'lock' | 'acquire'>): boolean {
  if (event.session) return !!lock.session && contains(lock.session, (it) => sameValue(it, event.session!));
  if (event.handle) {
    const { handle } = event;
    if (contains(handle, (it) => (it.kind === 'typed' || it.kind === 'releaser') && sameSite(it.site, acquire.call))) return true;
    if (lock.holder && alternatives(handle).some((it) => sameValue(it, lock.holder!))) return true;
    return false;
  }
  if (!event.key || !lock.key) return false;
  return sameKey(event.key, lock.key) || (event.table !== undefined && event.table === lock.table && namesRow(event.key, lock.key));
}

/** A row may be made by more columns than it is told by, and be removed by all of them. */
function namesRow(a: Value, b: Value): boolean {
  const [left, right] = [a, b].map((it) => (it.kind === 'array' ? it.items : [it])) as [Value[], Value[]];
  const isIn = (some: Value[], all: Value[]): boolean => some.length > 0 && some.every((each) => all.some((other) => sameKey(each, other)));
  return isIn(left, right) || isIn(right, left);
}

/** Whether a renewal prolongs this lock. */
function isRenewalOf(event: ModelEvent & { kind: 'renew' }, lock: Lock, grant: Grant | undefined): boolean {
  if (event.session) return !!lock.session && contains(lock.session, (it) => sameValue(it, event.session!));
  if (event.handle) {
    const acquire = grant?.acquire;
    return (!!acquire && contains(event.handle, (it) => it.kind === 'typed' && sameSite(it.site, acquire.call))) || (!!lock.holder && sameValue(event.handle, lock.holder));
  }
  return !!event.key && !!lock.key && sameKey(event.key, lock.key);
}
