/**
 * Where an expression's value comes from: the calls whose answers go into it, and the parameters of
 * its functions. A slice over expressions, where values would lose what they cannot compute with.
 */
import type { CallExpr, Expr, Func, Step, Variable } from './ir.ts';
import { sameSite } from './value.ts';

export interface Origins {
  /** Calls whose answer, or a part of it, is in the value; arguments of calls that only compute are looked through. */
  calls: CallExpr[];
  params: { func: Func; index: number }[];
  /** Every expression on the way. */
  exprs: Expr[];
}

/** Does a call ask something outside, so that its answer does not come from its arguments? */
export type AsksOutside = (call: CallExpr) => boolean;

/** All that an expression's value is made of. */
export function originsOf(expr: Expr, asksOutside: AsksOutside): Origins {
  const found: Origins = { calls: [], params: [], exprs: [] };
  const seen = new Set<Variable>();
  const seenCalls = new Set<CallExpr>();
  const visit = (it: Expr, depth: number): void => {
    if (depth > 30) return;
    found.exprs.push(it);
    const next = (inner: Expr): void => visit(inner, depth + 1);
    switch (it.kind) {
      case 'var':
        if (seen.has(it.variable)) return;
        seen.add(it.variable);
        it.variable.values.forEach(next);
        return;
      case 'param': {
        found.params.push({ func: it.func, index: it.index });
        const runner = runnerOf(it.func);
        if (runner) next(runner);
        return;
      }
      case 'call':
        if (seenCalls.has(it)) return;
        seenCalls.add(it);
        found.calls.push(it);
        if (asksOutside(it)) return;
        if (it.callee.kind === 'member') next(it.callee.object);
        for (const arg of it.args) {
          if (arg.kind === 'function') returnedBy(arg.func).forEach(next);
          else next(arg);
        }
        return;
      case 'template':
        for (const part of it.parts) if (typeof part !== 'string') next(part);
        return;
      case 'member':
        next(it.object);
        return;
      case 'object':
        for (const prop of it.props) next(prop.value);
        return;
      case 'array':
        it.items.forEach(next);
        return;
      case 'binary':
      case 'logical':
        next(it.left);
        next(it.right);
        return;
      case 'conditional':
        next(it.yes);
        next(it.no);
        return;
      case 'assign':
        next(it.value);
        return;
      case 'not':
      case 'unary':
      case 'await':
      case 'spread':
      case 'element':
      case 'part':
        next(it.of);
        return;
      default:
    }
  };
  visit(expr, 0);
  return found;
}

/** For a function that is written as an argument, `rows.map((row) => …)`: what it gets its elements from. */
function runnerOf(func: Func): Expr | undefined {
  if (!func.parent || func.kind !== 'arrow') return undefined;
  for (const { op } of func.parent.graph().steps) {
    if (op.kind !== 'call' || op.call.callee.kind !== 'member') continue;
    if (op.call.args.some((arg) => arg.kind === 'function' && arg.func === func)) return op.call.callee.object;
  }
  return undefined;
}

const returnedBy = (func: Func): Expr[] => func.graph().steps.flatMap(({ op }) => (op.kind === 'return' && op.value ? [op.value] : []));

/** Whether the answer of `call` is in the value. */
export const comesFrom = (expr: Expr, call: CallExpr, asksOutside: AsksOutside = () => false): boolean => originsOf(expr, asksOutside).calls.some((it) => sameSite(it, call));

/** The single questions that a test is made of, each with whether a negation stands before it. Variables are looked through. */
export function questionsIn(test: Expr, isNegated = false, depth = 0): { expr: Expr; isNegated: boolean }[] {
  if (depth > 8) return [];
  switch (test.kind) {
    case 'logical':
      return [...questionsIn(test.left, isNegated, depth + 1), ...questionsIn(test.right, isNegated, depth + 1)];
    case 'not':
      return questionsIn(test.of, !isNegated, depth + 1);
    case 'await':
      return questionsIn(test.of, isNegated, depth + 1);
    case 'var':
      return test.variable.values.length === 1 && test.variable.values[0]!.kind !== 'param' ? [{ expr: test, isNegated }, ...questionsIn(test.variable.values[0]!, isNegated, depth + 1)] : [{ expr: test, isNegated }];
    default:
      return [{ expr: test, isNegated }];
  }
}

/** The two sides of every comparison in a test. */
export const comparisonsIn = (test: Expr): { op: string; left: Expr; right: Expr }[] =>
  questionsIn(test).flatMap(({ expr }) => (expr.kind === 'binary' ? [{ op: expr.op, left: expr.left, right: expr.right }] : []));

/**
 * The side of a branch on which alone a call is reached: true, false, or undefined when both sides or
 * none lead to it. Ways that come back to the branch are not followed.
 */
export function sideOf(branch: Step, call: CallExpr): boolean | undefined {
  const reaches = (from: Step | undefined): boolean => {
    const seen = new Set<Step>([branch]);
    const open = from ? [from] : [];
    for (let at = open.pop(); at; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (at.op.kind === 'call' && sameSite(at.op.call, call)) return true;
      for (const next of at.next) if (next) open.push(next);
      if (at.fail) open.push(at.fail);
    }
    return false;
  };
  const [yes, no] = [reaches(branch.next[0]), reaches(branch.next[1])];
  return yes === no ? undefined : yes;
}
