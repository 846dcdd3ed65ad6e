/**
 * handy-redis 2, promises over node-redis 3, and the wrappers async-redis and promise-redis, which keep
 * the positional form. Facts from the packages' own types and sources.
 */
import { exported, library, rest } from './schema.ts';
import { positionalCommands, positionalScript, redisToken } from './redis-commands.ts';

const CLIENT = 'handy-redis:Client';
const MODULE = 'handy-redis:Module';
const CHAIN = 'handy-redis:Chain';

export default library({
  key: 'handy-redis',
  packages: ['handy-redis', 'async-redis', 'promise-redis'],
  title: 'handy-redis, async-redis, promise-redis',
  family: 'store',
  token: redisToken,
  obtain: [
    { type: CLIENT, by: 'call', name: exported('createNodeRedisClient', 'createHandyClient', 'createClient', 'decorate') },
    // `require('promise-redis')()` answers what `require('redis')` does.
    { type: MODULE, by: 'call', name: 'default', from: 'promise-redis' },
    { type: CLIENT, by: 'method', name: 'createClient', of: MODULE },
    { type: CLIENT, by: 'annotation', name: ['WrappedNodeRedisClient', 'IHandyRedis'] },
    { type: CHAIN, by: 'method', name: ['multi', 'batch'], of: CLIENT },
  ],
  calls: [
    ...positionalCommands({ on: CLIENT }),
    ...positionalCommands({ on: CHAIN, answers: CHAIN }),
    { on: CHAIN, name: 'exec', does: [], sends: 'replies', note: 'null after a WATCH conflict' },
    { on: CLIENT, name: ['send_command', 'sendCommand'], does: { kind: 'command', words: rest(0) } },
  ],
  edits: { scripts: [{ on: [CLIENT, CHAIN], ...positionalScript }] },
  facts: [
    'A lock is `set(key, owner, [\'PX\', ms], \'NX\')`; async-redis and promise-redis take the flags one after another. The reply is `OK` or null.',
    '`del`, `expire` and `pexpire` do not compare the owner; `eval(script, 1, key, owner)` with a comparing script does.',
  ],
});
