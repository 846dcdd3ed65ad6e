/** An edit that reaches into the callers of a helper: offered with all of them or not at all, and shown before it is done. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CodeAction, TextDocumentEdit } from 'vscode-languageserver/node';
import { servers } from './built.ts';
import { able } from './session.ts';
import { root } from '../root.ts';

const server = servers();
const demo = (path: string) => readFileSync(join(root, 'demo/src', path), 'utf8');
const helper = demo('locks/lock-helper.ts');
const caller = demo('locks/close-register.ts');
const base = { 'package.json': '{ "name": "shop", "private": true }', 'src/clients.ts': demo('clients.ts'), 'src/locks/lock-helper.ts': helper, 'src/locks/close-register.ts': caller };

/** The actions at the blind release of `src/locks/lock-helper.ts`, in a project of these files. */
async function actionsIn(files: Record<string, string>, capabilities = able) {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-across-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const uri = (name: string) => pathToFileURL(join(folder, name)).href;
  const session = await server.start({ capabilities, folders: [uri('')] });
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

const notKnown: Record<string, Record<string, string>> = {
  'a caller that has no owner value at hand': { 'src/cron.ts': "import { releaseLock } from './locks/lock-helper.js';\nexport const unlock = (id: string) => releaseLock(`register:${id}`);\n" },
  'a function that is handed on': { 'src/table.ts': "import { releaseLock } from './locks/lock-helper.js';\nexport const table = { releaseLock };\n" },
  'a re-export': { 'src/index.ts': "export * from './locks/lock-helper.js';\n" },
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
