/**
 * simple-redis-mutex: 1 on ioredis, 2 and 3 on node-redis 4 to 6. Facts from the package's own types
 * and source; measured on 2.1.0 and 3.0.0: what `lock` and `tryLock` answer, and the order of two
 * holders' tokens.
 */
import { arg, exported, is, library, type Answer, type Call, type Lease, type Misfit, type When } from './schema.ts';

const RELEASE = 'simple-redis-mutex:Release';

const lease: readonly Lease[] = [{ at: arg(2, 'timeout'), unit: 'ms', default: 30_000 }];
const released: Answer = { releases: true, type: RELEASE };
const unsound = 'SET and INCR are two steps: a holder that pauses between them gets a larger number than its successor';

const misfits: readonly Misfit[] = [
  { at: arg(0), type: 'ioredis:Client', why: 'simple-redis-mutex 2 and 3 need node-redis: on ioredis `lock` never settles' },
];

/** Version 1, where it gives up after a time, and where it waits. */
function versionOne(givesUp: boolean): readonly Call[] {
  const acquire = { kind: 'acquire', key: arg(1), lock: 'lease', granted: { releases: true }, refused: givesUp ? 'throws' : 'waits' } as const;
  const when: readonly When[] = givesUp ? [{ has: arg(2, 'failAfterMillis') }] : [];
  const row = { on: 'module', name: exported('lock'), versions: '<2' } as const;
  return [
    { ...row, when: [...when, { has: arg(2, 'timeoutMillis') }], does: { ...acquire, lease: [{ at: arg(2, 'timeoutMillis'), unit: 'ms' }] } },
    { ...row, when: [...when, { lacks: arg(2, 'timeoutMillis') }], does: { ...acquire, lease: [] }, note: 'without `timeoutMillis` version 1 sets no lease' },
    { ...row, when, does: acquire },
  ];
}

export default library({
  key: 'simple-redis-mutex',
  packages: ['simple-redis-mutex'],
  title: 'simple-redis-mutex',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: `fencingToken` is minted after the grant',
  calls: [
    ...[true, false].flatMap(versionOne),
    {
      on: 'module',
      name: exported('lock'),
      when: [{ has: arg(2, 'failAfter') }],
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease,
        granted: released,
        refused: 'throws',
        misfits,
      },
    },
    {
      on: 'module',
      name: exported('lock'),
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease,
        granted: released,
        refused: 'waits',
        misfits,
      },
    },
    {
      on: 'module',
      name: exported('tryLock'),
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease,
        granted: { tuple: [is(true), released] },
        refused: { tuple: [is(false), { type: RELEASE }] },
        misfits,
      },
      note: 'the refused answer is a list too: it is truthy',
    },
    {
      on: RELEASE,
      name: 'refreshTimeout',
      does: { kind: 'renew', ownerChecked: false, done: { of: 'void' }, lost: { of: 'void' } },
      note: 'GET, compare, PEXPIRE: not one step',
    },
  ],
  tokens: [{ of: RELEASE, path: ['fencingToken'], sound: false, why: unsound }],
  facts: [
    '`timeout` counts milliseconds, 30,000 by default; `timeoutMillis` of version 1 has no default: without it the lock never ends.',
    '`lock` waits for ever unless `failAfter` is given, and then throws; Redis errors are swallowed. `tryLock` answers a list, `[true, release]` or `[false, release]`, which is always truthy.',
    'The release compares the owner in a script and says nothing when the lock had been lost. `refreshTimeout` compares and prolongs in two steps.',
    '`release.fencingToken` is minted after the grant in a step of its own: the stale holder can have the larger one.',
  ],
});
