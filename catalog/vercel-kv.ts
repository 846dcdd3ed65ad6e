/**
 * @vercel/kv 1 to 3: `VercelKV` extends the `Redis` class of @upstash/redis, so its commands and traps
 * are those. Facts from the package's own types.
 */
import { library } from './schema.ts';
import { redisToken } from './redis-commands.ts';
import { upstashCommands, upstashEdits, upstashRest } from './upstash-redis.ts';

const CLIENT = 'vercel-kv:Client';
const CHAIN = 'vercel-kv:Chain';

export default library({
  key: 'vercel-kv',
  packages: ['@vercel/kv'],
  title: '@vercel/kv',
  family: 'store',
  token: redisToken,
  obtain: [
    { type: CLIENT, by: 'value', name: ['kv', 'default', 'default.kv'] },
    { type: CLIENT, by: 'call', name: ['createClient', 'default.createClient'] },
    { type: CLIENT, by: 'new', name: 'VercelKV' },
    { type: CLIENT, by: 'annotation', name: 'VercelKV' },
    { type: CHAIN, by: 'method', name: ['multi', 'pipeline'], of: CLIENT },
    { type: 'vercel-kv:Script', by: 'method', name: 'createScript', of: CLIENT },
    { type: 'vercel-kv:Json', by: 'property', name: 'json', of: CLIENT },
  ],
  calls: [...upstashCommands(CLIENT), ...upstashCommands(CHAIN, CHAIN), ...upstashRest('vercel-kv')],
  edits: upstashEdits('vercel-kv'),
  facts: [
    'The client is that of @upstash/redis: lower-case options, lengths as numbers, arrays for `eval`.',
    'A lock is `kv.set(key, owner, { nx: true, px: ms })`; the reply is `OK` or null.',
  ],
});
