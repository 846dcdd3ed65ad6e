/** `npm run new:rule` and `npm run new:library`: what they lay out compiles, is registered by being there, and says what is next. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './root.ts';

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fencepost-scaffold-'));
  for (const name of readdirSync(root)) {
    // A page of the docs is made of the proofs, which are among the tests.
    if (!['node_modules', 'dist', '.git', 'test-output'].includes(name)) cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules', root.length) });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(tool: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'tools', tool), ...words], { cwd: copy, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function complaintsAbout(path: string): string[] {
  const { config } = ts.readConfigFile(join(copy, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy);
  const program = ts.createProgram([join(copy, path)], options);
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(join(copy, path))).map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'));
}

describe('a rule', () => {
  test('is laid out, compiles, and is registered', () => {
    expect(run('new-rule.mjs', 'prefer-sleep')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run gen') });
    expect(complaintsAbout('rules/prefer-sleep.ts')).toEqual([]);
    expect(readdirSync(join(copy, 'test/fixtures/prefer-sleep'))).toHaveLength(2);

    expect(run('gen.mjs', '--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('rules/index.gen.ts') });
    expect(run('gen.mjs')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(copy, 'rules/index.gen.ts'), 'utf8')).toContain("from './prefer-sleep.ts'");
    expect(readFileSync(join(copy, 'rules/table.gen.ts'), 'utf8')).toMatch(/name: 'prefer-sleep', .*recommended: 'off', strict: 'warn'/);
    expect(readFileSync(join(copy, 'README.md'), 'utf8')).toContain('docs/rules/prefer-sleep.md');
    expect(readFileSync(join(copy, 'docs/rules/prefer-sleep.md'), 'utf8')).toContain('# fencepost/prefer-sleep');
    expect(run('gen.mjs', '--check').status).toBe(0);
  });

  test('that is there already is left alone', () => {
    const before = readFileSync(join(copy, 'rules/no-blind-release.ts'), 'utf8');
    expect(run('new-rule.mjs', 'no-blind-release').stdout).toContain('there already  rules/no-blind-release.ts');
    expect(readFileSync(join(copy, 'rules/no-blind-release.ts'), 'utf8')).toBe(before);
  });

  test.each([[[]], [['Sleep']], [['../no-escape']]])('is not laid out for %j', (words) => expect(run('new-rule.mjs', ...words)).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run new:rule NAME') }));
});

describe('a library', () => {
  test('is laid out, compiles, and is registered', () => {
    expect(run('new-library.mjs', '@acme/locks')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run gen') });
    expect(complaintsAbout('catalog/acme-locks.ts')).toEqual([]);
    expect(existsSync(join(copy, 'test/fixtures/acme-locks/taken-and-released.ts'))).toBe(true);
    expect(existsSync(join(copy, 'test/catalog/fixtures/acme-locks.ts'))).toBe(true);
    expect(run('gen.mjs')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(copy, 'catalog/index.gen.ts'), 'utf8')).toContain("from './acme-locks.ts'");
    expect(readFileSync(join(copy, 'docs/catalog.md'), 'utf8')).toContain('`@acme/locks`');
  });

  test.each([[[]], [['../locks']], [['Not A Package']]])('is not laid out for %j', (words) => expect(run('new-library.mjs', ...words)).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run new:library NAME') }));
});
