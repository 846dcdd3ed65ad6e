/** The proofs as data: a program with a fault, the edit that mends it, the scenario, and what comes of it before and after. */
import type { Settings } from '../../rules/settings.ts';
import type { Facts, ScenarioName } from './scenarios.ts';
import type { StoreName } from './store-names.ts';

/** A kind of edit: the rules that offer it, what it does, and what it takes for granted. */
export interface EditKind {
  rules: readonly string[];
  does: string;
  assumes: string;
}

export const editKinds = {
  'Compare and delete': {
    rules: ['no-blind-release'],
    does: 'The release compares the owner value and deletes in one step: a Lua script, or the atomic command that the setting `serverCommands` names. For lock rows, documents and objects the owner goes into the filter. Where every holder has the same value, the acquire gets a fresh one; where acquire and release are apart, the value is handed on or kept.',
    assumes: 'The server runs Lua (every Redis and Valkey does; in a cluster the script has one key).',
  },
  'Compare and extend': {
    rules: ['no-blind-renewal'],
    does: 'The renewal compares the owner value and prolongs in one step, and throws where nobody would learn that the lock is lost.',
    assumes: 'The owner value tells holders apart.',
  },
  'Fenced write': {
    rules: ['require-fencing-token', 'no-renewal-as-fix', 'no-check-then-write'],
    does: 'The token goes into the data and, compared, into the condition of the write; the affected count is looked at in the client\'s own way, and a refusal is thrown. Where the grant has no token yet, the same edit mints one inside it.',
    assumes: 'The column of the setting `fence.column`, which the edit\'s note shows as a migration. A counter in Redis can lose increments in a failover: `redisCounters` reports that.',
  },
  'Fence in the place of a question': {
    rules: ['no-check-then-write'],
    does: 'The write that depends on the answer gets the fence; the question may stay, but decides nothing any more.',
    assumes: 'As for the fenced write.',
  },
  'Fence beside a renewal': {
    rules: ['no-renewal-as-fix'],
    does: 'All unfenced writes of the section get the fence; the renewal stays, against needless expiry.',
    assumes: 'As for the fenced write.',
  },
  'Token counted in the grant': {
    rules: ['no-unsound-token'],
    does: 'The acquire becomes one script that sets the key and raises the counter. A time or a random value gives way to the counted token; a command that ends the counter goes.',
    assumes: 'Where a time or a random value was stored, the column begins at 0 again: the note says so.',
  },
  'Comparison in the WHERE': {
    rules: ['no-unchecked-token'],
    does: 'The statement that stores the token compares it too; a comparison that stands the wrong way round is turned.',
    assumes: 'The column is never NULL: a comparison with NULL refuses every write.',
  },
  'Look and throw': {
    rules: ['no-ignored-fence-result'],
    does: 'The affected count of a fenced write is looked at, and a refusal is thrown (`fence.error`).',
    assumes: 'Nothing.',
  },
  'Lease in one step': {
    rules: ['no-unbounded-lease'],
    does: '`SETNX` and `EXPIRE` become one `SET … NX PX`, and the tests of the answer its words.',
    assumes: 'The length stands in the expiry that follows, or in the only constant of the file that says the length of a lock.',
  },
  'Unit conversion': { rules: ['no-lease-unit-mismatch'], does: 'The length is converted into the unit in which it is read.', assumes: 'The name, or the size, of the length says its unit.' },
  Guard: { rules: ['no-unchecked-acquire'], does: 'The answer of the acquire is asked, and a refusal thrown.', assumes: 'A throw at the acquire reaches no release that does not ask whose the lock is.' },
  '`try` after the guard': {
    rules: ['no-release-without-acquire'],
    does: 'The acquire and its guard move out of the `try` whose `finally` releases; a listener that releases is registered behind the guard.',
    assumes: 'The `finally` does nothing but release, and no `catch` waits for a refusal.',
  },
  'Release in `finally`': { rules: ['require-release'], does: 'The section, from the guard to the release, goes into a `try`, the release into its `finally`.', assumes: 'The process is not ended inside: no `finally` runs there.' },
  'The right call': {
    rules: ['no-ineffective-acquire'],
    does: 'The lock is taken by the call that this client understands, only where nobody holds it, with the key, the value and the length of the wrong one; its answer is asked.',
    assumes: 'The wrong call says a length.',
  },
  '`await`': { rules: ['no-escaping-work'], does: 'The work is awaited before the release: `await`, `return await`, or a loop in the place of `forEach`.', assumes: 'The function is asynchronous.' },
  'Transaction-level lock': {
    rules: ['no-pooled-session-lock'],
    does: 'Inside a transaction the lock of the session becomes that of the transaction, sent through it; the unlock goes.',
    assumes: 'PostgreSQL. The lock is held until the commit.',
  },
} as const satisfies Record<string, EditKind>;

export interface Proof {
  /** A fixture of the folder `proofs`. */
  program: string;
  /** For the table: the kind of edit, and the client that it is done with. */
  edit: keyof typeof editKinds;
  client: string;
  /** What the user has set, where the edit needs it. */
  settings?: Partial<Settings>;
  scenario: ScenarioName;
  /** Each set of stores on which it is proven. */
  on: readonly (readonly StoreName[])[];
  before: Facts;
  after: Facts;
}

const stale = (target: string): string => `${target} was not written: the token is stale`;

const fence = (program: string, client: string, on: Proof['on'], refusal = stale('reports')): Proof => ({
  program,
  edit: 'Fenced write',
  client,
  scenario: 'staleWrite',
  on,
  before: { 'after B': 'B', B: 'learns nothing', 'after A': 'A', A: 'learns nothing' },
  after: { 'after B': 'B', B: 'learns nothing', 'after A': 'B', A: `learns: ${refusal}` },
});

const release = (program: string, client: string, on: Proof['on']): Proof => ({
  program,
  edit: 'Compare and delete',
  client,
  scenario: 'foreignRelease',
  on,
  before: { A: 'learns nothing', C: 'is let in beside B', B: 'learns nothing' },
  after: { A: 'learns nothing', C: 'is refused', B: 'learns nothing' },
});

/** By a command of the server that the settings name. */
const releaseBy = (command: Settings['serverCommands'][number], program: string, client: string): Proof => ({ ...release(program, `${client} (${command})`, [['redisWithCommands']]), settings: { serverCommands: [command] } });

const upstash = 'Upstash (REST stand-in)';
const postgres: Proof['on'] = [['pglite'], ['postgresql']];
const inRedis: Proof['on'] = [['redis']];
const both: Proof['on'] = [['redis', 'postgresql']];
const inItems: Proof['on'] = [['pglite', 'dynalite']];
const inDocuments: Proof['on'] = [['pglite', 'mingo']];

/** What a scenario comes to, for an edit of one kind. */
const proof = (edit: Proof['edit'], scenario: ScenarioName, before: Facts, after: Facts) => (program: string, client: string, on: Proof['on']): Proof => ({ program, edit, client, scenario, on, before, after });

const renewal = proof('Compare and extend', 'foreignRenewal', { A: 'learns nothing', 'lease of B': 'prolonged by A' }, { A: 'learns: The lock is lost', 'lease of B': 'as B took it' });
const transactionLock = proof('Transaction-level lock', 'lockLeft', { A: 'learns nothing', lock: 'stays with a connection of the pool' }, { A: 'learns nothing', lock: 'has ended with the transaction' });
const staleWins: Facts = { 'after B': 'B', B: 'learns nothing', 'after A': 'A', A: 'learns nothing' };
const staleRefused: Facts = { ...staleWins, 'after A': 'B', A: `learns: ${stale('reports')}` };

const refused = (why: string): Facts => ({ ...staleWins, 'after A': 'B', A: `learns: ${why}` });
const question = proof('Fence in the place of a question', 'staleWrite', staleWins, staleRefused);
const besideRenewal = proof('Fence beside a renewal', 'staleWrite', staleWins, staleRefused);
const compared = (program: string, client: string, on: Proof['on'], target = 'reports'): Proof => proof('Comparison in the WHERE', 'staleWrite', staleWins, refused(stale(target)))(program, client, on);
const looked = (program: string, client: string, on: Proof['on'], target = 'reports', column = 'last_token'): Proof =>
  proof('Look and throw', 'staleWrite', { ...staleWins, 'after A': 'B' }, refused(`${target} was not written: the ${column} is stale`))(program, client, on);
const unit = proof('Unit conversion', 'leaseLength', { lease: 'more than an hour' }, { lease: 'four seconds' });
const guard = proof('Guard', 'refusedCaller', { A: 'goes on without the lock, learns nothing', C: 'is let in beside B' }, { A: 'is sent away, learns: lock:report is locked', C: 'is refused' });
const lateGuard = proof('`try` after the guard', 'refusedCaller', { A: 'is sent away, learns: the report is locked', C: 'is let in beside B' }, { A: 'is sent away, learns: the report is locked', C: 'is refused' });
const rightCall = proof('The right call', 'bothLook', { A: 'learns nothing', B: 'is let in beside A' }, { A: 'learns nothing', B: 'is sent away' });
const lateToken = proof('Token counted in the grant', 'staleWrite', staleWins, staleRefused);
const lease = proof('Lease in one step', 'crash', { lock: 'stays for ever' }, { lock: 'ends by itself', B: 'learns nothing' });
const awaited = proof('`await`', 'slowWrite', { B: 'is let in while A writes', A: 'learns nothing' }, { B: 'is refused as long as A writes', A: 'learns nothing' });
const leak = proof('Release in `finally`', 'failingWork', { A: 'learns: the work has failed', B: 'is refused: the lock stays taken' }, { A: 'learns: the work has failed', B: 'is let in' });

export const proofs: readonly Proof[] = [
  release('release-ioredis', 'ioredis', inRedis),
  release('release-class-ioredis', 'ioredis (value kept by the class)', inRedis),
  release('release-node-redis', 'node-redis', inRedis),
  release('constant-owner-node-redis', 'node-redis (fresh owner value)', inRedis),
  release('release-iovalkey', 'iovalkey', inRedis),
  release('release-glide', 'Valkey GLIDE', inRedis),
  release('release-upstash', upstash, inRedis),
  release('release-row-pg', 'pg (lock row)', postgres),
  release('release-row-postgres-js', 'postgres.js (lock row)', postgres),
  release('release-row-knex-raw', 'Knex (raw, lock row)', postgres),
  release('release-row-typeorm', 'TypeORM (lock row)', postgres),
  release('release-row-better-sqlite3', 'better-sqlite3 (lock row)', [['sqlite']]),
  release('release-row-mysql2', 'mysql2 (lock row)', [['mariadb']]),
  releaseBy('DELEX', 'release-ioredis', 'ioredis'),
  releaseBy('DELEX', 'release-node-redis', 'node-redis'),
  releaseBy('DELIFEQ', 'release-iovalkey', 'iovalkey'),
  releaseBy('DELIFEQ', 'release-glide', 'Valkey GLIDE'),
  release('release-mongodb', 'MongoDB (lock document)', [['mingo']]),
  release('release-dynamodb', 'DynamoDB (lock item)', [['dynalite']]),
  renewal('renew-ioredis', 'ioredis', inRedis),
  renewal('renew-node-redis', 'node-redis', inRedis),
  renewal('renew-upstash', upstash, inRedis),
  fence('fence-pg', 'pg', postgres),
  fence('fence-upsert-pg', 'pg (upsert)', postgres),
  fence('fence-postgres-js', 'postgres.js', postgres),
  fence('fence-knex', 'Knex', postgres),
  fence('fence-knex-raw', 'Knex (raw)', postgres),
  fence('fence-objection', 'Objection', postgres, stale('Report')),
  fence('fence-kysely', 'Kysely', postgres),
  fence('fence-kysely-sql', 'Kysely (sql)', postgres),
  fence('fence-drizzle', 'Drizzle', postgres),
  fence('fence-drizzle-sql', 'Drizzle (sql)', postgres),
  fence('fence-typeorm', 'TypeORM (repository)', postgres, stale('Report')),
  fence('fence-typeorm-builder', 'TypeORM (query builder)', postgres),
  fence('fence-sequelize', 'Sequelize (model)', postgres, stale('Report')),
  fence('fence-sequelize-query', 'Sequelize (query)', postgres),
  fence('fence-prisma', 'Prisma 7 (model)', [['postgresql']], stale('report')),
  fence('fence-prisma-sql', 'Prisma 7 ($executeRaw)', [['postgresql']]),
  fence('fence-better-sqlite3', 'better-sqlite3', [['sqlite']]),
  fence('fence-libsql', '@libsql/client', [['sqlite']]),
  fence('fence-mongodb', 'MongoDB', inDocuments),
  fence('fence-mongoose', 'Mongoose', inDocuments, stale('Report')),
  fence('fence-dynamodb', 'DynamoDB (document client, update)', inItems, 'ConditionalCheckFailedException: The conditional request failed'),
  fence('fence-put-dynamodb', 'DynamoDB (document client, put)', inItems, 'ConditionalCheckFailedException: The conditional request failed'),
  fence('fence-dynamodb-plain', 'DynamoDB (plain client)', inItems, 'ConditionalCheckFailedException: The conditional request failed'),
  fence('fence-s3', 'S3 (version that was read)', [['postgresql', 'ceph']], 'PreconditionFailed: UnknownError'),
  fence('fence-pg-ioredis', 'ioredis and pg (token minted in the grant)', both),
  fence('fence-etcd3', 'etcd3 and pg (revision of the transaction)', [['etcd', 'postgresql']]),
  fence('fence-value-ioredis', 'ioredis (data in Redis)', inRedis, stale('report')),
  fence('fence-value-node-redis', 'node-redis (data in Redis)', inRedis, stale('report')),
  fence('fence-value-upstash', `${upstash} (data in Redis)`, inRedis, stale('report')),
  fence('fence-carried-ioredis', 'ioredis and pg (token handed on to a method)', both),
  fence('fence-across-ioredis', 'ioredis and pg (token handed on into another file)', both),
  fence('fence-mysql2', 'ioredis and mysql2 (token minted in the grant)', [['redis', 'mariadb']]),
  question('check-ioredis', 'ioredis and pg', both),
  question('check-node-redis', 'node-redis and pg', both),
  question('check-upstash', `${upstash} and pg`, both),
  besideRenewal('renewed-ioredis', 'ioredis and pg', both),
  besideRenewal('renewed-node-redis', 'node-redis and pg', both),
  besideRenewal('renewed-upstash', `${upstash} and pg`, both),
  lateToken('late-token-ioredis', 'ioredis and pg', both),
  lateToken('late-token-node-redis', 'node-redis and pg', both),
  lateToken('late-token-upstash', `${upstash} and pg`, both),
  compared('compare-pg', 'pg', postgres),
  compared('compare-postgres-js', 'postgres.js', postgres),
  compared('compare-knex', 'Knex', postgres),
  compared('compare-knex-raw', 'Knex (raw)', postgres),
  compared('compare-objection', 'Objection', postgres, 'Report'),
  compared('compare-kysely', 'Kysely', postgres),
  compared('compare-drizzle', 'Drizzle', postgres),
  compared('compare-typeorm-builder', 'TypeORM (query builder)', postgres),
  compared('compare-better-sqlite3', 'better-sqlite3', [['sqlite']]),
  compared('compare-mysql2', 'mysql2', [['redis', 'mariadb']]),
  compared('compare-mongodb', 'MongoDB', inDocuments),
  { ...compared('compare-dynamodb', 'DynamoDB (document client, update)', inItems), after: refused('ConditionalCheckFailedException: The conditional request failed') },
  { ...compared('compare-put-dynamodb', 'DynamoDB (document client, put)', inItems), after: refused('ConditionalCheckFailedException: The conditional request failed') },
  compared('compare-sequelize', 'Sequelize (model)', postgres, 'Report'),
  compared('compare-typeorm', 'TypeORM (repository)', postgres, 'Report'),
  compared('compare-prisma', 'Prisma 7 (model)', [['postgresql']], 'report'),
  looked('look-pg', 'pg', postgres),
  looked('look-postgres-js', 'postgres.js', postgres),
  looked('look-knex', 'Knex', postgres),
  looked('look-knex-raw', 'Knex (raw)', postgres),
  looked('look-objection', 'Objection', postgres, 'Report'),
  looked('look-kysely', 'Kysely', postgres),
  looked('look-drizzle', 'Drizzle', postgres, 'reports', 'lastToken'),
  looked('look-typeorm', 'TypeORM (repository)', postgres, 'Report', 'lastToken'),
  looked('look-typeorm-builder', 'TypeORM (query builder)', postgres),
  looked('look-sequelize', 'Sequelize (model)', postgres, 'Report', 'lastToken'),
  looked('look-sequelize-query', 'Sequelize (query)', postgres),
  looked('look-prisma', 'Prisma 7 (model)', [['postgresql']], 'report', 'lastToken'),
  looked('look-better-sqlite3', 'better-sqlite3', [['sqlite']]),
  looked('look-libsql', '@libsql/client', [['sqlite']]),
  looked('look-mysql2', 'mysql2', [['redis', 'mariadb']]),
  looked('look-mongodb', 'MongoDB', inDocuments, 'reports', 'lastToken'),
  looked('look-mongoose', 'Mongoose', inDocuments, 'Report', 'lastToken'),
  lease('lease-ioredis', 'ioredis', inRedis),
  lease('lease-node-redis', 'node-redis', inRedis),
  lease('lease-upstash', upstash, inRedis),
  unit('unit-ioredis', 'ioredis', inRedis),
  unit('unit-node-redis', 'node-redis', inRedis),
  unit('unit-upstash', upstash, inRedis),
  guard('guard-ioredis', 'ioredis', inRedis),
  guard('guard-node-redis', 'node-redis', inRedis),
  guard('guard-upstash', upstash, inRedis),
  lateGuard('late-guard-ioredis', 'ioredis', inRedis),
  lateGuard('late-guard-node-redis', 'node-redis', inRedis),
  lateGuard('late-guard-upstash', upstash, inRedis),
  leak('leak-ioredis', 'ioredis', inRedis),
  leak('leak-node-redis', 'node-redis', inRedis),
  leak('leak-upstash', upstash, inRedis),
  leak('leak-redlock', 'Redlock', inRedis),
  rightCall('look-first-ioredis', 'ioredis', inRedis),
  rightCall('look-first-node-redis', 'node-redis', inRedis),
  rightCall('look-first-upstash', upstash, inRedis),
  awaited('escape-ioredis', 'ioredis and pg', both),
  awaited('escape-node-redis', 'node-redis and pg', both),
  awaited('escape-upstash', `${upstash} and pg`, both),
  awaited('escape-zookeeper', 'node-zookeeper-client and pg', [['zookeeper', 'postgresql']]),
  transactionLock('transaction-lock-postgres-js', 'postgres.js', [['postgresql']]),
  transactionLock('transaction-lock-knex', 'Knex', [['postgresql']]),
  transactionLock('transaction-lock-kysely', 'Kysely', [['postgresql']]),
  transactionLock('transaction-lock-drizzle', 'Drizzle', [['postgresql']]),
  transactionLock('transaction-lock-typeorm', 'TypeORM', [['postgresql']]),
];
