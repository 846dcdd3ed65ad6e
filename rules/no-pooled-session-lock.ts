/** A lock of a database session that is taken or given back through a pool: the next statement may use another session. */
import { type MisplacedLock, pooledSessionLocks } from '../model/lock-statements.ts';
import { sameSite } from '../model/value.ts';
import { transactionLockEdits } from './fixes/transaction-lock.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { statementName } from './words.ts';

export default defineRule({
  name: 'no-pooled-session-lock',
  preset: 'recommended',
  severity: 'error',
  description: 'Take a session lock, do the work and unlock on one checked-out connection.',
  messages: {
    acquire: '{{lock}} is taken through a pool. It belongs to the connection that ran this one statement: the unlock may run on another and free nothing, and the lock stays with the pooled connection. Check one connection out for lock, work and unlock, or take the transaction-level lock in a transaction.',
    release: '{{lock}} is sent through a pool. It frees nothing on any other connection than the one that took the lock, which then stays locked as long as the pool keeps that connection. Unlock on the checked-out connection that locked.',
  },
  find: ({ story }) => pooledSessionLocks(story).map((it, _, all) => ({ ...finding(it), edits: () => transactionLockEdits(it, all, story) })),
});

function finding({ event, call }: MisplacedLock): RuleFinding {
  const isCalled = !sameSite(call, event.call);
  return {
    messageId: event.step,
    data: { lock: statementName(event) },
    place: at(call),
    related: isCalled ? [{ place: at(event.call), text: 'The statement is sent here, through what it is handed.' }] : [],
    edits: [],
  };
}
