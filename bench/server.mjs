/**
 * What an editor waits for, over the real protocol, with the published server, beside plain ESLint on the
 * same file and the same machine:
 *   - an edit in a file of 500 lines until its diagnostics are there;
 *   - the start of the server until the first diagnostics of that file;
 *   - a keystroke in a helper until fifty open files that call it have theirs anew.
 * Each once with the server of the npm package, which has oxc's binary where npm could install it, and once with
 * the same files where none is near, as in the editor's package. Beside each time stands what the server's processor time was, where the system tells it: on a machine that
 * does other things as well, only that means something.
 * Says where a promise of docs/editors.md is missed, and ends with 1 then.
 * usage: node bench/server.mjs [edits]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { ensureBuilt } from '../tools/fresh.mjs';
import { root } from '../tools/load.mjs';
import { build } from '../tools/build.mjs';
import { makePackages } from '../tools/package.mjs';

const edits = Number(process.argv[2] ?? 200);
const starts = 9;
ensureBuilt();

/** A service of about 500 lines: jobs under leases with writes, and the code around them. */
function service(lines) {
  const parts = ["import Redis from 'ioredis';", "import { Pool } from 'pg';", 'const redis = new Redis();', 'const pool = new Pool();'];
  for (let n = 0; parts.length < lines; n++) {
    parts.push(
      `export async function job${n}(id: string): Promise<number> {`,
      '  const owner = crypto.randomUUID();',
      `  if ((await redis.set(\`job${n}:\${id}\`, owner, 'PX', 5000, 'NX')) !== 'OK') return 0;`,
      '  try {',
      `    const { rows } = await pool.query('SELECT total FROM t${n} WHERE id = $1', [id]);`,
      '    const total = rows.reduce((sum: number, row: { total: number }) => sum + row.total, 0);',
      `    await pool.query('UPDATE t${n} SET total = $1 WHERE id = $2', [total, id]);`,
      '    return total;',
      '  } finally {',
      `    await redis.del(\`job${n}:\${id}\`);`,
      '  }',
      '}',
      ...Array.from({ length: 8 }, (_, i) => `export const price${n}x${i} = (cents: number, rate: number): string => \`\${((cents * (100 + rate)) / 10_000).toFixed(2)} of ${i}\`;`),
    );
  }
  return `${parts.slice(0, lines - 1).join('\n')}\n`;
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];

/** A server with a client that is published to, as most editors are; `dist` is the folder that it is started from. */
async function session(dist) {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(dist, 'server.cjs'), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const waiting = new Map();
  connection.onNotification('textDocument/publishDiagnostics', (it) => waiting.get(it.uri)?.(it));
  connection.listen();
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  void connection.sendNotification('initialized', {});
  return {
    begun,
    /** Milliseconds for which the process has had a processor so far; undefined where the system does not tell. */
    worked() {
      try {
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
        return (Number(fields[11]) + Number(fields[12])) * 10;
      } catch {
        return undefined;
      }
    },
    notify: (method, params) => void connection.sendNotification(method, params),
    /** The next publication for a document that fits. */
    next: (uri, fits = () => true) => new Promise((resolve) => waiting.set(uri, (it) => fits(it) && resolve(it))),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await connection.sendRequest('shutdown');
      void connection.sendNotification('exit');
      await ended;
      connection.dispose();
    },
  };
}

const openIn = ({ notify }, uri, text) => notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } });

async function startToFirst(dist, uri, text) {
  const it = await session(dist);
  const first = it.next(uri);
  openIn(it, uri, text);
  const { diagnostics } = await first;
  const took = performance.now() - it.begun;
  const worked = it.worked();
  await it.stop();
  return { took, worked, found: diagnostics.length };
}

async function editToDiagnostics(dist, uri, text) {
  const it = await session(dist);
  const first = it.next(uri);
  openIn(it, uri, text);
  await first;
  const times = [];
  let before;
  for (let n = 0; n < edits + 20; n++) {
    if (n === 20) before = it.worked();
    const version = n + 2;
    const next = it.next(uri, (answer) => answer.version === version);
    const begun = performance.now();
    const at = { line: 4 + (n % 400), character: 0 };
    it.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ range: { start: at, end: at }, text: n % 2 ? '\n' : ' ' }] });
    await next;
    // The first ones warm the process up.
    if (n >= 20) times.push(performance.now() - begun);
  }
  const worked = before === undefined ? undefined : (it.worked() - before) / edits;
  await it.stop();
  return { times, worked };
}

async function helperToDependants(dist, folder) {
  const it = await session(dist);
  const helper = (writes) => `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function save(id: string) {\n  ${writes ? "await pool.query('UPDATE reports SET total = 1 WHERE id = $1', [id]);" : 'console.log(id);'}\n}\n`;
  const job = service(100).replace("import { Pool } from 'pg';", "import { Pool } from 'pg';\nimport { save } from './helper';").replaceAll('return total;', 'await save(id);\n    return total;');
  writeFileSync(join(folder, 'helper.ts'), helper(true));
  const helperUri = pathToFileURL(join(folder, 'helper.ts')).href;
  const uris = Array.from({ length: 50 }, (_, n) => pathToFileURL(join(folder, `job${n}.ts`)).href);
  const all = Promise.all([...uris, helperUri].map((uri) => it.next(uri)));
  openIn(it, helperUri, helper(true));
  for (const uri of uris) openIn(it, uri, job);
  const counts = new Map((await all).map(({ uri, diagnostics }) => [uri, diagnostics.length]));
  const times = [];
  const before = it.worked();
  for (let n = 0; n < 6; n++) {
    const writes = n % 2 === 1;
    const changed = Promise.all(uris.map((uri) => it.next(uri, ({ diagnostics }) => diagnostics.length !== counts.get(uri)).then((answer) => counts.set(uri, answer.diagnostics.length))));
    const begun = performance.now();
    it.notify('textDocument/didChange', { textDocument: { uri: helperUri, version: n + 2 }, contentChanges: [{ text: helper(writes) }] });
    await changed;
    times.push(performance.now() - begun);
  }
  const worked = before === undefined ? undefined : (it.worked() - before) / 6;
  await it.stop();
  return { times, worked };
}

/** ESLint with the TypeScript parser and its own recommended rules, in a process that is warm. */
function plainEslint(text) {
  const linter = new Linter();
  const config = { files: ['**/*.ts'], languageOptions: { parser, sourceType: 'module' }, rules: { 'no-unused-vars': 1, 'no-undef': 0, 'no-fallthrough': 2, 'no-dupe-keys': 2, 'no-unreachable': 2 } };
  let before = process.cpuUsage();
  const times = Array.from({ length: 60 }, (_, n) => {
    if (n === 20) before = process.cpuUsage();
    const begun = performance.now();
    linter.verify(`${text}// ${n}\n`, config, { filename: 'service.ts' });
    return performance.now() - begun;
  }).slice(20);
  const { user, system } = process.cpuUsage(before);
  return { times, worked: (user + system) / 1000 / times.length };
}

const missed = [];
function report(what, ms, limit, worked) {
  console.log(`${what.padEnd(64)} ${ms.toFixed(0).padStart(6)} ms${worked === undefined ? '' : `   processor ${worked.toFixed(0)} ms`}${limit ? `   promised: below ${limit} ms` : ''}`);
  if (limit && ms >= limit) missed.push(what);
}

const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
try {
  const text = service(500);
  writeFileSync(join(folder, 'service.ts'), text);
  const uri = pathToFileURL(join(folder, 'service.ts')).href;
  console.log(`ESLint ${ESLint.version}, Node ${process.version}, ${text.split('\n').length} lines, ${text.length} characters`);

  const alone = join(folder, 'alone');
  await build({ outdir: alone });
  for (const [name, dist] of [['npm package', join(root, 'dist')], ["editor's package", alone]]) {
    console.log(`\n${name}`);
    const first = [];
    for (let n = 0; n < starts; n++) first.push(await startToFirst(dist, uri, text));
    report(`start to first diagnostics (${first[0].found} findings), median of ${starts}`, quantile(first.map((it) => it.took), 0.5), 500, quantile(first.map((it) => it.worked), 0.5));
    const { times, worked } = await editToDiagnostics(dist, uri, text);
    report(`edit to diagnostics, median of ${edits}`, quantile(times, 0.5), undefined, worked);
    report('edit to diagnostics, 95 of 100', quantile(times, 0.95), 60);
    const callers = await helperToDependants(dist, folder);
    report('a keystroke in a helper to 50 callers anew, worst of 6', Math.max(...callers.times), 1000, callers.worked);
  }
  console.log('');
  const plain = plainEslint(text);
  report('plain ESLint with five core rules, same text, no protocol, median', quantile(plain.times, 0.5), undefined, plain.worked);
  report('plain ESLint, 95 of 100', quantile(plain.times, 0.95));
  const { vsix } = await makePackages({ outdir: folder });
  const size = statSync(vsix).size / 1024 / 1024;
  console.log(`${'the extension, packed'.padEnd(64)} ${size.toFixed(2).padStart(6)} MB   promised: below 4 MB`);
  if (size >= 4) missed.push('the size of the extension');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}.`);
  process.exitCode = 1;
}
