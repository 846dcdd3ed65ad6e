/** The parsers behind the command and the editor: the same trees and findings, and one takes over where the other cannot. */
import * as typescriptParser from '@typescript-eslint/parser';
import type { TSESTree } from '@typescript-eslint/types';
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { childrenOf } from '../rules/fixes/source/tree.ts';
import type * as OxcWasm from '../rules/syntax/oxc-wasm.ts';
import { fastParser } from '../rules/syntax/oxc.ts';
import { parserName } from '../server/parser.ts';
import { allFixtures } from './fixture.ts';
import { blind, fencepost, folderWith } from './cli/run.ts';
import { root } from './root.ts';

const files = allFixtures().flatMap((it) => it.files);

const told = (node: TSESTree.Node): string[] => [`${node.type} ${node.range.join('-')}`, ...childrenOf(node).flatMap(told)];

test('the fast parser is the one that is used here', () => {
  expect(parserName()).toBe('oxc');
});

test('every fixture has the same tree and comments in both', () => {
  expect(files.length).toBeGreaterThan(500);
  for (const { path, text } of files) {
    const fast = fastParser()!(path, text) as unknown as TSESTree.Program;
    const slow = typescriptParser.parse(text, { filePath: path, ecmaFeatures: { jsx: true }, range: true, loc: true, comment: true, sourceType: 'module' }) as unknown as TSESTree.Program;
    const name = relative(root, path);
    expect(told(fast).sort(), name).toEqual(told(slow).sort());
    const comments = ({ comments }: TSESTree.Program): string[] => comments!.map((it) => `${it.type} ${it.value} ${it.range.join('-')}`);
    expect(comments(fast), name).toEqual(comments(slow));
  }
});

test('the fast parser says the same as WebAssembly as it does as a binary', () => {
  const parse = (createRequire(import.meta.url)(join(root, 'dist/oxc-wasm.cjs')) as typeof OxcWasm).startOxc();
  const told = (it: Pick<ReturnType<typeof parseSync>, 'program' | 'comments' | 'errors'>): string => JSON.stringify([it.program, it.comments, it.errors], (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  for (const { path, text } of files) expect(told(parse(path, text, { range: true, astType: 'ts' })), path).toBe(told(parseSync(path, text, { range: true, astType: 'ts' })));
  // It ends on such a text, and reads the next one.
  expect(() => parse('deep.ts', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toThrow('call stack');
  expect(parse('a.ts', 'const a = 1n;').program.body).toHaveLength(1);
});

test('every fixture has the same findings by all', () => {
  const words = ['check', 'test/fixtures', '--preset', 'all', '--format', 'json'];
  const [native, ...others] = ['native', 'wasm', 'typescript'].map((parser) => fencepost(words, { env: { FENCEPOST_PARSER: parser } }).out);
  expect((JSON.parse(native!) as { files: unknown[] }).files.length).toBeGreaterThan(100);
  for (const it of others) expect(it).toBe(native);
});

test('what the fast parser refuses is read by the patient one', () => {
  // An error to the one, a matter for the type checker to the other.
  const refused = `${blind}\nexport function wait() { await later; }\n`;
  expect(parseSync('a.ts', refused).errors).not.toEqual([]);
  const folder = folderWith({ 'a.ts': refused });
  const { out, code } = fencepost(['check', '--format', 'json'], { cwd: folder });
  expect(JSON.parse(out)).toMatchObject({ summary: { errors: 1 } });
  expect(code).toBe(1);
});

test('brackets that nest without end cost that file, and no other', () => {
  const deep = `import Redis from 'ioredis';\nexport const lock = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`;
  const { code, out } = fencepost(['check', '.', '--format', 'json'], { cwd: folderWith({ 'deep.ts': deep, 'lock.ts': blind }) });
  expect(code).toBe(1);
  expect((JSON.parse(out) as { files: { file: string }[] }).files.map(({ file }) => file)).toEqual(['lock.ts']);
});

test('where no binary is installed, the package reads everything all the same; so it does where none can run', () => {
  const folder = folderWith({ 'src/a.ts': blind });
  cpSync(join(root, 'dist'), join(folder, 'package/dist'), { recursive: true });
  writeFileSync(join(folder, 'package/package.json'), '{}');
  const check = () => spawnSync(process.execPath, [join(folder, 'package/dist/cli.cjs'), 'check', 'src', '--format', 'json', '--stats'], { cwd: folder, encoding: 'utf8' });
  const seen = (parser: string) => {
    const { stdout, stderr, status } = check();
    expect(JSON.parse(stdout)).toMatchObject({ summary: { errors: 1 } });
    expect(status).toBe(1);
    expect(stderr).toContain(parser);
  };
  seen('oxc');
  rmSync(join(folder, 'package/dist/oxc-parser.wasm'));
  seen('typescript');
});
