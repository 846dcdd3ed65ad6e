/**
 * Where an expression's value comes from: the calls whose answers go into it, and the parameters of
 * its functions. A slice over expressions, where values would lose what they cannot compute with.
 */
import type { CallExpr, Expr, Func, Variable } from './ir.ts';
import { sameSite } from './value.ts';

export interface Origins {
  /** Calls whose answer, or a part of it, is in the value; arguments of calls that only compute are looked through. */
  calls: CallExpr[];
  params: { func: Func; index: number }[];
}

/** Does a call ask something outside, so that its answer does not come from its arguments? */
export type AsksOutside = (call: CallExpr) => boolean;

/** All that an expression's value is made of. */
export function originsOf(expr: Expr, asksOutside: AsksOutside): Origins {
  const found: Origins = { calls: [], params: [] };
  const seen = new Set<Variable>();
  const seenCalls = new Set<CallExpr>();
  const visit = (it: Expr, depth: number): void => {
    if (depth > 30) return;
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

/** The two sides of every comparison in a test. */
export function comparisonsIn(test: Expr): { op: string; left: Expr; right: Expr }[] {
  switch (test.kind) {
    case 'binary':
      return [{ op: test.op, left: test.left, right: test.right }];
    case 'logical':
      return [...comparisonsIn(test.left), ...comparisonsIn(test.right)];
    case 'not':
    case 'await':
      return comparisonsIn(test.of);
    default:
      return [];
  }
}
