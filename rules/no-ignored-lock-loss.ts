/** A loss of the lock that is told to nobody: the section goes on without it. */
import { type IgnoredLoss, ignoredLossesOf } from '../model/losses.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lockLoss } from './two-holders.ts';
import { lockName } from './words.ts';

export default defineRule({
  name: 'no-ignored-lock-loss',
  preset: 'recommended',
  severity: 'warn',
  description: 'Listen when a lock is found to be lost: stop the work, and let the writes be fenced.',
  messages: {
    answer: '{{lock}} is renewed here, and nobody looks whether it was still held. When the lease has ended, the renewal says so, and the section goes on beside the next holder. Look at the answer, and stop the work when the lock is lost; a fence in the writes covers what stops too late.',
    signal: '{{lock}} can be lost while this function runs, and the function takes no abort signal. When the lease cannot be renewed, the signal is raised, and the work goes on beside the next holder. Take the signal and hand it to the work; a fence in the writes covers what stops too late.',
    handler: '{{lock}} is found to be lost here, and the work is not stopped. The handler neither aborts nor throws, and the section goes on beside the next holder. Abort the work in it; a fence in the writes covers what stops too late.',
  },
  find: ({ story }) => ignoredLossesOf(story).map(finding),
});

function finding(it: IgnoredLoss): RuleFinding {
  return {
    messageId: it.what,
    data: { lock: lockName(it.story.section.lock) },
    place: it.place,
    related: [{ place: at(it.story.section.at), text: 'The lock is taken here.' }],
    interleaving: lockLoss(it),
    edits: [],
  };
}
