/**
 * @redis-kit/lock 0 and @nestjs-redis/lock 0, which wraps it. Facts from the packages' own types and
 * sources; measured on 0.1: a refused acquire, and the release of a lost and of a released lock.
 */
import { arg, is, library, type Acquire } from './schema.ts';

const REDLOCK = 'redis-kit-lock:Redlock';
const INSTANCE = 'redis-kit-lock:Instance';

const withLock: Acquire = {
  kind: 'acquire',
  key: arg(0),
  lock: 'lease',
  lease: [{ at: arg(1), unit: 'ms' }],
  granted: { of: 'unknown' },
  refused: 'throws',
  body: arg(2),
};

export default library({
  key: 'redis-kit-lock',
  packages: ['@redis-kit/lock', '@nestjs-redis/lock'],
  title: '@redis-kit/lock, @nestjs-redis/lock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: REDLOCK, by: 'new', name: 'Redlock', from: '@redis-kit/lock' },
    { type: REDLOCK, by: 'annotation', name: ['Redlock', 'RedlockService'] },
    { type: INSTANCE, by: 'annotation', name: 'RedlockInstance' },
  ],
  calls: [
    {
      on: REDLOCK,
      name: 'acquire',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: { type: INSTANCE },
        refused: is(null),
        misfits: [{ at: { ctor: 0 }, type: 'ioredis:Client', why: '@redis-kit/lock needs node-redis clients' }],
      },
    },
    {
      on: REDLOCK,
      name: 'withLock',
      when: [{ has: arg(3, 'extensionThresholdMs') }],
      does: { ...withLock, renews: 'body', renewalOption: arg(3, 'extensionThresholdMs') },
    },
    { on: REDLOCK, name: 'withLock', does: withLock },
    { on: INSTANCE, name: 'release', does: { kind: 'release', ownerChecked: true, lost: is(false) } },
    {
      on: INSTANCE,
      name: 'extend',
      does: { kind: 'renew', ownerChecked: true, lease: [{ at: arg(0), unit: 'ms' }], done: is(true), lost: is(false) },
    },
    { on: INSTANCE, name: 'startAutoExtension', does: { kind: 'renew', ownerChecked: true } },
  ],
  decorators: [
    {
      name: 'Redlock',
      from: '@nestjs-redis/lock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms', default: 100 }],
        granted: { of: 'unknown' },
        refused: 'throws',
      },
    },
  ],
  states: [
    { of: INSTANCE, path: ['isValid'], tells: 'held' },
    { of: INSTANCE, path: ['isExpired'], tells: 'held' },
    { of: INSTANCE, path: ['expirationTime'], tells: 'until' },
  ],
  facts: [
    'The lease counts milliseconds and has no default; the decorator `@Redlock(key, ttl)` of @nestjs-redis/lock has one of 100 ms.',
    '`acquire` answers null when refused and does not throw, unlike redlock 5, whose class has the same name; `withLock` and the decorator throw.',
    'Release and `extend` compare the owner and answer false when the lock had been lost.',
    '`withLock` renews only when given `extensionThresholdMs`; its body gets no signal. There is no token.',
  ],
});
