/**
 * ioredfour 1 and redfour 1. Facts from the packages' own sources; measured on ioredfour 1.4.3: the
 * answers, and that the index is minted inside the script that grants the lock.
 */
import { arg, is, library, type Answer, type Delivery } from './schema.ts';

const LOCKS = 'ioredfour:Locks';
const INDEX = 'ioredfour:Index';

const granted: Answer = { props: { success: is(true), index: { type: INDEX } } };
const refused: Answer = { props: { success: is(false) } };
// redfour knows the callback only.
const delivery: Delivery = { callback: 'last' };

export default library({
  key: 'ioredfour',
  packages: ['ioredfour', 'redfour'],
  title: 'ioredfour, redfour',
  family: 'lock',
  coordinator: 'timing',
  token: '`index` of the answer, minted inside the grant',
  obtain: [
    { type: LOCKS, by: 'new', name: 'default' },
    { type: LOCKS, by: 'annotation', name: 'default' },
  ],
  calls: [
    {
      on: LOCKS,
      name: ['acquireLock', 'waitAcquireLock'],
      does: { kind: 'acquire', key: arg(0), lock: 'lease', lease: [{ at: arg(1), unit: 'ms' }], granted, refused, token: { path: ['index'] } },
      delivery,
      note: 'the refused answer is an object too: look at `success`',
    },
    {
      on: LOCKS,
      name: 'releaseLock',
      does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: { props: { success: is(false) } } },
      delivery,
    },
    {
      on: LOCKS,
      name: 'extendLock',
      does: {
        kind: 'renew',
        handle: arg(0),
        ownerChecked: true,
        lease: [{ at: arg(1), unit: 'ms' }],
        done: { props: { success: is(true) } },
        lost: { props: { success: is(false) } },
      },
      delivery,
    },
  ],
  tokens: [{ of: INDEX, path: [], sound: true, why: 'INCR inside the script that grants the lock' }],
  facts: [
    'The lease counts milliseconds and has no default.',
    'The answer is an object in both cases, always truthy: `success` tells.',
    'Release and extension compare the lock\'s index in a script; their answer has `success` too.',
    '`lock.index` grows with every grant and is minted inside the granting script: the only sound token of a Redis lock library seen. It does not survive a failover that loses increments.',
  ],
});
