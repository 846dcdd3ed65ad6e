/**
 * advisory-lock 2, PostgreSQL session locks on connections of its own. Facts from the package's own
 * types and source (2.0.0).
 */
import { arg, ctor, is, library, type Acquire } from './schema.ts';

const FACTORY = 'advisory-lock:Factory';
const LOCK = 'advisory-lock:Lock';

const lock = {
  kind: 'acquire',
  key: ctor(0),
  lock: 'session',
  ownConnection: true,
  granted: { releases: true },
  refused: 'waits',
} as const satisfies Acquire;

export default library({
  key: 'advisory-lock',
  packages: ['advisory-lock'],
  title: 'advisory-lock',
  family: 'lock',
  token: 'a sequence of the same database, whose writes go through another connection than the lock',
  obtain: [
    { type: FACTORY, by: 'call', name: ['default', 'default.default'] },
    { type: LOCK, by: 'call', name: '()', of: FACTORY },
  ],
  calls: [
    { on: LOCK, name: 'lock', does: lock },
    { on: LOCK, name: 'tryLock', does: { ...lock, refused: is(undefined) } },
    { on: LOCK, name: 'withLock', does: { ...lock, granted: { of: 'unknown' }, body: arg(0) } },
    { on: LOCK, name: 'unlock', does: { kind: 'release', ownerChecked: true } },
  ],
  facts: [
    'There is no lease: the lock ends with a connection that the library opens for it, which no write of the caller goes through. When that connection breaks, the lock is gone unnoticed.',
    '`lock` waits for ever and answers the unlock function; a refused `tryLock` answers undefined.',
    'There is no token: take one from a sequence of the same database before the writes.',
  ],
});
