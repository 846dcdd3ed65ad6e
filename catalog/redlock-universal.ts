/**
 * redlock-universal 0. Facts from the package's own types and source; measured on 0.8.5: a refused
 * acquire, and release and extension of a lost lock.
 */
import { arg, ctor, is, library, type ArgPath, type Call, type Lease, type TypeId } from './schema.ts';

const LOCK = 'redlock-universal:Lock';
const PREFIXED = 'redlock-universal:PrefixedLock';
const MANAGED = 'redlock-universal:ManagedLock';
const MANAGER = 'redlock-universal:Manager';
const HANDLE = 'redlock-universal:Handle';

/** A lock whose key and length were given when it was made. */
function lockCalls(on: TypeId, key: ArgPath, ttl: ArgPath): readonly Call[] {
  const lease: readonly Lease[] = [{ at: ttl, unit: 'ms', default: 30_000 }];
  return [
    { on, name: 'acquire', does: { kind: 'acquire', key, lock: 'lease', lease, granted: { type: HANDLE }, refused: 'throws' } },
    {
      on,
      name: 'using',
      does: { kind: 'acquire', key, lock: 'lease', lease, granted: { of: 'unknown' }, refused: 'throws', body: arg(0), bodySignal: 0, renews: 'body' },
    },
    { on, name: 'release', does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: is(false) } },
    {
      on,
      name: 'extend',
      does: { kind: 'renew', handle: arg(0), ownerChecked: true, lease: [{ at: arg(1), unit: 'ms' }], done: is(true), lost: is(false) },
    },
    { on, name: 'isLocked', does: { kind: 'holds' } },
  ];
}

export default library({
  key: 'redlock-universal',
  packages: ['redlock-universal'],
  title: 'redlock-universal',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: LOCK, by: 'call', name: ['createLock', 'createRedlock'] },
    { type: LOCK, by: 'new', name: ['SimpleLock', 'LeanSimpleLock', 'RedLock'] },
    { type: LOCK, by: 'annotation', name: ['Lock', 'SimpleLock', 'LeanSimpleLock', 'RedLock'] },
    { type: PREFIXED, by: 'call', name: 'createPrefixedLock' },
    { type: MANAGER, by: 'new', name: 'LockManager' },
    { type: MANAGER, by: 'annotation', name: 'LockManager' },
    { type: MANAGED, by: 'method', name: ['createSimpleLock', 'createRedLock'], of: MANAGER },
    { type: HANDLE, by: 'annotation', name: 'LockHandle' },
  ],
  calls: [
    ...lockCalls(LOCK, ctor(0, 'key'), ctor(0, 'ttl')),
    ...lockCalls(PREFIXED, { joined: [ctor(1), ctor(2)] }, ctor(3, 'ttl')),
    ...lockCalls(MANAGED, ctor(0), ctor(1, 'ttl')),
    {
      on: MANAGER,
      name: ['acquireLock', 'acquireBatch'],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [
          { at: arg(1, 'ttl'), unit: 'ms' },
          { at: ctor(0, 'defaultTTL'), unit: 'ms', default: 30_000 },
        ],
        granted: { type: HANDLE },
        refused: 'throws',
      },
    },
    {
      on: MANAGER,
      name: 'usingBatch',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [
          { at: arg(2, 'ttl'), unit: 'ms' },
          { at: ctor(0, 'defaultTTL'), unit: 'ms', default: 30_000 },
        ],
        granted: { of: 'unknown' },
        refused: 'throws',
        body: arg(1),
        bodySignal: 0,
        renews: 'body',
      },
    },
    {
      on: MANAGER,
      name: ['releaseLock', 'releaseBatch'],
      does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: is(false) },
    },
    {
      on: 'module',
      name: 'executeWithSingleLockExtension',
      does: { kind: 'calls', body: arg(3), when: 'now', answers: 'body' },
    },
    {
      on: 'module',
      name: 'executeWithAutoExtension',
      does: { kind: 'calls', body: arg(0, 'routine'), when: 'now', answers: 'body' },
    },
  ],
  tokens: [
    { of: HANDLE, path: ['value'], sound: false, why: 'a random text: it has no order' },
    { of: HANDLE, path: ['id'], sound: false, why: 'made on this machine: it has no order among holders' },
    { of: HANDLE, path: ['acquiredAt'], sound: false, why: 'a time of the local clock' },
  ],
  facts: [
    '`ttl` counts milliseconds, 30,000 by default. The lock is made with its key; `acquire` answers a handle.',
    'A refused acquire throws LockAcquisitionError after the retries.',
    '`release` and `extend` compare the owner and answer false when the lock had been lost: they never throw for it.',
    '`using` and `usingBatch` renew the lease while their body runs and hand it an abort signal.',
    'There is no token: `value` is random, `acquiredAt` a local time.',
  ],
});
