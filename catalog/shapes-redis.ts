/**
 * Call shapes of Redis commands that nothing else has, for receivers whose type is not known: an
 * injected service, a getter, a parameter. The later rows, of which other things have the like, say
 * only what such a call means for a key that is known as a lock's key by other evidence.
 */
import { arg, flag, is, library, rest, type Call, type Effect, type Lease, type When } from './schema.ts';
import { optionScript } from './node-redis.ts';
import { positionalScript, redisToken } from './redis-commands.ts';
import { arrayScript } from './upstash-redis.ts';

const POSITIONAL: readonly Lease[] = [
  { at: flag('PX'), unit: 'ms' },
  { at: flag('EX'), unit: 's' },
  { at: flag('PXAT'), unit: 'epoch-ms' },
  { at: flag('EXAT'), unit: 'epoch-s' },
];

const UNITS = { PX: 'ms', EX: 's', PXAT: 'epoch-ms', EXAT: 'epoch-s' } as const;

const UPPER: readonly Lease[] = [
  { at: arg(2, 'expiration', 'value'), unit: 'ms', unitFrom: { at: arg(2, 'expiration', 'type'), units: UNITS } },
  ...Object.entries(UNITS).map(([option, unit]) => ({ at: arg(2, option), unit })),
];

const LOWER: readonly Lease[] = Object.entries(UNITS).map(([option, unit]) => ({ at: arg(2, option.toLowerCase()), unit }));

const shape = (name: string | readonly string[], does: Effect | readonly Effect[], ...when: readonly When[]): Call => ({
  on: 'any',
  name,
  does,
  when,
});

const put = { kind: 'put', key: arg(0), value: arg(1) } as const;
const granted = { done: is('OK'), refused: is(null) } as const;
const SET = ['set', 'SET'];

export default library({
  key: 'shapes-redis',
  packages: [],
  title: 'Redis, by the shape of its calls',
  family: 'store',
  token: redisToken,
  mentions: ['NX', 'nx', 'setnx', 'setNX', 'SETNX', 'redis.call'],
  calls: [
    // Shapes that nothing else has.
    shape(SET, { ...put, condition: 'absent', lease: POSITIONAL, ...granted }, { flag: 'NX', from: 2 }),
    shape(SET, { ...put, condition: 'present', lease: POSITIONAL, ...granted }, { flag: 'XX', from: 2 }, { count: 3, atLeast: true }),
    shape(SET, { ...put, condition: { equals: flag('IFEQ') }, lease: POSITIONAL, ...granted }, { flag: 'IFEQ', from: 2 }),
    ...['PX', 'EX'].map((token) => shape(SET, { ...put, lease: POSITIONAL, done: is('OK') }, { flag: token, from: 2 }, { count: 4 })),
    shape(SET, { ...put, condition: 'absent', lease: UPPER, ...granted }, { is: arg(2, 'condition'), value: 'NX' }),
    shape(SET, { ...put, condition: 'present', lease: UPPER, ...granted }, { is: arg(2, 'condition'), value: 'XX' }),
    shape(SET, { ...put, condition: { equals: arg(2, 'matchValue') }, lease: UPPER, ...granted }, { is: arg(2, 'condition'), value: ['IFEQ', 'IFDEQ'] }),
    shape(SET, { ...put, condition: 'absent', lease: UPPER, ...granted }, { is: arg(2, 'NX'), value: true }),
    shape(SET, { ...put, condition: 'present', lease: UPPER, ...granted }, { is: arg(2, 'XX'), value: true }),
    shape(SET, { ...put, condition: 'absent', lease: LOWER, ...granted }, { is: arg(2, 'nx'), value: true }),
    shape(SET, { ...put, condition: 'present', lease: LOWER, ...granted }, { is: arg(2, 'xx'), value: true }),
    ...['PX', 'EX'].flatMap((option) => [
      shape(SET, { ...put, lease: UPPER, done: is('OK') }, { has: arg(2, option) }, { lacks: arg(2, 'NX') }, { lacks: arg(2, 'XX') }),
      shape(SET, { ...put, lease: LOWER, done: is('OK') }, { has: arg(2, option.toLowerCase()) }, { lacks: arg(2, 'nx') }, { lacks: arg(2, 'xx') }),
    ]),
    // Of a wrapper that takes a third argument, that is the lease: nothing is known about it here.
    // The lower-case method answers the server's number, the others a boolean.
    shape('setnx', { ...put, condition: 'absent', done: is(1), refused: is(0) }, { count: 2 }),
    shape(['setNX', 'SETNX'], { ...put, condition: 'absent', done: { of: 'unknown' }, refused: { of: 'unknown' } }, { count: 2 }),
    shape(
      ['eval', 'evalsha', 'EVAL', 'EVALSHA'],
      { kind: 'script', text: arg(0), layout: { counted: arg(1), from: 2 } },
      { sort: arg(1), of: 'number' },
      { count: 3, atLeast: true },
    ),
    shape(
      ['eval', 'evalsha', 'EVAL', 'EVALSHA'],
      { kind: 'script', text: arg(0), layout: { counted: arg(1), from: 2 } },
      { is: arg(1), value: ['1', '2', '3'] },
      { count: 3, atLeast: true },
    ),
    shape(
      ['eval', 'evalSha', 'EVAL', 'EVALSHA'],
      { kind: 'script', text: arg(0), layout: { keys: arg(1, 'keys'), args: arg(1, 'arguments') } },
      { has: arg(1, 'keys') },
      { count: 2 },
    ),
    shape(
      ['eval', 'evalsha', 'evalSha'],
      { kind: 'script', text: arg(0), layout: { keys: arg(1), args: arg(2) } },
      { sort: arg(1), of: 'array' },
      { sort: arg(2), of: 'array' },
      { count: 3 },
    ),
    shape(
      'invokeScript',
      { kind: 'script', text: { arg: 0, built: 0 }, layout: { keys: arg(1, 'keys'), args: arg(1, 'args') } },
      { has: arg(1, 'keys') },
      { count: 2 },
    ),
    shape('defineCommand', { kind: 'define-script', name: arg(0), text: arg(1, 'lua'), numberOfKeys: arg(1, 'numberOfKeys') }, { has: arg(1, 'lua') }),
    shape(['delEx', 'DELEX'], { kind: 'remove', keys: arg(0), ifEquals: arg(1, 'matchValue') }, { is: arg(1, 'condition'), value: ['IFEQ', 'IFDEQ'] }),

    // Names that only Redis has for changes of its structures.
    shape(['hset', 'hSet', 'hmset', 'hmSet', 'rpush', 'rPush', 'lpush', 'lPush', 'ltrim', 'lTrim', 'lset', 'lSet', 'zadd', 'zAdd', 'xadd', 'xAdd', 'zincrby', 'zIncrBy'], { kind: 'data', key: arg(0) }, { count: 2, atLeast: true }),

    // Shapes that others share: of use only for a key that is known as a lock's.
    shape(['del', 'DEL', 'unlink', 'UNLINK'], { kind: 'remove', keys: rest(0) }, { count: 1 }),
    shape(['expire', 'EXPIRE'], { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 's' }] }, { count: 2 }),
    shape(['pexpire', 'pExpire', 'PEXPIRE'], { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'ms' }] }, { count: 2 }),
    shape(['setex', 'setEx', 'SETEX'], { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 's' }], done: is('OK') }, { count: 3 }),
    shape(['psetex', 'pSetEx', 'PSETEX'], { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 'ms' }], done: is('OK') }, { count: 3 }),
    shape(['get', 'GET'], { kind: 'get', key: arg(0) }, { count: 1 }),
    shape(['getdel', 'getDel', 'GETDEL'], { kind: 'get', key: arg(0), removes: true }, { count: 1 }),
    shape(['getset', 'getSet', 'GETSET'], [{ kind: 'get', key: arg(0) }, { ...put, done: { of: 'unknown' } }], { count: 2 }),
    shape(['exists', 'EXISTS', 'ttl', 'TTL', 'pttl', 'pTTL', 'PTTL'], { kind: 'exists', key: arg(0) }, { count: 1 }),
    shape(['incr', 'INCR'], { kind: 'increment', key: arg(0) }, { count: 1 }),
  ],
  edits: {
    scripts: [
      { on: 'any', when: [{ flag: 'NX', from: 2 }], ...positionalScript },
      { on: 'any', when: [{ is: arg(2, 'NX'), value: true }], ...optionScript },
      { on: 'any', when: [{ is: arg(2, 'condition'), value: 'NX' }], ...optionScript },
      { on: 'any', when: [{ is: arg(2, 'nx'), value: true }], ...arrayScript },
    ],
  },
  facts: [
    'On a receiver of unknown type, `set(key, value, …)` with `NX` in either form, `setnx` of two arguments and `eval` of a script are read as Redis commands.',
    '`del`, `unlink`, `expire`, `get` and their like are read so only for a key that is known as a lock\'s.',
  ],
});
