/** The published plugin: under every ESLint that it says it supports, with and without a TypeScript parser, and in its own words. */
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { rulesFor } from './check.ts';
import { folderWith } from './cli/run.ts';
import { allFixtures, compare, expectationsIn, type Report } from './fixture.ts';
import { root } from './root.ts';

const require = createRequire(import.meta.url);
const plugin = require('../dist/plugin.cjs') as {
  meta: { name: string; version: string; namespace: string };
  rules: Record<string, { meta: { docs?: { url?: string; description?: string }; schema?: unknown; messages?: Record<string, string>; type?: string; fixable?: string; hasSuggestions?: boolean } }>;
  configs: Record<'recommended' | 'strict' | 'all', Linter.Config>;
};
const manifest = require('../package.json') as { version: string; name: string };
const files = allFixtures().flatMap((it) => it.files);
const rules = Object.keys(plugin.rules);

type AnyESLint = new (options: object) => Pick<ESLint, 'lintText'>;
const majors: Record<string, AnyESLint> = {
  'ESLint 10': ESLint,
  'ESLint 9': (require('eslint-9') as { ESLint: AnyESLint }).ESLint,
  'ESLint 8.57 with flat configuration': (require('eslint-8/use-at-your-own-risk') as { FlatESLint: AnyESLint }).FlatESLint,
};

const everything = ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'];
const withRules = { files: everything, linterOptions: { reportUnusedDisableDirectives: 'off' }, plugins: { fencepost: plugin } };
const typescript = { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { parser: typescriptParser } };

async function reports(Engine: AnyESLint, config: object[], path: string, text: string): Promise<Report[]> {
  const engine = new Engine({ cwd: root, ignore: false, overrideConfigFile: true, overrideConfig: [...config, rulesFor(text, path)] });
  const [result] = await engine.lintText(text, { filePath: path });
  return result!.messages.map((it) => ({ rule: it.ruleId?.replace('fencepost/', '') ?? 'parser', line: it.line, endLine: it.endLine ?? it.line, message: it.message }));
}

describe.each(Object.entries(majors))('%s', (_, Engine) => {
  test('gives what the fixtures expect', async () => {
    const problems = [];
    for (const { path, text } of files) {
      const found = await reports(Engine, [withRules, typescript], path, text);
      problems.push(...compare(expectationsIn(text), found).problems.map((it) => `${path}: ${it}`));
    }
    expect(problems).toEqual([]);
  });
});

describe('parsers and kinds of files', () => {
  const scripts = files.filter(({ path }) => /\.[cm]?js$/.test(path));
  const body = (imports: string, exported: string): string => `${imports}
const redis = new Redis();
${exported} function run(work) {
  if ((await redis.set('job', randomUUID(), 'PX', 5000, 'NX')) !== 'OK') return;
  try {
    await work();
  } finally {
    await redis.del('job'); // expect: no-blind-release
  }
}
`;
  const module = body("import { randomUUID } from 'node:crypto';\nimport Redis from 'ioredis';", 'export async');
  const commonjs = body("const { randomUUID } = require('node:crypto');\nconst Redis = require('ioredis');", 'exports.run = async');

  test('JavaScript gives the same by espree and by the TypeScript parser', async () => {
    expect(scripts.length).toBeGreaterThan(3);
    for (const { path, text } of scripts) {
      const espree = await reports(ESLint, [withRules], path, text);
      expect(await reports(ESLint, [withRules, { files: everything, languageOptions: { parser: typescriptParser } }], path, text), path).toEqual(espree);
    }
  });

  test.each([
    ['job.mjs', module],
    ['job.js', module],
    ['job.cjs', commonjs],
    ['job.jsx', module],
    ['job.ts', module],
    ['job.mts', module],
    ['job.tsx', module],
    ['job.cts', commonjs],
  ])('%s', async (name, text) => {
    const found = await reports(ESLint, [withRules, typescript], join(root, 'test', name), text);
    expect(compare(expectationsIn(text), found).problems).toEqual([]);
  });

  test('what a file imports costs its parser nothing where a faster one is there', async () => {
    const folder = folderWith({ 'locks.ts': "import type Redis from 'ioredis';\nexport const unlock = async (redis: Redis, key: string) => void (await redis.del(key));\n" });
    const path = join(folder, 'job.ts');
    const text = `${module.replace("await redis.del('job'); // expect: no-blind-release", "await unlock(redis, 'job'); // expect: no-blind-release")}`.replace('import Redis', "import { unlock } from './locks';\nimport Redis");
    const parsed: string[] = [];
    const parser = {
      ...typescriptParser,
      parseForESLint(code: string, options?: { filePath: string }) {
        parsed.push(options?.filePath ?? 'no file');
        return typescriptParser.parseForESLint(code, options);
      },
    };
    const engine = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: [withRules, { files: everything, languageOptions: { parser } }, rulesFor(text, path)] as Linter.Config[] });
    const [result] = await engine.lintText(text, { filePath: path });
    expect(result!.messages.map((it) => it.ruleId)).toContain('fencepost/no-blind-release');
    expect([...new Set(parsed)]).toEqual([path]);
  });

  test('a disable comment silences its rule, and only that', async () => {
    const silenced = module.replace('// expect: no-blind-release', '// eslint-disable-line fencepost/no-blind-release');
    expect(await reports(ESLint, [withRules], join(root, 'test/job.mjs'), silenced)).toEqual([]);
    expect(await reports(ESLint, [withRules], join(root, 'test/job.mjs'), silenced.replace('no-blind-release', 'require-fencing-token'))).toHaveLength(1);
  });
});

describe('what the plugin says of itself', () => {
  test('names and version', () => {
    expect(plugin.meta).toEqual({ name: manifest.name, version: manifest.version, namespace: 'fencepost' });
  });

  test('import and require give one and the same plugin', () => {
    const script = `
      import { createRequire } from 'node:module';
      import plugin, { configs, meta, rules } from 'eslint-plugin-fencepost';
      const required = createRequire(import.meta.url)('eslint-plugin-fencepost');
      if (plugin !== required || configs !== plugin.configs || meta !== plugin.meta || rules !== plugin.rules) throw new Error('They differ.');`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('presets name only rules that exist, and each holds the one before', () => {
    const severities = (name: keyof typeof plugin.configs) => new Map(Object.entries(plugin.configs[name].rules!).filter(([, it]) => it !== 'off'));
    const [recommended, strict, all] = [severities('recommended'), severities('strict'), severities('all')];
    expect([...all.keys()].sort()).toEqual(rules.map((rule) => `fencepost/${rule}`).sort());
    for (const name of recommended.keys()) expect([...strict.keys()]).toContain(name);
    for (const name of strict.keys()) expect([...all.keys()]).toContain(name);
    expect(recommended.size).toBeGreaterThan(0);
  });

  test.each(rules)('%s has a page, a description, a schema and messages', (name) => {
    const { meta } = plugin.rules[name]!;
    expect(meta.docs?.url).toBe(`https://github.com/fencepost-dev/fencepost/blob/main/docs/rules/${name}.md`);
    expect(meta.docs?.description).toMatch(/^[A-Z].*[^.]$|^[A-Z].*\.$/);
    expect(meta.schema).toBeDefined();
    expect(Object.values(meta.messages ?? {}).length).toBeGreaterThan(0);
    expect(['problem', 'suggestion']).toContain(meta.type);
  });

  test.each(rules)('%s refuses an option that it does not have', (name) => {
    const linter = new Linter();
    const config = { plugins: { fencepost: plugin as never }, rules: { [`fencepost/${name}`]: ['warn', { noSuchOption: true }] } } as Linter.Config;
    expect(() => linter.verify('', config)).toThrow(/noSuchOption|should NOT have/);
  });

  test('every message ends with a period, and its first sentence is short and stands alone', async () => {
    let seen = 0;
    for (const { path, text } of files) {
      for (const { message, rule } of await reports(ESLint, [withRules, typescript], path, text)) {
        seen++;
        const first = /^.+?[.!?](?=\s|$)/s.exec(message)![0];
        expect(message, rule).toMatch(/\.$/);
        expect(first.length, first).toBeLessThan(120);
        expect(first, rule).toMatch(/^[A-Z`"']/);
        // A key may have braces of its own.
        expect(message.replace(/"[^"]*"|`[^`]*`/g, ''), rule).not.toMatch(/\{\{|\[object/);
      }
    }
    expect(seen).toBeGreaterThan(20);
  });
});

describe('what is loaded', () => {
  /** Files of the plugin that a process has loaded once it has linted a text. */
  function loadedFor(text: string): { names: string[]; bytes: number } {
    const script = `
      const { Linter } = require('eslint');
      const { statSync } = require('node:fs');
      const { basename, dirname } = require('node:path');
      const fencepost = require('./dist/plugin.cjs');
      new Linter().verify(${JSON.stringify(text)}, [fencepost.configs.recommended], { filename: 'a.js' });
      const files = Object.keys(require.cache).filter((file) => dirname(file).endsWith('dist') && !file.includes('node_modules'));
      console.log(JSON.stringify({ names: files.map((file) => basename(file)), bytes: files.reduce((all, file) => all + statSync(file).size, 0) }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', script], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { names: string[]; bytes: number };
  }

  test('the gate alone, as long as no file is worth a look', () => {
    const { names, bytes } = loadedFor("import { readFile } from 'node:fs/promises';\nimport { total } from './total.js';\nexport const read = () => readFile(total);");
    expect(names).toContain('plugin.cjs');
    expect(names).not.toContain('analysis.cjs');
    expect(names).not.toContain('resolving.cjs');
    expect(bytes).toBeLessThan(64 * 1024);
  });

  test('the analysis for one that is', () => {
    expect(loadedFor("import Redis from 'ioredis';\nexport const redis = new Redis();").names).toContain('analysis.cjs');
  });
});

describe('types', () => {
  /** Compiles a file that exists only here, as a user's project would. */
  function complaints(name: string, text: string, eslint = 'eslint'): string[] {
    const types = `./node_modules/${eslint}/lib/types`;
    const paths = { eslint: [`${types}/index.d.ts`], 'eslint/config': [`${types}/config-api.d.ts`] };
    const options: ts.CompilerOptions = { paths, baseUrl: root, strict: true, noEmit: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] };
    const path = join(root, 'test', name);
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (file) => file === path || fileExists.call(host, file);
    host.readFile = (file) => (file === path ? text : readFile.call(host, file));
    host.getSourceFile = (file, ...rest) => (file === path ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile.call(host, file, ...rest));
    return ts.getPreEmitDiagnostics(ts.createProgram([path], options, host)).map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'));
  }
  const use = `
import { defineConfig } from 'eslint/config';
import fencepost from 'eslint-plugin-fencepost';
export default defineConfig([
  fencepost.configs.recommended,
  { extends: [fencepost.configs.strict], files: ['src/**'] },
  { plugins: { fencepost }, rules: { 'fencepost/no-blind-release': 'error' } },
  fencepost.configs.all,
]);
const name: string = fencepost.meta.name;
export { name };
`;

  test.each(['eslint', 'eslint-9'])('defineConfig of %s accepts the presets', (eslint) => {
    expect(complaints('consumer.mts', use, eslint)).toEqual([]);
  });

  test('CommonJS gets them by require', () => {
    expect(complaints('consumer.cts', "import fencepost = require('eslint-plugin-fencepost');\nexport const preset = fencepost.configs.recommended;\n")).toEqual([]);
  });

  test('what is not there is an error', () => {
    expect(complaints('consumer.mts', "import fencepost from 'eslint-plugin-fencepost';\nfencepost.configs.none;\n").join()).toContain("'none' does not exist");
  });
});
