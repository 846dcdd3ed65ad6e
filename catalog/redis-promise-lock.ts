/**
 * redis-promise-lock 1, on node-redis 4. Facts from the package's own types and source; measured on
 * 1.0.4: the answers of `acquireLock`.
 */
import { arg, ctor, is, library } from './schema.ts';

const LOCK = 'redis-promise-lock:Lock';

export default library({
  key: 'redis-promise-lock',
  packages: ['redis-promise-lock'],
  title: 'redis-promise-lock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: LOCK, by: 'new', name: ['Lock', 'default', 'default.Lock'] },
    { type: LOCK, by: 'annotation', name: ['Lock', 'default'] },
  ],
  calls: [
    {
      on: LOCK,
      name: 'acquireLock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [
          { at: arg(1, 'ttl'), unit: 's' },
          { at: ctor(1, 'ttl'), unit: 's', default: 3 },
        ],
        granted: is(true),
        refused: is(false),
      },
      note: 'SETNX and EXPIRE are two commands: a crash between them leaves a lock that never ends',
    },
    {
      on: LOCK,
      name: 'releaseLock',
      does: { kind: 'release', key: arg(0), ownerChecked: false, lost: { of: 'void' } },
      note: 'a plain DEL',
    },
  ],
  facts: [
    '`ttl` counts seconds, 3 by default; 0 means no lease.',
    'A refused acquire answers false after the retries.',
    'The acquire is SETNX and then EXPIRE: a crash between them leaves a lock that never ends.',
    'The release is a plain DEL. There is no token.',
  ],
});
