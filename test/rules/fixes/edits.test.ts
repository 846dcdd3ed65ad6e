/**
 * What the edits make of code. Each folder of `test/fixtures/fixes` is a case: `before` is mended
 * until no edit is left, and must then read as `after`; and every edit on every fixture of the
 * project must do what an edit must.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apply, faultOf, lint, type Linted } from '../../check.ts';
import { allFixtures, fixturesFolder } from '../../fixture.ts';

const folder = join(fixturesFolder, 'fixes');
const cases = readdirSync(folder).sort();

const withEdits = (text: string, path: string): Linted[] => lint(text, path).filter((it) => it.edits.length > 0);

/** Applies the first edit of a finding, chosen by `pick`, until none is left. */
function mend(text: string, path: string, pick: (list: Linted[]) => Linted): string {
  let current = text;
  for (let round = withEdits(text, path).length + 2; round > 0; round--) {
    const left = withEdits(current, path);
    if (left.length === 0) return current;
    current = apply(current, pick(left).edits[0]!);
  }
  throw new Error('The edits never come to an end.');
}

const withoutExpectations = (text: string): string => text.replaceAll(/\s*\/\/ expect(?:-fix)?: .*$/gm, '');
const first = (list: Linted[]): Linted => list[0]!;
const last = (list: Linted[]): Linted => list[list.length - 1]!;

describe('before and after', () => {
  test.each(cases)('%s', (name) => {
    const file = readdirSync(join(folder, name)).find((it) => it.startsWith('before.'))!;
    const path = join(folder, name, file);
    const after = path.replace(/before(\.\w+)$/, 'after$1');
    expect(existsSync(after), 'the case says what its edits make').toBe(true);
    expect(withoutExpectations(mend(readFileSync(path, 'utf8'), path, first))).toBe(readFileSync(after, 'utf8'));
  });
});

describe('every edit on every fixture', () => {
  const offered = allFixtures().flatMap(({ name, files }) => files.filter(({ text, path }) => withEdits(text, path).length > 0).map((it) => [`${name} ${it.path.slice(it.path.lastIndexOf('/') + 1)}`, it] as const));

  test('there are some', () => expect(offered.length).toBeGreaterThan(cases.length));

  test.each(offered)('%s: parses, removes its finding, adds none, is not offered again', (_, { path, text }) => {
    const before = lint(text, path);
    for (const report of withEdits(text, path)) {
      for (const edit of report.edits) expect(faultOf(edit, report.rule, before, text, path), `line ${report.line}`).toBeUndefined();
    }
  });

  test.each(offered)('%s: keeps every comment', (_, { path, text }) => {
    const comments = (of: string): string[] => [...of.matchAll(/\/\/ .*$|\/\*[^]*?\*\//gm)].map(([it]) => it.replaceAll(/\n\s*/g, '\n')).sort();
    for (const report of withEdits(text, path)) {
      for (const edit of report.edits) expect(comments(apply(text, edit))).toEqual(comments(text));
    }
  });

  test.each(offered.filter(([, { path, text }]) => withEdits(text, path).length > 1))('%s: the edits go together in either order', (_, { path, text }) => {
    const mended = [first, last].map((pick) => mend(text, path, pick));
    const left = mended.map((it) => lint(it, path).map((report) => report.rule).sort());
    expect(left[0]).toEqual(left[1]);
    // A script or an import that both edits need stands there once.
    for (const it of mended) for (const line of ['= `\n  if redis.call(\'get\'', '= `\n  if redis.call(\'set\'', 'import { randomUUID }']) expect(it.split(line).length - 1).toBeLessThanOrEqual(1);
  });
});
