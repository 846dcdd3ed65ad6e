/**
 * @verrou/core 0. Facts from the package's own types and source; measured on 0.5.2: the answers of
 * `acquire` and `run`, a lost release, units and defaults.
 */
import { arg, ctor, is, library, type Acquire, type Call, type Lease, type Obtain } from './schema.ts';

/** What a lock made by `createLock(name, ttl)` can do. `key` is the prefix of the types. */
export function verrouCalls(key: string): readonly Call[] {
  const LOCK = `${key}:Lock`;
  const timed: readonly Lease[] = [{ at: ctor(1), unit: 'duration', default: 30_000 }];
  const acquire = (lease: readonly Lease[]): Acquire => ({
    kind: 'acquire',
    key: ctor(0),
    lock: 'lease',
    lease,
    granted: is(true),
    refused: is(false),
  });
  const run = (lease: readonly Lease[]): Acquire => ({
    ...acquire(lease),
    granted: { tuple: [is(true), { of: 'unknown' }] },
    refused: { tuple: [is(false), is(null)] },
    body: arg(0),
  });
  const endless = { is: ctor(1), value: null } as const;
  return [
    {
      on: LOCK,
      name: 'acquire',
      when: [{ is: arg(0, 'retry', 'attempts'), value: 0 }],
      does: { ...acquire(timed), trap: '@verrou/core with no attempts answers true without taking the lock' },
    },
    { on: LOCK, name: ['acquire', 'acquireImmediately'], when: [endless], does: acquire([]) },
    { on: LOCK, name: ['acquire', 'acquireImmediately'], does: acquire(timed) },
    { on: LOCK, name: ['run', 'runImmediately'], when: [endless], does: run([]) },
    { on: LOCK, name: ['run', 'runImmediately'], does: run(timed), note: 'the answer is a list: it is truthy even when refused' },
    { on: LOCK, name: 'release', does: { kind: 'release', ownerChecked: true, lost: 'throws' } },
    { on: LOCK, name: 'forceRelease', does: { kind: 'release', ownerChecked: false } },
    {
      on: LOCK,
      name: 'extend',
      does: { kind: 'renew', ownerChecked: true, lease: [{ at: arg(0), unit: 'duration' }, ...timed], done: { of: 'void' }, lost: 'throws' },
    },
    { on: LOCK, name: ['isExpired', 'isLocked', 'getRemainingTime'], does: { kind: 'holds' } },
  ];
}

export const verrouObtain = (key: string): readonly Obtain[] => [
  { type: `${key}:Lock`, by: 'method', name: ['createLock', 'restoreLock'], of: `${key}:Factory` },
  { type: `${key}:Factory`, by: 'method', name: 'use', of: `${key}:Factory` },
];

export default library({
  key: 'verrou',
  packages: ['@verrou/core', '@verrou/core/*'],
  title: '@verrou/core',
  family: 'lock',
  token: 'none: its owner value is random',
  obtain: [
    { type: 'verrou:Factory', by: 'new', name: ['Verrou', 'LockFactory'] },
    { type: 'verrou:Factory', by: 'annotation', name: ['Verrou', 'LockFactory'] },
    { type: 'verrou:Lock', by: 'annotation', name: 'Lock' },
    ...verrouObtain('verrou'),
  ],
  calls: verrouCalls('verrou'),
  facts: [
    'A length is a number of milliseconds or a text (`10s`); without one it is 30 seconds, with null the lock never ends.',
    '`acquire` answers true or false; `run` answers a list, `[true, result]` or `[false, null]`, which is always truthy.',
    'Release and `extend` compare the owner and throw E_LOCK_NOT_OWNED when the lock had been lost; `forceRelease` does not compare.',
    '`acquire({ retry: { attempts: 0 } })` answers true without taking the lock. There is no token; the owner is made with Math.random.',
  ],
});
