/** The stores of a proof: servers and engines, each started once, and what the instances are told of them. */
import type Redis from 'ioredis';
import { Client } from 'pg';
import { type EngineName, engines } from './embedded.ts';
import { startRest } from './rest-stand-in.ts';
import type { Server } from './children.ts';
import { type ServerName, servers } from './servers.ts';
import { type StoreName, variables } from './store-names.ts';
import { type Database, type RedisView, type Rows, type View, dynamodb, mariadb, mongodb, postgresql, redis, s3, sqlite, zookeeper } from './views.ts';

/** How a store is looked at; what goes with its holder needs no look. */
const openings: Partial<Record<StoreName, (url: string) => View | Promise<View>>> = { redis, redisWithCommands: redis, postgresql, pglite: postgresql, mariadb, sqlite, dynalite: dynamodb, mingo: mongodb, ceph: s3, zookeeper };

export class Stores {
  private readonly started = new Map<StoreName, Server>();
  private readonly views = new Map<StoreName, View>();
  private rest: Server | undefined;

  /** Starts what is not running yet. */
  async start(names: readonly StoreName[]): Promise<void> {
    for (const name of names) {
      if (this.started.has(name)) continue;
      const server = await (name in servers ? servers[name as ServerName].start() : engines[name as EngineName]());
      this.started.set(name, server);
      const view = await openings[name]?.(server.url);
      if (view) this.views.set(name, view);
      if (name === 'redis') this.rest = await startRest(this.redis);
    }
  }

  async stop(): Promise<void> {
    await this.rest?.stop();
    for (const it of this.views.values()) await it.close();
    for (const it of this.started.values()) await it.stop();
  }

  /** What an instance is told of the servers. */
  environment(names: readonly StoreName[]): Record<string, string> {
    const rest: Record<string, string> = names.includes('redis') && this.rest ? { REDIS_REST_URL: this.rest.url } : {};
    return { ...rest, ...Object.fromEntries(names.map((name) => [variables[name], this.started.get(name)!.url])) };
  }

  get redis(): Redis {
    const view = this.views.get('redis');
    if (!view) throw new Error('This proof has no Redis.');
    return (view as RedisView).client;
  }

  /** What the report holds: the last of the stores keeps the data, those before it the lock. */
  body(names: readonly StoreName[]): Promise<string> {
    return this.views.get(names[names.length - 1]!)!.body!();
  }

  /** Asks the SQL database among the stores. */
  query(names: readonly StoreName[], sql: string): Promise<Rows> {
    const database = names.flatMap((it) => this.views.get(it) ?? []).find((it): it is Database => 'query' in it);
    if (!database) throw new Error('This proof has no database.');
    return database.query(sql);
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
    for (const name of names) await this.views.get(name)?.reset();
  }
}
