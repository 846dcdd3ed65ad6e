/**
 * redlock, majors 3 to 5, and forks with the same surface. Facts from the packages' own types
 * (`@types/redlock` for 4) and sources; measured on 3.1.2, 4.2.0 and 5.0.0-beta.2: what a refused
 * acquire, a release of a lost lock and `extend` do, and on which clients they work.
 */
import { arg, ctor, last, library, type Call, type Misfit, type Obtain, type State, type Token } from './schema.ts';

const FOUR = '<5.0.0-0';
const FIVE = '>=5.0.0-0';

const misfits: readonly Misfit[] = [
  {
    at: ctor(0),
    type: 'redis:Client',
    versions: '1.x || >=4',
    why: 'redlock does not work on node-redis 4 and later: every acquire is rejected',
  },
];

/** The surface of version 5, which the forks keep. `key` is the prefix of the types. */
export function fiveCalls(key: string, versions?: string): readonly Call[] {
  const REDLOCK = `${key}:Redlock`;
  const LOCK = `${key}:Lock`;
  return [
    {
      on: REDLOCK,
      name: 'acquire',
      ...(versions && { versions }),
      when: [{ sort: arg(0), of: 'string' }],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { type: LOCK },
        refused: 'throws',
        misfits,
        trap: 'redlock 5 takes an array of keys: of a text it locks each letter by itself',
      },
    },
    {
      on: REDLOCK,
      name: 'acquire',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { type: LOCK },
        refused: 'throws',
        misfits,
      },
    },
    {
      on: REDLOCK,
      name: 'using',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { of: 'unknown' },
        refused: 'throws',
        body: last,
        bodySignal: 0,
        renews: 'body',
        misfits,
      },
    },
    { on: REDLOCK, name: 'release', does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: 'throws' } },
    { on: LOCK, name: 'release', does: { kind: 'release', ownerChecked: true, lost: 'throws' } },
    {
      on: REDLOCK,
      name: 'extend',
      does: { kind: 'renew', handle: arg(0), ownerChecked: true, lease: [{ at: arg(1), unit: 'ms' }], done: { type: LOCK }, lost: 'throws' },
    },
    {
      on: LOCK,
      name: 'extend',
      does: { kind: 'renew', ownerChecked: true, lease: [{ at: arg(0), unit: 'ms' }], done: { type: LOCK }, lost: 'throws' },
      note: 'answers a new handle; the old one is spent',
    },
  ];
}

export const fiveTokens = (key: string): readonly Token[] => [
  { of: `${key}:Lock`, path: ['value'], sound: false, why: 'a random text: it has no order' },
  { of: `${key}:Lock`, path: ['expiration'], sound: false, why: 'a time of the local clock' },
];

export const fiveStates = (key: string): readonly State[] => [{ of: `${key}:Lock`, path: ['expiration'], tells: 'until' }];

export const fiveObtain = (key: string, names: readonly string[]): readonly Obtain[] => [
  { type: `${key}:Redlock`, by: 'new', name: names },
  { type: `${key}:Redlock`, by: 'annotation', name: names },
  { type: `${key}:Lock`, by: 'annotation', name: ['Lock', 'default.Lock'] },
];

export default library({
  key: 'redlock',
  packages: ['redlock', 'redlock-temp-fix', 'redlock2', 'bull-redlock'],
  title: 'redlock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: fiveObtain('redlock', ['default', 'default.default', 'Redlock', 'default.Redlock']),
  calls: [
    {
      on: 'redlock:Redlock',
      name: ['lock', 'lockWithOptions', 'acquireWithOptions'],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { type: 'redlock:Lock' },
        refused: 'throws',
        misfits,
      },
      delivery: { callback: 'last' },
    },
    {
      on: 'redlock:Redlock',
      name: 'acquire',
      versions: FOUR,
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { type: 'redlock:Lock' },
        refused: 'throws',
        misfits,
      },
      delivery: { callback: 'last' },
    },
    {
      on: 'redlock:Redlock',
      name: 'unlock',
      does: { kind: 'release', handle: arg(0), ownerChecked: true, lost: 'throws' },
      delivery: { callback: 'last' },
    },
    {
      on: 'redlock:Lock',
      name: 'unlock',
      does: { kind: 'release', ownerChecked: true, lost: 'throws' },
      delivery: { callback: 'last' },
    },
    ...fiveCalls('redlock', FIVE),
  ],
  tokens: fiveTokens('redlock'),
  states: fiveStates('redlock'),
  facts: [
    'Lease lengths are whole milliseconds; there is no default.',
    'A refused acquire throws after the retries (10 by default): LockError in 4, ExecutionError in 5.',
    'The release compares the owner and throws when the lock had been lost; in 5 only after the retries, about two seconds, and `using` throws it over the body\'s result.',
    'Version 4 has `lock`, `unlock` and `extend`, which prolongs the same handle. Version 5 has `acquire`, `release` and `using`; its `extend` answers a new handle and spends the old one.',
    'Version 5 takes an array of keys: `acquire(\'abc\', …)` locks `a`, `b` and `c`.',
    'It needs ioredis (4 also node-redis 3): on node-redis 4 and later every acquire is rejected. There is no token: `value` is random.',
  ],
});
