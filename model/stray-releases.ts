/** Releases that also run where the lock was not taken: the acquire was refused, failed, or had not run yet. */
import { mayThrow } from './throws.ts';
import { isHeld, type LockState } from './flow.ts';
import type { CallExpr, Func, Step } from './ir.ts';
import { ownerValue } from './owners.ts';
import { isOneOfMany } from './reach.ts';
import { isReleaseOf, type Section } from './sections.ts';
import type { Model, Story } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, alternatives, sameSite } from './value.ts';
import { goalOn, type Way } from './ways.ts';

export interface StrayRelease {
  release: Deep;
  /** The expression that is reported. */
  call: CallExpr;
  /** `refused`: the acquire was not granted. `before`: it had not run, or failed. `registered`: a handler knows nothing of the grant. */
  how: 'refused' | 'before' | 'registered';
  section: Section;
}

/** The stray releases of a file: of its sections, and of locks that a handler alone gives back. */
export function strayReleasesIn({ module, model, sections, releases }: Story): StrayRelease[] {
  const ofHandlers = module.functions.flatMap((func) => model.summaries.of(func).followed.filter((it) => !it.isReleased && !it.lock.isCertain)).flatMap((it) => strayReleases(model, it));
  const all = [...sections.flatMap(({ section }) => strayReleases(model, section)), ...ofHandlers.filter((it) => releases.some(({ event }) => sameSite(event.call, it.release.site)))];
  return all.filter((it, i) => it.call.func.module === module && all.findIndex((other) => sameSite(other.call, it.call)) === i);
}

/** The releases of a section that also run without the lock, and then free somebody else's. */
function strayReleases(model: Model, section: Section): StrayRelease[] {
  const { flow, perCall, lock } = section;
  if (lock.kind !== 'lease' || !flow || !perCall || section.form !== 'pair' || section.isTold || !isGuarded(section) || isOneOfMany(section)) return [];
  const found: StrayRelease[] = [];
  const add = (release: Deep, call: CallExpr, how: StrayRelease['how']): void => {
    if (!found.some((it) => sameSite(it.call, call))) found.push({ release, call, how, section });
  };
  const steps = [...flow.states.keys()].sort((a, b) => a.span.start - b.span.start);
  for (const step of steps) {
    const states = flow.states.get(step)!;
    const { op } = step;
    if (op.kind === 'dispose') {
      if (!runsEitherWay(flow.releasing, step, states)) continue;
      for (const it of handedToDispose(model, section, step)) add(it, it.site, 'registered');
      continue;
    }
    if (op.kind !== 'call' || sameSite(op.call, section.at)) continue;
    const releases = (perCall.get(op.call)?.known ?? []).filter((it) => isUncheckedReleaseOf(it, section));
    for (const it of releases) {
      if (isRegistered(model, it, op.call)) {
        const isEarly = (states.has('before') && isAcquireAhead(section, step)) || (states.has('refused') && [...states].some(isHeld));
        if (isEarly && isUnconditional(it, op.call)) add(it, it.site.func.module === op.call.func.module ? it.site : op.call, 'registered');
      } else if (isUnconditional(it, op.call)) {
        const isHere = (other: Step): boolean => other.op.kind === 'call' && sameSite(other.op.call, op.call);
        // A release before the acquire alone is no path of the section.
        if (!steps.some((other) => isHere(other) && [...flow.states.get(other)!].some(isHeld))) continue;
        const how = wayTo(model, section, isHere);
        if (how) add(it, op.call, how);
      }
    }
  }
  return found;
}

/** Something is done with the lock that is not done without it: the answer of the acquire is looked at, and understood. */
function isGuarded(section: Section): boolean {
  return [...section.flow!.states].some(([step, states]) => step.op.kind === 'call' && [...states].some(isHeld) && !states.has('refused') && !states.has('before'));
}

/** How a release is reached without the lock, on a way that is certain. */
function wayTo(model: Model, section: Section, isGoal: Way['isGoal']): 'refused' | 'before' | undefined {
  const acquires = [...section.flow!.states.keys()].filter((it) => it.op.kind === 'call' && sameSite(it.op.call, section.at));
  const isAcquire = (step: Step): boolean => acquires.includes(step);
  const throws = (step: Step): boolean => mayThrow(model, step);
  const states: LockState[] = ['refused'];
  const after = acquires.flatMap((it) => [it.next[0], it.fail]).filter((it) => it !== undefined);
  if (goalOn(model, section, { from: after, states, stops: isAcquire, isGoal, throws })) return 'refused';
  const failing = acquires.flatMap((it) => (it.fail ? [it.fail] : []));
  // Where the acquire depends on a test, so may the release: by the same test once more.
  const doubts = (step: Step): boolean => !isAcquireAhead(section, step);
  return goalOn(model, section, { from: [section.frame.graph().entry, ...failing], states: ['before'], stops: isAcquire, isGoal, throws, doubts }) ? 'before' : undefined;
}

/** It gives the lock back without asking for its owner; a constant is everybody's. */
function isUncheckedReleaseOf(it: Deep, { lock, acquire }: Section): boolean {
  if (it.kind !== 'release' || !isReleaseOf(it.event, { lock, acquire })) return false;
  return !it.event.ownerChecked || (it.event.form !== 'library' && it.event.comparedWith !== undefined && ownerValue(lock.owner).kind === 'constant');
}

/** The release runs later than the call that it hangs on: a listener, or a function that something unknown keeps. */
function isRegistered(model: Model, it: Deep, call: CallExpr): boolean {
  if (it.timing === 'later') return true;
  if (it.timing !== 'now') return false;
  const { events, unknown: isUnknown } = model.interpreter.meaning(call);
  return isUnknown === undefined && call.use !== 'await' && call.use !== 'chained' && events.some((event) => event.kind === 'runs' && event.library === undefined && event.body.kind === 'func') && !isPromiseStep(call);
}

const isPromiseStep = (call: CallExpr): boolean => call.callee.kind === 'member' && ['then', 'catch', 'finally'].includes(call.callee.name as string);

function isAcquireAhead(section: Section, from: Step): boolean {
  const seen = new Set<Step>();
  const open = [...from.next];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (step.op.kind === 'call' && sameSite(step.op.call, section.at)) return true;
    open.push(...step.next.filter((it) => it !== undefined));
  }
  return false;
}

/** Every path through the functions between the call and the release comes to it. */
function isUnconditional(it: Deep, call: CallExpr): boolean {
  const chain = [it.at, ...it.via].filter((each) => each.func !== call.func);
  return chain.every((each) => comesTo(each.func, each));
}

function comesTo(func: Func, call: CallExpr): boolean {
  const graph = func.graph();
  const seen = new Set<Step>();
  const open = [graph.entry];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step) || (step.op.kind === 'call' && sameSite(step.op.call, call))) continue;
    if (step === graph.exit) return false;
    seen.add(step);
    open.push(...step.next.filter((next) => next !== undefined));
    if (step.fail && step.op.kind === 'throw') open.push(step.fail);
  }
  return true;
}

function runsEitherWay(releasing: ReadonlySet<Step>, step: Step, states: ReadonlySet<LockState>): boolean {
  return [...releasing].some((it) => it.span.start === step.span.start && it.op.kind === 'dispose') && (states.has('refused') || states.has('before'));
}

/** What a disposable was given to run at its end: `await using _ = defer(() => release(key))`. */
function handedToDispose(model: Model, section: Section, step: Step): Deep[] {
  if (step.op.kind !== 'dispose') return [];
  return step.op.variable.values.flatMap((it) => {
    const made = it.kind === 'await' ? it.of : it;
    if (made.kind !== 'call') return [];
    return made.args.flatMap((arg) => alternatives(model.evaluator.value(arg))).flatMap((handed: Value) => {
      if (handed.kind !== 'func') return [];
      return model.summaries.of(handed.func).known.filter((each) => each.via.length === 0 && isUncheckedReleaseOf(each, section) && comesTo(handed.func, each.at));
    });
  });
}
