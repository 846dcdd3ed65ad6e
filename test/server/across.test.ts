/** An edit that reaches into the callers of a helper: offered with all of them or not at all, and shown before it is done. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CodeAction, TextDocumentEdit } from 'vscode-languageserver/node';
import { servers } from './built.ts';
import { able } from './session.ts';
import { root } from '../root.ts';

const server = servers();
const demo = (path: string) => readFileSync(join(root, 'demo/src', path), 'utf8');
const helper = demo('locks/lock-helper.ts');
const caller = demo('locks/close-register.ts');
const base = { 'package.json': '{ "name": "shop", "private": true }', 'src/clients.ts': demo('clients.ts'), 'src/locks/lock-helper.ts': helper, 'src/locks/close-register.ts': caller };

/** A server over a project of these files. */
async function project(files: Record<string, string>, capabilities = able) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-across-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const uri = (name: string) => pathToFileURL(join(folder, name)).href;
  return { session: await server.start({ capabilities, folders: [uri('')] }), uri };
}

/** The actions at the blind release of `src/locks/lock-helper.ts`, in a project of these files. */
async function actionsIn(files: Record<string, string>, capabilities = able) {
  const { session, uri } = await project(files, capabilities);
  session.open(uri('src/locks/lock-helper.ts'), files['src/locks/lock-helper.ts']!);
  const found = (await session.diagnostics(uri('src/locks/lock-helper.ts'))).find((it) => it.code === 'no-blind-release')!;
  const look = async (): Promise<CodeAction | undefined> => (await session.actions(uri('src/locks/lock-helper.ts'), found.range)).find((it) => it.title.startsWith('Release only if still ours'));
  return { session, uri, look, action: await look() };
}

const textEdits = (action: CodeAction): TextDocumentEdit[] => action.edit!.documentChanges as TextDocumentEdit[];

test('the helper takes the owner value and its caller hands it in; applied, both are silent', async () => {
  const { session, uri, look } = await actionsIn(base);
  session.open(uri('src/locks/close-register.ts'), caller);
  const action = (await look())!;
  expect(action.title).toBe('Release only if still ours (Lua), and hand in the owner value at its one call in other files');
  session.apply(action);
  expect(session.text(uri('src/locks/lock-helper.ts'))).toContain('releaseLock(name: string, owner: string): Promise<void>');
  expect(session.text(uri('src/locks/close-register.ts'))).toBe(caller.replace('releaseLock(`register:${register}`)', 'releaseLock(`register:${register}`, owner)'));
  expect(await session.diagnostics(uri('src/locks/lock-helper.ts'))).toEqual([]);
  expect(await session.diagnostics(uri('src/locks/close-register.ts'))).toEqual([]);
});

test('a client that shows edits first is asked to', async () => {
  const shows = { ...able, workspace: { ...able.workspace, workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } } };
  const { action, uri } = await actionsIn(base, shows);
  expect(Object.values(action!.edit!.changeAnnotations!).map((it) => it.needsConfirmation)).toEqual([true, true]);
  const annotated = textEdits(action!).flatMap((it) => it.edits.map((edit) => ('annotationId' in edit ? edit.annotationId : undefined)));
  expect(annotated.every((it) => it !== undefined && it in action!.edit!.changeAnnotations!)).toBe(true);
  // A file that is not open has no version.
  expect(textEdits(action!).find((it) => it.textDocument.uri === uri('src/locks/close-register.ts'))!.textDocument.version).toBeNull();
});

test('every call in every file is changed, by whatever name it is imported', async () => {
  const other = caller.replace('acquireLock, releaseLock', 'acquireLock as take, releaseLock as give').replace('await acquireLock', 'await take').replace('await releaseLock', 'await give').replaceAll('owner', 'held');
  const { action } = await actionsIn({ ...base, 'src/other.ts': other.replaceAll("'../", "'./").replaceAll("'./lock-helper", "'./locks/lock-helper") });
  expect(action!.title).toContain('at its 2 calls in other files');
  expect(textEdits(action!).flatMap((it) => it.edits.map((edit) => ('newText' in edit ? edit.newText : ''))).sort()).toEqual(expect.arrayContaining([', held', ', owner']));
});

test('a caller behind a re-export is a caller', async () => {
  const { action } = await actionsIn({ ...base, 'src/index.ts': "export * from './locks/lock-helper.js';\n", 'src/other.ts': caller.replaceAll("'../", "'./").replace("'./lock-helper.js'", "'./index.js'") });
  expect(action!.title).toContain('at its 2 calls in other files');
});

const notKnown: Record<string, Record<string, string>> = {
  'a caller that has no owner value at hand': { 'src/cron.ts': "import { releaseLock } from './locks/lock-helper.js';\nexport const unlock = (id: string) => releaseLock(`register:${id}`);\n" },
  'a function that is handed on': { 'src/table.ts': "import { releaseLock } from './locks/lock-helper.js';\nexport const table = { releaseLock };\n" },
  'a re-export of everything under one name': { 'src/index.ts': "export * as locks from './locks/lock-helper.js';\n" },
  'an import of everything': { 'src/all.ts': "import * as locks from './locks/lock-helper.js';\nexport const all = locks;\n" },
  'a module that is required': { 'src/old.cts': "const { releaseLock } = require('./locks/lock-helper.js');\nreleaseLock('x');\n" },
  'a caller that does not parse': { 'src/broken.ts': "import { releaseLock } from './locks/lock-helper.js';\nreleaseLock(\n" },
  'an owner value that may be missing': { 'src/locks/close-register.ts': caller.replace('  if (owner === null) return false;\n', '') },
  'a package that publishes the helper': { 'package.json': '{ "name": "shop", "exports": { "./*": "./src/*" } }' },
  'a component that calls it': { 'src/App.vue': "<script setup>\nimport { releaseLock } from './locks/lock-helper.js';\nreleaseLock('x');\n</script>\n" },
  'no caller at all': { 'src/locks/close-register.ts': 'export {};\n' },
};

test.each(Object.keys(notKnown))('%s: nothing is offered', async (name) => {
  const { action } = await actionsIn({ ...base, ...notKnown[name] });
  expect(action).toBeUndefined();
});

test('a helper outside of the open folders has callers that nobody knows', async () => {
  const { session, uri } = await actionsIn(base);
  const outside = mkdtempSync(join(tmpdir(), 'fencepost-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const file = pathToFileURL(join(outside, 'lock-helper.ts')).href;
  session.open(file, helper.replace("'../clients.js'", `'${new URL(uri('src/clients.ts')).pathname}'`));
  const found = (await session.diagnostics(file)).find((it) => it.code === 'no-blind-release')!;
  expect((await session.actions(file, found.range)).filter((it) => it.title.startsWith('Release only'))).toEqual([]);
});

describe('a token for a write in another file', () => {
  const repository = "import { pool } from './clients.js';\n\nexport async function save(order: { id: string; total: number }): Promise<void> {\n  await pool.query('UPDATE orders SET total = $1 WHERE id = $2', [order.total, order.id]);\n}\n";
  const service = [
    "import { randomUUID } from 'node:crypto';",
    "import { redis } from './clients.js';",
    "import { save } from './repository.js';",
    '',
    "const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;",
    '',
    'export async function close(id: string, total: number): Promise<void> {',
    '  const owner = randomUUID();',
    "  const reply = await redis.set(`order:${id}`, owner, 'PX', 5_000, 'NX');",
    "  if (reply !== 'OK') return;",
    '  try {',
    '    await save({ id, total });',
    '  } finally {',
    '    await redis.eval(RELEASE, 1, `order:${id}`, owner);',
    '  }',
    '}',
    '',
  ].join('\n');
  const clients = "import { Redis } from 'ioredis';\nimport { Pool } from 'pg';\nexport const redis = new Redis();\nexport const pool = new Pool();\n";
  const shop = { 'package.json': '{ "name": "shop", "private": true }', 'clients.ts': clients, 'repository.ts': repository, 'service.ts': service };

  async function openShop(files: Record<string, string>, capabilities = able) {
    const { session, uri } = await project(files, capabilities);
    session.open(uri('service.ts'), files['service.ts']!);
    const found = (await session.diagnostics(uri('service.ts'))).find((it) => it.code === 'require-fencing-token')!;
    const look = async () => (await session.actions(uri('service.ts'), found.range)).find((it) => it.title.startsWith('Mint a token'));
    return { session, uri, look, action: await look() };
  }

  test('it is minted here, handed on, and compared there; applied, both files are silent', async () => {
    const { session, uri, look } = await openShop(shop);
    session.open(uri('repository.ts'), repository);
    const action = (await look())!;
    expect(action.title).toBe('Mint a token in the grant, and fence the UPDATE that `save` does with it, handed on at its one call');
    session.apply(action);
    expect(session.text(uri('service.ts'))).toContain('await save({ id, total }, token);');
    expect(session.text(uri('repository.ts'))).toContain('total: number }, token: number): Promise<void>');
    expect(session.text(uri('repository.ts'))).toContain("'UPDATE orders SET total = $1, last_token = $3 WHERE id = $2 AND last_token < $3', [order.total, order.id, token]");
    // Others see of a file what has been checked of it.
    expect(await session.diagnostics(uri('repository.ts'))).toEqual([]);
    expect(await session.diagnostics(uri('service.ts'))).toEqual([]);
  });

  test('it is shown first, where the editor can', async () => {
    const { action, uri } = await openShop(shop, { ...able, workspace: { ...able.workspace, workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } } });
    const { changeAnnotations } = action!.edit!;
    expect(Object.values(changeAnnotations!).map((it) => [it.label, it.needsConfirmation])).toEqual([['The token in this file', true], ['The token in other files', true]]);
    const idsIn = (name: string) => new Set(textEdits(action!).filter((it) => it.textDocument.uri === uri(name)).flatMap((it) => it.edits.map((edit) => ('annotationId' in edit ? edit.annotationId : undefined))));
    expect([...idsIn('service.ts')]).toEqual(['here']);
    expect([...idsIn('repository.ts')]).toEqual(['elsewhere']);
  });

  test('a text that has changed since it was looked at gets no edit', async () => {
    const { session, uri, look } = await openShop(shop);
    session.open(uri('repository.ts'), repository);
    await session.diagnostics(uri('repository.ts'));
    session.edit(uri('repository.ts'), 'await pool', 'await pool(');
    expect(await look()).toBeUndefined();
  });

  const unknownCallers: Record<string, Record<string, string>> = {
    'a caller that holds no lock': { 'import.ts': "import { save } from './repository.js';\nexport const load = () => save({ id: '1', total: 2 });\n" },
    'a caller under another lock': { 'other.ts': service.replaceAll('order:', 'refund:').replace('close', 'refund') },
    'a function that is handed on': { 'table.ts': "import { save } from './repository.js';\nexport const table = [save];\n" },
    'a caller that does not parse': { 'broken.ts': "import { save } from './repository.js';\nsave(\n" },
    'a lock that is only for efficiency, elsewhere': { 'other.ts': service.replace('  const reply', '  // fencepost: efficiency -- a test\n  const reply').replace('close', 'again') },
    'a statement that two signatures lead to': { 'repository.ts': repository.replace('export async function save', 'export function save(order: { id: string; total: number }): Promise<void>;\nexport async function save') },
    'a package that publishes the function': { 'package.json': '{ "name": "shop", "exports": { "./*": "./*" } }' },
  };
  test.each(Object.keys(unknownCallers))('%s: nothing is offered', async (name) => {
    const { action } = await openShop({ ...shop, ...unknownCallers[name] });
    expect(action).toBeUndefined();
  });
});
