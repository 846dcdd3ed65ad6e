/** The steps by which two holders lose data, told on the user's own lines. */
import { targetOf } from '../model/escapes.ts';
import type { CallExpr } from '../model/ir.ts';
import type { Place } from '../model/place.ts';
import type { Section } from '../model/sections.ts';
import type { EarlyRelease } from '../model/early-releases.ts';
import type { SectionStory, LockRelease, UnfencedWrite } from '../model/story.ts';
import type { Deep } from '../model/deep.ts';
import type { StrayRelease } from '../model/stray-releases.ts';
import { type Value, printValue } from '../model/value.ts';
import type { Step } from './finding.ts';
import { at } from './rule.ts';
import { leaseLength, lockName } from './words.ts';

/** Used where the lease's length is not known: long enough to read. */
export const assumedLease = 10_000;

/** A holder pauses past its lease and overwrites what the next holder wrote. */
export function staleWrite(story: SectionStory, write: UnfencedWrite): Step[] {
  const { section } = story;
  const lease = section.lock.lease?.ms ?? assumedLease;
  const name = lockName(section.lock);
  const length = leaseLength(section.lock);
  const acquire = at(section.at);
  const place = at(write.call);
  const target = write.event.target;
  const late = Math.round(lease * 1.5);
  return [
    { at: 0, who: 'A', says: `takes ${name}${length ? ` for ${length}` : ''}`, place: acquire },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses before the write' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A does not notice` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name}`, place: acquire },
    { at: Math.round(lease * 1.2), who: 'B', says: `writes ${target}`, place, resource: "B's" },
    { at: late, who: 'A', says: `wakes and writes ${target}`, place, resource: "A's: stale data wins", loses: true, mended: { says: `wakes and writes ${target} with a fence: refused`, resource: "B's stays" } },
  ];
}

/** A holder whose lease has ended frees the next holder's lock, and a third one comes in. */
export function blindRelease(release: LockRelease): Step[] {
  const lease = release.lock?.lease?.ms ?? assumedLease;
  const name = lockName(release.lock);
  const length = leaseLength(release.lock);
  const acquire = release.acquireCall && at(release.acquireCall);
  const place = at(release.call);
  return [
    { at: 0, who: 'A', says: `takes ${name}${length ? ` for ${length}` : ''}`, place: acquire },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses, or its work takes longer than the lease' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A does not notice` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name} and works`, place: acquire, resource: "B's lock" },
    { at: Math.round(lease * 1.4), who: 'A', says: `releases ${name}: it is B's`, place, resource: 'no lock', loses: true, mended: { says: `compares the owner value: ${name} is not its own, nothing is deleted`, resource: "B's lock stays" } },
    { at: Math.round(lease * 1.5), who: 'B', says: 'still works, while a third instance takes the lock', place: acquire, resource: 'two holders' },
  ];
}

/** A holder pauses past its lease and does a second time what cannot be taken back; `what`: `a payment`. */
export function doneTwice({ section }: SectionStory, call: CallExpr, what: string): Step[] {
  const lease = section.lock.lease?.ms ?? assumedLease;
  const name = lockName(section.lock);
  const acquire = at(section.at);
  const place = at(call);
  return [
    { at: 0, who: 'A', says: `takes ${name}`, place: acquire },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A does not notice` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name} and makes ${what}`, place, resource: 'done once' },
    { at: Math.round(lease * 1.5), who: 'A', says: `wakes and makes ${what}`, place, resource: 'done twice', loses: true, mended: { says: 'wakes and sends the same idempotency key: the receiver does nothing', resource: 'done once' } },
  ];
}

/** The lock is refused, and the work runs beside its holder. */
export function unguarded(section: Section, reached: CallExpr | undefined): Step[] {
  const name = lockName(section.lock);
  const length = leaseLength(section.lock);
  const acquire = at(section.at);
  const work = reached && at(reached);
  return [
    { at: 0, who: 'A', says: `takes ${name}${length ? ` for ${length}` : ''}`, place: acquire, resource: "A's lock" },
    { at: 5, who: 'A', says: 'works', place: work },
    { at: 10, who: 'B', says: `asks for ${name}, is refused, and goes on`, place: acquire },
    { at: 15, who: 'B', says: 'works as well', place: work, resource: 'written by both', loses: true },
  ];
}

/** Nobody is refused, and two work at once. */
export function noLock(call: CallExpr, key: Value | undefined): Step[] {
  const name = key && key.kind !== 'unknown' ? `"${printValue(key)}"` : 'the lock';
  const place = at(call);
  return [
    { at: 0, who: 'A', says: `sets ${name} and works`, place, resource: "A's lock" },
    { at: 5, who: 'B', says: `sets ${name} as well, and is not refused`, place, resource: 'two holders', loses: true },
  ];
}

/** The next holder comes in between the release and the commit, and reads what is about to change. */
export function releaseBeforeCommit(it: EarlyRelease, name: string): Step[] {
  const acquire = it.acquire && at(it.acquire);
  const write = at(it.write);
  const target = it.target ?? 'the row';
  return [
    { at: 0, who: 'A', says: `takes ${name} and begins a transaction`, place: acquire },
    { at: 10, who: 'A', says: `writes ${target}, not committed yet`, place: write },
    { at: 20, who: 'A', says: `releases ${name}`, place: at(it.call), resource: 'the old data' },
    { at: 25, who: 'B', says: `takes ${name} and reads ${target} as it was`, place: acquire },
    { at: 40, who: 'A', says: 'commits', place: at(it.commit), resource: "A's" },
    { at: 50, who: 'B', says: `writes what follows from the old ${target}`, place: write, resource: "B's: A's write is lost", loses: true },
  ];
}

/** Whoever was refused releases all the same, and a third one comes in. */
export function strayRelease({ section, call }: StrayRelease): Step[] {
  const name = lockName(section.lock);
  const acquire = at(section.at);
  return [
    { at: 0, who: 'A', says: `takes ${name} and works`, place: acquire, resource: "A's lock" },
    { at: 100, who: 'B', says: `asks for ${name} and is refused, or fails`, place: acquire },
    { at: 105, who: 'B', says: `releases ${name}: it is A's`, place: at(call), resource: 'no lock', loses: true },
    { at: 200, who: 'B', says: `takes ${name} at its next try, while A still works`, place: acquire, resource: 'two holders' },
  ];
}

/** Work that nothing waits for writes after the next holder has written. */
export function escapedWrite({ section }: SectionStory, write: Deep, place: Place): Step[] {
  const name = lockName(section.lock);
  const target = targetOf(write);
  const release = section.releases[0];
  return [
    { at: 0, who: 'A', says: `takes ${name}`, place: at(section.at) },
    { at: 5, who: 'A', says: 'starts the work and does not wait for it', place },
    { at: 10, who: 'A', says: `releases ${name}`, place: release && at(release.at) },
    { at: 20, who: 'B', says: `takes ${name} and writes ${target}`, place: at(section.at), resource: "B's" },
    { at: 50, who: 'A', says: `the work that nobody waited for writes ${target}`, place: at(write.site), resource: "A's: stale data wins", loses: true },
  ];
}
