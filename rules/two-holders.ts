/** The interleavings in which two holders work beside each other: renewals of another's lease, takeovers that race, values that were read too early. */
import type { IgnoredLoss } from '../model/losses.ts';
import type { LockRenewal } from '../model/renewals.ts';
import type { StaleRead } from '../model/stale-reads.ts';
import type { RacyTakeover } from '../model/takeovers.ts';
import type { Step } from './finding.ts';
import { at } from './rule.ts';
import { leaseLength, lockName } from './words.ts';

/** Used where the lease's length is not known: long enough to read. */
const assumedLease = 10_000;

/** A holder whose lease has ended keeps the next holder's lock alive, and goes on working beside it. */
export function blindRenewal(renewal: LockRenewal): Step[] {
  const lease = renewal.lock?.lease?.ms ?? assumedLease;
  const name = lockName(renewal.lock ?? { key: renewal.event.key });
  const length = leaseLength(renewal.lock);
  const acquire = renewal.acquireCall && at(renewal.acquireCall);
  return [
    { at: 0, who: 'A', says: `takes ${name}${length ? ` for ${length}` : ''}`, place: acquire },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A does not notice` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name} and works`, place: acquire, resource: "B's lock" },
    { at: Math.round(lease * 1.4), who: 'A', says: `wakes and renews ${name}: it is B's, and A is told that all is well`, place: at(renewal.call), resource: 'two holders' },
    { at: Math.round(lease * 1.5), who: 'A', says: 'goes on working beside B', resource: 'two holders', loses: true },
  ];
}

/** Two callers find the same lock expired, and the later one undoes what the first has taken. */
export function racyTakeover(it: RacyTakeover, name: string): Step[] {
  const read = at(it.read);
  const step = at(it.call);
  return [
    { at: 0, who: 'A', says: 'reads the lock: expired', place: read },
    { at: 5, who: 'A', says: 'pauses' },
    { at: 10, who: 'B', says: 'reads the lock: expired', place: read },
    { at: 20, who: 'B', says: `takes over ${name.replace(/^The /, 'the ')} and works`, place: step, resource: "B's lock" },
    { at: 300, who: 'A', says: it.how === 'removes' ? "wakes and removes it: it is B's" : "wakes and takes it over: it is B's", place: step, resource: 'two holders', loses: true },
  ];
}

/** The lock is lost, this is told, and the holder works on. */
export function lockLoss({ story, place }: IgnoredLoss): Step[] {
  const { lock } = story.section;
  const lease = lock.lease?.ms ?? assumedLease;
  const name = lockName(lock);
  const acquire = at(story.section.at);
  return [
    { at: 0, who: 'A', says: `takes ${name}`, place: acquire },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses, or cannot reach the lock service' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name} and works`, place: acquire, resource: "B's lock" },
    { at: Math.round(lease * 1.4), who: 'A', says: 'is told that the lock is lost, and does not listen', place },
    { at: Math.round(lease * 1.5), who: 'A', says: 'goes on working beside B', resource: 'two holders', loses: true },
  ];
}

/** Two callers read the same value; the one that takes the lock second writes what it read before the first had written. */
export function staleRead({ story, read, write }: StaleRead): Step[] {
  const name = lockName(story.section.lock);
  const [reads, acquire, writes] = [at(read), at(story.section.at), at(write.call)];
  const { target } = write.event;
  return [
    { at: 0, who: 'A', says: `reads ${target}`, place: reads },
    { at: 5, who: 'B', says: `reads ${target}: the same value`, place: reads },
    { at: 10, who: 'B', says: `takes ${name}`, place: acquire },
    { at: 20, who: 'B', says: `writes ${target}, releases`, place: writes, resource: "B's" },
    { at: 30, who: 'A', says: `takes ${name}`, place: acquire },
    { at: 40, who: 'A', says: `writes ${target} from what it read at 0 ms`, place: writes, resource: "A's: B's change is lost", loses: true },
  ];
}
