/**
 * Edited code type-checks against the clients' own types. Every TypeScript fixture that has an edit is
 * checked as it was and as each edit leaves it: no edit may add a type error.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { apply, lint } from '../../check.ts';
import { allFixtures } from '../../fixture.ts';
import { root } from '../../root.ts';

/** Packages whose types the edits of the fixtures are checked against. */
const packages = ['ioredis', 'iovalkey', 'redis', '@upstash/redis', '@vercel/kv', '@valkey/valkey-glide', 'pg', 'postgres', 'mysql2', 'better-sqlite3', '@electric-sql/pglite', 'nanoid', 'uuid'];
const typesOf = (name: string): string => (name.startsWith('@') ? name : `@types/${name}`);
const installed = (name: string): boolean => [name, typesOf(name)].some((it) => existsSync(join(root, 'node_modules', it, 'package.json')));

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  strict: true,
  esModuleInterop: true,
  experimentalDecorators: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

interface Variant {
  /** A path of its own beside the fixture, where its imports resolve as the fixture's do. */
  path: string;
  text: string;
  fixture: string;
  title: string;
}

const variants: Variant[] = [];
for (const { name, files } of allFixtures()) {
  for (const { path, text } of files.filter((it) => /\.[cm]?tsx?$/.test(it.path))) {
    const edits = lint(text, path).flatMap((report) => report.edits.map((edit) => ({ edit, line: report.line })));
    if (edits.length === 0) continue;
    variants.push({ path, text, fixture: name, title: 'as it is' });
    edits.forEach(({ edit, line }, i) => variants.push({ path: join(dirname(path), `edited-${i}-${path.slice(path.lastIndexOf('/') + 1)}`), text: apply(text, edit), fixture: name, title: `line ${line}: ${edit.title}` }));
  }
}

/** The type errors of each variant, without their places, which an edit moves. */
const errors = new Map<string, string[]>();

beforeAll(() => {
  const texts = new Map(variants.map((it) => [it.path, it.text]));
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists.call(host, file);
  host.readFile = (file) => texts.get(file) ?? readFile.call(host, file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile.call(host, file, version, ...rest) : ts.createSourceFile(file, text, version, true);
  };
  host.getCurrentDirectory = () => root;
  const program = ts.createProgram([...texts.keys()], options, host);
  for (const { path } of variants) {
    const source = program.getSourceFile(path)!;
    errors.set(path, [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((it) => `TS${it.code}: ${ts.flattenDiagnosticMessageText(it.messageText, '\n')}`));
  }
}, 300_000);

describe('against the real packages', () => {
  test('they are installed', () => expect(packages.filter((name) => !installed(name))).toEqual([]));

  test('there are edits to check', () => expect(variants.filter((it) => it.title !== 'as it is').length).toBeGreaterThan(40));

  test.each(variants.filter((it) => it.title !== 'as it is').map((it) => [`${it.fixture}, ${it.title}`, it] as const))('%s', (_, variant) => {
    const original = variants.find((it) => it.fixture === variant.fixture && it.title === 'as it is' && variant.path.endsWith(`-${it.path.slice(it.path.lastIndexOf('/') + 1)}`))!;
    const known = [...errors.get(original.path)!];
    const added = errors.get(variant.path)!.filter((it) => {
      const index = known.indexOf(it);
      if (index >= 0) known.splice(index, 1);
      return index < 0;
    });
    expect(added).toEqual([]);
  });
});
