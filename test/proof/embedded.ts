/** Engines that need no server: PostgreSQL in this process behind a socket of the real protocol, and SQLite files. */
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from './servers.ts';

export type EngineName = 'pglite' | 'sqlite';

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

export const engines: Record<EngineName, () => Promise<Server>> = { pglite, sqlite };
