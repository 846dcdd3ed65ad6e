/** A function that is called once more to try again: it answers what that call answers, and its other ways say how that ends. */
import { encloses } from './binding.ts';
import type { Evaluator } from './evaluator.ts';
import type { CallExpr, Expr, Func, Variable } from './ir.ts';
import { type Value, alternatives, contains } from './value.ts';

/** Whether an answer of the function is that of its own further call: at once, or when a promise has come. */
export function isRetry(answer: Expr, func: Func, evaluator: Evaluator): boolean {
  const retries = (expr: Expr | undefined): boolean => {
    if (expr?.kind === 'await') return retries(expr.of);
    if (expr?.kind !== 'call') return false;
    const { callee, args, isNew } = expr;
    if (isNew) return args[0]?.kind === 'function' && promises(args[0].func);
    if (alternatives(evaluator.value(callee)).some((it) => it.kind === 'func' && it.func === func)) return true;
    if (callee.kind !== 'member') return false;
    if (callee.name === 'then' && args[0]?.kind === 'function') return answersOf(args[0].func).some(retries);
    return (callee.name === 'catch' || callee.name === 'finally' || callee.name === 'then') && retries(callee.object);
  };
  /** `new Promise((resolve) => setTimeout(() => resolve(acquire(key)), 50))`, and `acquire(key).then(resolve)` in the same place. */
  const promises = (executor: Func): boolean => {
    const resolve = executor.params[0]?.variable;
    if (!resolve) return false;
    return callsWithin(executor).some((it) => (isVariable(it.callee, resolve) && retries(it.args[0])) || (it.callee.kind === 'member' && it.callee.name === 'then' && it.args.some((arg) => isVariable(arg, resolve)) && retries(it.callee.object)));
  };
  return retries(answer);
}

/** The same, where the answer went through a variable first. */
export const isOwnAnswer = (value: Value, func: Func): boolean => contains(value, (it) => it.kind === 'result' && it.callee.kind === 'func' && it.callee.func === func);

const isVariable = (expr: Expr, variable: Variable): boolean => expr.kind === 'var' && expr.variable === variable;

const answersOf = (func: Func): Expr[] => func.graph().steps.flatMap(({ op }) => (op.kind === 'return' && op.value ? [op.value] : []));

/** The calls of a function and of those that stand in it. */
function callsWithin(func: Func): CallExpr[] {
  return func.module.functions.flatMap((it) => (encloses(func, it) ? it.graph().steps.flatMap(({ op }) => (op.kind === 'call' ? [op.call] : [])) : []));
}
