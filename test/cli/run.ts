/** Runs the built command as a shell would, in a folder of the test's own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../root.ts';

export interface Ran {
  code: number | null;
  out: string;
  /** Standard error. */
  said: string;
}

/** Colour is decided by the environment; the test's own must not decide it. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NO_COLOR' && name !== 'FORCE_COLOR'));

export function fencepost(words: string[], { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli.cjs'), ...words], { cwd, encoding: 'utf8', env: { ...environment, ...env }, maxBuffer: 1 << 28, input: '' });
  return { code: status, out: stdout, said: stderr };
}

/** A folder with these files, removed after the test. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Reported by no-blind-release, which is an error. */
export const blind = `import { randomUUID } from 'node:crypto';
import Redis from 'ioredis';

const redis = new Redis();

export async function exclusively(id: string, work: () => Promise<void>): Promise<void> {
  const owner = randomUUID();
  const granted = await redis.set(\`order:\${id}\`, owner, 'PX', 10_000, 'NX');
  if (granted !== 'OK') throw new Error('busy');
  try {
    await work();
  } finally {
    await redis.del(\`order:\${id}\`);
  }
}
`;

/** Reported by require-fencing-token, which is a warning. */
export const unfenced = `import Redis from 'ioredis';
import { Pool } from 'pg';
import Redlock from 'redlock';

const redlock = new Redlock([new Redis()]);
const pool = new Pool();

export async function rename(id: string, name: string): Promise<void> {
  const lock = await redlock.acquire([\`product:\${id}\`], 5_000);
  try {
    await pool.query('UPDATE products SET name = $1 WHERE id = $2', [name, id]);
  } finally {
    await lock.release();
  }
}
`;

export const harmless = 'export const answer: number = 42;\n';
