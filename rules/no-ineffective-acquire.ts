/** An acquire that takes no lock: options that the client ignores, a look before an unconditional set, a library on a client it does not support. */
import { ineffectiveAcquires } from '../model/ineffective.ts';
import { effectiveEdits } from './fixes/effective.ts';
import { noLock } from './interleaving.ts';
import { at, defineRule } from './rule.ts';
import { calleeText, lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-ineffective-acquire',
  preset: 'recommended',
  severity: 'error',
  description: 'Take the lock by a call that this client understands, in one step that a second holder is refused by.',
  messages: {
    trap: '{{lock}} is not taken here as it seems. {{why}}. Give this client what it understands, in one call that sets the key only where there is none, with a lease.',
    looked: '{{lock}} is looked for at {{look}} and set in a step of its own. Two instances can both find nothing, and this {{callee}} then overwrites the first one\'s. Take it in one step that sets the key only where there is none: `SET key value NX PX ms`.',
    plain: '{{lock}} is set whether or not somebody holds it. This {{callee}} never refuses, so that every instance takes the lock. Set the key only where there is none: `SET key value NX PX ms`.',
  },
  find: ({ story }) =>
    ineffectiveAcquires(story).map((it) => {
      const place = at(it.call);
      return {
        messageId: it.how,
        data: {
          lock: lockName({ title: '', key: it.key }),
          why: sentence(it.why ?? ''),
          look: it.look ? lineOf(at(it.look), place.file) : '',
          callee: `\`${calleeText(it.call)}\``,
        },
        place,
        related: [
          ...(it.look ? [{ place: at(it.look), text: 'It is looked here whether the key is there.' }] : []),
          ...(it.release ? [{ place: at(it.release), text: 'The key is given back here.' }] : []),
        ],
        interleaving: noLock(it.call, it.key),
        edits: () => effectiveEdits(it, story),
      };
    }),
});

const sentence = (text: string): string => text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase());
