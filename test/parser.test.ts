/** The two parsers behind the command: the same trees and findings, and one takes over where the other cannot. */
import * as typescriptParser from '@typescript-eslint/parser';
import type { TSESTree } from '@typescript-eslint/types';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { childrenOf } from '../rules/fixes/source/tree.ts';
import { fastParser } from '../rules/syntax/oxc.ts';
import { parserName } from '../server/parser.ts';
import { allFixtures } from './fixture.ts';
import { blind, fencepost, folderWith } from './cli/run.ts';
import { root } from './root.ts';

const files = allFixtures().flatMap((it) => it.files);

const told = (node: TSESTree.Node): string[] => [`${node.type} ${node.range.join('-')}`, ...childrenOf(node).flatMap(told)];

test('the fast parser is the one that is used here', () => {
  expect(parserName).toBe('oxc');
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

test('every fixture has the same findings by both', () => {
  const words = ['check', 'test/fixtures', '--preset', 'all', '--format', 'json'];
  const [fast, slow] = [fencepost(words), fencepost(words, { env: { FENCEPOST_PARSER: 'typescript' } })];
  expect((JSON.parse(fast.out) as { files: unknown[] }).files.length).toBeGreaterThan(100);
  expect(fast.out).toBe(slow.out);
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

test('where no binary is installed, the package reads everything all the same', () => {
  const folder = folderWith({ 'src/a.ts': blind });
  cpSync(join(root, 'dist'), join(folder, 'package/dist'), { recursive: true });
  writeFileSync(join(folder, 'package/package.json'), '{}');
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'package/dist/cli.cjs'), 'check', 'src', '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ summary: { errors: 1 } });
  expect(status).toBe(1);
});
