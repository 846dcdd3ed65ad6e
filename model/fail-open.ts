/**
 * Ways on which the work runs although the lock service could not be asked. A lock is followed once
 * more, as if its acquire threw: what a `catch` lets on into the work fails open. So does a branch
 * on whether there is a client, or whether it is ready, whose one side works and never asks.
 */
import type { Store } from './evaluator.ts';
import { AnswerFlow } from './expressions.ts';
import { follow, isHeld } from './flow.ts';
import type { Flow, LockState, Outcomes, Tracked } from './flow.ts';
import { isStrong, workOf } from './guards.ts';
import type { CallExpr, Func, Module, Step } from './ir.ts';
import type { Span } from './place.ts';
import { declaredPurpose, fillsCache } from './purpose.ts';
import { isLeft, reachedFrom, stepsThatReach } from './reach.ts';
import { asksForClient, clientsOf } from './readiness.ts';
import type { Section } from './sections.ts';
import type { Model, Story } from './story.ts';
import { isLock } from './unchecked.ts';
import { type Value, alternatives, either, sameSite, sameValue, truthiness, unknown } from './value.ts';

/** A way into the work that has no lock. */
export interface FailOpen {
  section: Section;
  /** `caught`: a throw of the acquire is. `told`: a helper has caught it, and its answer lets the work run. `missing`: the client is not there, or not ready. */
  how: 'caught' | 'told' | 'missing';
  module: Module;
  /** The `catch`, or the test. */
  span: Span;
  /** The work that runs all the same; without it the caller is told that the lock was granted. */
  reached?: CallExpr;
}

/** The ways without a lock that stand in this file; those into a helper stand where the helper lets them on. */
export function failOpenWays(story: Story, efficiencyKeys: readonly string[]): FailOpen[] {
  const { model, module } = story;
  const found: FailOpen[] = [];
  for (const func of module.functions) {
    for (const section of model.summaries.of(func).followed) {
      if (section.tracked!.answers || section.frame !== func || !isAsked(section, story, efficiencyKeys) || !isLock(section, story)) continue;
      const search = new Search(section, model);
      add(found, search.caught());
      for (const it of search.missing()) add(found, it);
    }
  }
  for (const func of module.functions) {
    for (const section of bodiesRun(func, model)) if (isAsked(section, story, efficiencyKeys)) add(found, new Search(section, model).caught());
  }
  return found;
}

/** Calls that run a function under a lock, which they take themselves. */
function bodiesRun(func: Func, model: Model): Section[] {
  return model.summaries.of(func).known.flatMap((it) => {
    if (it.kind !== 'runs' || it.timing !== 'now' || it.at.func !== func) return [];
    const { body } = it.event;
    const taken = (it.bodyOf ?? []).filter((held) => model.summaries.atCall(it.at, func).known.some((each) => each.kind === 'acquire' && sameSite(each.site, held.acquire.call)));
    if (taken.length === 0) return [];
    const items = alternatives(body).some((each) => each.kind === 'func') ? model.summaries.of(func).deep.filter((each) => each.timing === 'now' && isStrong(each) && each.under.some((held) => taken.some((own) => sameSite(own.acquire.call, held.acquire.call)))) : [];
    return taken.map((held): Section => ({ frame: func, lock: held.lock, acquire: held.acquire, at: it.at, via: it.via, items, releases: held.releases, renewals: [], isReleased: true, form: 'body' }));
  });
}

/** A lock that is asked of a service, and that does not cost duplicate work only: by declaration, or because it fills a cache. */
const isAsked = (section: Section, story: Story, efficiencyKeys: readonly string[]): boolean =>
  (section.lock.kind === 'lease' || section.lock.kind === 'session') &&
  declaredPurpose(section, story.module, efficiencyKeys) !== 'efficiency' &&
  !fillsCache(section) &&
  !story.sections.some((it) => it.purpose === 'efficiency' && sameSite(it.section.acquire.call, section.acquire.call));

function add(found: FailOpen[], it: FailOpen | undefined): void {
  if (it && !found.some((known) => known.module === it.module && known.span.start === it.span.start)) found.push(it);
}

class Search {
  private readonly frame: Func;
  /** How the lock is followed; a body that the acquire itself runs is not the frame's to follow. */
  private readonly tracked: Tracked;

  constructor(
    private readonly section: Section,
    private readonly model: Model,
  ) {
    this.frame = section.frame;
    this.tracked = section.tracked ?? { isAcquire: (call) => sameSite(call, section.at), outcomes: { held: unknown('an answer'), refused: undefined, refusalThrows: true }, releases: () => false, disposes: () => false };
  }

  /** A `catch` that lets a throw of the acquire on into the work. */
  caught(): FailOpen | undefined {
    if (!throwsFrom(this.section, this.model)) return this.told();
    const handled = this.handler();
    const outcomes: Outcomes = handled
      ? { held: this.tracked.outcomes.held, refused: handled.answers, refusalThrows: false }
      : { held: this.tracked.outcomes.held, refused: undefined, refusalThrows: true };
    const flow = this.follow(outcomes);
    const reached = this.reachedWork(flow, 'refused');
    if (!reached && !this.tellsGranted(flow.returned.get('refused') ?? [])) return undefined;
    const span = handled ? handled.span : this.letsOn(flow, reached);
    return span && { section: this.section, how: 'caught', module: this.frame.module, span, reached };
  }

  /** A branch on what a helper answers when it has caught the throw, other than for a refusal, that lets the work run. */
  private told(): FailOpen | undefined {
    const { held } = this.tracked.outcomes;
    const { failed, refused } = answersOfHelper(this.section, this.model);
    if (failed.length === 0 || failed.some((it) => [held, ...refused].flatMap(alternatives).some((each) => sameValue(each, it)))) return undefined;
    // What a refusal reaches in any case is no matter of the failure.
    const isSure = (from: Step, _to: Step, state: LockState, store: Store): boolean => state !== 'refused' || from.op.kind !== 'branch' || truthiness(this.model.evaluator.value(from.op.test, store)) !== undefined;
    const usual = new Set([...this.follow({ held, refused: refused.length ? either(refused) : undefined, refusalThrows: true }, isSure).states].flatMap(([step, states]) => (states.has('refused') ? [step] : [])));
    const flow = this.follow({ held, refused: either(failed), refusalThrows: false });
    const reached = this.reachedWork({ ...flow, states: new Map([...flow.states].filter(([step]) => !usual.has(step))) }, 'refused');
    const test = reached && this.decidedBy(flow, reached);
    if (!test) return undefined;
    return { section: this.section, how: 'told', module: this.frame.module, span: test, reached };
  }

  /** The last test of the answer before the work, of which one side leads there. */
  private decidedBy(flow: Flow, reached: CallExpr): Span | undefined {
    const leads = (from: Step | undefined): boolean => from !== undefined && [...reachedFrom(from, false)].some((it) => it.op.kind === 'call' && sameSite(it.op.call, reached) && flow.states.get(it)?.has('refused'));
    const answer = new AnswerFlow(this.frame, this.section.at);
    const tests = [...flow.states].filter(([step, states]) => step.op.kind === 'branch' && states.has('refused') && step.span.end <= reached.span.start && answer.mentions(step.op.test) && leads(step.next[0]) !== leads(step.next[1]));
    return tests.sort(([a], [b]) => b.span.end - a.span.end)[0]?.[0].span;
  }

  /** Branches on the client whose one side works and never asks for the lock. */
  missing(): FailOpen[] {
    const { section } = this;
    const clients = clientsOf(section, this.model);
    if (clients.length === 0) return [];
    const found: FailOpen[] = [];
    for (const [step, states] of section.flow!.states) {
      if (step.op.kind !== 'branch' || !states.has('before') || !asksForClient(step.op.test, clients, this.model)) continue;
      const open = step.next.filter((side) => !this.reachesAcquire(side));
      if (open.length !== 1) continue;
      const [side] = open;
      const before = stepsThatReach(step, this.frame);
      const after = reachedFrom(side!);
      const flow = this.follow(this.tracked.outcomes, (from, to) => (from === step ? to === side : after.has(from) || to === step || before.has(to)));
      const beyond = [...flow.states].filter(([it]) => after.has(it));
      const only: Flow = { ...flow, states: new Map(beyond) };
      const reached = this.reachedWork(only, 'before');
      if (reached || this.tellsGranted(flow.returned.get('before') ?? [])) found.push({ section, how: 'missing', module: this.frame.module, span: step.op.test.span, reached });
    }
    return found;
  }

  private follow(outcomes: Outcomes, within: NonNullable<Tracked['follows']> = () => true): Flow {
    const follows = (isStrict: boolean, doubts: Set<Step>): NonNullable<Tracked['follows']> => (from, to, state, store) => {
      if (!within(from, to, state, store)) return false;
      if (state !== 'refused' && state !== 'before') return true;
      // Another lock takes the place of this one; one that a holder takes as well does not.
      if (from.op.kind === 'call' && to !== from.fail && !this.isAcquire(from.op.call) && !this.isOfHolder(from) && this.takesLock(from.op.call)) return false;
      if (state !== 'refused' || from.op.kind !== 'branch' || truthiness(this.model.evaluator.value(from.op.test, store)) !== undefined) return true;
      const staysInLoop = from.next.filter((side) => this.reachesAcquire(side));
      if (staysInLoop.length === 0 || staysInLoop.length === from.next.length) return true;
      doubts.add(from);
      return !isStrict || staysInLoop.includes(to);
    };
    const doubts = new Set<Step>();
    const run = (isStrict: boolean): Flow => follow(this.frame, { ...this.tracked, outcomes, answers: undefined, observe: undefined, follows: follows(isStrict, doubts) }, this.model.evaluator);
    const flow = run(false);
    // Attempts that are counted in two places end where both agree: which of them it is cannot be told.
    return doubts.size > 1 ? run(true) : flow;
  }

  private isAcquire(call: CallExpr): boolean {
    return this.tracked.isAcquire(call);
  }

  private isOfHolder(step: Step): boolean {
    return [...(this.section.flow?.states.get(step) ?? [])].some(isHeld);
  }

  private takesLock(call: CallExpr): boolean {
    return this.model.summaries.atCall(call, this.frame).known.some((it) => it.timing === 'now' && (it.kind === 'acquire' || (it.kind === 'database-lock' && it.event.step === 'acquire')));
  }

  private reachesAcquire(from: Step | undefined): boolean {
    return from !== undefined && [...reachedFrom(from)].some((it) => it.op.kind === 'call' && this.isAcquire(it.op.call));
  }

  /** The work that is done in this state: all of the section's own, or the same done once more elsewhere. */
  private reachedWork(flow: Flow, state: 'refused' | 'before'): CallExpr | undefined {
    const calls = [...flow.states].flatMap(([step, states]) => (step.op.kind === 'call' && states.has(state) && !this.isAcquire(step.op.call) ? [step.op.call] : []));
    const isReached = (work: CallExpr): boolean => calls.some((it) => sameSite(it, work));
    const { strong, weak } = this.section.flow ? workOf(this.section, this.model.interpreter) : { strong: this.section.items.map((it) => it.at), weak: [] };
    const own = strong.length > 0 ? strong : this.section.isReleased ? weak : [];
    if (this.section.flow && own.length > 0 && own.every(isReached)) return own[0];
    const isOwn = (call: CallExpr): boolean => [...strong, ...weak].some((it) => sameSite(it, call));
    // What is only looked up again after a failure is not the work, where something else is; nor is what a condition of its own guards.
    const isRefusing = (call: CallExpr): boolean => this.section.items.every((it) => !sameSite(it.at, call) || !isStrong(it) || (it.kind === 'write' && it.event.fenced === 'yes'));
    const done = strong.length > 0 ? strong.filter((it) => !isRefusing(it)) : weak;
    // `res.status(500)`: what is only the beginning of an answer.
    return calls.find((call) => !isOwn(call) && call.use !== 'chained' && (this.runsBody(call) || done.some((work) => this.isSameCall(work, call))));
  }

  /** The function that the acquire would have run. */
  private runsBody(call: CallExpr): boolean {
    if (this.section.form !== 'body') return false;
    const callee = this.model.evaluator.value(call.callee);
    return (callee.kind === 'func' || callee.kind === 'param') && this.section.at.args.some((arg) => sameValue(this.model.evaluator.value(arg), callee));
  }

  /** The same function with the same arguments. */
  private isSameCall(a: CallExpr, b: CallExpr): boolean {
    const { evaluator } = this.model;
    return a.args.length === b.args.length && sameValue(evaluator.value(a.callee), evaluator.value(b.callee)) && a.args.every((arg, i) => sameValue(evaluator.value(arg), evaluator.value(b.args[i]!)));
  }

  /** The caller is told what a grant tells it, and no refusal. */
  private tellsGranted(values: readonly Value[]): boolean {
    const { flow, isReleased } = this.section;
    if (!flow || isReleased || values.length === 0) return false;
    const held = (flow.returned.get('held') ?? []).flatMap(alternatives);
    // What is answered after a throw is what is judged, and no measure.
    const { outcomes } = this.tracked;
    const told = this.follow({ ...outcomes, refusalThrows: false }, (from, to, state) => state !== 'refused' || to !== from.fail || to === from.next[0]);
    const refused = (told.returned.get('refused') ?? []).flatMap(alternatives);
    if (held.length === 0 || held.some((it) => it.kind === 'const' && it.value === undefined)) return false;
    return values.flatMap(alternatives).some((it) => looksGranted(it, held, refused));
  }

  /** `.catch(…)` on the acquire itself, or the second function of its `.then(…)`. */
  private handler(): { answers: Value; span: Span } | undefined {
    const { at } = this.section;
    if (at.use !== 'chained') return undefined;
    for (const { op } of this.frame.graph().steps) {
      if (op.kind !== 'call' || op.call.callee.kind !== 'member' || op.call.callee.name !== 'catch' || !sameSite(receiverOf(op.call), at)) continue;
      // Nothing waits for it: what follows does not run under the lock in any case.
      if (op.call.use === 'drop' || op.call.use === 'void') return undefined;
      const handler = op.call.args[0];
      const value = handler && this.model.evaluator.value(handler);
      if (!handler || value?.kind !== 'func' || !isLeft(value.func)) return undefined;
      return { answers: this.model.evaluator.applied(value, [unknown('an error')]), span: handler.span };
    }
    return undefined;
  }

  /** The first `catch` that leads from the acquire to the work, or to the answer: one that throws again does not, and those of the work come later. */
  private letsOn(flow: Flow, reached: CallExpr | undefined): Span | undefined {
    const isTarget = (step: Step): boolean => (reached ? step.op.kind === 'call' && sameSite(step.op.call, reached) : step.op.kind === 'return');
    const seen = new Set<Step>();
    const open = [...flow.states.keys()].filter((it) => it.op.kind === 'call' && this.isAcquire(it.op.call)).map((it) => it.fail);
    for (let step = open.shift(); open.length > 0 || step; step = open.shift()) {
      if (!step || seen.has(step) || !flow.states.get(step)?.has('refused')) continue;
      seen.add(step);
      if (step.op.kind === 'catch' && [...reachedFrom(step, false)].some((it) => isTarget(it) && flow.states.get(it)?.has('refused'))) return step.span;
      open.push(...step.next, step.fail);
    }
    return undefined;
  }
}

const receiverOf = (call: CallExpr): CallExpr | undefined => (call.callee.kind === 'member' && call.callee.object.kind === 'call' ? call.callee.object : undefined);

/** Whether a throw of the acquire comes out of the helpers that lead to it. */
function throwsFrom(section: Section, model: Model): boolean {
  if (section.via.length === 0 || section.form === 'body') return true;
  const inner = innerOf(section, model);
  if (!inner?.tracked) return true;
  const flow = follow(inner.frame, { ...inner.tracked, observe: undefined, outcomes: { ...inner.tracked.outcomes, refused: undefined, refusalThrows: true } }, model.evaluator);
  return flow.raised.has('refused') && throwsFrom(inner, model);
}

/** What the helper that takes the lock answers when the acquire has thrown, and when it was refused. */
function answersOfHelper(section: Section, model: Model): { failed: Value[]; refused: Value[] } {
  const inner = innerOf(section, model);
  if (!inner?.tracked) return { failed: [], refused: [] };
  const flow = follow(inner.frame, { ...inner.tracked, observe: undefined, outcomes: { ...inner.tracked.outcomes, refused: undefined, refusalThrows: true } }, model.evaluator);
  return { failed: (flow.returned.get('refused') ?? []).flatMap(alternatives), refused: inner.flow?.returned.get('refused') ?? [] };
}

/** The lock as the helper that takes it for the frame follows it. */
function innerOf({ via: [next, ...via], acquire }: Section, model: Model): Section | undefined {
  const inner = next && model.summaries.of(next.func).followed.find((it) => sameSite(it.at, next) && sameSite(it.acquire.call, acquire.call) && it.via.length === via.length);
  return inner?.tracked && !inner.tracked.answers ? inner : undefined;
}

/** Whether an answer is taken for that of a grant. */
function looksGranted(answer: Value, held: readonly Value[], refused: readonly Value[]): boolean {
  if (refused.some((it) => sameValue(it, answer))) return false;
  // An answer without a value that a grant may have too says nothing.
  if (truthiness(answer) === false ? held.every((it) => sameValue(it, answer)) : held.some((it) => sameValue(it, answer))) return true;
  const isTruthOfGrant = refused.length > 0 && truthiness(answer) === true && refused.every((it) => truthiness(it) === false) && held.every((it) => truthiness(it) !== false);
  if (answer.kind === 'object' && !answer.open) {
    const flags = [...answer.props].filter(([, value]) => value.kind === 'const' && typeof value.value === 'boolean');
    const isOfHeld = ([name, value]: [string, Value]): boolean => held.every((it) => it.kind === 'object' && sameValue(it.props.get(name) ?? unknown(name), value));
    return flags.length === 0 ? isTruthOfGrant : flags.some((it) => isOfHeld(it) && !refused.some((each) => each.kind !== 'object' || sameValue(each.props.get(it[0]) ?? unknown(it[0]), it[1])));
  }
  return isTruthOfGrant;
}
