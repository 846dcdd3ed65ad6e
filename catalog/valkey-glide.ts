/**
 * @valkey/valkey-glide 1 and 2. Facts from the package's own types; SET in all its forms, DEL and
 * scripts were measured on 1.3.4 and 2.5.2.
 */
import { arg, ctor, is, library, rest, type Call, type Effect, type Lease, type TypeId, type When } from './schema.ts';
import { COUNTER_COMMANDS, DATA_COMMANDS, redisToken } from './redis-commands.ts';

const CLIENT = 'valkey-glide:Client';
const BATCH = 'valkey-glide:Batch';
const SCRIPT = 'valkey-glide:Script';

const OVERWRITES = 'GLIDE takes `conditionalSet` and `expiry`: this overwrites the key and sets no lease';

const UNITS = { PX: 'ms', EX: 's', PXAT: 'epoch-ms', EXAT: 'epoch-s' } as const;

/** How other clients ask for a key that is not there. */
const ABSENT: readonly When[] = [{ flag: 'NX', from: 2 }, { is: arg(2, 'NX'), value: true }, { is: arg(2, 'nx'), value: true }, { is: arg(2, 'condition'), value: 'NX' }];

const LENGTH: readonly Lease[] = [
  { at: arg(2, 'expiry', 'count'), unit: 'ms', unitFrom: { at: arg(2, 'expiry', 'type'), units: UNITS } },
];

function commands(on: TypeId, answers?: TypeId): readonly Call[] {
  const row = (name: string | readonly string[], does: Effect | readonly Effect[], when?: readonly When[]): Call => ({
    on,
    name,
    does,
    ...(when && { when }),
    ...(answers && { answers }),
  });
  const put = { kind: 'put', key: arg(0), value: arg(1) } as const;
  const granted = { done: is('OK'), refused: is(null) } as const;
  const conditional = (value: string): When => ({ is: arg(2, 'conditionalSet'), value });
  const foreign = (name: string): When => ({ has: arg(2, name) });
  const unconditional: When = { lacks: arg(2, 'conditionalSet') };

  return [
    row('set', { ...put, done: is('OK'), trap: OVERWRITES, asks: ABSENT }, [{ sort: arg(2), of: 'string' }]),
    ...['NX', 'nx', 'condition', 'PX', 'EX', 'px', 'ex', 'expiration'].map((name) =>
      row('set', { ...put, done: is('OK'), trap: OVERWRITES, asks: ABSENT }, [foreign(name), unconditional]),
    ),
    row('set', { ...put, condition: 'absent', lease: LENGTH, done: is(null), refused: { of: 'string' } }, [
      conditional('onlyIfDoesNotExist'),
      { is: arg(2, 'returnOldValue'), value: true },
    ]),
    row('set', { ...put, condition: 'absent', lease: LENGTH, ...granted }, [conditional('onlyIfDoesNotExist')]),
    row('set', { ...put, condition: 'present', lease: LENGTH, ...granted }, [conditional('onlyIfExists')]),
    row('set', { ...put, condition: { equals: arg(2, 'comparisonValue') }, lease: LENGTH, ...granted }, [conditional('onlyIfEqual')]),
    row('set', { ...put, done: is('OK') }, [{ count: 2 }]),
    row('set', { ...put, lease: LENGTH, done: is('OK') }, [{ sort: arg(2), of: 'object' }, unconditional]),
    row('set', { ...put, condition: 'unknown', lease: LENGTH, ...granted }),
    row(['mset', 'msetnx'], { kind: 'data', key: arg(0) }),

    row(['del', 'unlink'], { kind: 'remove', keys: rest(0) }),
    row('expire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 's' }] }),
    row('pexpire', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'ms' }] }),
    row('expireAt', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-s' }] }),
    row('pexpireAt', { kind: 'expire', key: arg(0), lease: [{ at: arg(1), unit: 'epoch-ms' }] }),

    row('get', { kind: 'get', key: arg(0) }),
    row('getdel', { kind: 'get', key: arg(0), removes: true }),
    row('getex', {
      kind: 'get',
      key: arg(0),
      lease: [{ at: arg(1, 'expiry', 'duration'), unit: 'ms', unitFrom: { at: arg(1, 'expiry', 'type'), units: UNITS } }],
    }),
    row(['exists', 'ttl', 'pttl'], { kind: 'exists', key: arg(0) }),
    row('scan', { kind: 'derives', from: arg(1, 'match') }, [{ has: arg(1, 'match') }]),

    row([...COUNTER_COMMANDS, 'incrBy', 'incrByFloat', 'decrBy'], { kind: 'increment', key: arg(0) }),
    row(['hincrBy', 'hincrByFloat'], [{ kind: 'data', key: arg(0) }, { kind: 'increment', key: arg(0) }]),
    row([...DATA_COMMANDS, 'setRange', 'rpoplpush', 'zremRangeByScore', 'zremRangeByRank', 'pfadd'], { kind: 'data', key: arg(0) }),
    row('customCommand', { kind: 'command', words: arg(0) }),
  ];
}

export default library({
  key: 'valkey-glide',
  packages: ['@valkey/valkey-glide'],
  title: 'Valkey GLIDE',
  family: 'store',
  token: redisToken,
  obtain: [
    { type: CLIENT, by: 'call', name: ['GlideClient.createClient', 'GlideClusterClient.createClient'] },
    { type: CLIENT, by: 'annotation', name: ['GlideClient', 'GlideClusterClient', 'BaseClient'] },
    { type: BATCH, by: 'new', name: ['Batch', 'ClusterBatch', 'Transaction', 'ClusterTransaction'] },
    { type: BATCH, by: 'annotation', name: ['Batch', 'ClusterBatch', 'Transaction', 'ClusterTransaction'] },
    { type: SCRIPT, by: 'new', name: 'Script' },
    { type: SCRIPT, by: 'annotation', name: 'Script' },
  ],
  calls: [
    ...commands(CLIENT),
    ...commands(BATCH, BATCH),
    // The batch is handed over; what it has queued is sent now.
    { on: CLIENT, name: 'exec', does: [], sends: 'replies', note: 'null after a WATCH conflict' },
    { on: CLIENT, name: 'watch', does: [], watches: arg(0) },
    {
      on: CLIENT,
      name: 'invokeScript',
      does: { kind: 'script', text: { arg: 0, built: 0 }, layout: { keys: arg(1, 'keys'), args: arg(1, 'args') } },
    },
    { on: SCRIPT, name: 'getHash', does: { kind: 'derives', from: ctor(0) } },
  ],
  edits: {
    scripts: [
      {
        on: CLIENT,
        method: 'invokeScript',
        arguments: '{script}, { keys: [{keys}], args: [{args}] }',
        isText: true,
        prepared: { text: 'new Script({text})', from: '@valkey/valkey-glide', name: 'Script' },
      },
    ],
    commands: [
      { command: 'DELEX', on: CLIENT, method: 'customCommand', arguments: "['DELEX', {key}, 'IFEQ', {owner}]", isText: true },
      { command: 'DELIFEQ', on: CLIENT, method: 'customCommand', arguments: "['DELIFEQ', {key}, {owner}]", isText: true },
    ],
  },
  constants: {
    'TimeUnit.Milliseconds': 'PX',
    'TimeUnit.Seconds': 'EX',
    'TimeUnit.UnixMilliseconds': 'PXAT',
    'TimeUnit.UnixSeconds': 'EXAT',
  },
  facts: [
    'A lock is `set(key, owner, { conditionalSet: \'onlyIfDoesNotExist\', expiry: { type: TimeUnit.Milliseconds, count: ms } })`; the reply is `OK` or null.',
    'Options of other clients (`NX`, `PX`) and positional flags are ignored without a word: a plain overwrite.',
    '`conditionalSet: \'onlyIfEqual\'` compares the owner; the release that compares is `invokeScript`, or `customCommand([\'DELIFEQ\', key, owner])` on Valkey 9 and later.',
    'There is no `eval` and no `setnx`. `del` and `unlink` take an array of keys and do not compare.',
  ],
});
