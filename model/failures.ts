/** What a function does only after something in it has thrown. */
import type { CallExpr, Func, Step } from './ir.ts';

const known = new WeakMap<Func, CallExpr[]>();

/** Calls that are reached through a `catch` only. */
export function callsOnFailure(func: Func): readonly CallExpr[] {
  let found = known.get(func);
  if (!found) known.set(func, (found = find(func)));
  return found;
}

function find(func: Func): CallExpr[] {
  const { entry, steps } = func.graph();
  const reached = new Set<Step>();
  const open = [entry];
  for (let step = open.pop(); step; step = open.pop()) {
    if (reached.has(step)) continue;
    reached.add(step);
    for (const next of step.next) if (next) open.push(next);
  }
  const calls = (wanted: boolean): CallExpr[] => steps.flatMap((step) => (step.op.kind === 'call' && reached.has(step) === wanted ? [step.op.call] : []));
  const usual = calls(true);
  // A duplicated `finally` runs on both ways.
  return calls(false).filter((call) => !usual.some((it) => it.span.start === call.span.start && it.span.end === call.span.end));
}
