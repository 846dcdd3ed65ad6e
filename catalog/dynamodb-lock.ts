/**
 * dynamodb-lock-client 0 and @deliveryhero/dynamodb-lock 2. Facts from the packages' own types
 * (`@types/dynamodb-lock-client`) and sources.
 */
import { arg, ctor, library, type Delivery } from './schema.ts';

const OPEN = 'dynamodb-lock:FailOpen';
const CLOSED = 'dynamodb-lock:FailClosed';
const OPEN_LOCK = 'dynamodb-lock:OpenLock';
const CLOSED_LOCK = 'dynamodb-lock:ClosedLock';
const CLIENT = 'dynamodb-lock:Client';
const LOCK = 'dynamodb-lock:Lock';

const delivery: Delivery = { callback: 'last', returns: { of: 'void' } };
const why = 'raised in the conditional put that takes the lock, as long as the item is not deleted';

export default library({
  key: 'dynamodb-lock',
  packages: ['dynamodb-lock-client', '@deliveryhero/dynamodb-lock'],
  title: 'dynamodb-lock-client, @deliveryhero/dynamodb-lock',
  family: 'lock',
  token: '`fencingToken` of a FailOpen lock; FailClosed has none',
  obtain: [
    { type: OPEN, by: 'new', name: ['FailOpen', 'default.FailOpen'] },
    { type: OPEN, by: 'annotation', name: ['FailOpen', 'default.FailOpen'] },
    { type: CLOSED, by: 'new', name: ['FailClosed', 'default.FailClosed'] },
    { type: CLOSED, by: 'annotation', name: ['FailClosed', 'default.FailClosed'] },
    { type: CLIENT, by: 'call', name: 'dynamoDBLockClientFactory', from: '@deliveryhero/dynamodb-lock' },
    { type: CLIENT, by: 'annotation', name: 'LockClient', from: '@deliveryhero/dynamodb-lock' },
    { type: LOCK, by: 'annotation', name: 'Lock', from: '@deliveryhero/dynamodb-lock' },
    { type: OPEN_LOCK, by: 'annotation', name: 'Lock', from: 'dynamodb-lock-client' },
  ],
  calls: [
    {
      on: OPEN,
      name: 'acquireLock',
      when: [{ has: ctor(0, 'heartbeatPeriodMs') }],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: ctor(0, 'leaseDurationMs'), unit: 'ms' }],
        granted: { type: OPEN_LOCK },
        refused: 'throws',
        renews: 'always',
        renewalOption: ctor(0, 'heartbeatPeriodMs'),
      },
      delivery,
    },
    {
      on: OPEN,
      name: 'acquireLock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: ctor(0, 'leaseDurationMs'), unit: 'ms' }],
        granted: { type: OPEN_LOCK },
        refused: 'throws',
      },
      delivery,
    },
    {
      on: CLOSED,
      name: 'acquireLock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [],
        granted: { type: CLOSED_LOCK },
        refused: 'throws',
      },
      delivery,
      note: 'FailClosed sets no lease: the lock stays until it is released',
    },
    { on: OPEN_LOCK, name: 'release', does: { kind: 'release', ownerChecked: true, lost: { of: 'void' } }, delivery },
    { on: CLOSED_LOCK, name: 'release', does: { kind: 'release', ownerChecked: true, lost: 'throws' }, delivery },
    ...[OPEN_LOCK, CLOSED_LOCK].map((on) => ({
      on,
      name: ['on', 'once'],
      when: [{ is: arg(0), value: 'error' } as const],
      does: { kind: 'calls', body: arg(1), when: 'later', onLoss: true } as const,
    })),

    {
      on: CLIENT,
      name: 'lock',
      when: [{ is: arg(2, 'prolongLeaseEnabled'), value: false }],
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease: [{ at: arg(2, 'leaseDurationInMs'), unit: 'ms', default: 20_000 }],
        granted: { type: LOCK },
        refused: 'throws',
      },
    },
    {
      on: CLIENT,
      name: 'lock',
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease: [{ at: arg(2, 'leaseDurationInMs'), unit: 'ms', default: 20_000 }],
        granted: { type: LOCK },
        refused: 'throws',
        renews: 'always',
      },
    },
    { on: CLIENT, name: 'releaseLock', does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: { of: 'void' } } },
  ],
  tokens: [
    { of: OPEN_LOCK, path: ['fencingToken'], sound: true, why },
    { of: CLOSED_LOCK, path: ['fencingToken'], sound: false, why: 'undefined: only FailOpen mints one' },
    { of: LOCK, path: ['recordVersionNumber'], sound: false, why: 'a random id, made anew with every heartbeat' },
  ],
  states: [{ of: LOCK, path: ['isAcquired'], tells: 'held' }],
  facts: [
    'Leases count milliseconds: `leaseDurationMs` of FailOpen has no default, `leaseDurationInMs` has 20,000. FailClosed sets no lease at all.',
    'A refused acquire is an error: by callback in dynamodb-lock-client, LockNotGrantedError in @deliveryhero/dynamodb-lock.',
    'Releases compare; FailOpen and @deliveryhero/dynamodb-lock say nothing when the lock had been lost.',
    'FailOpen renews with `heartbeatPeriodMs`, and tells the loss by an `error` event; @deliveryhero/dynamodb-lock renews by default.',
    '`lock.fencingToken` of FailOpen is a sound token. `recordVersionNumber` is a random id, made anew with every heartbeat.',
  ],
});
