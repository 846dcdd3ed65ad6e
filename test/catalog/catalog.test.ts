/**
 * Every row of the catalog is exercised: a fixture calls it as the real package's types allow, the
 * interpreter finds what the row promises, and nothing else. `FENCEPOST_WRITE=1 npx vitest run
 * test/catalog` writes what is found into the fixtures' comments; the difference is then to be read
 * and judged, like code.
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { libraries } from '../../catalog/index.gen.ts';
import type { Call, Decorator, Library, Obtain } from '../../catalog/schema.ts';
import { root } from '../root.ts';
import { catalogFixtures, commented, expectedIn, reached, read } from './reading.ts';

const fixtures = catalogFixtures();
const writes = process.env.FENCEPOST_WRITE === '1';

describe('each line means what its comment says', () => {
  test.each(fixtures.map((it) => [it.name, it] as const))('%s', (_, fixture) => {
    const reading = read(fixture);
    if (writes) writeFileSync(fixture.path, commented(fixture.text, reading));
    else {
      const found = new Map([...reading.lines].map(([line, said]) => [line, said.join('; ')]));
      const lines = fixture.text.split('\n');
      const inOrder = (it: Map<number, string>) => [...it].sort(([a], [b]) => a - b).map(([line, said]) => `${line}: ${lines[line - 1]!.trim().replace(/ \/\/ events:.*/, '')} // ${said}`);
      expect(inOrder(found)).toEqual(inOrder(expectedIn(fixture.text)));
    }
  });
});

const names = (it: { name: string | readonly string[] }): string => [it.name].flat().slice(0, 4).join('|');
const more = ({ versions, from, when }: Partial<Call & Obtain>): string => [versions && `in ${versions}`, from && `from ${[from].flat().join(', ')}`, when?.length && `when ${JSON.stringify(when)}`].filter(Boolean).join(' ');

/** The rows of a library that no fixture has reached, in words. */
function missing(library: Library): string[] {
  const calls = library.calls.filter((it) => !reached.calls.has(it)).map((it: Call) => `${it.on} ${names(it)} ${more(it)}`);
  const obtain = (library.obtain ?? []).filter((it) => !reached.obtained.has(it)).map((it: Obtain) => `${it.type} by ${it.by} ${names(it)} ${it.of ? `of ${it.of} ` : ''}${more(it)}`);
  const decorators = (library.decorators ?? []).filter((it) => !reached.decorators.has(it)).map((it: Decorator) => `decorator ${names(it)}`);
  const tokens = (library.tokens ?? []).filter((it) => !reached.tokens.has(it)).map((it) => `token ${it.of} ${it.path.join('.')}`);
  const states = (library.states ?? []).filter((it) => !reached.states.has(it)).map((it) => `state ${it.of} ${it.path.join('.')}`);
  return [...calls, ...obtain, ...decorators, ...tokens, ...states].map((it) => `${library.key}: ${it.trim()}`);
}

// The fixtures above have been read when these run.
describe('every row is reached by a fixture', () => {
  test.each(libraries.map((it) => [it.key, it] as const))('of %s', (_, library) => {
    const rows = missing(library);
    expect(rows, `rows that no fixture in test/catalog/fixtures reaches:\n${rows.join('\n')}`).toEqual([]);
  });
});

describe('against the types of the real packages', () => {
  let errors: string[] = [];

  beforeAll(() => {
    const folder = join(root, 'test/catalog');
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as { config: unknown };
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
    errors = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options)).map((it) => {
      const place = it.file ? `${relative(folder, it.file.fileName)}:${it.file.getLineAndCharacterOfPosition(it.start!).line + 1} ` : '';
      return `${place}${ts.flattenDiagnosticMessageText(it.messageText, '\n')}`;
    });
  }, 300_000);

  test('the fixtures are sound', () => expect(errors).toEqual([]));
});
