/** To which steps of a function control can come, and from which. */
import type { Func, Step } from './ir.ts';
import type { Section } from './sections.ts';
import { contains, sameSite } from './value.ts';

/** Whether a function can end without a throw. */
export const isLeft = (func: Func): boolean => reachedFrom(func.graph().entry).has(func.graph().exit);

/** The steps to which control can come from one. */
export function reachedFrom(from: Step, withThrows = true): Set<Step> {
  const seen = new Set<Step>();
  const open = [from];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    for (const next of step.next) if (next) open.push(next);
    if (withThrows && step.fail) open.push(step.fail);
  }
  return seen;
}

/** The steps from which control can come to one. */
export function stepsThatReach(to: Step, func: Func): Set<Step> {
  const before = new Map<Step, Step[]>();
  for (const step of func.graph().steps) {
    for (const next of [...step.next, ...(step.fail ? [step.fail] : [])]) {
      if (!next) continue;
      const list = before.get(next);
      if (list) list.push(step);
      else before.set(next, [step]);
    }
  }
  const seen = new Set<Step>();
  const open = [to];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    open.push(...(before.get(step) ?? []));
  }
  return seen;
}

/**
 * A loop has taken a lock for each element of a list, and what stands behind the loop gives back those that
 * were granted: which they are is in a list that no path tells.
 */
export function isOneOfMany({ lock, flow, at }: Section): boolean {
  if (!flow || !lock.key || !contains(lock.key, (it) => it.kind === 'item')) return false;
  const acquires = [...flow.states.keys()].filter((it) => it.op.kind === 'call' && sameSite(it.op.call, at));
  const leadsToAcquire = (from: Step): boolean => acquires.some((it) => reachedFrom(from, false).has(it));
  return acquires.some((it) => it.next.some((next) => next !== undefined && leadsToAcquire(next))) && ![...flow.releasing].some(leadsToAcquire);
}
