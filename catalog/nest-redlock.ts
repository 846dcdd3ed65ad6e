/**
 * NestJS wrappers: @anchan828/nest-redlock and @blastz/nest-redlock over redlock 5,
 * nestjs-redlock-universal over redlock-universal, and @huangang/nestjs-simple-redis-lock. Facts from
 * the packages' own types and sources.
 */
import { arg, is, library, self } from './schema.ts';
import { fiveCalls, fiveStates, fiveTokens } from './redlock.ts';

const UNIVERSAL = 'nest-redlock:Universal';
const HANDLE = 'nest-redlock:Handle';
const SIMPLE = 'nest-redlock:Simple';

export default library({
  key: 'nest-redlock',
  packages: ['@anchan828/nest-redlock', '@blastz/nest-redlock', 'nestjs-redlock-universal', '@huangang/nestjs-simple-redis-lock'],
  title: 'NestJS wrappers of redlock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: [
    { type: UNIVERSAL, by: 'annotation', name: 'RedlockService', from: 'nestjs-redlock-universal' },
    { type: 'nest-redlock:Redlock', by: 'annotation', name: 'RedlockService' },
    { type: SIMPLE, by: 'annotation', name: 'RedisLockService' },
  ],
  calls: [
    ...fiveCalls('nest-redlock'),

    {
      on: UNIVERSAL,
      name: 'acquire',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms', default: 30_000 }],
        granted: { type: HANDLE },
        refused: 'throws',
      },
    },
    {
      on: UNIVERSAL,
      name: 'using',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [
          { at: arg(2, 'ttl'), unit: 'ms' },
          { at: arg(2), unit: 'ms', default: 30_000 },
        ],
        granted: { of: 'unknown' },
        refused: 'throws',
        body: arg(1),
        bodySignal: 0,
        renews: 'body',
      },
    },
    {
      on: UNIVERSAL,
      name: 'release',
      does: { kind: 'release', handle: arg(1), key: arg(0), ownerChecked: true, lost: { of: 'void' } },
    },

    {
      on: SIMPLE,
      name: 'lock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms', default: 60_000 }],
        granted: { of: 'void' },
        refused: 'throws',
        owner: self('uuid'),
      },
    },
    {
      on: SIMPLE,
      name: 'lockOnce',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms' }],
        granted: is(true),
        refused: is(false),
        owner: self('uuid'),
      },
    },
    { on: SIMPLE, name: 'unlock', does: { kind: 'release', key: arg(0), ownerChecked: true, lost: { of: 'void' } } },
    {
      on: SIMPLE,
      name: 'setTTL',
      does: { kind: 'renew', key: arg(0), ownerChecked: false, lease: [{ at: arg(1), unit: 'ms' }], done: { of: 'void' }, lost: { of: 'void' } },
    },
  ],
  decorators: [
    {
      name: 'Redlock',
      from: '@anchan828/nest-redlock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms', default: 5_000 }],
        granted: { of: 'unknown' },
        refused: 'throws',
        renews: 'body',
      },
    },
    {
      name: 'Redlock',
      from: 'nestjs-redlock-universal',
      does: {
        kind: 'acquire',
        key: arg(0, 'key'),
        lock: 'lease',
        lease: [{ at: arg(0, 'ttl'), unit: 'ms', default: 30_000 }],
        granted: { of: 'unknown' },
        refused: 'throws',
        renews: 'body',
      },
    },
    {
      name: 'RedisLock',
      does: {
        kind: 'acquire',
        key: arg(0),
        lock: 'lease',
        lease: [{ at: arg(1), unit: 'ms', default: 60_000 }],
        granted: { of: 'unknown' },
        refused: 'throws',
      },
    },
  ],
  states: fiveStates('nest-redlock'),
  tokens: [...fiveTokens('nest-redlock'), { of: HANDLE, path: ['value'], sound: false, why: 'a random text: it has no order' }],
  facts: [
    'A decorator takes the lock around the method: milliseconds, 5,000 by default in @anchan828/nest-redlock, 30,000 in nestjs-redlock-universal, 60,000 in @huangang/nestjs-simple-redis-lock.',
    'The wrappers of redlock renew the lease while the method runs; the method does not get the abort signal.',
    'A refused acquire throws. `RedisLockService.lockOnce` answers true or false.',
    '@huangang/nestjs-simple-redis-lock has one owner value per service object: calls in one process are the same owner, and its decorator also releases when the acquire threw. Its `setTTL` does not compare.',
    'With `decoratorEnabled: false`, @anchan828/nest-redlock runs the method without a lock.',
  ],
});
