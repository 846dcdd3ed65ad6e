/**
 * @upstash/lock 0. Facts from the package's own types and source (0.2.1); its script for `extend` was
 * run by hand against a Redis 7 server.
 */
import { arg, ctor, is, library } from './schema.ts';

const LOCK = 'upstash-lock:Lock';

export default library({
  key: 'upstash-lock',
  packages: ['@upstash/lock'],
  title: '@upstash/lock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: LOCK, by: 'new', name: 'Lock' },
    { type: LOCK, by: 'annotation', name: 'Lock' },
  ],
  calls: [
    {
      on: LOCK,
      name: 'acquire',
      does: {
        kind: 'acquire',
        key: ctor(0, 'id'),
        lock: 'lease',
        lease: [
          { at: arg(0, 'lease'), unit: 'ms' },
          { at: ctor(0, 'lease'), unit: 'ms', default: 10_000 },
        ],
        granted: is(true),
        refused: is(false),
        owner: arg(0, 'uuid'),
      },
    },
    { on: LOCK, name: 'release', does: { kind: 'release', ownerChecked: true, lost: is(false) } },
    {
      on: LOCK,
      name: 'extend',
      does: { kind: 'renew', ownerChecked: true, lease: [{ at: arg(0), unit: 'ms' }], done: is(true), lost: is(false) },
      note: 'adds to what is left; an amount that is not whole seconds fails',
    },
    { on: LOCK, name: 'getStatus', does: { kind: 'holds' } },
  ],
  facts: [
    '`lease` counts milliseconds, 10,000 by default.',
    'A refused acquire answers false after the retries; it does not throw.',
    'Release and `extend` compare the owner in a script and answer false when the lock had been lost.',
    '`extend` adds to the time that is left; an amount that is not whole seconds fails. There is no token.',
  ],
});
