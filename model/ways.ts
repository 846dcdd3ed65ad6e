/**
 * Ways through a function on which the state of a lock is certain. What `flow.ts` has seen is asked
 * again, edge by edge: a way counts only when it passes no test that may tell what the flow could
 * not, and when what throws on it is something that does throw.
 */
import type { LockState } from './flow.ts';
import type { CallExpr, Expr, Step, Variable } from './ir.ts';
import type { Section } from './sections.ts';
import type { Model } from './story.ts';
import { contains, sameSite } from './value.ts';

/** Where a way begins, in which states, and where it ends. */
export interface Way {
  from: readonly Step[];
  states: readonly LockState[];
  /** The way is over here, whatever comes next. */
  stops: (step: Step) => boolean;
  /** What is looked for. */
  isGoal: (step: Step) => boolean;
  /** Whether control may leave the step by its throw. */
  throws: (step: Step) => boolean;
  /** An undecided test that is in doubt for a reason of its own. */
  doubts?: (step: Step) => boolean;
}

/** The first goal on a way, or undefined when every way to one passes a test that is in doubt. */
export function goalOn(model: Model, section: Section, way: Way): Step | undefined {
  const flow = section.flow!;
  const found = new Map<Step, Step | undefined>();
  const isIn = (step: Step | undefined): step is Step => step !== undefined && way.states.some((it) => flow.states.get(step)?.has(it));
  const leads = (step: Step): Step | undefined => {
    if (found.has(step)) return found.get(step);
    found.set(step, undefined);
    const goal = ahead(step);
    found.set(step, goal);
    return goal;
  };
  const ahead = (step: Step): Step | undefined => {
    if (way.isGoal(step)) return step;
    if (way.stops(step)) return undefined;
    const sides = step.next.filter(isIn);
    const isUndecided = step.op.kind === 'branch' && way.states.some((it) => flow.undecided.get(step)?.has(it));
    if (isUndecided && (isInDoubt(model, section, step) || way.doubts?.(step))) {
      const goals = sides.map(leads);
      return goals.every((it) => it !== undefined) ? goals[0] : undefined;
    }
    if (way.throws(step) && isIn(step.fail)) sides.push(step.fail);
    for (const it of sides) {
      const goal = leads(it);
      if (goal) return goal;
    }
    return undefined;
  };
  for (const it of way.from) {
    const goal = isIn(it) ? leads(it) : undefined;
    if (goal) return goal;
  }
  return undefined;
}

/**
 * A test that the flow could not decide, and that may depend on whether the lock was granted: it
 * asks what was thrown, a variable that changes, a field, or the answer of the acquire.
 */
function isInDoubt(model: Model, section: Section, step: Step): boolean {
  if (step.op.kind !== 'branch') return false;
  return mentions(step.op.test, (it) => {
    if (it.kind === 'error' || it.kind === 'call') return it.kind === 'error' || asksLock(model, section, it);
    if (it.kind === 'member') return rootOf(it).kind === 'this';
    if (it.kind !== 'var') return false;
    const { variable } = it;
    return isChanging(variable) || isOfLock(model, section, it);
  });
}

/** Its value depends on the way. */
const isChanging = (variable: Variable): boolean => variable.kind === 'catch' || variable.opaque === true || variable.grows === true || (variable.kind === 'let' && variable.values.length > 1);

/** The acquire's own answer, its owner value or handle. */
function isOfLock(model: Model, section: Section, expr: Expr): boolean {
  const { owner } = section.lock;
  const sites = [section.at, section.acquire.call];
  return contains(model.evaluator.value(expr), (it) => (it === owner && it.kind === 'fresh') || ('site' in it && sites.some((site) => sameSite(it.site, site)))) || mentionsAnswer(expr, sites);
}

function mentionsAnswer(expr: Expr, sites: readonly CallExpr[], depth = 0): boolean {
  if (depth > 6) return false;
  return mentions(expr, (it) => (it.kind === 'call' && sites.some((site) => sameSite(site, it))) || (it.kind === 'var' && it.variable.kind !== 'param' && it.variable.values.some((value) => mentionsAnswer(value, sites, depth + 1))));
}

/** A call in a test that is about the lock: it asks its state, or is handed its handle. */
function asksLock(model: Model, section: Section, call: CallExpr): boolean {
  if (sameSite(section.at, call)) return true;
  const events = section.perCall?.get(call)?.deep ?? [];
  return events.some((it) => it.kind === 'holds' || it.kind === 'get' || it.kind === 'renew') || call.args.some((it) => isOfLock(model, section, it));
}

const rootOf = (expr: Expr): Expr => (expr.kind === 'member' ? rootOf(expr.object) : expr);

function mentions(expr: Expr, test: (it: Expr) => boolean): boolean {
  if (test(expr)) return true;
  const inner = (it: Expr): boolean => mentions(it, test);
  switch (expr.kind) {
    case 'not':
    case 'unary':
    case 'await':
    case 'part':
    case 'element':
    case 'spread':
      return inner(expr.of);
    case 'binary':
    case 'logical':
      return inner(expr.left) || inner(expr.right);
    case 'conditional':
      return inner(expr.test) || inner(expr.yes) || inner(expr.no);
    case 'member':
      return inner(expr.object);
    case 'call':
      return inner(expr.callee) || expr.args.some(inner);
    case 'assign':
      return inner(expr.value);
    case 'template':
      return expr.parts.some((it) => typeof it !== 'string' && inner(it));
    case 'array':
      return expr.items.some(inner);
    case 'object':
      return expr.props.some((it) => inner(it.value));
    default:
      return false;
  }
}

