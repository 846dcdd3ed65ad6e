/**
 * What the analysis costs beyond the parse. Prints medians and maxima of many runs, on files that it makes
 * in a temporary folder:
 *   - a file that mentions no lock;
 *   - a section that calls ten helpers in ten other files, the first time and again after an edit;
 *   - the same after one helper has changed.
 * usage: node bench/model.mjs [runs]
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as parser from '@typescript-eslint/parser';
import { loadTypeScript } from '../tools/load.mjs';

const runs = Number(process.argv[2] ?? 50);
const { analyse, fileHost, defaultSettings, parseFile } = await loadTypeScript('bench/entry.ts');

const parse = (file, text) => {
  try {
    return parser.parse(text, { filePath: file, range: true, loc: true, comment: true, sourceType: 'module' });
  } catch {
    return undefined;
  }
};

const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
const write = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

mkdirSync(folder, { recursive: true });
write('package.json', '{ "name": "bench", "dependencies": { "ioredis": "^5.4.0", "pg": "^8.11.0" } }');
write('lock.ts', `import Redis from 'ioredis';
import { randomUUID } from 'node:crypto';
const redis = new Redis();
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
export async function withLock<T>(key: string, ms: number, work: () => Promise<T>): Promise<T | null> {
  const owner = randomUUID();
  if ((await redis.set(key, owner, 'PX', ms, 'NX')) !== 'OK') return null;
  try { return await work(); } finally { await redis.eval(RELEASE, 1, key, owner); }
}
`);
const helper = (n, filler) => `import { Pool } from 'pg';
const pool = new Pool();
${Array.from({ length: filler }, (_, i) => `export const note${i} = (a: number, b: number): number => (a > b ? a - b : b - a) + ${i};`).join('\n')}
async function store(id: string, value: number): Promise<void> {
  await pool.query('UPDATE t${n} SET value = $1 WHERE id = $2', [value, id]);
}
export async function step${n}(id: string): Promise<void> {
  await store(id, note0(${n}, 3));
}
`;
for (let n = 0; n < 10; n++) write(`step${n}.ts`, helper(n, 60));
const section = write('job.ts', `import { withLock } from './lock.ts';
${Array.from({ length: 10 }, (_, n) => `import { step${n} } from './step${n}.ts';`).join('\n')}
export const run = (id: string) => withLock(\`job:\${id}\`, 5_000, async () => {
${Array.from({ length: 10 }, (_, n) => `  await step${n}(id);`).join('\n')}
});
`);
const plain = write('plain.ts', helper(1, 200).replaceAll('pg', 'fs').replaceAll('UPDATE', 'NOTE'));

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const report = (name, values) => console.log(`${name.padEnd(66)} median ${median(values).toFixed(2).padStart(7)} ms   max ${Math.max(...values).toFixed(2).padStart(7)} ms`);
const { readFileSync } = await import('node:fs');
const input = (file) => {
  const text = readFileSync(file, 'utf8');
  return { file, text, program: parse(file, text) };
};
const timed = (host, it) => {
  const begun = performance.now();
  const found = analyse(it, host, defaultSettings);
  return { ms: performance.now() - begun, found };
};

try {
  const host = fileHost({ parse });
  const plainInput = input(plain);
  timed(host, plainInput);
  report('a file of 200 functions that mentions no lock', Array.from({ length: runs }, () => timed(host, plainInput).ms));

  const parses = Array.from({ length: 10 }, (_, n) => {
    const begun = performance.now();
    parse(join(folder, `step${n}.ts`), helper(n, 60));
    return performance.now() - begun;
  });
  report('parse of one helper, for comparison', parses);

  const it = input(section);
  const first = timed(host, it);
  const found = first.found?.findings.filter((each) => each.rule === 'require-fencing-token').length;
  if (found !== 10) throw new Error(`ten findings were expected, not ${found}`);
  report('ten helpers in ten files, the first time (parses them)', [first.ms]);
  const own = { ...it, program: parseFile(section, it.text) };
  report('ten helpers in ten files, nothing kept, by the command\'s own parser', Array.from({ length: 10 }, () => timed(fileHost({ parse: (file, text) => parseFile(file, text) }), own).ms));
  const fresh = Array.from({ length: 10 }, () => timed(fileHost({ parse: (file, text) => parse(file, text) }), it).ms);
  report('ten helpers in ten files, nothing kept (parses them)', fresh);
  report('ten helpers in ten files, again', Array.from({ length: runs }, () => timed(host, it).ms));
  report('ten helpers, after an edit of the section', Array.from({ length: runs }, () => timed(host, input(section)).ms));
  report(
    'ten helpers, after an edit of one of them',
    Array.from({ length: runs }, (_, i) => {
      const path = write('step3.ts', `${helper(3, 60)}// ${i}\n`);
      utimesSync(path, new Date(), new Date(Date.now() + i * 1000));
      // The host asks the disk at most every 50 ms about one file.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      return timed(host, it).ms;
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
