/**
 * node-redis-warlock 1. Facts from the package's own source; measured on 1.0.2: what the call returns,
 * what the callback gets, and that it never comes back on node-redis 4 and later.
 */
import { arg, ctor, is, library, type Misfit } from './schema.ts';

const WARLOCK = 'warlock:Warlock';

const misfits: readonly Misfit[] = [
  {
    at: ctor(0),
    type: 'redis:Client',
    versions: '1.x || >=4',
    why: 'warlock needs a client that answers by callback: on node-redis 4 and later its callback never comes',
  },
];

export default library({
  key: 'warlock',
  packages: ['node-redis-warlock'],
  title: 'node-redis-warlock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [{ type: WARLOCK, by: 'call', name: 'default' }],
  calls: [
    {
      on: WARLOCK,
      name: 'lock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { releases: true },
        refused: is(false),
        misfits,
      },
      delivery: { callback: 'last', returns: { of: 'string' } },
      note: 'the call itself returns the key, which is truthy',
    },
    {
      on: WARLOCK,
      name: 'optimistic',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { releases: true },
        refused: 'throws',
        misfits,
      },
      delivery: { callback: 'last', returns: { of: 'void' } },
    },
    {
      on: WARLOCK,
      name: 'unlock',
      does: { kind: 'release', key: arg(0), ownerChecked: true, lost: is(0) },
      delivery: { callback: 'last', returns: { of: 'void' } },
    },
    {
      on: WARLOCK,
      name: 'touch',
      does: { kind: 'renew', key: arg(0), ownerChecked: true, lease: [{ at: arg(2), unit: 'ms' }], done: is('OK'), lost: { of: 'unknown' } },
      delivery: { callback: 'last' },
    },
  ],
  facts: [
    'The lease counts milliseconds and has no default; the key is the name and `:lock`.',
    'The callback gets `(err, unlock, id)`: `unlock` is a function, or false when refused. The call itself returns the key.',
    'Release and `touch` compare the owner in a script.',
    'On node-redis 4 and later the callback never comes. The id is a time-based UUID and no token: it has no order across hosts.',
  ],
});
