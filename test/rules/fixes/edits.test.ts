/**
 * What the edits make of code. Each folder of `test/fixtures/fixes` is a case: `before` is mended
 * until no edit is left, and must then read as `after`. And one property for every edit on every
 * fixture of the project: what an edit must be, all of it at once.
 */
import * as typescriptParser from '@typescript-eslint/parser';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultOf } from '../../check.ts';
import { allFixtures, fixturesFolder } from '../../fixture.ts';
import { type Linted, apply, lint } from '../../lint.ts';
import { type Text, isTypeScript, missingPackages, typeErrors } from './types.ts';

const folder = join(fixturesFolder, 'fixes');
const cases = readdirSync(folder).sort();
/** Orders of edits meet in the same texts: each is linted once. */
const seen = new Map<string, Linted[]>();
function linted(text: string, path: string): Linted[] {
  const id = `${path}\0${text}`;
  let found = seen.get(id);
  if (!found) seen.set(id, (found = lint(text, path)));
  return found;
}
const withEdits = (text: string, path: string): Linted[] => linted(text, path).filter((it) => it.edits.length > 0);

type Pick = (list: Linted[]) => Linted;
const first: Pick = (list) => list[0]!;

/** Applies the first edit of a finding, chosen by `pick`, until none is left. */
function mend(text: string, path: string, pick: Pick): string {
  let current = text;
  for (let round = withEdits(text, path).length + 2; round > 0; round--) {
    const left = withEdits(current, path);
    if (left.length === 0) return current;
    current = apply(current, pick(left).edits[0]!);
  }
  throw new Error('The edits never come to an end.');
}

const withoutExpectations = (text: string): string => text.replaceAll(/\s*\/\/ expect(?:-fix)?: .*$/gm, '');

describe('before and after', () => {
  test.each(cases)('%s', (name) => {
    const file = readdirSync(join(folder, name)).find((it) => it.startsWith('before.'))!;
    const path = join(folder, name, file);
    const after = path.replace(/before(\.\w+)$/, 'after$1');
    // A new case is written once, to be read and judged like code.
    if (process.env.FENCEPOST_WRITE && !existsSync(after)) writeFileSync(after, withoutExpectations(mend(readFileSync(path, 'utf8'), path, first)));
    expect(existsSync(after), 'the case says what its edits make').toBe(true);
    expect(withoutExpectations(mend(readFileSync(path, 'utf8'), path, first))).toBe(readFileSync(after, 'utf8'));
  });
});

interface Offered {
  name: string;
  path: string;
  text: string;
  findings: Linted[];
  /** Each edit alone, and all of them one after the other: from the first on, from the last on, and each in turn before the others. */
  edited: { title: string; text: string }[];
  mended: string[];
}

/** From how many of the first findings on the edits are gone through, besides from the last. */
const maxOrders = 3;

function offeredIn({ path, text }: Text, name: string): Offered | undefined {
  const findings = linted(text, path);
  const offering = findings.filter((it) => it.edits.length > 0);
  if (offering.length === 0) return undefined;
  const edited = offering.flatMap((report) => report.edits.map((edit) => ({ title: `line ${report.line}: ${edit.title}`, text: apply(text, edit) })));
  const orders: Pick[] = offering.slice(0, maxOrders).map((_, k) => (list) => list[k % list.length]!);
  if (orders.length > 1) orders.push((list) => list[list.length - 1]!);
  return { name: `${name} ${basename(path)}`, path, text, findings, edited, mended: orders.map((pick) => mend(text, path, pick)) };
}

const comments = (text: string): string[] => [...text.matchAll(/\/\/ .*$|\/\*[^]*?\*\//gm)].map(([it]) => it.replaceAll(/\n\s*/g, '\n')).sort();

/** The texts in quotes, as they are written. */
const literals = (text: string, path: string): string[] =>
  (typescriptParser.parse(text, { filePath: path, tokens: true, range: true, sourceType: 'module' }).tokens ?? []).filter((it) => it.type === 'String').map((it) => it.value);

/** What an edit has written in another style than the file has. */
function strangeStyle(before: string, after: string, path: string): string[] {
  const own = new Set(before.split('\n').map((it) => it.trim()));
  const added = after.split('\n').filter((it) => !own.has(it.trim()) && it.trim() !== '');
  const known = literals(before, path);
  const isDouble = known.filter((it) => it.startsWith('"') && !it.includes("'")).length > known.filter((it) => it.startsWith("'")).length;
  const [quote, other] = isDouble ? ['"', "'"] : ["'", '"'];
  const tabs = /^\t/m.test(before);
  const isWithoutSemicolons = !/;\s*$/m.test(before.replaceAll(/^\s*(?:\/\/|\*).*$/gm, ''));
  return [
    ...literals(after, path).filter((it) => !known.includes(it) && it.startsWith(other) && !it.includes(quote)),
    ...added.filter((it) => (tabs ? /^ /.test(it) : /^ *\t/.test(it))),
    ...added.filter((it) => isWithoutSemicolons && /;\s*$/.test(it)),
  ];
}

describe('every edit on every fixture', () => {
  const all = allFixtures().flatMap(({ name, files }) => files.flatMap((file) => offeredIn(file, name) ?? []));
  let errors = new Map<string, string[]>();

  beforeAll(() => {
    errors = typeErrors(all.filter(({ path }) => isTypeScript(path)).flatMap((it) => [{ path: it.path, text: it.text }, ...variantsOf(it)]));
  }, 300_000);

  /** Beside the fixture, where its imports resolve as the fixture's do. */
  const variantsOf = ({ path, edited, mended }: Offered): Text[] =>
    [...edited.map((it) => it.text), ...new Set(mended)].map((text, i) => ({ path: join(path, '..', `edited-${i}-${basename(path)}`), text }));

  test('there are many, of many rules, and the packages that they are checked against are there', () => {
    expect(all.length).toBeGreaterThan(cases.length);
    expect(new Set(all.flatMap(({ findings }) => findings.filter((it) => it.edits.length > 0).map((it) => it.rule))).size).toBeGreaterThanOrEqual(16);
    expect(missingPackages()).toEqual([]);
  });

  test.each(all.map((it) => [it.name, it] as const))('%s', (_, it) => {
    const { path, text, findings, edited, mended } = it;
    // It parses, removes its finding, adds none of any rule, and there is nothing left to do for it: applied twice, it changes nothing.
    for (const report of findings) for (const edit of report.edits) expect(faultOf(edit, report.rule, findings, text, path), `line ${report.line}`).toBeUndefined();
    for (const after of [...edited.map((each) => each.text), ...mended]) {
      expect(comments(after), 'every comment stays').toEqual(comments(text));
      expect(strangeStyle(text, after, path), 'written as the file is').toEqual([]);
    }
    // The edits go together in any order: what is left to report is the same.
    const left = mended.map((after) => linted(after, path).map(({ rule }) => rule).sort());
    for (const other of left) expect(other).toEqual(left[0]);
    // A script or an import that several edits need stands there once.
    for (const after of mended) for (const part of ["= `\n  if redis.call('get'", "= `\n  if redis.call('set'", 'import { randomUUID }']) expect(after.split(part).length - 1).toBeLessThanOrEqual(1);
    if (!isTypeScript(path)) return;
    // No type error that was not there.
    for (const variant of variantsOf(it)) {
      const known = [...errors.get(path)!];
      const added = errors.get(variant.path)!.filter((error) => {
        const index = known.indexOf(error);
        if (index >= 0) known.splice(index, 1);
        return index < 0;
      });
      expect(added, variant.text).toEqual([]);
    }
  });
});
