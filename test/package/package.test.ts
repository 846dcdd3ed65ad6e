/** What is in the two packages, and that the npm one works where it is unpacked, with nothing of this project around it but ESLint. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../../package.json';
// @ts-expect-error: the packaging is plain JavaScript
import { makePackages } from '../../tools/package.mjs';
import { filesInZip } from './zip.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let vsix: string;
let tarball: string;
/** Where the tarball is installed. */
let installed: string;

beforeAll(async () => {
  // Below the project, so that `eslint` is found as it is in a project that has installed both.
  mkdirSync(join(root, 'test-output'), { recursive: true });
  folder = mkdtempSync(join(root, 'test-output/package-'));
  ({ vsix, tarball } = await makePackages({ outdir: folder }));
  installed = join(folder, 'node_modules/eslint-plugin-fencepost');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => relative(dir, join(it.parentPath, it.name)).replaceAll('\\', '/'));

/** The same in both: chunks are named by their content, so they are counted under one name. */
const inBoth = ['dist/analysis.cjs', 'dist/check-worker.cjs', 'dist/chunk.cjs', 'dist/cli.cjs', 'dist/eslint-linter.cjs', 'dist/extension.cjs', 'dist/oxc-parser.wasm', 'dist/oxc-wasm.cjs', 'dist/plugin.cjs', 'dist/plugin.d.cts', 'dist/plugin.d.ts', 'dist/plugin.mjs', 'dist/resolving.cjs', 'dist/server.cjs', 'dist/sqlparser.wasm', 'dist/third-party-notices.txt', 'dist/typescript-parser.cjs', 'docs/images/walkthrough-find.png', 'docs/images/walkthrough-mend.png', 'docs/images/walkthrough-see.png', 'extension/icon.png', 'package.json'];
const named = (files: Iterable<string>) => [...new Set([...files].map((file) => file.replace(/chunk-\w+/, 'chunk')))].sort();

test('the npm package holds what is run, and no source, test or module of others', () => {
  expect(tarball.endsWith(`eslint-plugin-fencepost-${version}.tgz`)).toBe(true);
  expect(named(filesBelow(installed))).toEqual([...inBoth, 'CHANGELOG.md', 'LICENSE', 'README.md'].sort());
  expect(statSync(tarball).size).toBeLessThan(4 * 1024 * 1024);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  // A machine for which there is no binary does without.
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['oxc-parser']);
  expect(manifest.peerDependenciesMeta.eslint.optional).toBe(true);
});

test('the VS Code package holds the same, under the names that VS Code wants', () => {
  expect(vsix.endsWith(`fencepost-${version}.vsix`)).toBe(true);
  const files = filesInZip(readFileSync(vsix));
  expect(named(files.keys())).toEqual(
    ['[Content_Types].xml', 'extension.vsixmanifest', ...[...inBoth, 'LICENSE.txt', 'changelog.md', 'readme.md'].map((it) => `extension/${it}`)].sort(),
  );
  expect(statSync(vsix).size).toBeLessThan(4 * 1024 * 1024);
});

test('the notices name the packages that are inside', () => {
  const notices = readFileSync(join(installed, 'dist/third-party-notices.txt'), 'utf8');
  for (const name of ['eslint', 'typescript', 'vscode-languageserver', 'vscode-languageclient', '@guanmingchiu/sqlparser-ts', 'luaparse']) {
    expect(new RegExp(`^${name} \\d`, 'm').test(notices), name).toBe(true);
  }
});

test('nothing is needed at run time but Node, and VS Code in VS Code', () => {
  const needed = new Set<string>();
  for (const file of filesBelow(join(installed, 'dist'))) {
    if (!file.endsWith('.cjs')) continue;
    const text = readFileSync(join(installed, 'dist', file), 'utf8');
    for (const [, name] of text.matchAll(/\brequire\("([^"]+)"\)/g)) {
      const isBeside = name!.startsWith('./') && existsSync(join(installed, 'dist', name!));
      if (!isBeside && !isBuiltin(name!)) needed.add(`${file.replace(/chunk-\w+/, 'chunk')}: ${name}`);
    }
  }
  expect([...needed]).toEqual(['extension.cjs: vscode']);
});

test('no file tells where it was built', () => {
  for (const file of filesBelow(join(installed, 'dist'))) {
    if (file !== 'sqlparser.wasm') expect(readFileSync(join(installed, 'dist', file), 'utf8').includes(root), file).toBe(false);
  }
});

test('`require` and `import` give the plugin itself, the same one', () => {
  writeFileSync(
    join(folder, 'both.mjs'),
    `import { createRequire } from 'node:module';
import plugin, { configs, meta, rules } from 'eslint-plugin-fencepost';
const required = createRequire(import.meta.url)('eslint-plugin-fencepost');
console.log(JSON.stringify({ same: plugin === required && rules === plugin.rules && configs === plugin.configs, meta, configs: Object.keys(configs), rules: Object.keys(rules) }));
`,
  );
  const given = JSON.parse(execFileSync(process.execPath, ['both.mjs'], { cwd: folder, encoding: 'utf8' }));
  expect(given).toMatchObject({ same: true, meta: { name: 'eslint-plugin-fencepost', version, namespace: 'fencepost' } });
  expect(given.configs).toEqual(expect.arrayContaining(['recommended', 'strict', 'all']));
  expect(given.rules).toContain('no-blind-release');
});

test('a project that has it installed gets findings from ESLint', () => {
  writeFileSync(join(folder, 'eslint.config.mjs'), "import fencepost from 'eslint-plugin-fencepost';\nexport default [fencepost.configs.recommended];\n");
  writeFileSync(
    join(folder, 'job.mjs'),
    `import Redis from 'ioredis';
const redis = new Redis();
export async function f(id) {
  const ok = await redis.set('lock:' + id, '1', 'PX', 5000, 'NX');
  if (ok !== 'OK') return;
  try { await work(id); } finally { await redis.del('lock:' + id); }
}
async function work(id) { console.log(id); }
`,
  );
  const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
  let output: string;
  try {
    output = execFileSync(process.execPath, [eslint, '--format=json', 'job.mjs'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const [{ messages }] = JSON.parse(output);
  expect(messages).toContainEqual(expect.objectContaining({ ruleId: 'fencepost/no-blind-release', line: 6 }));
});

test("the types fit ESLint's `defineConfig`, from ES modules and from CommonJS", () => {
  writeFileSync(
    join(folder, 'use.mts'),
    `import { defineConfig } from 'eslint/config';
import fencepost from 'eslint-plugin-fencepost';
export default defineConfig([
  fencepost.configs.recommended,
  { files: ['**/*.ts'], plugins: { fencepost }, extends: [fencepost.configs.strict, 'fencepost/all'], rules: { 'fencepost/no-blind-release': 'warn' } },
]);
`,
  );
  writeFileSync(join(folder, 'use.cts'), "import fencepost = require('eslint-plugin-fencepost');\nimport config = require('eslint/config');\nexport = config.defineConfig([fencepost.configs.all]);\n");
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [] }, files: ['use.mts', 'use.cts'] }),
  );
  let output = '';
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  // Errors inside the declarations of others are not this package's.
  expect(output.split('\n').filter((line) => /(?:use\.[cm]ts|eslint-plugin-fencepost\/dist\/plugin\.d\.c?ts)\(/.test(line.replaceAll('\\', '/')))).toEqual([]);
});

test('the command runs from where it is installed', () => {
  const command = join(installed, 'dist/cli.cjs');
  expect(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8', cwd: folder }).trim()).toBe(version);
  expect(readFileSync(command, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
});
