/** `fencepost check`: what it finds where, how it says so, and with which code it ends. */
import colors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { check } from '../../cli/check.ts';
import { lint } from '../../server/lint.ts';
import { blind, fencepost, folderWith, harmless, unfenced } from './run.ts';

const json = (folder: string, ...words: string[]) => {
  const ran = fencepost(['check', '--format', 'json', ...words], { cwd: folder });
  return { ...ran, report: JSON.parse(ran.out) };
};
const filesIn = (report: { files: { file: string }[] }): string[] => report.files.map((it) => it.file);

describe('exit codes', () => {
  test('0 when nothing is wrong', () => {
    const ran = fencepost(['check'], { cwd: folderWith({ 'a.ts': harmless }) });
    expect(ran).toEqual({ code: 0, out: '✓ 1 file checked: no lock misuse found.\n', said: '' });
  });

  test('0 when there are only warnings', () => {
    const { code, out } = fencepost(['check'], { cwd: folderWith({ 'a.ts': unfenced }) });
    expect(out).toContain('0 errors, 1 warning in 1 file');
    expect(code).toBe(0);
  });

  test('1 when there is an error', () => {
    const { code, out } = fencepost(['check'], { cwd: folderWith({ 'a.ts': blind, 'b.ts': unfenced }) });
    expect(out).toContain('1 error, 1 warning in 2 files');
    expect(code).toBe(1);
  });

  test.each([
    ['an unknown option', ['check', '--fast'], /--fast/],
    ['an unknown rule', ['check', '--rules', 'no-such-rule'], /no rule "no-such-rule"/],
    ['a path that is not there', ['check', 'nowhere'], /nowhere was not checked: there is no such file or folder/],
    ['nothing to check', ['check', 'empty'], /nothing to check/],
  ])('2 for %s, with a sentence about it', (_, words, sentence) => {
    const { code, said } = fencepost(words, { cwd: folderWith({ 'a.ts': harmless, 'empty/notes.txt': '' }) });
    expect(said).toMatch(sentence);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });
});

describe('files', () => {
  test('JavaScript and TypeScript of every kind, in the order of their paths', () => {
    const kinds = ['a.cjs', 'b.cts', 'c.js', 'd.jsx', 'e.mjs', 'f.mts', 'g.ts', 'h.tsx'];
    const script = blind.replaceAll(/: (?:string|Promise<void>|\(\) => Promise<void>)(?=[,) ])/g, '');
    const { report } = json(folderWith(Object.fromEntries([...kinds, 'x.md', 'y.json', 'z.d.ts', 'w.min.js'].map((name) => [name, script]))));
    expect(filesIn(report)).toEqual(kinds);
  });

  test('.gitignore is respected: nested, with exceptions, and from the folders above', () => {
    const folder = folderWith({
      '.git/HEAD': '',
      '.gitignore': 'out/\n*.gen.ts\n/packages/*/old\n',
      'a.ts': blind,
      'a.gen.ts': blind,
      'out/a.ts': blind,
      'node_modules/pkg/a.js': blind,
      'packages/one/a.ts': blind,
      'packages/one/old/a.ts': blind,
      'packages/one/.gitignore': '!kept.gen.ts\nlocal.ts\n',
      'packages/one/kept.gen.ts': blind,
      'packages/one/local.ts': blind,
    });
    expect(filesIn(json(folder).report)).toEqual(['a.ts', 'packages/one/a.ts', 'packages/one/kept.gen.ts']);
    expect(filesIn(json(folder, 'packages/one').report)).toEqual(['packages/one/a.ts', 'packages/one/kept.gen.ts']);
  });

  test('what is named is checked even if it is ignored, and once', () => {
    const folder = folderWith({ '.git/HEAD': '', '.gitignore': 'out/\n', 'out/a.ts': blind, 'b.ts': blind });
    expect(filesIn(json(folder, 'out').report)).toEqual(['out/a.ts']);
    expect(filesIn(json(folder, 'out/a.ts', 'out', '.').report)).toEqual(['out/a.ts', 'b.ts']);
  });
});

describe('rules and presets', () => {
  test('--rules runs only these', () => {
    const folder = folderWith({ 'a.ts': blind, 'b.ts': unfenced });
    expect(filesIn(json(folder, '--rules', 'require-fencing-token').report)).toEqual(['b.ts']);
    expect(filesIn(json(folder, '--rules', 'fencepost/no-blind-release, require-fencing-token').report)).toEqual(['a.ts', 'b.ts']);
  });

  test('disable comments count', () => {
    const folder = folderWith({ 'a.ts': `/* eslint-disable fencepost/no-blind-release */\n${blind}` });
    expect(fencepost(['check'], { cwd: folder }).code).toBe(0);
  });
});

describe('bad input', () => {
  test('a syntax error is told; the other files are checked', () => {
    const folder = folderWith({ 'a.ts': "const = redis.set(key, owner, 'NX');\n", 'b.ts': blind });
    const { code, out } = fencepost(['check'], { cwd: folder });
    expect(out).toMatch(/Not checked: a\.ts, because line 1 has a syntax error/);
    expect(out).toContain('1 error');
    expect(code).toBe(1);
    expect(fencepost(['check', 'a.ts'], { cwd: folder })).toMatchObject({ code: 2, said: expect.stringContaining('syntax error') });
  });

  test('empty, binary and huge files', () => {
    const folder = folderWith({
      'binary.js': Buffer.from([0, 1, 2, 255, 254]),
      'empty.ts': '',
      'huge.js': `${'var a = "SET NX redis ioredis";\n'.repeat(70_000)}`,
      'latin1.js': Buffer.from('// caf\xe9\nexport const a = 1;\n', 'latin1'),
      'wrong.ts': blind,
    });
    const { report, code } = json(folder);
    expect(filesIn(report)).toEqual(['wrong.ts']);
    expect(report.unchecked).toEqual([
      { file: 'binary.js', reason: 'it is binary' },
      { file: 'huge.js', reason: expect.stringMatching(/^it has more than \d+ bytes$/) },
    ]);
    expect(report.summary).toEqual({ checked: 3, errors: 1, warnings: 0 });
    expect(code).toBe(1);
  });

  test('a broken tsconfig.json and package.json, and none at all', () => {
    for (const files of [{ 'tsconfig.json': '{ "compilerOptions": {', 'package.json': 'not json' }, { 'tsconfig.json': '{ "extends": "./tsconfig.json" }' }, {}] as Record<string, string>[]) {
      const { report, said } = json(folderWith({ ...files, 'a.ts': `import { thing } from '@app/thing';\n${blind}thing();\n` }));
      expect(filesIn(report)).toEqual(['a.ts']);
      expect(said).toBe('');
    }
  });

  test('a byte order mark and Windows line ends move nothing', () => {
    const { report } = json(folderWith({ 'a.ts': `\uFEFF${blind.replaceAll('\n', '\r\n')}` }));
    expect(report.files[0].findings[0]).toMatchObject({ line: 13, column: 11 });
  });
});

test('a failure inside Fencepost costs one file, and is told', async () => {
  const cwd = folderWith({ 'a.ts': blind, 'b.ts': blind });
  let [out, said] = ['', ''];
  const terminal = { paint: colors.createColors(false), width: 100, print: (text: string) => void (out += text), complain: (text: string) => void (said += text), progress: { tell() {}, end() {} } };
  const lintText: typeof lint = (text, file, ...rest) => {
    if (file.endsWith('a.ts')) throw new Error('Some assumption does not hold.\nAt length.');
    return lint(text, file, ...rest);
  };
  const code = await check({ command: 'check', paths: ['.'], format: 'stylish', preset: 'recommended', rules: undefined, baseline: undefined, isTold: false }, terminal, { cwd, lintText });
  expect(out).toContain('b.ts');
  expect(out).toContain('1 error');
  expect(said).toMatch(/a\.ts was not checked: Fencepost failed on it, which is a bug \(Some assumption does not hold\.\)\.$/);
  expect(code).toBe(2);
});

describe('JSON', () => {
  test('has the place, the page, related places, the interleaving and the edits', () => {
    const { report } = json(folderWith({ 'src/a.ts': blind }));
    expect(report.version).toBe(1);
    const [{ file, findings }] = report.files;
    expect(file).toBe('src/a.ts');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: 'no-blind-release',
      severity: 'error',
      line: 13,
      column: 11,
      endLine: 13,
      url: 'https://github.com/fencepost-dev/fencepost/blob/main/docs/rules/no-blind-release.md',
    });
    expect(findings[0].related).toContainEqual(expect.objectContaining({ file: 'src/a.ts', line: 8, text: expect.any(String) }));
    expect(findings[0].interleaving.filter((it: { loses?: true }) => it.loses)).toHaveLength(1);
    expect(findings[0].edits.length).toBeGreaterThan(0);

    const { changes } = findings[0].edits[0] as { changes: { start: number; end: number; text: string }[] };
    const mended = [...changes].sort((a, b) => b.start - a.start).reduce((text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end), blind);
    expect(fencepost(['check'], { cwd: folderWith({ 'a.ts': mended }) }).code).toBe(0);
  });
});
