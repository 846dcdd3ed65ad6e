/** Engines that need no server: PostgreSQL in this process behind a socket of the real protocol, SQLite files, and stand-ins for DynamoDB and MongoDB. */
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import dynalite from 'dynalite';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from './mongo-stand-in.ts';
import type { Server } from './children.ts';

export type EngineName = 'pglite' | 'sqlite' | 'dynalite' | 'mingo';

async function pglite(): Promise<Server> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 20 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}

/** A folder for a database file: every instance opens the same one. */
function sqlite(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-sqlite-'));
  return Promise.resolve({
    url: join(folder, 'proof.db'),
    async stop() {
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** DynamoDB's interface over LevelDB, in memory. */
async function dynamodb(): Promise<Server> {
  const server = dynalite({ createTableMs: 0 }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const engines: Record<EngineName, () => Promise<Server>> = { pglite, sqlite, dynalite: dynamodb, mingo: startMongo };
