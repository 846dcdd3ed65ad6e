/**
 * The Redis commands as clients with positional arguments spell them: `set(key, value, 'NX', 'PX', ms)`,
 * `eval(script, 1, key, arg)`. Shared by ioredis, iovalkey, redis 2 and 3, and the wrappers of those;
 * `words` is the same for a command that is given word by word (`call('SET', …)`, Lua's `redis.call`).
 * Positions and replies follow the commands' own reference; what the clients send for each form was
 * measured against a Redis 7 server.
 */
import { arg, flag, is, rest, type Call, type Delivery, type Effect, type Lease, type TypeId, type When } from './schema.ts';

/** Where a token for a key of Redis comes from. */
export const redisToken = 'none of its own: INCR in the script that takes the lock';

export interface Client {
  on: TypeId | 'module' | 'any';
  /** Set for a chain: its commands are queued. */
  answers?: TypeId;
  versions?: string;
  delivery?: Delivery;
  /** How the client spells a command's lower-case name. */
  spell?: (command: string) => readonly string[];
}

/** Commands that change a hash, list, set, sorted set, stream or other durable structure at their first key. */
export const DATA_COMMANDS = [
  'append', 'setrange', 'setbit', 'bitfield',
  'hset', 'hmset', 'hsetnx', 'hdel',
  'lpush', 'rpush', 'lpushx', 'rpushx', 'lset', 'linsert', 'lrem', 'ltrim', 'lpop', 'rpop', 'rpoplpush', 'lmove', 'blpop', 'brpop',
  'sadd', 'srem', 'smove', 'spop', 'sinterstore', 'sunionstore', 'sdiffstore',
  'zadd', 'zincrby', 'zrem', 'zremrangebyscore', 'zremrangebyrank', 'zpopmin', 'zpopmax', 'zunionstore', 'zinterstore',
  'xadd', 'xtrim', 'xdel', 'xack', 'pfadd', 'geoadd', 'rename', 'copy',
] as const;

/** Commands that raise or lower a number and answer the new one. */
export const COUNTER_COMMANDS = ['incr', 'incrby', 'incrbyfloat', 'decr', 'decrby'] as const;

/** Counters that are fields of a hash. */
export const FIELD_COUNTER_COMMANDS = ['hincrby', 'hincrbyfloat'] as const;

const LENGTHS: readonly Lease[] = [
  { at: flag('PX'), unit: 'ms' },
  { at: flag('EX'), unit: 's' },
  { at: flag('PXAT'), unit: 'epoch-ms' },
  { at: flag('EXAT'), unit: 'epoch-s' },
];

const GETEX_LENGTHS: readonly Lease[] = [
  { at: flag('PX', 1), unit: 'ms' },
  { at: flag('EX', 1), unit: 's' },
  { at: flag('PXAT', 1), unit: 'epoch-ms' },
  { at: flag('EXAT', 1), unit: 'epoch-s' },
];

const has = (token: string): When => ({ flag: token, from: 2 });

type Row = (commands: string | readonly string[], does: Effect | readonly Effect[], when?: readonly When[]) => Call;

const rowsOf = ({ on, answers, versions, delivery, spell = (command) => [command] }: Client): Row =>
  (commands, does, when) => ({
    on,
    name: [commands].flat().flatMap(spell),
    does,
    ...(when && { when }),
    ...(versions && { versions }),
    ...(answers && { answers }),
    ...(delivery && { delivery }),
  });

const put = { kind: 'put', key: arg(0), value: arg(1) } as const;
const granted = { done: is('OK'), refused: is(null) } as const;

/** SET in all its forms, those that ask for most first. `also` must hold besides: that the flags are there, as texts. */
export function setForms(client: Client, also: readonly When[] = []): readonly Call[] {
  const set = rowsOf(client);
  const row: Row = (name, does, when = []) => set(name, does, [...also, ...when]);
  return [
    row('set', { ...put, condition: 'absent', lease: LENGTHS, done: is(null), refused: { of: 'string' } }, [has('NX'), has('GET')]),
    row('set', { ...put, condition: 'absent', lease: LENGTHS, ...granted }, [has('NX')]),
    row('set', { ...put, condition: 'present', lease: LENGTHS, ...granted }, [has('XX')]),
    row('set', { ...put, condition: { equals: flag('IFEQ') }, lease: LENGTHS, ...granted }, [has('IFEQ')]),
    row('set', { ...put, condition: { equals: flag('IFDEQ') }, lease: LENGTHS, ...granted }, [has('IFDEQ')]),
    row('set', { ...put, condition: 'unknown', lease: LENGTHS, ...granted }, [has('IFNE')]),
    row('set', { ...put, condition: 'unknown', lease: LENGTHS, ...granted }, [has('IFDNE')]),
    ...(also.length === 0 ? [row('set', { ...put, done: is('OK') }, [{ count: 2 }])] : []),
    ...['PX', 'EX', 'PXAT', 'EXAT'].map((token) => row('set', { ...put, lease: LENGTHS, done: is('OK') }, [has(token), { count: 4 }])),
    // The pair may be an array.
    ...(also.length === 0 ? ['PX', 'EX'].map((token) => row('set', { ...put, lease: LENGTHS, done: is('OK') }, [has(token), { count: 3 }])) : []),
    row('set', { ...put, done: is('OK') }, [has('KEEPTTL'), { count: 3 }]),
    row('set', { ...put, condition: 'unknown', lease: LENGTHS, ...granted }),
  ];
}

export function positionalCommands(client: Client): readonly Call[] {
  const row = rowsOf(client);
  return [
    ...setForms(client),

    row('setnx', { ...put, condition: 'absent', done: is(1), refused: is(0) }),
    row('setex', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 's' }], done: is('OK') }),
    row('psetex', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 'ms' }], done: is('OK') }),
    row('getset', [{ kind: 'get', key: arg(0) }, { ...put, done: { of: 'unknown' } }]),
    row('mset', { ...put, done: is('OK') }, [{ count: 2, atLeast: true }]),
    row('mset', { kind: 'data', key: arg(0) }),
    row('msetnx', { ...put, condition: 'absent', done: is(1), refused: is(0) }, [{ count: 2, atLeast: true }]),

    row(['del', 'unlink'], { kind: 'remove', keys: rest(0) }),
    row('delex', { kind: 'remove', keys: arg(0), ifEquals: flag('IFEQ', 1) }, [{ flag: 'IFEQ', from: 1 }]),
    row('delex', { kind: 'remove', keys: arg(0), ifEquals: flag('IFDEQ', 1) }, [{ flag: 'IFDEQ', from: 1 }]),
    row('delex', { kind: 'remove', keys: arg(0) }, [{ count: 1 }]),
    row('delifeq', { kind: 'remove', keys: arg(0), ifEquals: arg(1) }),

    row('expire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 's' }] }),
    row('pexpire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'ms' }] }),
    row('expireat', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-s' }] }),
    row('pexpireat', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-ms' }] }),

    row('get', { kind: 'get', key: arg(0) }),
    row('getdel', { kind: 'get', key: arg(0), removes: true }),
    row('getex', { kind: 'get', key: arg(0), lease: GETEX_LENGTHS }),
    row(['exists', 'ttl', 'pttl'], { kind: 'exists', key: arg(0) }),
    // What `KEYS` and `SCAN` answer are keys of the pattern's form.
    row('keys', { kind: 'derives', from: arg(0) }),
    row('scan', { kind: 'derives', from: flag('MATCH', 1) }, [{ flag: 'MATCH', from: 1 }]),

    row(COUNTER_COMMANDS, { kind: 'increment', key: arg(0) }),
    row(FIELD_COUNTER_COMMANDS, [{ kind: 'data', key: arg(0) }, { kind: 'increment', key: arg(0) }]),
    row(DATA_COMMANDS, { kind: 'data', key: arg(0) }),

    row(['eval', 'eval_ro', 'evalsha', 'evalsha_ro'], { kind: 'script', text: arg(0), layout: { counted: arg(1), from: 2 } }),
    // The sha that `SCRIPT LOAD` answers stands for the text.
    row('script', { kind: 'derives', from: arg(1) }, [{ is: arg(0), value: ['LOAD', 'load', 'Load'] }]),
    { ...row('watch', []), watches: rest(0) },
  ];
}

/** How a script is run by clients that take positional arguments. */
export const positionalScript = { method: 'eval', arguments: '{script}, {count}, {keys}, {args}' } as const;

/** The one step that takes a lock with its lease, with the flags one after another. */
export const positionalGrant = { method: 'set', arguments: "{key}, {owner}, '{unit}', {length}, 'NX'", answers: 'OK' } as const;

/** A command given by words: the indexes count from the word after the command's name. */
export const words: readonly Call[] = positionalCommands({ on: 'module' });
