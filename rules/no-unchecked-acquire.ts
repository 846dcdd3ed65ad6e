/** An acquire that can be refused without a throw, and whose answer guards nothing. */
import { placeOf } from '../model/story.ts';
import { uncheckedAcquires } from '../model/unchecked.ts';
import { sameSite } from '../model/value.ts';
import { guardEdits } from './fixes/guard.ts';
import { unguarded } from './interleaving.ts';
import { at, defineRule } from './rule.ts';
import { calleeText, lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-unchecked-acquire',
  preset: 'recommended',
  severity: 'error',
  description: 'Go on only when the lock was granted: test what the acquire answers.',
  messages: {
    ignored: '{{lock}} may be refused here, and nothing asks. {{callee}} answers a refusal without throwing, and {{reached}} runs all the same, beside whoever holds the lock. Test the answer, and leave when the lock was not granted.',
    passed: '{{lock}} may be refused here, and the work runs all the same. The answer is tested, but a refusal leads to {{reached}} as well, beside whoever holds the lock. Leave when the lock was not granted.',
    constant: '{{lock}} is guarded by a test that always has the same outcome. The test at {{test}} has one outcome, whether {{callee}} was granted or refused. Compare the answer with what a grant answers.',
  },
  find: ({ story }) =>
    uncheckedAcquires(story).map((it) => {
      const { section, how, test, reached } = it;
      const place = at(section.at);
      const tested = test && placeOf(section.frame.module, test.span);
      return {
        messageId: how,
        data: {
          lock: lockName(section.lock),
          callee: `\`${calleeText(section.at)}\``,
          reached: reached ? `\`${calleeText(reached)}\` at ${lineOf(at(reached), place.file)}` : 'what follows',
          test: tested ? lineOf(tested, place.file) : '',
        },
        place,
        related: [
          ...(tested ? [{ place: tested, text: 'This test does not tell a grant from a refusal.' }] : []),
          ...(reached ? [{ place: at(reached), text: 'A refusal leads here as well.' }] : []),
          ...(sameSite(section.at, section.acquire.call) ? [] : [{ place: at(section.acquire.call), text: 'This is the acquire.' }]),
        ],
        interleaving: unguarded(section, reached),
        edits: () => guardEdits(it, story),
      };
    }),
});
