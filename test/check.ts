/**
 * The one helper behind all fixtures. A fixture is source code with its expectations in comments:
 *
 *   // expect: rule, rule     these rules report an expression that covers this line
 *   // expect-fix: rule       so, with an edit that works
 *   // related: text          a related place of the finding on this line says `text`
 *
 * Whatever is not expected must not be reported. A rule that does not exist yet is not asked for.
 */
import { relative, sep } from 'node:path';
import { expect } from 'vitest';
import { compare, expectationsIn, fixturesFolder, type Fixture, type Report } from './fixture.ts';
import { type Linted, apply, lint } from './lint.ts';

export { type Linted, apply, lint, rulesFor } from './lint.ts';

const countBy = (reports: readonly Report[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { rule } of reports) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
};

/** Why an edit does not do what an edit must; undefined when it does. */
export function faultOf(edit: Linted['edits'][number], rule: string, before: readonly Linted[], text: string, path: string): string | undefined {
  const mended = apply(text, edit);
  let after: Linted[];
  try {
    after = lint(mended, path);
  } catch (error) {
    return `"${edit.title}" does not parse: ${(error as Error).message}`;
  }
  const [old, now] = [countBy(before), countBy(after)];
  if ((now.get(rule) ?? 0) >= old.get(rule)!) return `"${edit.title}" does not remove the finding`;
  const added = [...now].find(([name, n]) => n > (old.get(name) ?? 0));
  if (added) return `"${edit.title}" adds a finding of ${added[0]}`;
  // Nothing more to do for it: every edit still offered for the rule is for another finding of it.
  const offered = (reports: readonly Linted[]): number => reports.filter((it) => it.rule === rule && it.edits.length > 0).length;
  return offered(after) >= offered(before) ? `"${edit.title}" is offered again after it was applied` : undefined;
}

/** Applies an edit for every finding that expects one, one after the other, until none is left. */
function mendAll(text: string, path: string, rules: ReadonlySet<string>): string[] {
  let current = text;
  const limit = lint(text, path).length + 1;
  for (let round = 0; round < limit; round++) {
    const next = lint(current, path).find((it) => rules.has(it.rule) && it.edits.length > 0);
    if (!next) return [];
    current = apply(current, next.edits[0]!);
  }
  return ['applied one after the other, the edits never come to an end'];
}

/** Holds a fixture to what its comments say. */
export function check(fixture: Fixture): void {
  const problems = fixture.files.flatMap(({ path, text }) => {
    const before = lint(text, path);
    const { pairs, problems: mismatches } = compare(expectationsIn(text), before);
    const where = (it: string): string => `${relative(fixturesFolder, path).split(sep).join('/')}: ${it}`;
    const found = [...mismatches];
    for (const [wanted, got] of pairs) {
      if (wanted.related && !got.finding?.related.some((it) => it.text.includes(wanted.related!))) {
        found.push(`no related place of ${wanted.rule} at line ${wanted.line} says "${wanted.related}", but: ${got.finding?.related.map((it) => it.text).join(' | ') || 'none'}`);
      }
      if (!wanted.wantsEdit) continue;
      if (got.edits.length === 0) found.push(`no edit is offered for ${wanted.rule} at line ${wanted.line}`);
    }
    // An edit that is offered must be right, whether it was asked for or not.
    for (const report of before) {
      for (const edit of report.edits) {
        const fault = faultOf(edit, report.rule, before, text, path);
        if (fault) found.push(`line ${report.line}: ${fault}`);
      }
    }
    if (before.some((it) => it.edits.length > 0)) found.push(...mendAll(text, path, new Set(before.map((it) => it.rule))));
    return found.map(where);
  });
  expect(problems, problems.join('\n')).toEqual([]);
}
