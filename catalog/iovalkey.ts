/**
 * iovalkey 0, a fork of ioredis 5 for Valkey. Facts from the package's own types and source; every
 * probe of ioredis was repeated on 0.4.0 and gave the same.
 */
import { exported, library } from './schema.ts';
import { redisToken } from './redis-commands.ts';
import { ioredisCalls, ioredisEdits, ioredisObtain } from './ioredis.ts';

export default library({
  key: 'iovalkey',
  packages: ['iovalkey', 'iovalkey/*'],
  title: 'iovalkey',
  family: 'store',
  token: redisToken,
  obtain: ioredisObtain('iovalkey', ['default', ...exported('Redis', 'Valkey')]),
  calls: ioredisCalls('iovalkey'),
  edits: ioredisEdits('iovalkey'),
  facts: [
    'Commands and replies are those of ioredis 5: positional flags, `OK` or null, `setnx` 1 or 0.',
    'The release that compares the owner is a script, or `call(\'DELIFEQ\', key, owner)` on Valkey 9 and later.',
    'There is no token: mint one with INCR in the script that grants the lock.',
  ],
});
