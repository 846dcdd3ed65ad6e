/** A value that is read before the lock is taken and written back under it. */
import { type StaleRead, staleReadsOf } from '../model/stale-reads.ts';
import { type StaleTransactionRead, staleTransactionReadsOf } from '../model/stale-transaction-reads.ts';
import { sameSite } from '../model/value.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { staleRead } from './two-holders.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-stale-read',
  preset: 'recommended',
  severity: 'warn',
  description: 'Read what you write back after the lock is taken, not before.',
  messages: {
    stale: '{{target}} is read before {{lock}} is taken, and written back under it. Another holder can have changed it in between, and the write at {{where}} puts the old value back, without any pause. Read it again after the lock is taken at {{acquire}}.',
  },
  find: ({ story }) => [...staleReadsOf(story).map(finding), ...staleTransactionReadsOf(story).map(beforeTransaction)],
});

/** The lock ends with its transaction: what was read before it may have been changed until then. */
function beforeTransaction({ lock, at: taken, read, write }: StaleTransactionRead): RuleFinding {
  const place = at(read);
  return {
    messageId: 'stale',
    data: { lock: `\`${lock.name}\``, target: `\`${write.event.target}\``, where: lineOf(at(write.call), place.file), acquire: lineOf(at(taken), place.file) },
    place,
    related: [
      { place: at(taken), text: 'The lock is taken here, after the read.' },
      { place: at(write.call), text: 'What was read is written back here.' },
    ],
    edits: [],
  };
}

function finding(it: StaleRead): RuleFinding {
  const place = at(it.read);
  const { target } = it.write.event;
  return {
    messageId: 'stale',
    data: { lock: lockName(it.story.section.lock), target: target.startsWith('`') ? target : `\`${target}\``, where: lineOf(at(it.write.call), place.file), acquire: lineOf(at(it.story.section.at), place.file) },
    place,
    related: [
      { place: at(it.story.section.at), text: 'The lock is taken here, after the read.' },
      { place: at(it.write.call), text: 'What was read is written back here.' },
      ...(sameSite(it.write.call, it.write.event.call) ? [] : [{ place: at(it.write.event.call), text: 'The statement writes here.' }]),
    ],
    interleaving: staleRead(it),
    edits: [],
  };
}
