/** In which states of a lock a piece of code runs. */
import type { LockState } from '../../../model/flow.ts';
import type { Section } from '../../../model/sections.ts';
import { type Statement, type Node } from '../source/tree.ts';

/** Whether any step of the code is reached in one of these states. */
export function hasState({ flow }: Section, node: Node, ...states: LockState[]): boolean {
  for (const [step, found] of flow?.states ?? []) {
    if (step.span.start >= node.range[0] && step.span.end <= node.range[1] && states.some((it) => found.has(it))) return true;
  }
  return false;
}

/** The index of the first statement, from `index` on, that only a holder reaches: what stands before is the guard. */
export function behindGuard(section: Section, list: readonly Statement[], index: number): number {
  let at = index;
  while (list[at] && hasState(section, list[at]!, 'before', 'refused')) at++;
  return at;
}
