/** A renewal that does not compare the owner value in the same atomic step. */
import { renewalsOf, type LockRenewal } from '../model/renewals.ts';
import { sameSite } from '../model/value.ts';
import { ownRenewalEdits } from './fixes/from-callers.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { blindRenewal } from './two-holders.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-blind-renewal',
  preset: 'recommended',
  severity: 'error',
  description: 'Renew a lock only while it is still yours: compare the owner value and prolong in one step.',
  messages: {
    blind: '{{lock}} is renewed without checking who holds it. Once the lease has ended, this {{how}} prolongs the next holder\'s lock, and this one goes on as if it still held it. Compare the owner value and prolong in one atomic step, and stop when it is not yours any more.',
    overwritten: '{{lock}} is renewed by a {{how}} that does not ask who holds it. Once the lease has ended, it overwrites the next holder\'s owner value, and both go on as holders. Compare the owner value and prolong in one atomic step, and stop when it is not yours any more.',
    compared: '{{lock}} is compared at {{where}} and renewed in a step of its own. The lease can end between the two, and the {{how}} then prolongs the next holder\'s lock. Compare and prolong in one atomic step.',
  },
  find: ({ story, settings }) => renewalsOf(story).flatMap((it) => (it.event.ownerChecked ? [] : [{ ...finding(it), edits: () => ownRenewalEdits(it, story, settings) }])),
});

function finding(it: LockRenewal): RuleFinding {
  const place = at(it.call);
  return {
    messageId: it.comparedBefore ? 'compared' : it.event.value ? 'overwritten' : 'blind',
    data: { lock: lockName(it.lock?.key ? it.lock : { key: it.event.key }), how: it.event.how, where: it.comparedBefore ? lineOf(at(it.comparedBefore), place.file) : '' },
    place,
    related: [
      ...(it.acquireCall ? [{ place: at(it.acquireCall), text: 'The lock is taken here.' }] : []),
      ...(it.comparedBefore ? [{ place: at(it.comparedBefore), text: 'The owner is read here, in a step of its own.' }] : []),
      ...(sameSite(it.call, it.event.call) ? [] : [{ place: at(it.event.call), text: 'The lease is prolonged here.' }]),
    ],
    interleaving: blindRenewal(it),
    edits: [],
  };
}
