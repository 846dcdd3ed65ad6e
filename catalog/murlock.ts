/**
 * murlock 4, for NestJS. Facts from the package's own types, source and Lua scripts (4.4.0).
 */
import { arg, last, library } from './schema.ts';

const SERVICE = 'murlock:Service';

export default library({
  key: 'murlock',
  packages: ['murlock'],
  title: 'murlock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [{ type: SERVICE, by: 'annotation', name: 'MurLockService' }],
  calls: [
    {
      on: SERVICE,
      name: 'runWithLock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { of: 'unknown' },
        refused: 'throws',
        body: last,
      },
    },
  ],
  decorators: [
    {
      name: 'MurLock',
      does: {
        kind: 'acquire',
        lock: 'lease',
        lease: [{ at: arg(0), unit: 'ms' }],
        granted: { of: 'unknown' },
        refused: 'throws',
      },
    },
  ],
  facts: [
    'The release time counts milliseconds and has no default; there is no renewal.',
    'A refused acquire throws MurLockException after `maxAttempts`; with `blocking` it waits for ever.',
    'The release compares the owner and throws when the lock had been lost, unless `ignoreUnlockFail` is set.',
    'The owner is the client id of the asynchronous context: a nested call in it is let in, and does not prolong the lease. There is no token.',
  ],
});
