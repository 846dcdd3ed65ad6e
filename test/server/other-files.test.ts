/** Findings that hang on other files: they follow what is typed there, and what happens to them on disk. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { servers } from './built.ts';
import { able, pushed } from './session.ts';

const server = servers();

const job = `import Redis from 'ioredis';
import { save } from './store';

const redis = new Redis();

export async function run(id: string) {
  const owner = crypto.randomUUID();
  if ((await redis.set(\`lock:\${id}\`, owner, 'PX', 5000, 'NX')) !== 'OK') return;
  try {
    await save(id);
  } finally {
    await redis.eval('if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0', 1, \`lock:\${id}\`, owner);
  }
}
`;

const writing = `import { Pool } from 'pg';

const pool = new Pool();

export async function save(id: string) {
  await pool.query('UPDATE reports SET total = 1 WHERE id = $1', [id]);
}
`;

const quiet = 'export async function save(id: string) {\n  console.log(id);\n}\n';

/** A folder with the job, and with the given text of its helper if there is one. */
function project(store?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'src'));
  const path = (name: string) => join(folder, 'src', name);
  writeFileSync(path('job.ts'), job);
  if (store !== undefined) writeFileSync(path('store.ts'), store);
  return { path, uri: (name: string) => pathToFileURL(path(name)).href };
}

test('typing in a helper refreshes the open files that call it', async () => {
  const { uri } = project(writing);
  const session = await server.shared();
  session.open(uri('job.ts'), job);
  const rules = async () => (await session.diagnostics(uri('job.ts'))).map((it) => it.code);
  expect(await rules()).toEqual(['require-fencing-token']);

  session.open(uri('store.ts'), writing);
  const refreshed = session.refreshed();
  session.edit(uri('store.ts'), undefined, quiet);
  await refreshed;
  expect(await rules()).toEqual([]);

  // Closed without saving: what is on disk counts again.
  const restored = session.refreshed();
  session.close(uri('store.ts'));
  await restored;
  expect(await rules()).toEqual(['require-fencing-token']);
});

test('a helper and then its caller are edited, and only the helper was asked for between', async () => {
  const { uri } = project(writing);
  const session = await server.shared();
  session.open(uri('store.ts'), writing);
  session.open(uri('job.ts'), job);
  const rules = async () => (await session.diagnostics(uri('job.ts'))).map((it) => it.code);
  expect(await rules()).toEqual(['require-fencing-token']);
  session.edit(uri('store.ts'), undefined, quiet);
  await session.pull(uri('store.ts'));
  session.edit(uri('job.ts'), undefined, `${job}// edited\n`);
  expect(await rules()).toEqual([]);
});

test('a client that is published to gets the callers anew', async () => {
  const { uri } = project(quiet);
  const session = await server.start({ capabilities: pushed });
  session.open(uri('job.ts'), job);
  expect((await session.publishedFor(uri('job.ts'))).diagnostics).toEqual([]);
  const before = session.published.length;
  session.open(uri('store.ts'), writing);
  await session.publishedFor(uri('store.ts'));
  const again = await session.publishedAfter(before, uri('job.ts'));
  expect(again.diagnostics.map((it) => it.code)).toEqual(['require-fencing-token']);
});

test('a helper that comes on disk is found', async () => {
  const { uri, path } = project();
  const session = await server.start({ capabilities: { ...able, workspace: { ...able.workspace, didChangeWatchedFiles: { dynamicRegistration: true } } } });
  session.open(uri('job.ts'), job);
  const rules = async () => (await session.diagnostics(uri('job.ts'))).map((it) => it.code);
  expect(await rules()).toEqual([]);
  writeFileSync(path('store.ts'), writing);
  const refreshed = session.refreshed();
  session.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri('store.ts'), type: 1 }] });
  await refreshed;
  expect(await rules()).toEqual(['require-fencing-token']);
});

/** A session that is told what happens on disk, and what it says about the job afterwards. */
async function watched(store: string) {
  const { uri, path } = project(store);
  const session = await server.start({ capabilities: { ...able, workspace: { ...able.workspace, didChangeWatchedFiles: { dynamicRegistration: true } } } });
  session.open(uri('job.ts'), job);
  return {
    uri,
    path,
    session,
    rules: async () => (await session.diagnostics(uri('job.ts'))).map((it) => it.code),
    /** `changes` by file name: 1 made, 2 changed, 3 removed. */
    async told(changes: Record<string, 1 | 2 | 3>) {
      const refreshed = session.refreshed();
      session.notify('workspace/didChangeWatchedFiles', { changes: Object.entries(changes).map(([name, type]) => ({ uri: uri(name), type })) });
      await refreshed;
    },
  };
}

test('a helper that is removed is no longer known, and is again when it comes back', async () => {
  const { path, rules, told } = await watched(writing);
  expect(await rules()).toEqual(['require-fencing-token']);
  rmSync(path('store.ts'));
  await told({ 'store.ts': 3 });
  expect(await rules()).toEqual([]);
  writeFileSync(path('store.ts'), writing);
  await told({ 'store.ts': 1 });
  expect(await rules()).toEqual(['require-fencing-token']);
});

test('a helper that is renamed is known under its new name, when its caller says that', async () => {
  const { uri, path, session, rules, told } = await watched(writing);
  expect(await rules()).toEqual(['require-fencing-token']);
  renameSync(path('store.ts'), path('reports.ts'));
  await told({ 'store.ts': 3, 'reports.ts': 1 });
  expect(await rules()).toEqual([]);
  session.edit(uri('job.ts'), "'./store'", "'./reports'");
  expect(await rules()).toEqual(['require-fencing-token']);
});

test('an open file that is renamed takes its findings along, and leaves none behind', async () => {
  const { uri, path, session, rules } = await watched(writing);
  expect(await rules()).toEqual(['require-fencing-token']);
  renameSync(path('job.ts'), path('work.ts'));
  session.close(uri('job.ts'));
  session.open(uri('work.ts'), job);
  expect((await session.diagnostics(uri('work.ts'))).map((it) => it.code)).toEqual(['require-fencing-token']);
  expect(await rules()).toEqual([]);
});

test('after the change of a branch, everything is as the files are: the helper, its caller, what it calls', async () => {
  const { uri, path, session, rules, told } = await watched(writing);
  expect(await rules()).toEqual(['require-fencing-token']);
  // There, the statement is a file further away, and fenced.
  writeFileSync(path('store.ts'), "export { save } from './rows';\n");
  writeFileSync(path('rows.ts'), writing.replace("SET total = 1 WHERE id = $1', [id]", "SET total = 1, version = version + 1 WHERE id = $1 AND version = $2', [id, 1]"));
  await told({ 'store.ts': 2, 'rows.ts': 1 });
  expect(await rules()).not.toContain('require-fencing-token');
  // And back, in a text of the caller that the editor has read again.
  writeFileSync(path('store.ts'), writing);
  rmSync(path('rows.ts'));
  session.edit(uri('job.ts'), undefined, `// main\n${job}`);
  await told({ 'store.ts': 2, 'rows.ts': 3 });
  expect(await rules()).toEqual(['require-fencing-token']);
});
