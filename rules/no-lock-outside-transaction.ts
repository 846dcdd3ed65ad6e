/** A lock that ends with its transaction, taken where no transaction is open: it ends with its own statement. */
import { type MisplacedLock, locksOutsideTransaction } from '../model/lock-statements.ts';
import { sameSite } from '../model/value.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { statementName } from './words.ts';

export default defineRule({
  name: 'no-lock-outside-transaction',
  preset: 'recommended',
  severity: 'error',
  description: 'Take a row lock or a transaction-level lock inside the transaction that writes.',
  messages: {
    outside: '{{lock}} is taken outside of any transaction. Such a lock ends with its transaction, and without one with this very statement: nothing is locked when the next line runs. Lock and write in one transaction, on its connection.',
    apart: '{{lock}} does not belong to the transaction around it. The statement is sent through another connection, where the lock ends with the statement: nothing is locked when the next line runs. Send it through the transaction.',
  },
  find: ({ story }) => locksOutsideTransaction(story).map(finding),
});

function finding({ event, call, transaction }: MisplacedLock): RuleFinding {
  return {
    messageId: transaction ? 'apart' : 'outside',
    data: { lock: statementName(event) },
    place: at(call),
    related: [
      ...(sameSite(call, event.call) ? [] : [{ place: at(event.call), text: 'The lock is taken here.' }]),
      ...(transaction ? [{ place: at(transaction), text: 'The transaction is opened here.' }] : []),
    ],
    edits: [],
  };
}
