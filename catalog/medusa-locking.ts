/**
 * Medusa's locking module 2, with its Redis and PostgreSQL providers. Facts from the packages' own
 * types and sources (2.21). Which provider stands behind the module is set elsewhere; with either, the
 * caller's writes go through other connections than the lock.
 */
import { arg, is, library, type Acquire } from './schema.ts';

const LOCKING = 'medusa-locking:Locking';

const acquire = {
  kind: 'acquire',
  key: arg(0),
  lock: 'lease',
  granted: { of: 'void' },
  refused: 'throws',
  owner: arg(1, 'ownerId'),
} as const satisfies Acquire;

export default library({
  key: 'medusa-locking',
  packages: [
    '@medusajs/framework', '@medusajs/framework/*', '@medusajs/utils', '@medusajs/types',
    '@medusajs/locking', '@medusajs/locking-redis', '@medusajs/locking-postgres',
  ],
  title: 'Medusa locking module',
  family: 'lock',
  token: 'none: the owner is whatever the caller names',
  obtain: [
    { type: LOCKING, by: 'method', name: 'resolve', of: 'any', when: [{ is: arg(0), value: 'locking' }] },
    { type: LOCKING, by: 'annotation', name: ['ILockingModule', 'ILockingProvider', 'LockingModuleService'] },
  ],
  calls: [
    {
      on: LOCKING,
      name: 'execute',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(2, 'expire'), unit: 's', default: 60 }],
        granted: { of: 'unknown' },
        refused: 'throws',
        body: arg(1),
        bodySignal: 0,
        renews: 'always',
      },
    },
    {
      on: LOCKING,
      name: 'acquire',
      when: [{ has: arg(1, 'expire') }],
      does: { ...acquire, lease: [{ at: arg(1, 'expire'), unit: 's' }] },
    },
    { on: LOCKING, name: 'acquire', when: [{ lacks: arg(1, 'expire') }], does: { ...acquire, lease: [] } },
    { on: LOCKING, name: 'acquire', does: acquire },
    {
      on: LOCKING,
      name: 'release',
      when: [{ has: arg(1, 'ownerId') }],
      does: { kind: 'release', key: arg(0), ownerChecked: true, lost: is(false) },
    },
    {
      on: LOCKING,
      name: 'release',
      when: [{ lacks: arg(1, 'ownerId') }],
      does: { kind: 'release', key: arg(0), ownerChecked: false, lost: is(false) },
      note: 'without `ownerId` every caller is the same owner',
    },
    { on: LOCKING, name: 'release', does: { kind: 'release', key: arg(0), ownerChecked: true, lost: is(false) } },
  ],
  constants: { 'Modules.LOCKING': 'locking' },
  facts: [
    '`expire` and `timeout` count seconds. `execute` has 60 by default and renews; `acquire` without `expire` sets no lease.',
    'A refused `execute` throws after `timeout` (5 seconds), a refused `acquire` at once.',
    '`release` compares `ownerId` and answers false when the lock had been lost. Without an `ownerId` every caller is the same owner.',
    'With the Redis provider `execute` aborts its signal on loss; with PostgreSQL it holds a transaction of its own. There is no token.',
  ],
});
