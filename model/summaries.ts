/**
 * What a function does, in terms of its parameters and its receiver: the events in it and in what it
 * calls, and the locks that it leaves taken. Made once per function; callers put their own values in.
 */
import { bindingsOf } from './binding.ts';
import type { Evaluator } from './evaluator.ts';
import { type AtCall, type Deep, Distinct, type Effects, type Grant, type HeldLock, holdingToo, reached, seenBy } from './deep.ts';
import { Entering } from './entering.ts';
import { Late, granting, joined, whole } from './late.ts';
import type { RunsEvent } from './events.ts';
import { isHeld } from './flow.ts';
import type { Entered, Interpreter } from './interpret.ts';
import type { CallExpr, Func } from './ir.ts';
import { type Section, Sections, type Told } from './sections.ts';
import { type Binding, sameSite } from './value.ts';

export interface Summary extends Effects {
  grants: Grant[];
  sections: Section[];
  /** Every lock that the function was followed with, given back in sight or not. */
  followed: Section[];
  /** Parameters of this function that are told whether a lock was granted. */
  told: Told[];
}

const empty: Summary = { deep: [], known: [], isWhole: true, grants: [], sections: [], followed: [], told: [] };
const maxDeep = 400;

export class Summaries {
  private readonly known = new WeakMap<Func, Summary>();
  /** Made while a function that calls them in a circle was being summarized: good enough for that one. */
  private provisional = new WeakMap<Func, Summary>();
  /** By call, seen from its own function. */
  private readonly calls = new WeakMap<CallExpr, AtCall>();
  private readonly busy = new Set<Func>();
  private readonly late = new Late();
  private readonly entering: Entering;
  private readonly sections: Sections;

  constructor(evaluator: Evaluator, private readonly interpreter: Interpreter) {
    this.entering = new Entering(evaluator, interpreter, this, this.late);
    this.sections = new Sections(evaluator, interpreter, this);
  }

  of(func: Func): Summary {
    const known = this.known.get(func);
    if (known) return known;
    // A recursion adds nothing that its first round has not.
    if (this.isBusy(func)) return empty;
    if (this.late.isFirst) this.provisional = new WeakMap();
    const half = this.provisional.get(func);
    if (half) return half;
    const before = this.late.circles;
    this.busy.add(func);
    const summary = this.late.during(() => this.entering.apart(() => this.summarize(func)));
    this.busy.delete(func);
    if (this.late.circles === before || this.late.isFirst) this.known.set(func, summary);
    else this.provisional.set(func, summary);
    return summary;
  }

  /** The function is being summarized: what it does is not known yet. */
  isBusy(func: Func): boolean {
    const isBusy = this.busy.has(func);
    if (isBusy) this.late.circles++;
    return isBusy;
  }

  /** The same, for those who leave it out. */
  isBeingMade(func: Func): boolean {
    return this.busy.has(func);
  }

  enter(it: Entered, call: CallExpr, frame: Func): AtCall {
    return this.entering.enter(it, call, frame);
  }

  /** What the function that an event hands control to does. */
  run(it: Deep, frame: Func): Effects {
    return this.entering.run(it, frame);
  }

  bindHeld(held: HeldLock, bindings: readonly Binding[]): HeldLock {
    return this.entering.bindHeld(held, bindings);
  }

  private summarize(func: Func): Summary {
    const perCall = new Map<CallExpr, Effects>();
    const grants: Grant[] = [];
    for (const step of func.graph().steps) {
      if (step.op.kind !== 'call') continue;
      const { call } = step.op;
      const found = this.atCall(call, func);
      perCall.set(call, found);
      grants.push(...found.grants);
    }
    const [sections, followed]: [Section[], Section[]] = [[], []];
    const told: Told[] = [];
    const left: Grant[] = [];
    const underByCall = new Map<CallExpr, HeldLock[]>();
    const seen: Grant[] = [];
    for (const grant of grants) {
      if (grant.open) {
        const outcomes = this.sections.outcomesOf(func, grant, perCall);
        if (outcomes) left.push({ ...grant, outcomes });
        continue;
      }
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
    for (const { known } of [...perCall.values()]) {
      for (const it of known) {
        if (it.kind !== 'acquire' || it.via.length > 0 || !it.event.callback) continue;
        const found = this.sections.ofCallback(it.event, it.event.callback, it.at);
        sections.push(...found.sections);
        followed.push(...found.sections);
        told.push(...found.told.filter((each) => each.func === func));
      }
    }
    for (const [call] of perCall) sections.push(...this.answeredSections(call));
    const all = (of: (effects: Effects) => readonly Deep[]): readonly Deep[] => {
      const distinct = new Distinct();
      for (const [call, effects] of perCall) {
        const under = underByCall.get(call);
        const holding = under && holdingToo(under);
        for (const it of of(effects)) if (distinct.all.length < maxDeep) distinct.add(it, holding ? seenBy(holding, it, it) : it);
      }
      return distinct.all;
    };
    const known = all((it) => it.known);
    const effects = [...perCall.values()].every((it) => it.isWhole) ? whole(known) : this.late.effects(known, () => all((it) => it.deep));
    sections.push(...this.sections.ofBodies(func, known), ...this.sections.ofDecorators(func, effects));
    return {
      known,
      isWhole: effects.isWhole,
      get deep() {
        return effects.deep;
      },
      grants: left,
      sections,
      followed,
      told,
    };
  }

  /** A helper that tells its own callback whether the lock was granted: the section begins there. */
  private answeredSections(call: CallExpr): Section[] {
    return this.interpreter.meaning(call).entered.flatMap((it) => {
      if (!it.args.some((each) => each.kind === 'func')) return [];
      const bindings = bindingsOf(it.callee, it.args, it.open);
      return this.of(it.callee.func).told.flatMap((told) => {
        const callback = it.args[told.index];
        if (callback?.kind !== 'func') return [];
        const grant = this.entering.bindGrant(told.grant, bindings, call);
        return this.sections.ofAnswered(callback.func, grant, told.held, told.refused).sections;
      });
    });
  }

  /** Everything that a call does, seen from its function, and the locks that it leaves taken. */
  atCall(call: CallExpr, frame: Func): AtCall {
    const known = call.func === frame ? this.calls.get(call) : undefined;
    if (known) return known;
    const before = this.late.circles;
    const found = this.reachedAt(call, frame);
    if (call.func === frame && this.late.circles === before && this.entering.isAlone) this.calls.set(call, found);
    return found;
  }

  private reachedAt(call: CallExpr, frame: Func): AtCall {
    const meaning = this.interpreter.meaning(call);
    const [effects, grants]: [Effects[], Grant[]] = [[], []];
    for (const event of meaning.events) {
      const it = reached(event, { at: call, via: [], timing: 'now' });
      effects.push(whole([it]));
      if (event.kind === 'acquire' && event.callback) {
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.callback, args: [], when: 'now' };
        effects.push(this.entering.expand(reached(runs, it), frame));
        continue;
      }
      if (event.kind === 'acquire' && !event.body) {
        const throws = event.refused === 'throws';
        grants.push({ lock: event.lock, acquire: event, at: call, via: [], outcomes: { held: event.granted, refused: typeof event.refused === 'string' ? undefined : event.refused, refusalThrows: throws } });
      }
      if (event.kind === 'open') {
        for (const acquire of this.interpreter.possibleGrants(event)) grants.push({ lock: acquire.lock, acquire, at: call, via: [], outcomes: { held: acquire.granted, refused: typeof acquire.refused === 'string' ? undefined : acquire.refused, refusalThrows: acquire.refused === 'throws' }, open: event });
      }
      if (event.kind === 'acquire' && event.body) {
        const held: HeldLock = { lock: event.lock, acquire: event, renewals: [], releases: [], renews: event.renews };
        const runs: RunsEvent = { kind: 'runs', call, library: event.library, body: event.body, args: event.bodyArgs ?? [], when: 'now' };
        effects.push(this.entering.expand(reached(runs, it, [held], [held]), frame));
      }
      if (event.kind === 'runs') effects.push(this.entering.run(it, frame));
      // A transaction answers what its body answers: a lock that the body leaves taken is its caller's.
      if (event.kind === 'runs' && event.inTransaction && event.body.kind === 'func' && !this.busy.has(event.body.func) && !this.entering.isQuiet(event.body.func)) {
        const bindings = bindingsOf(event.body, event.args, false);
        grants.push(...this.of(event.body.func).grants.flatMap((grant) => this.entering.bindGrants(grant, bindings, call)));
      }
      // `new Promise((resolve) => …)` is granted by what `resolve` is told.
      if (event.kind === 'runs' && call.isNew && event.body.kind === 'func' && !this.busy.has(event.body.func) && !this.entering.isQuiet(event.body.func)) {
        for (const told of this.of(event.body.func).told) {
          if (told.index !== 0 || !told.held[0]) continue;
          grants.push({ ...told.grant, at: call, via: [told.grant.at, ...told.grant.via], outcomes: { held: told.held[0], refused: told.refused[0], refusalThrows: false } });
        }
      }
    }
    for (const it of meaning.entered) {
      const entered = this.enter(it, call, frame);
      effects.push(entered);
      grants.push(...entered.grants);
    }
    return granting(joined(effects, this.late), grants);
  }
}
