/**
 * node-redis: the package `redis`, majors 2 to 6, and `@redis/client` beneath it. Facts from the
 * packages' own types and sources; SET in all its forms, SETNX, DEL, EXPIRE and EVAL were measured on
 * 2.8.0, 3.1.2, 4.7.1, 5.12.1 and 6.3.1 against a Redis 7 server.
 *
 * Majors 2 and 3 take positional flags and answer by callback (`redis:Classic`); from 4 on, commands
 * take options objects and answer by promise (`redis:Client`). Where the major is unknown, a positional
 * call is read as the older form and nothing is called a trap.
 */
import { arg, is, library, type Call, type Effect, type Lease, type TypeId, type When } from './schema.ts';
import { positionalCommands, positionalGrant, positionalScript, redisToken, setForms } from './redis-commands.ts';

const CLIENT = 'redis:Client';
const CHAIN = 'redis:Chain';
const CLASSIC = 'redis:Classic';
const CLASSIC_CHAIN = 'redis:ClassicChain';
const LEGACY = 'redis:Legacy';

// `@redis/client` 1 is the client of `redis` 4.
const CLASSIC_MAJORS = '2.x || 3.x';
const MAJOR_4 = '1.x || 4.x';
const SINCE_4 = '1.x || >=4';

const OVERWRITES = 'node-redis 4 and later ignore positional flags: this overwrites the key and sets no lease';
const LOWER_CASE = 'node-redis ignores lower-case options: this overwrites the key and sets no lease';
const LOWER_CASE_LEASE = 'node-redis ignores lower-case options: the key gets no lease';
const LATER_FORM = 'node-redis 4 does not know `condition` and `expiration`: this overwrites the key and sets no lease';
const LATER_LEASE = 'node-redis 4 does not know `expiration`: the key gets no lease';

/** Flags of the older majors. */
const POSITIONAL: readonly When[] = [{ flag: 'NX', from: 2 }];

const UNITS = { PX: 'ms', EX: 's', PXAT: 'epoch-ms', EXAT: 'epoch-s' } as const;

/** The four option names for a length, in the options at argument `at`. */
const lengths = (at: number): readonly Lease[] =>
  Object.entries(UNITS).map(([option, unit]) => ({ at: arg(at, option), unit }));

const SET_LENGTHS: readonly Lease[] = [
  { at: arg(2, 'expiration', 'value'), unit: 'ms', unitFrom: { at: arg(2, 'expiration', 'type'), units: UNITS } },
  ...lengths(2),
];

/** Commands that change a durable structure, as node-redis spells them. */
const DATA = [
  'append', 'setRange', 'setBit', 'bitField', 'mSet', 'mSetEx',
  'hSet', 'hSetNX', 'hSetEx', 'hDel',
  'lPush', 'rPush', 'lPushX', 'rPushX', 'lSet', 'lInsert', 'lRem', 'lTrim', 'lPop', 'rPop', 'lPopCount', 'rPopCount', 'rPopLPush', 'lMove', 'blPop', 'brPop',
  'sAdd', 'sRem', 'sMove', 'sPop', 'sInterStore', 'sUnionStore', 'sDiffStore',
  'zAdd', 'zAddIncr', 'zIncrBy', 'zRem', 'zRemRangeByScore', 'zRemRangeByRank', 'zPopMin', 'zPopMax', 'zUnionStore', 'zInterStore',
  'xAdd', 'xTrim', 'xDel', 'xAck', 'pfAdd', 'geoAdd', 'rename', 'copy',
];

function optionCommands(on: TypeId, answers?: TypeId): readonly Call[] {
  const row = (commands: string | readonly string[], does: Effect | readonly Effect[], when?: readonly When[], versions?: string): Call => ({
    on,
    name: [commands].flat().flatMap((command) => [command, command.toUpperCase()]),
    does,
    ...(when && { when }),
    ...(versions && { versions }),
    ...(answers && { answers }),
  });
  const put = { kind: 'put', key: arg(0), value: arg(1) } as const;
  const granted = { done: is('OK'), refused: is(null) } as const;
  const option = (name: string, value: string | true): When => ({ is: arg(2, name), value });
  const given = (name: string): When => ({ has: arg(2, name) });
  const without = (name: string): When => ({ lacks: arg(2, name) });

  return [
    row('set', { ...put, done: is('OK'), trap: OVERWRITES, asks: POSITIONAL }, [{ sort: arg(2), of: 'string' }], SINCE_4),
    row('set', { ...put, done: is('OK'), trap: OVERWRITES, asks: POSITIONAL }, [{ flag: 'NX', from: 2 }], SINCE_4),
    ...setForms({ on, answers, delivery: { callback: 'last' } }, [{ sort: arg(2), of: 'string' }]),

    row('set', { ...put, done: is('OK'), trap: LOWER_CASE, asks: [option('nx', true)] }, [given('nx'), without('NX'), without('condition')]),
    ...['px', 'ex'].flatMap((length) => [
      row('set', { ...put, condition: 'absent', ...granted, trap: LOWER_CASE_LEASE }, [given(length), option('NX', true)]),
      row('set', { ...put, condition: 'absent', ...granted, trap: LOWER_CASE_LEASE }, [given(length), option('condition', 'NX')], '>=5'),
      row('set', { ...put, done: is('OK'), trap: LOWER_CASE_LEASE }, [given(length), without('NX'), without('condition')]),
    ]),

    row('set', { ...put, condition: 'absent', ...granted, trap: LATER_LEASE }, [given('expiration'), option('NX', true)], MAJOR_4),
    row('set', { ...put, lease: lengths(2), done: is('OK'), trap: LATER_FORM, asks: [option('condition', 'NX')] }, [given('condition'), without('NX')], MAJOR_4),
    row('set', { ...put, done: is('OK'), trap: LATER_LEASE }, [given('expiration'), without('NX')], MAJOR_4),

    row('set', { ...put, condition: 'absent', lease: SET_LENGTHS, done: is(null), refused: { of: 'string' } }, [option('condition', 'NX'), option('GET', true)]),
    row('set', { ...put, condition: 'absent', lease: SET_LENGTHS, ...granted }, [option('condition', 'NX')]),
    row('set', { ...put, condition: 'present', lease: SET_LENGTHS, ...granted }, [option('condition', 'XX')]),
    row('set', { ...put, condition: { equals: arg(2, 'matchValue') }, lease: SET_LENGTHS, ...granted }, [{ is: arg(2, 'condition'), value: ['IFEQ', 'IFDEQ'] }]),
    // `condition` wins over the booleans.
    row('set', { ...put, condition: 'unknown', lease: SET_LENGTHS, ...granted }, [given('condition')]),
    row('set', { ...put, condition: 'absent', lease: SET_LENGTHS, done: is(null), refused: { of: 'string' } }, [option('NX', true), option('GET', true)]),
    row('set', { ...put, condition: 'absent', lease: SET_LENGTHS, ...granted }, [option('NX', true)]),
    row('set', { ...put, condition: 'present', lease: SET_LENGTHS, ...granted }, [option('XX', true)]),
    row('set', { ...put, done: is('OK') }, [{ count: 2 }]),
    row('set', { ...put, lease: SET_LENGTHS, done: is('OK') }, [{ sort: arg(2), of: 'object' }, without('NX'), without('XX')]),
    row('set', { ...put, condition: 'unknown', lease: SET_LENGTHS, ...granted }),

    row('setNX', { ...put, condition: 'absent', done: is(true), refused: is(false) }, undefined, MAJOR_4),
    row('setNX', { ...put, condition: 'absent', done: is(1), refused: is(0) }),
    row('setEx', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 's' }], done: is('OK') }),
    row('pSetEx', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 'ms' }], done: is('OK') }),
    row('getSet', [{ kind: 'get', key: arg(0) }, { ...put, done: { of: 'unknown' } }]),

    row(['del', 'unlink'], { kind: 'remove', keys: arg(0) }),
    row('delEx', { kind: 'remove', keys: arg(0), ifEquals: arg(1, 'matchValue') }, [{ is: arg(1, 'condition'), value: ['IFEQ', 'IFDEQ'] }]),
    row('delEx', { kind: 'remove', keys: arg(0) }, [{ count: 1 }]),

    row('expire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 's' }] }),
    row('pExpire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'ms' }] }),
    row('expireAt', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-s' }] }),
    row('pExpireAt', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-ms' }] }),

    row('get', { kind: 'get', key: arg(0) }),
    row('getDel', { kind: 'get', key: arg(0), removes: true }),
    row('getEx', {
      kind: 'get',
      key: arg(0),
      lease: [{ at: arg(1, 'value'), unit: 'ms', unitFrom: { at: arg(1, 'type'), units: UNITS } }, ...lengths(1)],
    }),
    row(['exists', 'ttl', 'pTTL'], { kind: 'exists', key: arg(0) }),
    row('keys', { kind: 'derives', from: arg(0) }),
    row('scan', { kind: 'derives', from: arg(1, 'MATCH') }, [{ has: arg(1, 'MATCH') }]),

    row(['incr', 'incrBy', 'incrByFloat', 'decr', 'decrBy'], { kind: 'increment', key: arg(0) }),
    row(['hIncrBy', 'hIncrByFloat'], [{ kind: 'data', key: arg(0) }, { kind: 'increment', key: arg(0) }]),
    row(DATA, { kind: 'data', key: arg(0) }),

    row(
      ['eval', 'evalRo', 'evalSha', 'evalShaRo'],
      {
        kind: 'script',
        text: arg(0),
        layout: { counted: arg(1), from: 2 },
        trap: 'node-redis 4 and later take `{ keys, arguments }`: with positional arguments the script gets no keys',
      },
      [{ sort: arg(1), of: 'number' }],
      SINCE_4,
    ),
    row(['eval', 'evalSha'], { kind: 'script', text: arg(0), layout: { counted: arg(1), from: 2 } }, [{ sort: arg(1), of: 'number' }]),
    row(['eval', 'evalRo', 'evalSha', 'evalShaRo'], {
      kind: 'script',
      text: arg(0),
      layout: { keys: arg(1, 'keys'), args: arg(1, 'arguments') },
    }),
    row('scriptLoad', { kind: 'derives', from: arg(0) }),
    { ...row('watch', []), watches: arg(0) },
  ];
}

const CAMEL = new Map(
  [...DATA, 'setNX', 'setEx', 'pSetEx', 'getSet', 'mSetNX', 'delEx', 'pExpire', 'expireAt', 'pExpireAt', 'getDel', 'getEx', 'pTTL', 'incrBy', 'incrByFloat', 'decrBy', 'hIncrBy', 'hIncrByFloat', 'evalSha'].map((name) => [name.toLowerCase(), name]),
);
const upperToo = (command: string): readonly string[] => [command, command.toUpperCase()];
/** The legacy interface has the names of the client itself too. */
const anyCase = (command: string): readonly string[] => [...new Set([...upperToo(command), CAMEL.get(command) ?? command])];
const bluebird = (command: string): readonly string[] => [`${command}Async`, `${command.toUpperCase()}Async`];

/** Answers by callback; what the call itself returns says nothing about the reply. */
const classicCommands = (on: TypeId, returns: boolean | undefined, spell = upperToo): readonly Call[] => [
  ...positionalCommands({ on, spell, delivery: { callback: 'last', returns: is(returns) } }),
  {
    on,
    name: ['send_command', 'sendCommand'],
    does: { kind: 'command', words: arg(0), args: arg(1) },
    delivery: { callback: 'last', returns: is(returns) },
  },
];

const BLUEBIRD = ['delAsync', 'unlinkAsync', 'expireAsync', 'pexpireAsync', 'evalAsync', 'setAsync', 'setnxAsync'];

/** `eval` from 4 on; edits share it with clients that are known by their options only. */
export const optionScript = { method: 'eval', arguments: '{script}, { keys: [{keys}], arguments: [{args}] }', isText: true } as const;

export default library({
  key: 'redis',
  packages: ['redis', '@redis/client', '@node-redis/client'],
  title: 'node-redis',
  family: 'store',
  token: redisToken,
  obtain: [
    { type: CLASSIC, by: 'call', name: ['createClient', 'default.createClient'], versions: CLASSIC_MAJORS },
    { type: CLASSIC, by: 'new', name: ['RedisClient', 'default.RedisClient'], versions: CLASSIC_MAJORS },
    { type: CLASSIC, by: 'annotation', name: ['RedisClient', 'default.RedisClient', 'Commands'], versions: CLASSIC_MAJORS },
    { type: CLASSIC, by: 'method', name: 'duplicate', of: CLASSIC },
    { type: CLASSIC_CHAIN, by: 'method', name: ['multi', 'MULTI', 'batch', 'BATCH'], of: CLASSIC },
    { type: CLASSIC_CHAIN, by: 'annotation', name: ['Multi', 'default.Multi'], versions: CLASSIC_MAJORS },

    {
      type: LEGACY,
      by: 'call',
      name: ['createClient', 'default.createClient'],
      versions: MAJOR_4,
      when: [{ is: arg(0, 'legacyMode'), value: true }],
    },
    { type: LEGACY, by: 'method', name: 'legacy', of: CLIENT, versions: '>=5' },
    { type: LEGACY, by: 'method', name: ['on', 'once', 'addListener', 'duplicate'], of: LEGACY },
    { type: CLIENT, by: 'property', name: 'v4', of: LEGACY },
    { type: CLASSIC_CHAIN, by: 'method', name: ['multi', 'MULTI'], of: LEGACY },

    {
      type: CLIENT,
      by: 'call',
      name: [
        'createClient', 'createClientPool', 'createCluster', 'createSentinel',
        'default.createClient', 'default.createClientPool', 'default.createCluster', 'default.createSentinel',
      ],
      scripts: { at: arg(0, 'scripts'), text: ['SCRIPT'], numberOfKeys: ['NUMBER_OF_KEYS'] },
    },
    {
      type: CLIENT,
      by: 'annotation',
      name: [
        'RedisClientType', 'RedisClientPoolType', 'RedisClusterType', 'RedisSentinelType', 'RedisClient', 'RedisClientPool',
        'default.RedisClientType', 'default.RedisClusterType',
      ],
    },
    // `createClient().on('error', …).connect()` answers the client itself.
    {
      type: CLIENT,
      by: 'method',
      name: [
        'connect', 'on', 'once', 'addListener', 'duplicate', 'createPool',
        'withCommandOptions', 'withTypeMapping', 'withAbortSignal', 'asap',
      ],
      of: CLIENT,
    },
    { type: CHAIN, by: 'method', name: ['multi', 'MULTI'], of: CLIENT },
  ],
  calls: [
    ...optionCommands(CLIENT),
    ...optionCommands(CHAIN, CHAIN),
    { on: CLIENT, name: 'sendCommand', does: { kind: 'command', words: arg(0) } },
    { on: CHAIN, name: 'addCommand', does: { kind: 'command', words: arg(0) }, answers: CHAIN },
    {
      on: CHAIN,
      name: ['exec', 'EXEC', 'execAsPipeline', 'execTyped', 'execAsPipelineTyped'],
      does: [],
      sends: 'replies',
      note: 'throws WatchError after a conflict',
    },
    { on: CLIENT, name: 'scanIterator', does: { kind: 'derives', from: arg(0, 'MATCH') } },
    // One connection of the client's own, or of its pool.
    {
      on: CLIENT,
      name: ['executeIsolated', 'execute', 'use'],
      does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body', types: [CLIENT] },
    },
    { on: 'module', name: ['defineScript', 'default.defineScript'], does: { kind: 'passes', value: arg(0) } },

    ...classicCommands(CLASSIC, true),
    ...positionalCommands({ on: CLASSIC, spell: bluebird }),
    ...positionalCommands({ on: CLASSIC_CHAIN, answers: CLASSIC_CHAIN, spell: upperToo }),
    {
      on: CLASSIC_CHAIN,
      name: ['exec', 'EXEC', 'exec_atomic', 'EXEC_ATOMIC', 'execAtomic'],
      does: [],
      sends: 'replies',
      delivery: { callback: 'last', returns: { of: 'unknown' } },
      note: 'null after a WATCH conflict',
    },
    { on: CLASSIC_CHAIN, name: ['execAsync'], does: [], sends: 'replies', note: 'null after a WATCH conflict' },

    ...classicCommands(LEGACY, undefined, anyCase),
  ],
  edits: {
    scripts: [
      // Positional flags at the acquire tell the older majors where package.json does not.
      { on: [CLIENT, CHAIN], when: [{ flag: 'NX', from: 2 }], ...positionalScript },
      { on: [CLIENT, CHAIN], ...optionScript },
      { on: CLASSIC, instead: BLUEBIRD, ...positionalScript, method: 'evalAsync' },
      { on: [CLASSIC, CLASSIC_CHAIN, LEGACY], ...positionalScript },
    ],
    grants: [
      { on: CLIENT, when: [{ flag: 'NX', from: 2 }], ...positionalGrant },
      { on: CLIENT, versions: '>=4', method: 'set', arguments: '{key}, {owner}, { NX: true, {unit}: {length} }', answers: 'OK', isText: true },
    ],
    commands: [
      { command: 'DELEX', on: CLIENT, versions: '>=5.10', method: 'delEx', arguments: "{key}, { condition: 'IFEQ', matchValue: {owner} }", isText: true },
      { command: 'DELEX', on: CLIENT, method: 'sendCommand', arguments: "['DELEX', {key}, 'IFEQ', {owner}]", isText: true },
      { command: 'DELIFEQ', on: CLIENT, method: 'sendCommand', arguments: "['DELIFEQ', {key}, {owner}]", isText: true },
    ],
  },
  facts: [
    'From 4 on a lock is `set(key, owner, { NX: true, PX: ms })`, from 5 on also `{ condition: \'NX\', expiration: { type: \'PX\', value: ms } }`; `EX` counts seconds.',
    'Positional flags and lower-case options are ignored without a word: the call overwrites the key, sets no lease and answers `OK`. Major 4 ignores `condition` and `expiration` in the same way.',
    'The reply is `OK` or null. `setNX` answers true or false in 4, and 1 or 0 from 5 on.',
    'Majors 2 and 3 answer by callback; `client.set(…)` itself returns true whatever the server says. With `legacyMode` of 4 it returns undefined.',
    '`set` with `condition: \'IFEQ\'` and `delEx` compare the owner on the server, from 5.10 on; `del`, `expire` and `pExpire` do not.',
    '`multi().exec()` throws WatchError after a conflict; majors 2 and 3 answer null.',
  ],
});
