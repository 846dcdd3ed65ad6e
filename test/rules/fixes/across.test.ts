/**
 * What the edits make of code in several files. Each folder of `test/fixtures/across` is a case: the files of
 * `before` are mended as an editor would do it until no edit is left, and must then read as those of `after`.
 * Without `after` nothing may be offered. `FENCEPOST_WRITE=1` writes it, to be read and judged like code.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixturesFolder } from '../../fixture.ts';
import { type Texts, applied, offered, textsIn } from './several-files.ts';
import { isTypeScript, typeErrors } from './types.ts';

const folder = join(fixturesFolder, 'across');
const cases = readdirSync(folder).sort();

function mended(texts: Texts, path: string, pick: <T>(list: readonly T[]) => T): { texts: Texts; titles: string[] } {
  const titles: string[] = [];
  let current = texts;
  for (let round = 12; round > 0; round--) {
    const edits = offered(current, path);
    if (edits.length === 0) return { texts: current, titles };
    const { file, edit } = pick(edits);
    titles.push(edit.title);
    current = applied(current, file, edit);
  }
  throw new Error(`The edits never come to an end: ${titles.join('; ')}`);
}

const withoutExpectations = (text: string): string => text.replaceAll(/\s*\/\/ expect(?:-fix)?: .*$/gm, '');
const comments = (texts: Texts): string[] => [...texts.values()].flatMap((text) => [...withoutExpectations(text).matchAll(/\/\/ .*$|\/\*[^]*?\*\//gm)].map(([it]) => it)).sort();
const named = (texts: Texts, path: string): Record<string, string> => Object.fromEntries([...texts].map(([file, text]) => [relative(path, file), withoutExpectations(text)]));

describe('before and after, in several files', () => {
  let errors = new Map<string, string[]>();
  beforeAll(() => {
    errors = typeErrors(cases.flatMap((name) => ['before', 'after'].filter((it) => existsSync(join(folder, name, it))).flatMap((it) => [...textsIn(join(folder, name, it))].filter(([file]) => isTypeScript(file)).map(([path, text]) => ({ path, text })))));
  }, 120_000);

  test.each(cases)('%s', (name) => {
    const [before, after] = [join(folder, name, 'before'), join(folder, name, 'after')];
    const texts = textsIn(before);
    const made = mended(texts, before, (list) => list[0]!);
    const wanted = existsSync(after) ? textsIn(after) : texts;
    if (process.env.FENCEPOST_WRITE && made.titles.length > 0 && !existsSync(after)) {
      for (const [file, text] of Object.entries(named(made.texts, before))) {
        mkdirSync(dirname(join(after, file)), { recursive: true });
        writeFileSync(join(after, file), text);
      }
    }
    // A case without `after` is one in which nothing can be right.
    expect(made.titles.length > 0, made.titles.join('\n')).toBe(existsSync(after));
    expect(named(made.texts, before)).toEqual(named(wanted, existsSync(after) ? after : before));
    expect(comments(made.texts), 'every comment stays').toEqual(comments(texts));
    // From the last finding on, the same comes of it, but for the order in which things are put in.
    const other = mended(texts, before, (list) => list[list.length - 1]!);
    expect(offered(other.texts, before)).toEqual([]);
    expect([...other.texts.keys()].map((file) => other.texts.get(file)!.split('\n').sort())).toEqual([...made.texts.keys()].map((file) => made.texts.get(file)!.split('\n').sort()));
    for (const file of [...texts.keys(), ...wanted.keys()].filter(isTypeScript)) expect(errors.get(file), file).toEqual([]);
  });
});
