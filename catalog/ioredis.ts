/**
 * ioredis 3 to 6 (and ioredis-mock, which has the same surface). Facts from the package's own types
 * (`@types/ioredis` for 4) and sources; the forms of SET, SETNX, DEL, EVAL and their replies were
 * measured on 3.2.2, 4.31.0, 5.11.1 and 6.0.0 against a Redis 7 server.
 */
import { arg, exported, library, rest, type Call, type Edits, type Obtain, type TypeId } from './schema.ts';
import { positionalCommands, positionalGrant, positionalScript, redisToken } from './redis-commands.ts';

/** Rows that ioredis has besides the positional commands. */
function own(on: TypeId, answers?: TypeId): readonly Call[] {
  return [
    {
      on,
      name: 'set',
      when: [{ sort: arg(2), of: 'object' }],
      does: {
        kind: 'put',
        key: arg(0),
        value: arg(1),
        done: 'throws',
        trap: 'ioredis takes positional flags: an options object is sent as text, the server answers a syntax error and nothing is set',
        asks: [{ is: arg(2, 'NX'), value: true }, { is: arg(2, 'nx'), value: true }, { is: arg(2, 'condition'), value: 'NX' }],
      },
      ...(answers && { answers }),
    },
    {
      on,
      name: ['call', 'callBuffer'],
      does: { kind: 'command', words: rest(0) },
      ...(answers && { answers }),
    },
  ];
}

/** What a client of this family can do. `key` is the prefix of the types. */
export function ioredisCalls(key: string): readonly Call[] {
  const client = `${key}:Client`;
  const chain = `${key}:Chain`;
  const commands = (on: TypeId, answers?: TypeId): readonly Call[] => [
    ...own(on, answers),
    ...positionalCommands({ on, answers, delivery: { callback: 'last' } }),
  ];
  return [
    ...commands(client),
    ...commands(chain, chain),
    // `multi()` in a pipeline opens the transaction there.
    { on: chain, name: ['multi', 'pipeline'], does: [], answers: chain },
    { on: chain, name: ['exec', 'execBuffer'], does: [], sends: 'pairs', delivery: { callback: 'last' }, note: 'null after a WATCH conflict' },
    { on: client, name: 'exec', does: [], sends: 'replies', delivery: { callback: 'last' }, note: 'null after a WATCH conflict' },
    { on: client, name: 'sendCommand', does: { kind: 'command', words: { arg: 0, built: 0 }, args: { arg: 0, built: 1 } } },
    {
      on: client,
      name: 'defineCommand',
      does: { kind: 'define-script', name: arg(0), text: arg(1, 'lua'), numberOfKeys: arg(1, 'numberOfKeys') },
    },
    { on: client, name: 'scanStream', does: { kind: 'derives', from: arg(0, 'match') } },
  ];
}

/** How values of this family are reached. `names` are what the package calls its client class. */
export function ioredisObtain(key: string, names: readonly string[]): readonly Obtain[] {
  const client = `${key}:Client`;
  const chain = `${key}:Chain`;
  return [
    {
      type: client,
      by: 'new',
      name: names,
      scripts: { at: arg(0, 'scripts'), text: ['lua'], numberOfKeys: ['numberOfKeys'] },
    },
    { type: client, by: 'new', name: exported('Cluster') },
    { type: client, by: 'call', name: 'default.createClient' },
    { type: client, by: 'method', name: ['duplicate', 'createClient'], of: client },
    // A client's events are listened to in the line that makes it.
    { type: client, by: 'method', name: ['on', 'once', 'addListener'], of: client },
    { type: client, by: 'annotation', name: [...names, ...exported('Cluster', 'RedisCommander', 'Commands', 'Commander')] },
    { type: chain, by: 'method', name: ['multi', 'pipeline'], of: client },
    { type: chain, by: 'new', name: exported('Pipeline') },
    { type: chain, by: 'annotation', name: exported('ChainableCommander', 'Pipeline') },
  ];
}

/** How edits write its calls. */
export function ioredisEdits(key: string): Edits {
  const on = [`${key}:Client`, `${key}:Chain`];
  return {
    scripts: [{ on, ...positionalScript }],
    grants: [{ on: `${key}:Client`, ...positionalGrant }],
    commands: [
      { command: 'DELEX', on, versions: '<1 || >=5', method: 'call', arguments: "'DELEX', {key}, 'IFEQ', {owner}" },
      { command: 'DELIFEQ', on, versions: '<1 || >=5', method: 'call', arguments: "'DELIFEQ', {key}, {owner}" },
    ],
  };
}

export default library({
  key: 'ioredis',
  packages: ['ioredis', 'ioredis/*', 'ioredis-mock'],
  title: 'ioredis',
  family: 'store',
  token: redisToken,
  // Up to 4 the class answers a client without `new`.
  obtain: [{ type: 'ioredis:Client', by: 'call', name: 'default', versions: '<5' }, ...ioredisObtain('ioredis', ['default', ...exported('Redis')])],
  calls: ioredisCalls('ioredis'),
  edits: ioredisEdits('ioredis'),
  facts: [
    'A lock is `set(key, owner, \'PX\', ms, \'NX\')` with the flags in any order and case; `EX` counts seconds.',
    'The reply is `OK` when granted and null when refused; `setnx` answers 1 or 0 and sets no lease.',
    'An options object (`{ NX: true, PX: 1000 }`) is sent as text: every call fails with a syntax error.',
    'An undefined owner value is stored as an empty string: every holder is then the same owner.',
    '`del`, `unlink`, `expire`, `pexpire` and `set … XX` do not compare the owner; `eval` with a comparing script does.',
    'There is no token: mint one with INCR in the script that grants the lock.',
  ],
});
