/**
 * ioredis-lock 4, redislock 1 (node-redis 2 and 3) and @microfleet/ioredis-lock 6: one design. Facts
 * from the packages' own types and sources; a refused acquire and a lost release were measured.
 */
import { arg, ctor, library, type Answer, type Call, type TypeId } from './schema.ts';

const LOCK = 'ioredis-lock:Lock';
const MICROFLEET = 'ioredis-lock:MicrofleetLock';

const lockCalls = (on: TypeId, answer: Answer): readonly Call[] => [
  {
    on,
    name: 'acquire',
    does: {
      kind: 'acquire',
      key: arg(0),
      lock: 'lease',
      lease: [{ at: ctor(1, 'timeout'), unit: 'ms', default: 10_000 }],
      granted: answer,
      refused: 'throws',
    },
    delivery: { callback: 'last' },
  },
  { on, name: 'release', does: { kind: 'release', ownerChecked: true, lost: 'throws' }, delivery: { callback: 'last' } },
  {
    on,
    name: 'extend',
    does: {
      kind: 'renew',
      ownerChecked: true,
      lease: [
        { at: arg(0), unit: 'ms' },
        { at: ctor(1, 'timeout'), unit: 'ms', default: 10_000 },
      ],
      done: answer,
      lost: 'throws',
    },
    delivery: { callback: 'last' },
  },
];

export default library({
  key: 'ioredis-lock',
  packages: ['ioredis-lock', 'redislock', '@microfleet/ioredis-lock'],
  title: 'ioredis-lock, redislock, @microfleet/ioredis-lock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: MICROFLEET, by: 'call', name: ['createLock', 'default.createLock'], from: '@microfleet/ioredis-lock' },
    { type: MICROFLEET, by: 'annotation', name: 'Lock', from: '@microfleet/ioredis-lock' },
    { type: LOCK, by: 'call', name: ['createLock', 'default.createLock'] },
    { type: LOCK, by: 'annotation', name: 'Lock' },
  ],
  calls: [...lockCalls(MICROFLEET, { type: MICROFLEET }), ...lockCalls(LOCK, { of: 'void' })],
  facts: [
    '`timeout` counts milliseconds, 10,000 by default; `extend` counts milliseconds too, though its comment says seconds.',
    'A refused acquire throws LockAcquisitionError. On success `acquire` answers nothing (the lock itself in @microfleet/ioredis-lock).',
    'Release and extension compare the owner in a script and throw when the lock had been lost.',
    'One lock object cannot be acquired twice. There is no token.',
  ],
});
