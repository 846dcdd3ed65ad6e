/** The expressions of a function, and what becomes of each: the expressions and steps that it is part of. */
import { partsOf } from './expressions.ts';
import type { Expr, Func, Op } from './ir.ts';

export interface Uses {
  /** The expressions of which it is a direct part. */
  parents: Expr[];
  /** The steps of which it is the whole: what is assigned, returned, tested, thrown. */
  steps: Op[];
}

const known = new WeakMap<Func, ReadonlyMap<Expr, Uses>>();

/** All expressions of a function's own steps with their uses; those of functions written inside it are their own. */
export function usesIn(func: Func): ReadonlyMap<Expr, Uses> {
  const seen = known.get(func);
  if (seen) return seen;
  const found = new Map<Expr, Uses>();
  for (const step of func.graph().steps) for (const expr of tops(step.op)) visit(expr, found).steps.push(step.op);
  for (const param of func.params) if (param.fallback) visit(param.fallback, found);
  known.set(func, found);
  return found;
}

/** The first expression of a function that passes the test. */
export function expressionOf(func: Func, test: (it: Expr) => boolean): Expr | undefined {
  for (const expr of usesIn(func).keys()) if (test(expr)) return expr;
  return undefined;
}

function tops(op: Op): Expr[] {
  switch (op.kind) {
    case 'call':
      return [op.call];
    case 'await':
      return [op.expr];
    case 'assign':
      return op.target.kind === 'field' ? [op.target.object, op.value] : [op.value];
    case 'branch':
      return [op.test];
    case 'return':
      return op.value ? [op.value] : [];
    case 'throw':
      return [op.value];
    default:
      return [];
  }
}

function visit(expr: Expr, found: Map<Expr, Uses>): Uses {
  const seen = found.get(expr);
  if (seen) return seen;
  const uses: Uses = { parents: [], steps: [] };
  found.set(expr, uses);
  for (const inner of partsOf(expr)) visit(inner, found).parents.push(expr);
  return uses;
}
