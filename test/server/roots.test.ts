/** Several open folders: each has its own settings and its own ESLint configuration, and may go. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { servers } from './built.ts';
import { able } from './session.ts';
import { blindRelease } from './texts.ts';

const server = servers();

/** Two folders with a job each, of which the second has an ESLint configuration. */
async function twoRoots() {
  const parent = mkdtempSync(join(tmpdir(), 'fencepost-roots-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const uriOf = (path: string) => pathToFileURL(join(parent, path)).href;
  for (const name of ['shop', 'depot']) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'job.ts'), blindRelease);
  }
  writeFileSync(join(parent, 'depot/eslint.config.js'), "import fencepost from 'eslint-plugin-fencepost';\nexport default [{ plugins: { fencepost }, rules: { 'fencepost/no-blind-release': 'warn' } }];\n");
  const session = await server.start({ capabilities: { ...able, workspace: { ...able.workspace, workspaceFolders: true } }, folders: [uriOf('shop'), uriOf('depot')] });
  const severities = async (name: string) => (await session.diagnostics(uriOf(`${name}/job.ts`))).map(({ code, severity }) => [code, severity]);
  return { session, uriOf, severities };
}

test('the settings of one folder do not count in the other, nor does its configuration', async () => {
  const { session, uriOf, severities } = await twoRoots();
  session.settingsFor = (uri) => (uri.startsWith(uriOf('shop')) ? { rules: { 'no-blind-release': 'hint' } } : undefined);
  for (const name of ['shop', 'depot']) session.open(uriOf(`${name}/job.ts`), blindRelease);
  expect(await severities('shop')).toEqual([['no-blind-release', 4]]);
  expect(await severities('depot')).toEqual([['no-blind-release', 2]]);

  session.settingsFor = (uri) => (uri.startsWith(uriOf('shop')) ? { enable: false } : undefined);
  session.notify('workspace/didChangeConfiguration', { settings: null });
  expect(await severities('shop')).toEqual([]);
  expect(await severities('depot')).toEqual([['no-blind-release', 2]]);
});

test('a scan looks into the folders that it is given', async () => {
  const { session, uriOf } = await twoRoots();
  session.settingsFor = (uri) => (uri.startsWith(uriOf('shop')) ? { enable: false } : undefined);
  const { files } = await session.request<{ files: { uri: string }[] }>('fencepost/scan', { folders: [uriOf('shop'), uriOf('depot')] });
  expect(files.map((it) => it.uri)).toEqual([uriOf('depot/job.ts')]);
});

test('a folder that is taken out keeps no one from working in the other', async () => {
  const { session, uriOf, severities } = await twoRoots();
  for (const name of ['shop', 'depot']) session.open(uriOf(`${name}/job.ts`), blindRelease);
  session.notify('workspace/didChangeWorkspaceFolders', { event: { added: [], removed: [{ uri: uriOf('depot'), name: 'depot' }] } });
  session.close(uriOf('depot/job.ts'));
  expect(await severities('shop')).toEqual([['no-blind-release', 1]]);
  expect(await severities('depot')).toEqual([]);
});
