/**
 * @upstash/redis 1. Facts from the package's own types and source; SET in all its forms, EVAL and what
 * `get` makes of a stored value were measured on 1.39.0.
 */
import { arg, ctor, is, library, rest, type Call, type Edits, type Effect, type Lease, type TypeId, type When } from './schema.ts';
import { COUNTER_COMMANDS, DATA_COMMANDS, FIELD_COUNTER_COMMANDS, redisToken } from './redis-commands.ts';

const UPPER_CASE = 'Upstash takes lower-case options: this overwrites the key and sets no lease';
const UPPER_CASE_LEASE = 'Upstash takes lower-case options: the key gets no lease';
const TEXT_LEASE = 'Upstash takes the length as a number only: given as text, the key gets no lease';

const lengths = (at: number): readonly Lease[] => [
  { at: arg(at, 'px'), unit: 'ms' },
  { at: arg(at, 'ex'), unit: 's' },
  { at: arg(at, 'pxat'), unit: 'epoch-ms' },
  { at: arg(at, 'exat'), unit: 'epoch-s' },
];

export function upstashCommands(on: TypeId, answers?: TypeId): readonly Call[] {
  const row = (name: string | readonly string[], does: Effect | readonly Effect[], when?: readonly When[]): Call => ({
    on,
    name,
    does,
    ...(when && { when }),
    ...(answers && { answers }),
  });
  const put = { kind: 'put', key: arg(0), value: arg(1) } as const;
  const granted = { done: is('OK'), refused: is(null) } as const;
  const option = (name: string): When => ({ is: arg(2, name), value: true });
  const given = (name: string): When => ({ has: arg(2, name) });
  const without = (name: string): When => ({ lacks: arg(2, name) });

  return [
    row('set', { ...put, done: 'throws', trap: 'Upstash takes an options object: positional flags throw', asks: [{ flag: 'NX', from: 2 }] }, [{ sort: arg(2), of: 'string' }]),
    row('set', { ...put, done: is('OK'), trap: UPPER_CASE, asks: [option('NX')] }, [given('NX'), without('nx')]),
    row('set', { ...put, done: is('OK'), trap: UPPER_CASE, asks: [{ is: arg(2, 'condition'), value: 'NX' }] }, [given('condition'), without('nx')]),
    ...['PX', 'EX', 'expiration'].flatMap((length) => [
      row('set', { ...put, condition: 'absent', ...granted, trap: UPPER_CASE_LEASE }, [given(length), option('nx')]),
      row('set', { ...put, done: is('OK'), trap: UPPER_CASE_LEASE }, [given(length), without('nx')]),
    ]),
    ...['px', 'ex'].flatMap((length) => [
      row('set', { ...put, condition: 'absent', ...granted, trap: TEXT_LEASE }, [option('nx'), { sort: arg(2, length), of: 'string' }]),
      row('set', { ...put, done: is('OK'), trap: TEXT_LEASE }, [without('nx'), { sort: arg(2, length), of: 'string' }]),
    ]),
    row('set', { ...put, condition: 'absent', lease: lengths(2), done: is(null), refused: { of: 'unknown' } }, [option('nx'), option('get')]),
    row('set', { ...put, condition: 'absent', lease: lengths(2), ...granted }, [option('nx')]),
    row('set', { ...put, condition: 'present', lease: lengths(2), ...granted }, [option('xx')]),
    row('set', { ...put, done: is('OK') }, [{ count: 2 }]),
    row('set', { ...put, lease: lengths(2), done: is('OK') }, [{ sort: arg(2), of: 'object' }, without('nx'), without('xx')]),
    row('set', { ...put, condition: 'unknown', lease: lengths(2), ...granted }),

    row('setnx', { ...put, condition: 'absent', done: is(1), refused: is(0) }),
    row('setex', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 's' }], done: is('OK') }),
    row('psetex', { kind: 'put', key: arg(0), value: arg(2), lease: [{ at: arg(1), unit: 'ms' }], done: is('OK') }),
    row('getset', [{ kind: 'get', key: arg(0) }, { ...put, done: { of: 'unknown' } }]),
    row(['mset', 'msetnx'], { kind: 'data', key: arg(0) }),

    row(['del', 'unlink'], { kind: 'remove', keys: rest(0) }),
    row('expire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 's' }] }),
    row('pexpire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'ms' }] }),
    row('expireat', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-s' }] }),
    row('pexpireat', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-ms' }] }),

    row('get', { kind: 'get', key: arg(0) }),
    row('getdel', { kind: 'get', key: arg(0), removes: true }),
    row('getex', { kind: 'get', key: arg(0), lease: lengths(1) }),
    row(['exists', 'ttl', 'pttl'], { kind: 'exists', key: arg(0) }),
    row('keys', { kind: 'derives', from: arg(0) }),
    row('scan', { kind: 'derives', from: arg(1, 'match') }, [{ has: arg(1, 'match') }]),

    row(COUNTER_COMMANDS, { kind: 'increment', key: arg(0) }),
    row(FIELD_COUNTER_COMMANDS, [{ kind: 'data', key: arg(0) }, { kind: 'increment', key: arg(0) }]),
    row(DATA_COMMANDS, { kind: 'data', key: arg(0) }),

    row(['eval', 'evalRo', 'evalsha', 'evalshaRo'], { kind: 'script', text: arg(0), layout: { keys: arg(1), args: arg(2) } }),
    row('scriptLoad', { kind: 'derives', from: arg(0) }),
  ];
}

/** What a client has besides commands. `key` is the prefix of the types. */
export const upstashRest = (key: string): readonly Call[] => [
  // `exec` of a client sends one command, that of a chain sends what the chain has queued.
  { on: `${key}:Client`, name: 'exec', does: { kind: 'command', words: arg(0) } },
  { on: `${key}:Chain`, name: 'exec', does: [], sends: 'replies' },
  { on: `${key}:Client`, name: 'scanIterator', does: { kind: 'derives', from: arg(0, 'match') } },
  {
    on: `${key}:Script`,
    name: ['exec', 'eval', 'evalsha'],
    does: { kind: 'script', text: ctor(0), layout: { keys: arg(0), args: arg(1) } },
  },
  {
    on: `${key}:Json`,
    name: ['set', 'merge', 'del', 'forget', 'clear', 'numincrby', 'nummultby', 'arrappend', 'arrinsert', 'arrpop', 'arrtrim', 'strappend', 'toggle'],
    does: { kind: 'data', key: arg(0) },
  },
];

export const arrayScript = { method: 'eval', arguments: '{script}, [{keys}], [{args}]' } as const;

/** How edits write its calls. A chain's `exec` sends the chain, so that commands by name go to the client only. */
export const upstashEdits = (key: string): Edits => ({
  scripts: [{ on: [`${key}:Client`, `${key}:Chain`], ...arrayScript }],
  grants: [{ on: `${key}:Client`, method: 'set', arguments: '{key}, {owner}, { nx: true, {lower}: {length} }', answers: 'OK' }],
  commands: [
    { command: 'DELEX', on: `${key}:Client`, method: 'exec', arguments: "['DELEX', {key}, 'IFEQ', {owner}]" },
    { command: 'DELIFEQ', on: `${key}:Client`, method: 'exec', arguments: "['DELIFEQ', {key}, {owner}]" },
  ],
});

export default library({
  key: 'upstash',
  packages: ['@upstash/redis', '@upstash/redis/*'],
  title: '@upstash/redis',
  family: 'store',
  token: redisToken,
  obtain: [
    { type: 'upstash:Client', by: 'new', name: ['Redis', 'default.Redis'] },
    { type: 'upstash:Client', by: 'call', name: ['Redis.fromEnv', 'default.Redis.fromEnv'] },
    { type: 'upstash:Client', by: 'annotation', name: 'Redis' },
    { type: 'upstash:Chain', by: 'method', name: ['multi', 'pipeline'], of: 'upstash:Client' },
    { type: 'upstash:Chain', by: 'annotation', name: 'Pipeline' },
    { type: 'upstash:Script', by: 'method', name: 'createScript', of: 'upstash:Client' },
    { type: 'upstash:Json', by: 'property', name: 'json', of: 'upstash:Client' },
  ],
  calls: [
    ...upstashCommands('upstash:Client'),
    ...upstashCommands('upstash:Chain', 'upstash:Chain'),
    ...upstashRest('upstash'),
  ],
  edits: upstashEdits('upstash'),
  facts: [
    'A lock is `set(key, owner, { nx: true, px: ms })`; `ex` counts seconds. The reply is `OK` or null.',
    'Upper-case options are ignored without a word: a plain overwrite. A length given as text is dropped: the key never ends. Positional flags throw.',
    'A stored value that looks like a number comes back as one: `(await redis.get(key)) === owner` is false for an owner of digits. A script compares text.',
    '`eval(script, keys, args)` takes two arrays; there is no `IFEQ` and no `DELEX` but through `exec([…])`.',
    '`del`, `unlink`, `expire` and `pexpire` do not compare the owner.',
  ],
});
