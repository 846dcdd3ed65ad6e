/**
 * simple-redis-mutex: 1 on ioredis, 2 and 3 on node-redis 4 to 6. Facts from the package's own types
 * and source; measured on 2.1.0 and 3.0.0: what `lock` and `tryLock` answer, and the order of two
 * holders' tokens.
 */
import { arg, exported, is, library, type Answer, type Lease, type Misfit } from './schema.ts';

const RELEASE = 'simple-redis-mutex:Release';

const lease: readonly Lease[] = [{ at: arg(2, 'timeout'), unit: 'ms', default: 30_000 }];
const released: Answer = { releases: true, type: RELEASE };
const unsound = 'SET and INCR are two steps: a holder that pauses between them gets a larger number than its successor';

const misfits: readonly Misfit[] = [
  { at: arg(0), type: 'ioredis:Client', why: 'simple-redis-mutex 2 and 3 need node-redis: on ioredis `lock` never settles' },
];

export default library({
  key: 'simple-redis-mutex',
  packages: ['simple-redis-mutex'],
  title: 'simple-redis-mutex',
  family: 'lock',
  coordinator: 'timing',
  calls: [
    {
      on: 'module',
      name: exported('lock'),
      when: [{ has: arg(2, 'timeoutMillis') }],
      does: {
        kind: 'acquire',
        key: arg(1),
        lock: 'lease',
        lease: [{ at: arg(2, 'timeoutMillis'), unit: 'ms' }],
        granted: { releases: true },
        refused: 'throws',
      },
    },
    {
      on: 'module',
      name: exported('lock'),
      versions: '<2',
      when: [{ lacks: arg(2, 'timeoutMillis') }],
      does: { kind: 'acquire', key: arg(1), lock: 'lease', lease: [], granted: { releases: true }, refused: 'throws' },
      note: 'without `timeoutMillis` version 1 sets no lease',
    },
    {
      on: 'module',
      name: exported('lock'),
      versions: '<2',
      does: { kind: 'acquire', key: arg(1), lock: 'lease', granted: { releases: true }, refused: 'throws' },
    },
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
        token: { path: ['fencingToken'], sound: false, why: unsound },
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
        token: { path: ['fencingToken'], sound: false, why: unsound },
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
        token: { path: ['1', 'fencingToken'], sound: false, why: unsound },
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
