/**
 * async-mutex 0: locks of one process. Facts from the package's own types (0.5).
 */
import { arg, ctor, library, type Acquire, type Call, type TypeId, type When } from './schema.ts';

const MUTEX = 'async-mutex:Mutex';
const SEMAPHORE = 'async-mutex:Semaphore';
/** What `withTimeout` and `tryAcquire` make of a mutex: it throws when it is refused. */
const LIMITED = 'async-mutex:LimitedMutex';

const lock = { kind: 'acquire', lock: 'local', granted: { releases: true } } as const;

const lockCalls = (on: TypeId, granted: Acquire['granted'], when: readonly When[], refused: Acquire['refused'] = 'waits'): readonly Call[] => [
  { on, name: 'acquire', when, does: { ...lock, granted, refused } },
  { on, name: 'runExclusive', when, does: { ...lock, granted: { of: 'unknown' }, refused, body: arg(0) } },
  { on, name: 'release', when, does: { kind: 'release', ownerChecked: true } },
  { on, name: 'isLocked', when, does: { kind: 'holds' } },
];

export default library({
  key: 'async-mutex',
  packages: ['async-mutex'],
  title: 'async-mutex',
  family: 'lock',
  coordinator: 'process',
  obtain: [
    { type: MUTEX, by: 'new', name: ['Mutex', 'default.Mutex'] },
    { type: MUTEX, by: 'annotation', name: ['Mutex', 'MutexInterface'] },
    { type: LIMITED, by: 'call', name: ['withTimeout', 'tryAcquire', 'default.withTimeout', 'default.tryAcquire'], when: [{ typed: arg(0), as: [MUTEX] }] },
    { type: SEMAPHORE, by: 'new', name: ['Semaphore', 'default.Semaphore'] },
    { type: SEMAPHORE, by: 'annotation', name: ['Semaphore', 'SemaphoreInterface'] },
  ],
  calls: [
    ...lockCalls(MUTEX, { releases: true }, []),
    // A semaphore of more than one permit excludes nobody.
    ...lockCalls(SEMAPHORE, { tuple: [{ of: 'number' }, { releases: true }] }, [{ is: ctor(0), value: 1 }]),
    ...lockCalls(LIMITED, { releases: true }, [], 'throws'),
  ],
  facts: [
    'The lock lives in one process: other instances of a service are not kept out.',
    '`acquire` waits and answers the release function (a semaphore, a list of its value and that function); `withTimeout` and `tryAcquire` make it throw.',
  ],
});
