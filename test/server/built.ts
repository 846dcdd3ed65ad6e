/** The published files, built once per test file into a folder of their own, and servers started from them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
// @ts-expect-error: the build is plain JavaScript
import { build } from '../../tools/build.mjs';
import { startSession, type Session } from './session.ts';

/** Builds before the tests of the calling file and removes everything after them; call it at the top level. */
export function builtFiles(): { path(name: string): string } {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fencepost-built-'));
    await build({ outdir: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { path: (name) => join(folder, name) };
}

export interface Servers {
  /** A server of the running test's own, for what must be said at its start. */
  start(options?: Parameters<typeof startSession>[1]): Promise<Session>;
  /** One server for all tests of the file; what they open is closed after each. */
  shared(): Promise<Session>;
  path(name: string): string;
}

/** Servers over stdio for the calling test file; call it at the top level. */
export function servers(): Servers {
  const { path } = builtFiles();
  let session: Promise<Session> | undefined;
  afterEach(async () => void (await (await session)?.closeAll()));
  afterAll(async () => void (await session)?.process.kill());
  return {
    path,
    async start(options) {
      const own = await startSession([path('server.cjs'), '--stdio'], options);
      onTestFinished(() => void own.process.kill());
      return own;
    },
    shared: () => (session ??= startSession([path('server.cjs'), '--stdio'])),
  };
}
