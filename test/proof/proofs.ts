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

export const proofs: readonly Proof[] = [
  release('release-ioredis', 'ioredis', [['redis']]),
  release('release-node-redis', 'node-redis', [['redis']]),
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
  fence('fence-pg-ioredis', 'ioredis and pg', [['redis', 'postgresql']]),
];
