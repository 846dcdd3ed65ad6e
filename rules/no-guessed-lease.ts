/** A lease that is not longer than what its own section waits for. */
import { type GuessedLease, guessedLeases } from '../model/guessed-leases.ts';
import type { Step } from './finding.ts';
import { at, defineRule } from './rule.ts';
import { calleeText, duration, lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-guessed-lease',
  preset: 'recommended',
  severity: 'error',
  description: 'Give a lease more time than its section waits by its own constants.',
  messages: {
    waits: 'The lease of {{lock}} is {{lease}}, and its section may wait {{waited}}. It ends in normal operation, without any pause, while {{where}} is waited for, and the next holder comes in. Take a lease longer than all the waits together, and fence the writes.',
    platform: 'The lease of {{lock}} is {{lease}}, and this function may run for {{waited}}. The platform stops it long after the lease has ended, and the next holder comes in before. Take a lease as long as `maxDuration`, and fence the writes.',
  },
  find: ({ story }) =>
    guessedLeases(story).map((it) => ({
      messageId: it.platform === undefined ? 'waits' : 'platform',
      data: {
        lock: lockName(it.lock),
        lease: duration(it.lease),
        waited: duration(it.platform ?? it.waits.ms),
        where: it.waits.at.map((call) => `\`${calleeText(call)}\` at ${lineOf(at(call), it.place.file)}`).slice(0, 3).join(' and '),
      },
      place: it.place,
      related: [
        ...(at(it.acquire.call).start <= it.place.start && it.place.end <= at(it.acquire.call).end && at(it.acquire.call).file === it.place.file ? [] : [{ place: at(it.acquire.call), text: 'The lock is taken here.' }]),
        ...it.waits.at.map((call) => ({ place: at(call), text: 'The section waits here.' })),
      ],
      interleaving: ended(it),
      edits: [],
    })),
});

/** No pause is needed. */
function ended({ lock, acquire, lease, waits, platform }: GuessedLease): Step[] {
  const name = lockName(lock);
  const take = at(acquire.call);
  const wait = waits.at[0] && at(waits.at[0]);
  const waited = Math.max(platform ?? waits.ms, lease + 2);
  return [
    { at: 0, who: 'A', says: `takes ${name} for ${duration(lease)}`, place: take, resource: "A's lock" },
    { at: Math.min(5, lease / 2), who: 'A', says: 'waits for its own work', place: wait },
    { at: lease, who: 'service', says: `A's lease on ${name} ends; A still waits` },
    { at: lease + (waited - lease) / 2, who: 'B', says: `takes ${name} and works`, place: take, resource: "B's lock" },
    { at: waited, who: 'A', says: 'goes on beside B', place: wait, resource: 'two holders', loses: true },
  ];
}
