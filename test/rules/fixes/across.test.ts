/**
 * What the edits make of code in several files. Each folder of `test/fixtures/across` is a case: the files of
 * `before` are mended as an editor would do it until no edit is left, and must then read as those of `after`.
 * Without `after` nothing may be offered. `FENCEPOST_WRITE=1` writes it, to be read and judged like code.
 */
import * as typescriptParser from '@typescript-eslint/parser';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '../../../model/host.ts';
import { analyse } from '../../../rules/analysis.ts';
import { fileHost, overlayHost } from '../../../rules/file-host.ts';
import type { Edit } from '../../../rules/finding.ts';
import { editsThroughCallers } from '../../../rules/fixes/through-callers.ts';
import { defaultSettings } from '../../../rules/settings.ts';
import '../../../rules/sql-engine.ts';
import { importersIn } from '../../../server/importers.ts';
import { fixturesFolder } from '../../fixture.ts';
import { isTypeScript, typeErrors } from './types.ts';

const folder = join(fixturesFolder, 'across');
const cases = readdirSync(folder).sort();

type Texts = Map<string, string>;

function filesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((it) => (it.isDirectory() ? filesBelow(join(path, it.name)) : [join(path, it.name)]));
}

const textsIn = (path: string): Texts => new Map(filesBelow(path).map((file) => [file, readFileSync(file, 'utf8')]));

const parse = (file: string, text: string): Program =>
  typescriptParser.parse(text, { filePath: file, range: true, loc: true, comment: true, tokens: true, sourceType: /\.c[jt]s$/.test(file) ? 'commonjs' : 'module' }) as unknown as Program;

/** The edits of all findings, those of their own file first, as an editor offers them. */
function offered(texts: Texts, path: string): { rule: string; file: string; edit: Edit }[] {
  let version = 0;
  const versions = new Map([...texts].map(([file, text]) => [file, { text, version: `${file} ${++version} ${text.length}` }]));
  const host = overlayHost(fileHost({ parse }), (file) => versions.get(file));
  const importers = importersIn(() => [path], host);
  return [...texts].flatMap(([file, text]) => {
    const analysis = analyse({ file, text, program: parse(file, text) }, host, defaultSettings);
    return (analysis?.findings ?? []).flatMap((it) => {
      const edits = it.edits.length > 0 ? it.edits : editsThroughCallers(it, analysis!.story, defaultSettings, importers);
      return edits.slice(0, 1).map((edit) => ({ rule: it.rule, file, edit }));
    });
  });
}

function applied(texts: Texts, file: string, { changes }: Edit): Texts {
  const after = new Map(texts);
  for (const it of [...changes].sort((a, b) => b.start - a.start)) {
    const at = it.file ?? file;
    const text = after.get(at)!;
    after.set(at, text.slice(0, it.start) + it.text + text.slice(it.end));
  }
  return after;
}

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
