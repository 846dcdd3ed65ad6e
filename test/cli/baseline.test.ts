/** A baseline: old findings are known by their number, new ones are not; ESLint's own suppressions are the same file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blind, fencepost, folderWith, unfenced } from './run.ts';

const check = (cwd: string, ...words: string[]) => fencepost(['check', '--baseline', 'known.json', ...words], { cwd });
const known = (cwd: string): unknown => JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'));

test('what there is becomes known, and is left out from then on, also where its lines have moved', () => {
  const folder = folderWith({ 'src/a.ts': blind, 'src/b.ts': unfenced });
  const created = check(folder, '--create-baseline');
  expect(created.said).toContain('2 findings in 2 files written to known.json');
  expect(known(folder)).toEqual({ 'src/a.ts': { 'fencepost/no-blind-release': { count: 1 } }, 'src/b.ts': { 'fencepost/require-fencing-token': { count: 1 } } });
  writeFileSync(join(folder, 'src/a.ts'), `// A comment.\n\n${blind}`);
  expect(check(folder)).toEqual({ code: 0, out: '✓ 2 files checked, 2 known findings left out: no lock misuse found.\n', said: '' });
});

test('one more of a rule than are known shows them all, another file its own', () => {
  const folder = folderWith({ 'a.ts': blind });
  check(folder, '--create-baseline');
  writeFileSync(join(folder, 'a.ts'), blind + blind.slice(blind.indexOf('export')).replace('exclusively', 'again'));
  writeFileSync(join(folder, 'b.ts'), blind);
  const { code, out } = check(folder);
  expect(out).toContain('3 errors, 0 warnings in 2 files');
  expect(code).toBe(1);
});

test('pruned of what is gone, and of nothing else', () => {
  const folder = folderWith({ 'a.ts': blind, 'b.ts': unfenced });
  check(folder, '--create-baseline');
  const all = known(folder) as Record<string, Record<string, unknown>>;
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ ...all, 'a.ts': { ...all['a.ts'], 'no-undef': { count: 3 } } }));
  writeFileSync(join(folder, 'a.ts'), 'export {};\n');
  expect(check(folder, '--prune-baseline').said).toContain('1 finding taken out of known.json');
  expect(known(folder)).toEqual({ 'a.ts': { 'no-undef': { count: 3 } }, 'b.ts': { 'fencepost/require-fencing-token': { count: 1 } } });
});

test.each([
  ['that is not there', undefined, /cannot be read.*--create-baseline/],
  ['that is no JSON', '{', /is not JSON/],
  ['of another form', '{"a.ts":{"fencepost/no-blind-release":2}}', /must give a count/],
])('one %s is a sentence, and exit code 2', (_, text, sentence) => {
  const folder = folderWith({ 'a.ts': blind, ...(text !== undefined && { 'known.json': text }) });
  const { code, said } = check(folder);
  expect(said).toMatch(sentence);
  expect(code).toBe(2);
});
