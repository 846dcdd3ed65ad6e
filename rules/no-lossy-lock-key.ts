/** A key of an advisory lock that has fewer bits than the lock offers. */
import { type LossyKey, type Narrowing, lossyKeys } from '../model/lossy-keys.ts';
import { placeOf } from '../model/story.ts';
import { at, defineRule } from './rule.ts';

const causes: Record<Narrowing, string> = {
  'hash-in-sql': '`hashtext` answers 32 bits: among some ten thousand names two are likely to share a key.',
  'number-of-bigint': 'A `number` has 53 bits: a larger `bigint` becomes another one, that of its neighbours.',
  'digest-cut': 'What is left of the digest has fewer than 64 bits: two names may share a key.',
  'bits-32': 'It has 32 bits at most: among some ten thousand names two are likely to share a key.',
};

export default defineRule({
  name: 'no-lossy-lock-key',
  preset: 'strict',
  severity: 'warn',
  description: 'Make the key of an advisory lock of all 64 bits.',
  messages: {
    narrowed: 'The key of `{{name}}` loses bits here. {{cause}} Work on unrelated things then waits for each other, or is refused. Use 64 bits: `hashtextextended(name, 0)`, or `digest.readBigInt64BE()` handed over as text.',
  },
  find: ({ story }) =>
    lossyKeys(story).map((it) => {
      const place = placeOf(it.module, it.span);
      return { messageId: 'narrowed', data: { name: it.event.name, cause: causes[it.how] }, place, related: related(it), edits: [] };
    }),
});

const related = ({ event, how }: LossyKey) => (how === 'hash-in-sql' ? [] : [{ place: at(event.call), text: 'The lock is taken here.' }]);
