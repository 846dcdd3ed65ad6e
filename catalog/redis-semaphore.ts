/**
 * redis-semaphore 4 and 5. Facts from the package's own types and source; measured on 4.1.0 and 5.8.0:
 * what `acquire` and `tryAcquire` answer, a release after the loss, and what happens on node-redis.
 */
import { ctor, is, library, type Call, type Lease, type Misfit, type TypeId } from './schema.ts';

const MUTEX = 'redis-semaphore:Mutex';
const SEMAPHORE = 'redis-semaphore:Semaphore';

const misfits: readonly Misfit[] = [
  {
    at: ctor(0),
    type: 'redis:Client',
    versions: '1.x || >=4',
    why: 'redis-semaphore needs ioredis: on node-redis 4 and later every acquire succeeds, the key has no lease, and the release throws',
  },
  {
    at: ctor(0),
    type: 'upstash:Client',
    why: 'redis-semaphore needs ioredis: Upstash takes no positional flags',
  },
];

/** A lock whose options stand at constructor argument `at`. */
function lockCalls(on: TypeId, at: number): readonly Call[] {
  const lease: readonly Lease[] = [{ at: ctor(at, 'lockTimeout'), unit: 'ms', default: 10_000 }];
  const common = {
    kind: 'acquire',
    key: ctor(1),
    lock: 'lease',
    lease,
    owner: ctor(at, 'identifier'),
    onLost: ctor(at, 'onLockLost'),
    misfits,
  } as const;
  const unrenewed = { is: ctor(at, 'refreshInterval'), value: 0 } as const;
  // A semaphore of more than one permit excludes nobody.
  const when = on === SEMAPHORE ? [{ is: ctor(2), value: 1 } as const] : [];
  return [
    { on, name: 'acquire', when: [...when, unrenewed], does: { ...common, granted: { of: 'void' }, refused: 'throws' } },
    { on, name: 'acquire', when, does: { ...common, granted: { of: 'void' }, refused: 'throws', renews: 'always' } },
    { on, name: 'tryAcquire', when: [...when, unrenewed], does: { ...common, granted: is(true), refused: is(false) } },
    { on, name: 'tryAcquire', when, does: { ...common, granted: is(true), refused: is(false), renews: 'always' } },
    { on, name: 'release', when, does: { kind: 'release', ownerChecked: true, lost: { of: 'void' } } },
  ];
}

export default library({
  key: 'redis-semaphore',
  packages: ['redis-semaphore'],
  title: 'redis-semaphore',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: MUTEX, by: 'new', name: ['Mutex', 'RedlockMutex', 'default.Mutex', 'default.RedlockMutex'] },
    { type: MUTEX, by: 'annotation', name: ['Mutex', 'RedlockMutex'] },
    { type: SEMAPHORE, by: 'new', name: ['Semaphore', 'RedlockSemaphore', 'default.Semaphore', 'default.RedlockSemaphore'] },
    { type: SEMAPHORE, by: 'annotation', name: ['Semaphore', 'RedlockSemaphore'] },
  ],
  calls: [...lockCalls(MUTEX, 2), ...lockCalls(SEMAPHORE, 3)],
  tokens: [MUTEX, SEMAPHORE].map((of) => ({ of, path: ['identifier'], sound: false, why: 'a random identifier: it has no order' })),
  states: [MUTEX, SEMAPHORE].map((of) => ({ of, path: ['isAcquired'], tells: 'held' })),
  facts: [
    '`lockTimeout` counts milliseconds, 10,000 by default; the lock renews itself every 0.8 of it unless `refreshInterval` is 0.',
    '`acquire` answers nothing and throws TimeoutError after `acquireTimeout` (10 seconds); `tryAcquire` (5) answers true or false after the same wait.',
    'The release compares the owner and says nothing when the lock had been lost; the loss itself calls `onLockLost`, which throws from a timer by default.',
    'It needs ioredis: on node-redis 4 and later every acquire succeeds and the key has no lease.',
    'Two locks with the same `identifier` are the same owner. There is no token.',
  ],
});
