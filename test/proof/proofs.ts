/** The proofs as data: a program with a fault, the edit that mends it, the scenario, and what comes of it before and after. */
import type { Facts, ScenarioName } from './scenarios.ts';
import type { StoreName } from './stores.ts';

export interface Proof {
  /** A fixture of the folder `proofs`. */
  program: string;
  /** For the table: what the edit does, and the client that it is done with. */
  edit: string;
  client: string;
  scenario: ScenarioName;
  /** Each set of stores on which it is proven. */
  on: readonly (readonly StoreName[])[];
  before: Facts;
  after: Facts;
}

const fence = (program: string, client: string, on: Proof['on'], table = 'reports'): Proof => ({
  program,
  edit: 'Fenced write',
  client,
  scenario: 'staleWrite',
  on,
  before: { 'after B': 'B', B: 'learns nothing', 'after A': 'A', A: 'learns nothing' },
  after: { 'after B': 'B', B: 'learns nothing', 'after A': 'B', A: `learns: ${table} was not written: the token is stale` },
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

const postgres: Proof['on'] = [['pglite'], ['postgresql']];
const inRedis: Proof['on'] = [['redis']];
const both: Proof['on'] = [['redis', 'postgresql']];

/** What a scenario comes to, for an edit of one kind. */
const proof = (edit: string, scenario: ScenarioName, before: Facts, after: Facts) => (program: string, client: string, on: Proof['on']): Proof => ({ program, edit, client, scenario, on, before, after });

const renewal = proof('Compare and extend', 'foreignRenewal', { A: 'learns nothing', 'lease of B': 'prolonged by A' }, { A: 'learns: The lock is lost', 'lease of B': 'as B took it' });
const transactionLock = proof('Transaction-level lock', 'lockLeft', { A: 'learns nothing', lock: 'stays with a connection of the pool' }, { A: 'learns nothing', lock: 'has ended with the transaction' });
const staleWins: Facts = { 'after B': 'B', B: 'learns nothing', 'after A': 'A', A: 'learns nothing' };
const staleRefused: Facts = { ...staleWins, 'after A': 'B', A: 'learns: reports was not written: the token is stale' };

export const proofs: readonly Proof[] = [
  release('release-ioredis', 'ioredis', inRedis),
  release('release-class-ioredis', 'ioredis (value kept by the class)', inRedis),
  release('release-node-redis', 'node-redis', inRedis),
  release('constant-owner-node-redis', 'node-redis (fresh owner value)', inRedis),
  release('release-iovalkey', 'iovalkey', inRedis),
  release('release-glide', 'Valkey GLIDE', inRedis),
  release('release-upstash', 'Upstash (REST stand-in)', inRedis),
  release('release-row-pg', 'pg (lock row)', postgres),
  renewal('renew-ioredis', 'ioredis', inRedis),
  renewal('renew-node-redis', 'node-redis', inRedis),
  fence('fence-pg', 'pg', postgres),
  fence('fence-postgres-js', 'postgres.js', postgres),
  fence('fence-knex', 'Knex', postgres),
  fence('fence-knex-raw', 'Knex (raw)', postgres),
  fence('fence-kysely', 'Kysely', postgres),
  fence('fence-kysely-sql', 'Kysely (sql)', postgres),
  fence('fence-drizzle', 'Drizzle', postgres),
  fence('fence-drizzle-sql', 'Drizzle (sql)', postgres),
  fence('fence-typeorm', 'TypeORM (repository)', postgres, 'Report'),
  fence('fence-typeorm-builder', 'TypeORM (query builder)', postgres),
  fence('fence-sequelize', 'Sequelize (model)', postgres, 'Report'),
  fence('fence-sequelize-query', 'Sequelize (query)', postgres),
  fence('fence-prisma', 'Prisma 7 (model)', [['postgresql']], 'report'),
  fence('fence-prisma-sql', 'Prisma 7 ($executeRaw)', [['postgresql']]),
  fence('fence-better-sqlite3', 'better-sqlite3', [['sqlite']]),
  fence('fence-libsql', '@libsql/client', [['sqlite']]),
  fence('fence-pg-ioredis', 'ioredis and pg (token minted in the grant)', both),
  fence('fence-mysql2', 'ioredis and mysql2 (token minted in the grant)', [['redis', 'mariadb']]),
  proof('Fence in the place of a question', 'staleWrite', staleWins, staleRefused)('check-ioredis', 'ioredis and pg', both),
  proof('Fence beside a renewal', 'staleWrite', staleWins, staleRefused)('renewed-ioredis', 'ioredis and pg', both),
  proof('Token counted in the grant', 'staleWrite', staleWins, staleRefused)('late-token-ioredis', 'ioredis and pg', both),
  proof('Comparison in the WHERE', 'staleWrite', staleWins, staleRefused)('compare-pg', 'pg', postgres),
  proof('Look and throw', 'staleWrite', { ...staleRefused, A: 'learns nothing' }, { ...staleRefused, A: 'learns: reports was not written: the last_token is stale' })('look-pg', 'pg', postgres),
  proof('Lease in one step', 'crash', { lock: 'stays for ever' }, { lock: 'ends by itself', B: 'learns nothing' })('lease-ioredis', 'ioredis', inRedis),
  proof('Unit conversion', 'leaseLength', { lease: 'more than an hour' }, { lease: 'four seconds' })('unit-ioredis', 'ioredis', inRedis),
  proof('Guard', 'refusedCaller', { A: 'goes on without the lock, learns nothing', C: 'is let in beside B' }, { A: 'is sent away, learns: lock:report is locked', C: 'is refused' })('guard-ioredis', 'ioredis', inRedis),
  proof('`try` after the guard', 'refusedCaller', { A: 'is sent away, learns: the report is locked', C: 'is let in beside B' }, { A: 'is sent away, learns: the report is locked', C: 'is refused' })('late-guard-ioredis', 'ioredis', inRedis),
  proof('Release in `finally`', 'failingWork', { A: 'learns: the work has failed', B: 'is refused: the lock stays taken' }, { A: 'learns: the work has failed', B: 'is let in' })('leak-ioredis', 'ioredis', inRedis),
  proof('The right call', 'bothLook', { A: 'learns nothing', B: 'is let in beside A' }, { A: 'learns nothing', B: 'is sent away' })('look-first-ioredis', 'ioredis', inRedis),
  proof('`await`', 'slowWrite', { B: 'is let in while A writes', A: 'learns nothing' }, { B: 'is refused as long as A writes', A: 'learns nothing' })('escape-ioredis', 'ioredis and pg', both),
  transactionLock('transaction-lock-postgres-js', 'postgres.js', [['postgresql']]),
  transactionLock('transaction-lock-knex', 'Knex', [['postgresql']]),
];
