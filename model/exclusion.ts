/** What a call's own arguments rule out in the function that it enters: `set(key, value)` never takes the branch of `if (ttl)`. */
import type { Evaluator, Store } from './evaluator.ts';
import type { CallExpr, Func, Step, Variable } from './ir.ts';
import { type Value, nothing, truthiness } from './value.ts';

/** Calls of `func` that no path reaches with these arguments. */
export function excludedCalls(func: Func, given: { args: readonly Value[]; open: boolean }, evaluator: Evaluator): CallExpr[] {
  const graph = func.graph();
  if (given.open || func.params.length === 0 || !graph.steps.some((step) => step.op.kind === 'branch')) return [];
  const variables = new Map<Variable, Value>();
  for (const param of func.params) {
    // A parameter that is assigned again is not what it was called with.
    if (!param.variable || param.rest || param.variable.values.length > 1) continue;
    const value = given.args[param.index] ?? (param.fallback ? evaluator.value(param.fallback) : nothing);
    if (truthiness(value) !== undefined || value.kind === 'object') variables.set(param.variable, value);
  }
  if (variables.size === 0) return [];
  const store: Store = { variables, results: new Map(), fields: new Map() };
  const reached = new Set<Step>();
  const open = [graph.entry];
  for (let step = open.pop(); step; step = open.pop()) {
    if (reached.has(step)) continue;
    reached.add(step);
    const truth = step.op.kind === 'branch' ? truthiness(evaluator.value(step.op.test, store)) : undefined;
    step.next.forEach((next, i) => {
      if (next && !(truth === true && i === 1) && !(truth === false && i === 0)) open.push(next);
    });
    if (step.fail) open.push(step.fail);
  }
  const calls = (wanted: boolean): CallExpr[] => graph.steps.flatMap((step) => (step.op.kind === 'call' && reached.has(step) === wanted ? [step.op.call] : []));
  const kept = calls(true);
  // A duplicated block is excluded only when every copy of it is.
  return calls(false).filter((call) => !kept.some((it) => it.span.start === call.span.start && it.span.end === call.span.end));
}
