/** A project's ESLint configuration that uses the plugin: read, not run; its severities, settings and files count in the editor. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import { servers } from './built.ts';
import { able } from './session.ts';
import { blindRelease } from './texts.ts';

const server = servers();
const importing = "import fencepost from 'eslint-plugin-fencepost';\n";

function project(config: string, name = 'eslint.config.js') {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return pathToFileURL(join(folder, path)).href;
  };
  const configUri = write(name, config);
  return { write, configUri };
}

/** The severity that the blind release has in `src/job.ts` of a project with this configuration; undefined where it is not reported. */
async function severityWith(config: string, options: { settings?: Record<string, unknown>; file?: string; name?: string } = {}) {
  const { write } = project(config, options.name);
  const uri = write(options.file ?? 'src/job.ts', blindRelease);
  const session = await server.start({ settings: options.settings });
  session.open(uri, blindRelease);
  const found = (await session.diagnostics(uri)).find((it) => it.code === 'no-blind-release');
  return { severity: found?.severity, session, uri };
}

test('a preset, and a severity after it', async () => {
  expect((await severityWith(`${importing}export default [fencepost.configs.recommended];`)).severity).toBe(DiagnosticSeverity.Error);
  expect((await severityWith(`${importing}export default [fencepost.configs.recommended, { rules: { 'fencepost/no-blind-release': 'warn' } }];`)).severity).toBe(DiagnosticSeverity.Warning);
  expect((await severityWith(`${importing}export default [fencepost.configs.recommended, { rules: { 'fencepost/no-blind-release': 0 } }];`)).severity).toBeUndefined();
});

test('defineConfig, extends, a prefix of its own, CommonJS, TypeScript', async () => {
  const helped = `import { defineConfig } from 'eslint/config';\n${importing}export default defineConfig([{ files: ['src/**'], plugins: { fencepost }, extends: ['fencepost/recommended'] }, { rules: { 'fencepost/no-blind-release': ['warn'] } }]);`;
  expect((await severityWith(helped)).severity).toBe(DiagnosticSeverity.Warning);
  expect((await severityWith(`${importing}const rules = { 'locks/no-blind-release': 1 } as const;\nexport default [{ plugins: { locks: fencepost }, rules }];`, { name: 'eslint.config.ts' })).severity).toBe(DiagnosticSeverity.Warning);
  expect((await severityWith("const { configs } = require('eslint-plugin-fencepost');\nmodule.exports = [configs.strict];", { name: 'eslint.config.cjs' })).severity).toBe(DiagnosticSeverity.Error);
});

test('the files that it names, and those that it leaves out', async () => {
  expect((await severityWith(`${importing}export default [{ files: ['lib/**'], extends: [fencepost.configs.recommended] }];`)).severity).toBeUndefined();
  const { severity, session, uri } = await severityWith(`${importing}import { globalIgnores } from 'eslint/config';\nexport default [fencepost.configs.recommended, globalIgnores(['src/generated/'])];`, { file: 'src/generated/job.ts' });
  expect(severity).toBeUndefined();
  expect(await session.status((it) => it.uri === uri)).toMatchObject({ state: 'idle', reason: expect.stringMatching(/eslint\.config\.js leaves this file out\.$/) });
});

test('its settings are those of the edits', async () => {
  const config = `${importing}export default [fencepost.configs.recommended, { settings: { fencepost: { efficiencyKeys: ['lock:*'] } } }];`;
  const unfenced = blindRelease.replace('await work(id);', "await pool.query('UPDATE jobs SET done = true WHERE id = $1', [id]);").replace('const redis', "import { Pool } from 'pg';\nconst pool = new Pool();\nconst redis");
  const { write } = project(config);
  const uri = write('src/job.ts', unfenced);
  const session = await server.shared();
  session.open(uri, unfenced);
  expect((await session.diagnostics(uri)).map((it) => it.code)).toEqual(['no-blind-release']);
});

test('options count where they have their form; where they have not, that is said and the defaults count', async () => {
  const inserting = blindRelease.replace('await work(id);', "await pool.query('INSERT INTO runs (id) VALUES ($1)', [id]);").replace('const redis', "import { Pool } from 'pg';\nconst pool = new Pool();\nconst redis");
  const rulesWith = async (options: string) => {
    const { write } = project(`${importing}export default [{ plugins: { fencepost }, rules: { 'fencepost/require-fencing-token': ['error', ${options}] } }];`);
    const uri = write('src/job.ts', inserting);
    const session = await server.start();
    session.open(uri, inserting);
    return { found: (await session.diagnostics(uri)).map((it) => it.code), logged: session.logged };
  };
  expect((await rulesWith('{ inserts: true }')).found).toEqual(['require-fencing-token']);
  for (const wrong of ["{ inserts: 'yes' }", '{ insert: true }', 'true', '{}, {}']) {
    const { found, logged } = await rulesWith(wrong);
    expect(found).toEqual([]);
    expect(logged.filter((it) => it.includes('The options of "fencepost/require-fencing-token" are not of their form; its defaults are used.'))).toHaveLength(1);
  }
});

test('rows of its own let it know locks that nothing else in the file speaks of', async () => {
  const rows = "{ key: 'turns', packages: ['@acme/turns'], title: '@acme/turns', family: 'lock', obtain: [{ type: 'turns:Turns', by: 'new', name: 'Turns' }], calls: [{ on: 'turns:Turns', name: 'during', does: { kind: 'acquire', key: { arg: 0 }, lock: 'lease', lease: [{ at: { arg: 1 }, unit: 's' }], granted: { of: 'unknown' }, refused: 'throws', body: { arg: 2 } } }] }";
  const { write } = project(`${importing}export default [fencepost.configs.recommended, { settings: { fencepost: { catalog: [${rows}] } } }];`);
  const text = "import { Turns } from '@acme/turns';\nimport { Pool } from 'pg';\nconst turns = new Turns();\nconst pool = new Pool();\nexport const raise = (id: string, price: number) =>\n  turns.during(`item:${id}`, 5, async () => {\n    await pool.query('UPDATE items SET price = $1 WHERE id = $2', [price, id]);\n  });\n";
  const uri = write('src/raise.ts', text);
  const session = await server.shared();
  session.open(uri, text);
  expect((await session.diagnostics(uri)).map((it) => it.code)).toEqual(['require-fencing-token']);
});

test('what the editor sets by name counts more', async () => {
  expect((await severityWith(`${importing}export default [fencepost.configs.recommended];`, { settings: { rules: { 'no-blind-release': 'hint' } } })).severity).toBe(DiagnosticSeverity.Hint);
});

test('what is not written out is left to the editor, and that is said', async () => {
  const config = `${importing}import base from './base.js';\nexport default [fencepost.configs.recommended, base, { rules: { 'fencepost/no-blind-release': process.env.CI ? 'error' : 'off', 'fencepost/no-such-rule': 'error' }, settings: { fencepost: { fence: { column: 7 } } } }];`;
  const { severity, session } = await severityWith(config);
  expect(severity).toBe(DiagnosticSeverity.Error);
  const told = session.logged.join('\n');
  expect(told).toMatch(/eslint\.config\.js uses the plugin: its rules and settings count/);
  expect(told).toContain('What it takes from "./base.js" is not followed.');
  expect(told).toContain('The severity of "fencepost/no-blind-release" is not written out');
  expect(told).toContain('"fencepost/no-such-rule" is not a rule of this version.');
  expect(told).toContain('settings.fencepost.fence.column must be a string.');
});

test('a configuration without the plugin, or one that does not parse, changes nothing', async () => {
  expect((await severityWith("export default [{ rules: { 'no-console': 'off' } }];")).severity).toBe(DiagnosticSeverity.Error);
  expect((await severityWith(`${importing}export default [`)).severity).toBe(DiagnosticSeverity.Error);
});

test('a change of the configuration on disk reaches the open files', async () => {
  const { write, configUri } = project(`${importing}export default [fencepost.configs.recommended];`);
  const uri = write('src/job.ts', blindRelease);
  const session = await server.start({ capabilities: { ...able, workspace: { ...able.workspace, didChangeWatchedFiles: { dynamicRegistration: true } } } });
  session.open(uri, blindRelease);
  const severities = async () => (await session.diagnostics(uri)).map((it) => it.severity);
  expect(await severities()).toEqual([DiagnosticSeverity.Error]);
  write('eslint.config.js', `${importing}export default [fencepost.configs.recommended, { rules: { 'fencepost/no-blind-release': 'warn' } }];`);
  const refreshed = session.refreshed();
  session.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: configUri, type: 2 }] });
  await refreshed;
  expect(await severities()).toEqual([DiagnosticSeverity.Warning]);
});
