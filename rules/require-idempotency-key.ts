/** A payment, mail, message or request in a section that a second holder, or a second attempt, would make again. */
import { externalCalls, isKeyed } from '../model/purpose.ts';
import { sameSite } from '../model/value.ts';
import { doneTwice } from './interleaving.ts';
import { at, defineRule } from './rule.ts';
import { calleeText, lineOf, lockName } from './words.ts';

const what = { payment: 'a payment', mail: 'a mail', message: 'a message', http: 'a request' };

export default defineRule({
  name: 'require-idempotency-key',
  preset: 'strict',
  severity: 'warn',
  description: 'Give calls that cannot be taken back an idempotency key that comes from the work, not from the attempt.',
  messages: {
    missing: '{{callee}} makes {{what}} under {{lock}} without an idempotency key. What has been sent cannot be refused afterwards: a holder that pauses past its lease sends it a second time. Send a key that is derived from the work (the order, the day), so that the receiver does it once.',
  },
  find: ({ story }) =>
    story.sections
      .filter((it) => !it.isEfficiency)
      .flatMap((it) =>
        externalCalls(it.section)
          .filter((deep) => !deep.event.hasKey && !isKeyed(deep, story.model))
          .map(({ event, at: call }) => ({
            messageId: 'missing',
            data: { callee: `\`${calleeText(call)}\``, what: what[event.service], lock: lockName(it.section.lock) },
            place: at(call),
            related: [
              { place: at(it.section.at), text: 'The lock is taken here.' },
              ...(sameSite(call, event.call) ? [] : [{ place: at(event.call), text: `It is sent here (${lineOf(at(event.call), at(call).file)}).` }]),
            ],
            interleaving: doneTwice(it, call, what[event.service]),
            edits: [],
          })),
      ),
});
