/** Ways out of a critical section on which the lock is not given back. */
import { encloses } from './binding.ts';
import { Endings } from './endings.ts';
import { sameColumn } from './fences.ts';
import { formOf } from './lock-words.ts';
import { isOneOfMany } from './reach.ts';
import { mayThrow } from './throws.ts';
import { type LockState, isHeld } from './flow.ts';
import type { CallExpr, Expr, Step } from './ir.ts';
import type { Span } from './place.ts';
import { sameKey } from './key-form.ts';
import { isReleaseOf, type Section } from './sections.ts';
import type { Model } from './story.ts';
import { type Value, alternatives, contains, isNothing, sameSite, sameValue, truthiness } from './value.ts';
import { goalOn } from './ways.ts';

export interface Leak {
  how: 'exit' | 'return' | 'throw';
  /** The statement or call by which the section is left. */
  span: Span;
}

const held: readonly LockState[] = ['held', 'shaken'];

/** The first way out of a section that gives its lock back on others; undefined when there is none, or none that is certain. */
export function leakOf(model: Model, section: Section): Leak | undefined {
  const { flow, lock } = section;
  if (!flow || section.form !== 'pair' || section.isTold) return undefined;
  if (lock.kind !== 'lease' && lock.kind !== 'session') return undefined;
  if (section.isReleased ? isKeptAtTheEnd(section) : !isReleasedInVain(section)) return undefined;
  if (isOneOfMany(section)) return undefined;
  if (isRowOfTransaction(model, section) || isFinishedOnly(section) || isHandedOn(model, section) || isGivenBackElsewhere(model, section)) return undefined;
  const endings = new Endings(model.interpreter);
  const graph = section.frame.graph();
  const acquires = [...flow.states.keys()].filter((it) => it.op.kind === 'call' && sameSite(it.op.call, section.at));
  const isOver = (step: Step): boolean => flow.releasing.has(step) || acquires.includes(step) || (step.op.kind === 'call' && (endings.of(step.op.call) === 'exits' || endsSession(model, section, step.op.call)));
  const ways = { from: acquires.flatMap((it) => (it.next[0] ? [it.next[0]] : [])), states: held, stops: isOver, doubts: (step: Step) => asksAgain(model, section, step) };
  const isAnswer = (step: Step): boolean => step.op.kind === 'await' && step.op.expr.kind === 'await' && isCallOf(step.op.expr.of, section);
  // A function that is handed the acquire's answer is its guard.
  const isGuard = ({ op }: Step): boolean => op.kind === 'call' && op.call.args.some((it) => it.span.start <= section.at.span.start && section.at.span.end <= it.span.end && it.kind !== 'function');
  const throws = (step: Step): boolean => !isAnswer(step) && !isGuard(step) && !isAboutLock(section, step) && mayThrow(model, step);
  const search = (how: Leak['how'], isGoal: (step: Step) => boolean): Leak | undefined => {
    const goal = goalOn(model, section, { ...ways, throws, isGoal });
    return goal && { how, span: goal.span };
  };
  const isExit = (step: Step): boolean => lock.kind === 'lease' && step.op.kind === 'call' && endings.of(step.op.call) === 'exits';
  const isReturn = (step: Step): boolean => step.op.kind === 'return' && isIn(section, step);
  const leaves = (step: Step): boolean => step.fail === graph.raise && throws(step) && !flow.releasing.has(step) && isIn(section, step) && (isRethrow(step) || !isInFinally(graph.steps, step));
  // What is thrown again behind a `finally` was thrown in its block.
  const isThrow = (step: Step): boolean =>
    throws(step) && !flow.releasing.has(step) && isIn(section, step) && !isRethrow(step) && !isInFinally(graph.steps, step) && step.fail !== undefined && (leaves(step) || (step.fail !== graph.raise && goalOn(model, section, { ...ways, from: [step.fail], throws, isGoal: leaves }) !== undefined));
  return search('exit', isExit) ?? search('return', isReturn) ?? search('throw', isThrow);
}

/** Giving back says as well that the work is done, as with a job: after a failure it must not be said, and the next worker gets the job when the lease has ended. */
const isFinishedOnly = ({ releases }: Section): boolean =>
  releases.length > 0 && releases.every(({ event }) => event.kind === 'release' && event.statement?.row?.changes.some((it) => it.value !== undefined && !isNothing(it.value) && !(event.endsAt && sameColumn(it.column, event.endsAt))));

const isIn = (section: Section, step: Step): boolean => [...(section.flow!.states.get(step) ?? [])].some(isHeld);

/** The acquire, what is asked of its answer, or the call that carries its command. */
const isCallOf = (expr: Expr, section: Section): boolean => expr.kind === 'call' && (sameSite(expr, section.at) || expr.args.some((it) => isCallOf(it, section)) || (expr.callee.kind === 'member' && isCallOf(expr.callee.object, section)));

/** The lock was taken only where the same test came out so: it tells whether there is anything to give back. */
function asksAgain(model: Model, section: Section, { op }: Step): boolean {
  if (op.kind !== 'branch') return false;
  return section.frame.graph().steps.some((it) => it.op.kind === 'branch' && it.span.end <= section.at.span.end && it.op.test !== op.test && isSameTest(model, it.op.test, op.test));
}

function isSameTest(model: Model, a: Expr, b: Expr): boolean {
  const isSame = (x: Expr, y: Expr): boolean => sameValue(model.evaluator.value(x), model.evaluator.value(y));
  if (a.kind === 'binary' && b.kind === 'binary') return a.op === b.op && isSame(a.left, b.left) && isSame(a.right, b.right);
  if (a.kind === 'not' && b.kind === 'not') return isSameTest(model, a.of, b.of);
  return a.kind === b.kind && isSame(a, b);
}

/** A question or renewal to the lock itself: when the lock service is away, no release helps. */
function isAboutLock(section: Section, { op }: Step): boolean {
  const call = op.kind === 'call' ? op.call : op.kind === 'await' && op.expr.kind === 'await' && op.expr.of.kind === 'call' ? op.expr.of : undefined;
  const events = (call && section.perCall?.get(call)?.deep) ?? [];
  const { key } = section.lock;
  return events.length > 0 && events.every(({ event }) => event.kind === 'holds' || event.kind === 'renew' || (event.kind === 'get' && key !== undefined && sameKey(event.key, key)));
}

/** The end of a `finally` that was entered by a throw. */
const isRethrow = ({ op }: Step): boolean => op.kind === 'throw' && op.value.kind === 'error';

/** A `finally` is there once for each way of leaving its block; what fails in it beside the release is not asked for. */
const isInFinally = (steps: readonly Step[], step: Step): boolean => steps.some((it) => it !== step && it.op.kind === step.op.kind && it.span.start === step.span.start && it.span.end === step.span.end);

/** What comes to the function's end keeps the lock: it is given back only where there is a reason, and is a mark otherwise. */
function isKeptAtTheEnd({ flow }: Section): boolean {
  const returns = [...flow!.states.keys()].filter((it) => it.op.kind === 'return').sort((a, b) => b.span.end - a.span.end);
  const last = returns.filter((it) => it.span.end === returns[0]?.span.end).flatMap((it) => [...flow!.states.get(it)!]);
  return last.includes('held');
}

/** Its only releases stand where no way leads: behind a `return` that always comes first. */
function isReleasedInVain(section: Section): boolean {
  const graph = section.frame.graph();
  const reached = new Set<Step>();
  for (const open = [graph.entry]; open.length > 0; ) {
    const step = open.pop()!;
    if (reached.has(step)) continue;
    reached.add(step);
    open.push(...[...step.next, step.fail].filter((it) => it !== undefined));
  }
  return graph.steps.some((it) => !reached.has(it) && it.op.kind === 'call' && section.perCall?.get(it.op.call)?.known.some(({ event }) => event.kind === 'release' && isReleaseOf(event, section)));
}

/** The connection ends here, and with it what is bound to its session. */
function endsSession(model: Model, section: Section, call: CallExpr): boolean {
  if (section.lock.kind !== 'session') return false;
  return model.calls.match(model.calls.site(call)).some((it) => it.effects.some((effect) => effect.kind === 'disconnect' && (effect.how === 'end' || call.args.length > 0)));
}

/** A lock row that one transaction both creates and removes goes with it. */
function isRowOfTransaction(model: Model, section: Section): boolean {
  if (section.lock.space !== 'row') return false;
  for (let func = section.frame.parent; func; func = func.parent) {
    if (model.summaries.of(func).known.some((it) => it.inTransaction && it.kind === 'acquire' && sameSite(it.site, section.acquire.call))) return true;
  }
  return [...section.flow!.states.keys()].some((it) => it.op.kind === 'call' && it.span.start < section.at.span.start && model.interpreter.meaning(it.op.call).events.some((event) => event.kind === 'begin'));
}

/** The lock leaves the function by another way: it is returned, stored, or given to something that is not known. */
function isHandedOn(model: Model, section: Section): boolean {
  for (const [step, states] of section.flow!.states) {
    if (![...states].some(isHeld)) continue;
    const { op } = step;
    if (op.kind === 'return' && op.value && (isOfHandle(model, section, op.value) || holdsRelease(model, section, op.value))) return true;
    if (op.kind === 'assign' && op.target.kind !== 'variable' && (isOfHandle(model, section, op.value) || holdsRelease(model, section, op.value))) return true;
    if (op.kind === 'call' && !sameSite(op.call, section.at) && isGivenTo(model, section, op.call)) return true;
  }
  return answersHeld(section);
}

/** A helper that takes the lock tells its caller so: what it answers with the lock is true, without it false. */
function answersHeld({ flow }: Section): boolean {
  const inState = (...states: LockState[]): Value[] => states.flatMap((it) => flow!.returned.get(it) ?? []).flatMap(alternatives);
  const taken = inState('held', 'shaken');
  const others = inState('refused', 'released', 'before');
  return taken.length > 0 && others.length > 0 && taken.every((it) => truthiness(it) === true) && others.every((it) => truthiness(it) === false);
}

/** The handle, the release function or the owner value; the answer of a `SET` alone is none of these. */
function isOfHandle(model: Model, section: Section, expr: Expr): boolean {
  const value = model.evaluator.value(expr);
  const { owner } = section.lock;
  if (owner && contains(value, (it) => it.kind === 'fresh' && owner.kind === 'fresh' && sameSite(it.site, owner.site))) return true;
  return contains(value, (it) => (it.kind === 'typed' || it.kind === 'releaser' || it.kind === 'instance') && [section.at, section.acquire.call].some((site) => sameSite(it.site, site)));
}

/** A function, or an object with one, that gives the lock back. */
function holdsRelease(model: Model, section: Section, expr: Expr): boolean {
  return contains(model.evaluator.value(expr), (it) => it.kind === 'func' && model.summaries.of(it.func).known.some((each) => each.kind === 'release' && isReleaseOf(each.event, section)));
}

/** The call keeps the lock, or a function that gives it back: a listener, a timer, a queue, something unknown. */
function isGivenTo(model: Model, section: Section, call: CallExpr): boolean {
  const deep = section.perCall?.get(call)?.deep ?? [];
  if (deep.some((it) => it.kind === 'release' && it.timing !== 'now' && isReleaseOf(it.event, section))) return true;
  const { events, entered, unknown: why } = model.interpreter.meaning(call);
  if (deep.some((it) => it.kind === 'release') || events.some((it) => it.kind !== 'runs') || entered.length > 0) return false;
  const given = call.args.some((it) => isOfHandle(model, section, it) || holdsRelease(model, section, it));
  return given && (why !== undefined || events.length > 0);
}

/** Another function that takes no lock of this key gives it back: what clears up after a failure. */
function isGivenBackElsewhere(model: Model, section: Section): boolean {
  const form = formOf(section.lock.key);
  if (!form?.includes('"')) return false;
  const helpers = section.releases.flatMap((it) => [it.site, ...it.via].map((call) => call.func));
  return section.frame.module.functions.some((func) => {
    if (helpers.includes(func) || encloses(section.frame, func) || encloses(func, section.frame)) return false;
    const { known } = model.summaries.of(func);
    if (known.some((it) => it.kind === 'acquire' && formOf(it.event.lock.key) === form && (!sameSite(it.site, section.acquire.call) || ![it.at, ...it.via].some((call) => call.func === section.frame)))) return false;
    // A call of the function that has the section in it is no other release.
    return known.some((it) => it.kind === 'release' && formOf(it.event.key) === form && ![it.at, ...it.via].some((call) => call.func === section.frame));
  });
}

