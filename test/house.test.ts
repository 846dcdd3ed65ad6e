/** The order of the house: who may import whom, where package names stand, what files are called, and what is generated. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { libraries } from '../catalog/index.gen.ts';
import { languageWords } from '../tools/lint/words.mjs';
import { root } from './root.ts';

/** For each floor, the floors that it may import from besides itself. */
const mayImport: Record<string, readonly string[]> = {
  catalog: [],
  model: ['catalog'],
  rules: ['model', 'catalog'],
  server: ['rules', 'model', 'catalog'],
  extension: ['server', 'rules', 'model', 'catalog'],
  cli: ['server', 'rules', 'model', 'catalog'],
};
const floors = Object.keys(mayImport);

const below = (path: string): string[] =>
  !existsSync(path) || basename(path) === 'node_modules' ? [] : statSync(path).isDirectory() ? readdirSync(path).sort().flatMap((name) => below(join(path, name))) : [path];
const sourcesOf = (floor: string): string[] => below(join(root, floor)).filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.d.ts'));
const nameOf = (path: string): string => relative(root, path).split(sep).join('/');

const importsOf = (path: string): string[] => ts.preProcessFile(readFileSync(path, 'utf8'), true, true).importedFiles.map((it) => it.fileName);

/** The floor that a specifier leads to; undefined for packages and for files in the project's root. */
function floorOf(specifier: string, from: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const [first, ...rest] = nameOf(resolve(dirname(from), specifier)).split('/');
  return rest.length > 0 && first !== 'node_modules' ? first : undefined;
}

/** Every string in a file that names no module of an import, with its line. */
function stringsIn(path: string): { text: string; line: number }[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: { text: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) found.push({ text: node.text, line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('floors', () => {
  test.each(floors)('%s imports only from the floors that feed it', (floor) => {
    const wrong = sourcesOf(floor).flatMap((path) =>
      importsOf(path).flatMap((specifier) => {
        const to = floorOf(specifier, path);
        return to === undefined || to === floor || mayImport[floor]!.includes(to) ? [] : [`${nameOf(path)} imports ${specifier}`];
      }),
    );
    expect(sourcesOf(floor).length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  test('the catalog and the model read no files and know no time', () => {
    const banned = /^(?:node:)?(?:fs|os|child_process|net|http|https|crypto|timers|process)(?:\/|$)/;
    const imports = ['catalog', 'model'].flatMap(sourcesOf).flatMap((path) => importsOf(path).filter((it) => banned.test(it)).map((it) => `${nameOf(path)} imports ${it}`));
    expect(imports.filter((it) => !it.startsWith('model/sql/engine.ts'))).toEqual([]);
    const clocks = ['catalog', 'model'].flatMap(sourcesOf).filter((path) => /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\bperformance\.now\(\)/.test(readFileSync(path, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '').replaceAll(/'[^'\n]*'|`[^`\n]*`/g, "''")));
    expect(clocks.map(nameOf)).toEqual([]);
  });
});

describe('knowledge is data', () => {
  const names = new Set(libraries.flatMap((it) => it.packages).map((it) => it.replace(/\/\*$/, '')).filter((it) => !languageWords.includes(it)));

  test('no package name stands in the model or the rules', () => {
    expect(names.size).toBeGreaterThan(10);
    const strings = ['model', 'rules'].flatMap(sourcesOf).filter((path) => !path.endsWith('.gen.ts')).flatMap((path) => stringsIn(path).map((it) => ({ ...it, path })));
    expect(strings.filter(({ text }) => names.has(text)).map(({ text, line, path }) => `${nameOf(path)}:${line} says '${text}'`)).toEqual([]);
  });

  test('every library has a name of its own', () => {
    const keys = libraries.map((it) => it.key);
    expect(keys).toEqual([...new Set(keys)]);
  });
});

describe('files', () => {
  const all = [...floors, 'test', 'tools', 'demo', 'bench'].flatMap((folder) => below(join(root, folder))).filter((path) => /\.(?:ts|mjs|js)$/.test(path));
  const written = all.filter((path) => !/\.gen\.ts$|[/\\]fixtures[/\\]/.test(path));

  test('none is named after the leftovers that it holds', () => {
    expect(all.map(nameOf).filter((name) => /(?:^|[/.-])(?:utils?|helpers?|common|managers?|misc)(?=[/.-]|$)/.test(name)).filter((name) => !name.startsWith('demo/') && !name.startsWith('test/fixtures/'))).toEqual([]);
  });

  test('each opens with what it owns', () => {
    const silent = written.filter((path) => !/^(?:#!.*\n)?(?:\/\*|\/\/)/.test(readFileSync(path, 'utf8')));
    expect(silent.map(nameOf)).toEqual([]);
  });

  test('each fits in a head: about 300 lines', () => {
    // Tables of data may be longer, the catalog's and the tests'; code may not.
    const long = written.filter((path) => !nameOf(path).startsWith('catalog/') && !nameOf(path).startsWith('test/')).filter((path) => readFileSync(path, 'utf8').split('\n').length > 320);
    expect(long.map(nameOf)).toEqual([]);
  });

  test('tests do not skip each other', () => {
    const tests = all.filter((path) => path.endsWith('.test.ts') && basename(path) !== 'house.test.ts');
    expect(tests.filter((path) => /\b(?:test|describe|it)\.(?:only|skip|todo)\b/.test(readFileSync(path, 'utf8'))).map(nameOf)).toEqual([]);
  });
});

test('what is generated is what the sources say', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/gen.mjs', '--check'], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
