/**
 * Whether the answer of an acquire decides anything. A lock that can be refused without a throw is
 * followed once more on the ways on which it was refused: what they reach of its section is not
 * guarded. A test that may depend on the answer and whose outcome is not known counts as a guard.
 */
import type { Evaluator } from './evaluator.ts';
import { AnswerFlow, expressionsIn } from './expressions.ts';
import { type Outcomes, follow } from './flow.ts';
import type { Interpreter } from './interpret.ts';
import type { CallExpr, Step, Variable } from './ir.ts';
import { isLeft } from './reach.ts';
import type { Section } from './sections.ts';
import type { Deep } from './deep.ts';
import { type Value, alternatives, sameSite, sameValue, truthiness } from './value.ts';

/** An acquire whose answer guards nothing. */
export interface Unguarded {
  section: Section;
  /** `ignored`: nothing asks the answer. `passed`: a refusal is seen, and leads on all the same. `constant`: the test is the same for a grant and a refusal. */
  how: 'ignored' | 'passed' | 'constant';
  /** The test that decides nothing. */
  test?: Step;
  /** What a refusal runs into. */
  reached?: CallExpr;
}

/** What is asked of a section that was followed in a function. */
export class Guards {
  private readonly answer: AnswerFlow;
  private readonly reached = new Set<Step>();
  private readonly truths = new Map<Step, { held?: boolean | 'unknown'; refused?: boolean | 'unknown' }>();
  private readonly counters = new Set<Variable>();
  private returned: Value[] = [];

  constructor(
    private readonly section: Section,
    private readonly evaluator: Evaluator,
    private readonly interpreter: Interpreter,
  ) {
    const tracked = section.tracked!;
    this.answer = new AnswerFlow(section.frame, section.at, tracked.answers?.map((it) => it.variable));
    this.findCounters();
    const flow = follow(section.frame, { ...tracked, observe: undefined, follows: (from, to, state, store) => this.follows(from, to, state, store) }, evaluator);
    for (const [step, states] of flow.states) if (states.has('refused')) this.reached.add(step);
    this.returned = flow.returned.get('refused') ?? [];
  }

  /** Variables that are assigned only on the ways of a refusal: a test of them may stand for the answer. */
  private findCounters(): void {
    for (const [step, states] of this.section.flow!.states) {
      if (step.op.kind === 'assign' && step.op.target.kind === 'variable' && states.has('refused') && !states.has('held')) this.counters.add(step.op.target.variable);
    }
  }

  private follows(from: Step, to: Step, state: string, store: Parameters<NonNullable<Section['tracked']>['releases']>[1]): boolean {
    if (from.op.kind === 'branch' && (state === 'held' || state === 'refused') && this.answer.mentions(from.op.test)) {
      const truth = truthiness(this.evaluator.value(from.op.test, store)) ?? 'unknown';
        const known = this.truths.get(from) ?? {};
      known[state] = known[state] === undefined || known[state] === truth ? truth : 'unknown';
      this.truths.set(from, known);
      return state === 'held' || truth !== 'unknown';
    }
    if (state !== 'refused') return true;
    // A throw ends the way of a refusal: whoever catches it knows.
    if (to === from.fail && to !== from.next[0]) return this.section.tracked!.isAcquire(asCall(from)!);
    if (from.op.kind === 'branch') return !this.mayStandFor(from);
    return from.op.kind !== 'call' || this.section.tracked!.isAcquire(from.op.call) || !(this.asks(from.op.call) || this.neverReturns(from.op.call));
  }

  /** `process.exit()`, or a function that always throws. */
  private neverReturns(call: CallExpr): boolean {
    const { events, entered } = this.interpreter.meaning(call);
    return events.some((it) => it.kind === 'exit') || (entered.length > 0 && entered.every((it) => !isLeft(it.callee.func)));
  }

  /** A call that is given the answer may throw on a refusal; a log and the release do not. */
  private asks(call: CallExpr): boolean {
    if (![call.callee, ...call.args].some((it) => this.answer.mentions(it))) return false;
    return !this.section.releases.some((it) => sameSite(it.at, call)) && !this.interpreter.meaning(call).events.some((it) => it.kind === 'log');
  }

  /** A test that tells a refusal by other means, such as the number of attempts: one of its sides leaves. */
  private mayStandFor(step: Step): boolean {
    if (step.op.kind !== 'branch' || this.counters.size === 0) return false;
    if (![...expressionsIn(step.op.test)].some((it) => it.kind === 'var' && this.counters.has(it.variable))) return false;
    return step.next.some((side) => side && !this.goesOn(side));
  }

  private goesOn(from: Step): boolean {
    const seen = new Set<Step>();
    const open = [from];
    for (let step = open.pop(); step; step = open.pop()) {
      if (seen.has(step)) continue;
      seen.add(step);
      if (step.op.kind === 'call' && (this.section.tracked!.isAcquire(step.op.call) || this.isWork(step.op.call))) return true;
      open.push(...step.next.filter((it) => it !== undefined));
    }
    return false;
  }

  private isWork(call: CallExpr): boolean {
    return this.section.items.some((it) => sameSite(it.at, call) && isStrong(it)) || this.section.releases.some((it) => sameSite(it.at, call));
  }

  /** The test that has the same outcome for a grant and for a refusal, where no other test tells them apart. */
  constantTest(): Step | undefined {
    let found: Step | undefined;
    for (const [step, { held, refused }] of this.truths) {
      if (held === undefined || refused === undefined || held === 'unknown' || held !== refused) return undefined;
      found ??= step;
    }
    return found;
  }

  /** What of the section a refusal reaches, when it reaches all of it. */
  unguarded(): CallExpr | undefined {
    const { section } = this;
    const reaches = (call: CallExpr): boolean => [...this.reached].some((step) => step.op.kind === 'call' && sameSite(step.op.call, call));
    const { strong, weak } = workOf(section, this.interpreter);
    if (strong.length > 0) return strong.every(reaches) ? strong[0] : undefined;
    // Whoever never gives the lock back and does nothing in sight may well guard nothing with it.
    if (!section.isReleased) return undefined;
    if (weak.length > 0) return weak.every(reaches) ? weak[0] : undefined;
    // Whoever was refused gives nothing back, where the release compares first.
    return section.releases.filter(({ event }) => event.kind === 'release' && !event.ownerChecked).map((it) => it.at).find(reaches);
  }

  /** The function is left with the lock, and tells its caller the same when it was refused. */
  tellsNobody(): boolean {
    const held = this.section.flow!.returned.get('held') ?? [];
    if (held.length === 0 || this.returned.length === 0 || this.answer.isKept || this.hasOwnWay()) return false;
    const values = held.flatMap(alternatives);
    return this.returned.flatMap(alternatives).every((it) => values.some((each) => sameValue(each, it)));
  }

  /** Something is done only when the lock was granted, other than to say so. */
  private hasOwnWay(): boolean {
    return [...this.section.flow!.states].some(([step, states]) => {
      if (!states.has('held') || this.reached.has(step)) return false;
      if (step.op.kind === 'call') return !this.section.tracked!.isAcquire(step.op.call) && !this.interpreter.meaning(step.op.call).events.some((it) => it.kind === 'log');
      return step.op.kind === 'throw' || (step.op.kind === 'assign' && (step.op.target.kind !== 'variable' || step.op.target.variable.owner !== this.section.frame));
    });
  }

  /** Any test at all depends on the answer. */
  get isTested(): boolean {
    return this.truths.size > 0;
  }
}

/** The calls that the section is for: those that do lasting work, and those of which nothing is known but that their end is waited for. */
export function workOf(section: Section, interpreter: Interpreter): { strong: CallExpr[]; weak: CallExpr[] } {
  const held = [...section.flow!.states].flatMap(([step, states]) => (step.op.kind === 'call' && states.has('held') && !isChained(step.op.call, section) ? [step.op.call] : []));
  const strong = section.items.filter((it) => isStrong(it) && held.some((call) => sameSite(call, it.at))).map((it) => it.at);
  const weak = held.filter((call) => {
    if (call.use !== 'await' && call.use !== 'return') return false;
    if (section.tracked!.isAcquire(call) || interpreter.meaning(call).events.length > 0 || section.releases.some((it) => sameSite(it.at, call))) return false;
    return !section.items.some((it) => sameSite(it.at, call) && (it.kind === 'wait' || it.kind === 'runs' || it.kind === 'acquire'));
  });
  return { strong, weak };
}

/** A further step of the acquire's own chain: `.then()`, `.exec()`. */
const isChained = (call: CallExpr, section: Section): boolean => [...expressionsIn(call.callee)].some((it) => it.kind === 'call' && sameSite(it, section.at));

const asCall = (step: Step): CallExpr | undefined => (step.op.kind === 'call' ? step.op.call : undefined);

/** Work that must not be done by two at once: it writes, or is done by something that was handed in. */
export function isStrong(it: Deep): boolean {
  if (it.timing !== 'now') return false;
  const { event } = it;
  if (event.kind === 'runs') return alternatives(event.body).every((each) => each.kind !== 'func' && !isOfAnswer(each));
  return event.kind === 'write' || event.kind === 'external' || event.kind === 'put' || event.kind === 'statement' || event.kind === 'mint';
}

/** A method of what a call has answered is nobody's work that was handed in. */
function isOfAnswer(value: Value): boolean {
  let at = value;
  while (at.kind === 'field' || at.kind === 'item') at = at.of;
  return at !== value && (at.kind === 'result' || at.kind === 'typed' || at.kind === 'const' || at.kind === 'text' || at.kind === 'object' || at.kind === 'array');
}

/** Whether a caller can tell a grant from a refusal by what it is answered. */
export function canTell({ held, refused }: Outcomes): boolean {
  if (!refused) return true;
  const values = alternatives(held);
  return !alternatives(refused).every((it) => values.some((each) => sameValue(each, it)));
}
