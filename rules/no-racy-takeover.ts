/** An expired lock that is taken over, or removed, in a step apart from the check of its expiry. */
import { type RacyTakeover, racyTakeoversOf } from '../model/takeovers.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { racyTakeover } from './two-holders.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-racy-takeover',
  preset: 'recommended',
  severity: 'error',
  description: 'Take over an expired lock in one step: let the check of its expiry be the condition of the change.',
  messages: {
    overwrites: '{{lock}} is taken over in a step of its own, after its expiry was read at {{where}}. Two callers can both find it expired: the later one overwrites the lock that the first has just taken, and both go on as holders. Check and take in one atomic step: a condition on what was read, or an expiry that the lock service ends by itself.',
    removes: '{{lock}} is removed in a step of its own, after its expiry was read at {{where}}. Two callers can both find it expired: the later one removes the lock that the first has just taken, and both go on as holders. Remove it only while it is still what was read, in the same atomic step, or let the lock service end it by itself.',
  },
  find: ({ story }) => racyTakeoversOf(story).map(finding),
});

function finding(it: RacyTakeover): RuleFinding {
  const place = at(it.call);
  const name = it.key && it.key.kind !== 'unknown' ? lockName({ key: it.key }) : it.table ? `The lock in \`${it.table}\`` : 'The lock';
  return {
    messageId: it.how,
    data: { lock: name, where: lineOf(at(it.read), place.file) },
    place,
    related: [{ place: at(it.read), text: 'Its expiry is read here, in a step of its own.' }],
    interleaving: racyTakeover(it, name),
    edits: [],
  };
}
