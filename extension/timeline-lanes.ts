/** What the lanes of a timeline show beside each step: whether the instance runs or pauses there, and holds its lease. */
import type { TimelineStep } from '../server/messages.ts';

type Mark = 'run' | 'pause' | 'lease';

/** The parts of one lane in the row of one step: towards the step before, and towards the one after. */
export interface Stretch {
  above: Mark[];
  below: Mark[];
}

/** For each step the stretches of both lanes, in the order of the steps. */
export function lanesOf(steps: readonly TimelineStep[]): Record<'a' | 'b', Stretch[]> {
  return { a: laneOf('A', steps), b: laneOf('B', steps) };
}

function laneOf(who: 'A' | 'B', steps: readonly TimelineStep[]): Stretch[] {
  const own = steps.flatMap((it, i) => (it.who === who ? [i] : []));
  const [first] = own;
  const last = own.at(-1);
  // The lease of A ends when the service says so; the later one is seen to no end.
  const ends = who === 'A' ? steps.findIndex((it) => it.who === 'service') : -1;
  const leaseEnd = ends === -1 ? steps.length : ends;
  const gaps = steps.map((_, i): Mark[] => {
    if (first === undefined || i < first) return [];
    const marks: Mark[] = [];
    if (i < leaseEnd) marks.push('lease');
    if (i < last!) {
      const before = own.findLast((it) => it <= i)!;
      const after = own.find((it) => it > i)!;
      // Others do something while this one does nothing: it does not run.
      marks.push(after - before > 1 ? 'pause' : 'run');
    }
    return marks;
  });
  return gaps.map((below, i) => ({ above: gaps[i - 1] ?? [], below }));
}
