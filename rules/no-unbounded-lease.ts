/** A lock that nothing ends when its holder dies. */
import { type UnboundedLock, unboundedLocks } from '../model/unbounded.ts';
import { sameSite } from '../model/value.ts';
import type { Step } from './finding.ts';
import { leaseEdits } from './fixes/lease.ts';
import { at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-unbounded-lease',
  preset: 'recommended',
  severity: 'error',
  description: 'Take a lock with an expiry in the same step, so that a crash does not leave it for ever.',
  messages: {
    without: '{{lock}} is taken without an expiry. A holder that crashes before the release leaves it for ever, and nobody gets it again. Give it a lease in the same step{{how}}.',
    apart: '{{lock}} gets its expiry at {{where}}, in a step of its own. A holder that crashes between the two leaves the lock for ever, and nobody gets it again. Take it with its lease in one step{{how}}.',
    row: '{{lock}} is a lock row in {{table}} without an expiry. A holder that crashes before it deletes the row leaves the lock for ever, and nobody gets it again. Store until when it is held, and let the acquire take over a row whose time has ended.',
  },
  find: ({ story }) =>
    unboundedLocks(story).map((it) => {
      const place = at(it.call);
      return {
        messageId: it.lock.space === 'row' ? 'row' : it.expiry ? 'apart' : 'without',
        data: {
          lock: lockName(it.lock),
          table: `\`${it.lock.table ?? ''}\``,
          where: it.expiry ? lineOf(at(it.expiry), place.file) : '',
          how: it.lock.title === 'Redis' ? ': `SET key value NX PX ms`' : '',
        },
        place,
        related: [
          ...(sameSite(it.call, it.acquire) ? [] : [{ place: at(it.acquire), text: 'The lock is taken here.' }]),
          ...(it.expiry ? [{ place: at(it.expiry), text: 'The expiry is set here, in a step of its own.' }] : []),
        ],
        interleaving: crashed(it),
        edits: () => leaseEdits(it, story),
      };
    }),
});

/** Not data, but the lock itself is lost. */
function crashed(it: UnboundedLock): Step[] {
  const name = lockName(it.lock);
  const place = at(it.call);
  return [
    { at: 0, who: 'A', says: `takes ${name}, which has no end`, place },
    { at: 5, who: 'A', says: it.expiry ? 'crashes before the expiry is set' : 'crashes before the release' },
    { at: 60_000, who: 'B', says: `asks for ${name} and is refused`, place, resource: "still A's" },
    { at: 3_600_000, who: 'B', says: 'asks again and is refused: nobody is left who could give it back', place, resource: "A's for ever", loses: true },
  ];
}
