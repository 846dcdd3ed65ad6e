/**
 * Makes sure that `dist/` is what the sources say, so that `npm test` and `npm run demo` work on a
 * fresh clone and never run yesterday's build. Contents count, not times: a checkout changes those.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './load.mjs';

/** What the build reads. */
const inputs = ['catalog', 'model', 'rules', 'server', 'extension', 'cli', 'tools', 'package.json', 'package-lock.json', 'tsconfig.json'];
const stamp = join(root, 'node_modules/.cache/fencepost/built');
const outputs = ['plugin.cjs', 'plugin.mjs', 'cli.cjs', 'server.cjs', 'extension.cjs'];

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

function sourcesHash() {
  const hash = createHash('sha256');
  for (const input of inputs) for (const file of filesBelow(join(root, input))) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** Builds when `dist/` is missing or stale; answers whether it did. */
export function ensureBuilt() {
  const hash = sourcesHash();
  const isThere = outputs.every((name) => existsSync(join(root, 'dist', name)));
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(join(stamp, '..'), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

/** Vitest calls this before the first test. */
export const setup = () => void ensureBuilt();

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) ensureBuilt();
