/** What a proof looks at: the rows and keys of the servers that the instances share, seen through clients of the test's own. */
import Redis from 'ioredis';
import Sqlite from 'libsql';
import mysql from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { startRest } from './rest-stand-in.ts';
import { type EngineName, engines } from './embedded.ts';
import { type Server, type ServerName, servers } from './servers.ts';

export type StoreName = ServerName | EngineName;

type Rows = Record<string, unknown>[];

/** One SQL database, asked in its own dialect. */
interface Database {
  query(sql: string): Promise<Rows>;
  close(): Promise<void>;
}

const open: Partial<Record<StoreName, (url: string) => Database>> = { postgresql, pglite: postgresql, mariadb, sqlite };

function postgresql(url: string): Database {
  const pool = new Pool({ connectionString: url, max: 1 });
  return { query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows, close: () => pool.end() };
}

function mariadb(url: string): Database {
  const pool = mysql.createPool(url);
  return { query: async (sql) => (await pool.query(sql))[0] as Rows, close: () => pool.end() };
}

function sqlite(file: string): Database {
  const db = new Sqlite(file);
  return {
    query: (sql) => {
      const statement = db.prepare(sql);
      return Promise.resolve(statement.reader ? (statement.all() as Rows) : (statement.run(), []));
    },
    close: () => Promise.resolve(void db.close()),
  };
}

/** The same tables in each dialect: a lock row whose grants are counted, and the report that it protects, with the column of the fence. */
const tables: Partial<Record<StoreName, string[]>> = {
  postgresql: ['CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT, expires_at TIMESTAMPTZ NOT NULL, token BIGINT NOT NULL)', 'CREATE TABLE reports (id INTEGER PRIMARY KEY, body TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0, last_token BIGINT NOT NULL DEFAULT 0)'],
  mariadb: ['CREATE TABLE leases (name VARCHAR(40) PRIMARY KEY, owner VARCHAR(80), expires_at DATETIME(3) NOT NULL, token BIGINT NOT NULL)', 'CREATE TABLE reports (id INTEGER PRIMARY KEY, body TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0, last_token BIGINT NOT NULL DEFAULT 0)'],
  sqlite: ['CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT, expires_at INTEGER NOT NULL, token INTEGER NOT NULL)', 'CREATE TABLE reports (id INTEGER PRIMARY KEY, body TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0, last_token BIGINT NOT NULL DEFAULT 0)'],
};
tables.pglite = tables.postgresql;

const long = { postgresql: "'2000-01-01'", pglite: "'2000-01-01'", mariadb: "'2000-01-01'", sqlite: '0' } as Partial<Record<StoreName, string>>;

/** Servers that have been started, each once, and the clients by which they are looked at. */
export class Stores {
  private readonly started = new Map<StoreName, Server>();
  private readonly databases = new Map<StoreName, Database>();
  private client: Redis | undefined;
  private rest: Server | undefined;

  /** Starts what is not running yet. */
  async start(names: readonly StoreName[]): Promise<void> {
    for (const name of names) {
      if (this.started.has(name)) continue;
      const server = await (name in servers ? servers[name as ServerName].start() : engines[name as EngineName]());
      this.started.set(name, server);
      if (name === 'redis') {
        this.client = new Redis(server.url);
        this.rest = await startRest(this.client);
      }
      const database = open[name]?.(server.url);
      if (!database) continue;
      this.databases.set(name, database);
      for (const sql of tables[name] ?? []) await database.query(sql);
    }
  }

  async stop(): Promise<void> {
    await this.rest?.stop();
    this.client?.disconnect();
    for (const it of this.databases.values()) await it.close();
    for (const it of this.started.values()) await it.stop();
  }

  /** What an instance is told of the servers. */
  environment(names: readonly StoreName[]): Record<string, string> {
    const rest: Record<string, string> = names.includes('redis') && this.rest ? { REDIS_REST_URL: this.rest.url } : {};
    return { ...rest, ...Object.fromEntries(names.map((name) => [name === 'redis' ? 'REDIS_URL' : name === 'etcd' ? 'ETCD_URL' : name === 'zookeeper' ? 'ZOOKEEPER_URL' : 'DATABASE_URL', this.started.get(name)!.url])) };
  }

  get redis(): Redis {
    if (!this.client) throw new Error('This proof has no Redis.');
    return this.client;
  }

  private database(names: readonly StoreName[]): Database {
    for (const name of names) {
      const found = this.databases.get(name);
      if (found) return found;
    }
    throw new Error('This proof has no database.');
  }

  query(names: readonly StoreName[], sql: string): Promise<Rows> {
    return this.database(names).query(sql);
  }

  /** Locks the report's row in PostgreSQL until the answer is called. */
  async holdRow(names: readonly StoreName[]): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: this.environment(names).DATABASE_URL });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT body FROM reports WHERE id = 1 FOR UPDATE');
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  }

  /** Waits until a statement waits for a row. */
  async waitingWrite(names: readonly StoreName[]): Promise<void> {
    for (let left = 200; ; left--) {
      const [row] = await this.query(names, "SELECT count(*) AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      if (Number(row!.waiting) > 0) return;
      if (left === 0) throw new Error('No write waits for the row.');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Puts everything back to how it was before the first instance. */
  async reset(names: readonly StoreName[]): Promise<void> {
    if (names.includes('redis')) await this.redis.flushall();
    for (const name of names) {
      const database = this.databases.get(name);
      if (!database) continue;
      for (const sql of ['DELETE FROM leases', 'DELETE FROM reports', `INSERT INTO leases (name, owner, expires_at, token) VALUES ('report', NULL, ${long[name]!}, 0)`, "INSERT INTO reports (id, body) VALUES (1, 'first')"]) await database.query(sql);
    }
  }
}
