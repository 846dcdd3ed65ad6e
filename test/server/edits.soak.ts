/**
 * The server through 2,000 edits in 50 files that depend on each other, with questions in flight all the
 * time: what it says always fits the newest texts, every request is answered, and memory stays what it was.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CancellationTokenSource, type DocumentDiagnosticReport } from 'vscode-languageserver/node';
import { builtFiles } from './built.ts';
import { able, pushed, startSession, type Session } from './session.ts';

const built = builtFiles();
const edits = 2_000;
const helpers = 5;
const jobs = 45;

const helperText = (writes: boolean, n: number): string => `import { Pool } from 'pg';
const pool = new Pool();
export async function save(id: string) {
  ${writes ? "await pool.query('UPDATE reports SET total = 1 WHERE id = $1', [id]);" : 'console.log(id);'} // ${n}
}
`;

const jobText = (job: number, isBlind: boolean, n: number): string => `import Redis from 'ioredis';
import { save } from './helper-${job % helpers}';
const redis = new Redis();
export async function run(id: string) {
  const owner = crypto.randomUUID(); // ${n}
  if ((await redis.set(\`job-${job}:\${id}\`, owner, 'PX', 5000, 'NX')) !== 'OK') return;
  try {
    await save(id);
  } finally {
    ${isBlind ? `await redis.del(\`job-${job}:\${id}\`);` : `await redis.eval('if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0', 1, \`job-${job}:\${id}\`, owner);`}
  }
}
`;

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A project of 50 open files; `expected` tells what must be found in each as it stands. */
function project(session: Session) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const uriOf = (name: string) => pathToFileURL(join(folder, `${name}.ts`)).href;
  const writes = Array.from({ length: helpers }, () => true);
  const blind = Array.from({ length: jobs }, () => false);
  const helperUris = writes.map((_, i) => uriOf(`helper-${i}`));
  const jobUris = blind.map((_, i) => uriOf(`job-${i}`));
  writes.forEach((_, i) => writeFileSync(join(folder, `helper-${i}.ts`), helperText(true, 0)));
  helperUris.forEach((uri) => session.open(uri, helperText(true, 0)));
  jobUris.forEach((uri, i) => session.open(uri, jobText(i, false, 0)));
  const next = numbers(7);
  return {
    helperUris,
    jobUris,
    expected: (job: number): string[] => [...(blind[job] ? ['no-blind-release'] : []), ...(writes[job % helpers] ? ['require-fencing-token'] : [])],
    /** Changes a file; gives its URI. One edit in ten is in a helper, and one in twenty leaves a text that does not parse for a moment. */
    edit(n: number): string {
      const isHelper = next(10) === 0;
      const i = next(isHelper ? helpers : jobs);
      const uri = isHelper ? helperUris[i]! : jobUris[i]!;
      if (next(20) === 0) session.edit(uri, undefined, 'export const half = (');
      if (isHelper) writes[i] = next(2) === 0;
      else blind[i] = next(2) === 0;
      session.edit(uri, undefined, isHelper ? helperText(writes[i]!, n) : jobText(i, blind[i]!, n));
      return uri;
    },
  };
}

const rulesIn = (diagnostics: readonly { code?: unknown }[]): unknown[] => diagnostics.map((it) => it.code).sort();
/** Has a server tell on a signal what of its heap is in use after a collection: what the system has given it says little. */
function probe(): { words: string[]; inUse(pid: number): Promise<number> } {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-probe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [script, answer] = [join(folder, 'probe.cjs'), join(folder, 'answer')];
  writeFileSync(script, `process.on('SIGUSR2', () => { globalThis.gc(); require('node:fs').writeFileSync(${JSON.stringify(`${answer}.new`)}, String(process.memoryUsage().heapUsed)); require('node:fs').renameSync(${JSON.stringify(`${answer}.new`)}, ${JSON.stringify(answer)}); });`);
  return {
    words: ['--expose-gc', '--require', script],
    async inUse(pid) {
      process.kill(pid, 'SIGUSR2');
      while (!existsSync(answer)) await new Promise((resolve) => setTimeout(resolve, 20));
      const bytes = Number(readFileSync(answer, 'utf8'));
      rmSync(answer);
      return bytes / 1024 / 1024;
    },
  };
}

test('diagnostics that are asked for are never stale, every request is answered, memory stays flat', async () => {
  const { words, inUse } = probe();
  const session = await startSession([...words, built.path('server.cjs'), '--stdio'], { capabilities: able, settings: { codeLens: true } });
  onTestFinished(() => void session.process.kill());
  const { jobUris, helperUris, expected, edit } = project(session);
  const next = numbers(11);
  let asked = 0;
  let answered = 0;
  const ask = (method: string, params: object): Promise<unknown> => {
    asked++;
    const source = new CancellationTokenSource();
    const answer = session.connection.sendRequest<unknown>(method, params, source.token).catch((error: { code?: number }) => {
      // Cancelled, or the text has changed: an answer as well.
      if (error.code !== -32800 && error.code !== -32801 && error.code !== -32802) throw error;
      return undefined;
    });
    if (next(12) === 0) source.cancel();
    return answer.finally(() => answered++);
  };
  const memory: number[] = [];
  for (let n = 1; n <= edits; ) {
    const inFlight: Promise<unknown>[] = [];
    const touched = new Set<string>();
    for (let i = 0; i < 20; i++, n++) {
      const uri = edit(n);
      touched.add(uri);
      const textDocument = { uri };
      const position = { line: 5, character: 20 };
      inFlight.push(ask('textDocument/diagnostic', { textDocument }));
      if (next(4) === 0) inFlight.push(ask('textDocument/hover', { textDocument, position }));
      if (next(4) === 0) inFlight.push(ask('textDocument/codeAction', { textDocument, range: { start: position, end: { line: 10, character: 10 } }, context: { diagnostics: [] } }));
      if (next(4) === 0) inFlight.push(ask('textDocument/codeLens', { textDocument }));
    }
    await Promise.all(inFlight);
    // Now nobody types: what is said must fit, in the files that were edited and in those that call them.
    for (const uri of helperUris.filter((it) => touched.has(it))) await session.pull(uri);
    for (const [i, uri] of jobUris.entries()) {
      if (!touched.has(uri) && !touched.has(helperUris[i % helpers]!)) continue;
      const report = await session.request<DocumentDiagnosticReport>('textDocument/diagnostic', { textDocument: { uri } });
      expect(report.kind === 'full' && rulesIn(report.items), `${uri} after ${n} edits`).toEqual(expected(i));
    }
    if (n % 500 === 1) memory.push(await inUse(session.process.pid!));
  }
  expect(asked).toBeGreaterThan(edits);
  expect(answered).toBe(asked);
  process.stdout.write(`heap in use after each 500 edits: ${memory.map((it) => `${it.toFixed(0)} MB`).join(', ')}; ${asked} requests\n`);
  // The first 1,000 fill what is kept; after that there is nothing to add, but for code that gets compiled.
  expect(memory).toHaveLength(4);
  expect(memory.at(-1)!).toBeLessThan(memory[1]! * 1.1);
  expect(await session.stop()).toBe(0);
});

test('what is published last for a text fits it', async () => {
  const session = await startSession([built.path('server.cjs'), '--stdio'], { capabilities: pushed });
  onTestFinished(() => void session.process.kill());
  const { jobUris, helperUris, expected, edit } = project(session);
  for (let n = 1; n <= 400; n++) {
    edit(n);
    if (n % 40 === 0) for (const uri of [...helperUris, ...jobUris]) await session.publishedFor(uri);
  }
  // A request is answered behind all that was due before it; helpers may have sent their callers round once more.
  for (const [i, uri] of jobUris.entries()) {
    const fits = () => rulesIn(session.published.findLast((it) => it.uri === uri)!.diagnostics).join() === expected(i).join();
    while (!fits()) await session.publishedAfter(session.published.length, uri);
  }
  for (const [i, uri] of jobUris.entries()) expect(rulesIn(session.published.findLast((it) => it.uri === uri)!.diagnostics), uri).toEqual(expected(i));
  expect(await session.stop()).toBe(0);
});
