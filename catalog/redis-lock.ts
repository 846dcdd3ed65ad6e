/**
 * redis-lock 0 and 1. Facts from the package's own source; measured on 1.0.0: a lock that is
 * taken, and that every client but node-redis 4 is refused.
 */
import { arg, last, library, type Lease } from './schema.ts';

const LOCK = 'redis-lock:Lock';
const DONE = 'redis-lock:Done';

const lease: readonly Lease[] = [{ at: arg(1), unit: 'ms', default: 5_000 }];

export default library({
  key: 'redis-lock',
  packages: ['redis-lock'],
  title: 'redis-lock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [{ type: LOCK, by: 'call', name: ['default', 'default.default'] }],
  calls: [
    {
      on: LOCK,
      name: '()',
      when: [{ sort: arg(1), of: 'function' }],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: { constant: 5_000 }, unit: 'ms' }],
        granted: { of: 'void' },
        refused: 'waits',
        body: arg(1),
        bodyReleases: true,
        bodyHandle: { index: 0, type: DONE },
      },
    },
    {
      on: LOCK,
      name: '()',
      when: [{ sort: last, of: 'function' }],
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease,
        granted: { of: 'void' },
        refused: 'waits',
        body: last,
        bodyReleases: true,
        bodyHandle: { index: 0, type: DONE },
      },
    },
    {
      on: LOCK,
      name: '()',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease,
        granted: { releases: true, ownerChecked: false, type: DONE },
        refused: 'waits',
      },
    },
    { on: DONE, name: '()', does: { kind: 'release', ownerChecked: false }, note: 'a plain DEL while the local clock says that the lease runs' },
  ],
  facts: [
    'The lease counts milliseconds, 5,000 by default; the key is `lock.` and the name.',
    'It retries for ever and swallows every error.',
    'The release does not compare the owner: a plain DEL, unless the local clock says that the lease has ended.',
    'Version 0 hands `done` to a callback; version 1 answers it and works on node-redis 4 only.',
  ],
});
