/** How tokens and the refusals of fences are lost, step by step, told on the user's own lines. */
import type { AcquireEvent, RenewEvent, WriteEvent } from '../model/events.ts';
import type { Place } from '../model/place.ts';
import type { SectionStory } from '../model/story.ts';
import type { Step } from './finding.ts';
import { assumedLease } from './interleaving.ts';
import { at } from './rule.ts';
import { lockName } from './words.ts';

/** A holder that mints its token late has the larger one when its lease has ended: the live holder is refused. */
export function lateToken(acquire: AcquireEvent, mint: Place, write: WriteEvent | undefined): Step[] {
  const lease = acquire.lock.lease?.ms ?? assumedLease;
  const name = lockName(acquire.lock);
  const taken = at(acquire.call);
  const target = write?.target ?? 'the resource';
  const place = write && at(write.call);
  return [
    { at: 0, who: 'A', says: `takes ${name}`, place: taken },
    { at: Math.min(5, lease / 2), who: 'A', says: 'pauses before it mints its token' },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A does not notice` },
    { at: Math.round(lease * 1.1), who: 'B', says: `takes ${name} and mints token 33`, place: mint },
    { at: Math.round(lease * 1.2), who: 'A', says: 'wakes and mints token 34', place: mint },
    { at: Math.round(lease * 1.3), who: 'A', says: `writes ${target} with token 34`, place, resource: "A's: stale data wins" },
    { at: Math.round(lease * 1.4), who: 'B', says: `writes ${target} with token 33: refused, though B holds the lock`, place, resource: "A's", loses: true },
  ];
}

/** The refusal of a fence that is dropped: the writer goes on as if its data were saved. */
export function ignoredRefusal(story: SectionStory | undefined, event: WriteEvent | RenewEvent, place: Place, target: string): Step[] {
  const lease = story?.section.lock.lease?.ms ?? assumedLease;
  const taken = story && at(story.section.at);
  if (event.kind === 'renew') {
    return [
      { at: 0, who: 'A', says: 'holds the lock and pauses' },
      { at: lease, who: 'service', says: "A's lease ends; A does not notice" },
      { at: Math.round(lease * 1.1), who: 'B', says: 'takes the lock and works', resource: "B's lock" },
      { at: Math.round(lease * 1.5), who: 'A', says: 'wakes; its renewal changes no row, and it works on', place, resource: 'two holders', loses: true },
    ];
  }
  return [
    { at: 0, who: 'A', says: story ? `takes ${lockName(story.section.lock)}, then pauses` : `reads ${target}, then pauses`, place: taken },
    { at: lease, who: 'B', says: `writes ${target}`, place, resource: "B's" },
    { at: Math.round(lease * 1.5), who: 'A', says: `writes ${target}: refused, no row is changed`, place, resource: "B's" },
    { at: Math.round(lease * 1.5) + 1, who: 'A', says: 'answers that its data is saved', resource: "B's: A's data is lost", loses: true },
  ];
}
