/**
 * The one helper behind all fixtures. A fixture is source code with its expectations in comments:
 *
 *   // expect: rule, rule     these rules report an expression that covers this line
 *   // expect-fix: rule       so, with an edit that works
 *   // related: text          a related place of the finding on this line says `text`
 *
 * Whatever is not expected must not be reported. A rule that does not exist yet is not asked for.
 */
import { Linter } from 'eslint';
import { relative, sep } from 'node:path';
import { expect } from 'vitest';
import * as typescriptParser from '@typescript-eslint/parser';
import { analysisOf, findingOf } from '../rules/eslint.ts';
import type { Finding } from '../rules/finding.ts';
import plugin from '../rules/plugin.ts';
import { ruleTable } from '../rules/index.gen.ts';
import { compare, expectationsIn, fixturesFolder, type Fixture, type Report } from './fixture.ts';
import { root } from './root.ts';

export interface Linted extends Report {
  finding?: Finding;
  edits: { range: [number, number]; text: string; title: string }[];
}

const config: Linter.Config[] = [
  {
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'],
    plugins: { fencepost: plugin as never },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { parser: typescriptParser as never } },
  { files: ['**/*.{jsx,tsx}'], languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
];

/**
 * Every rule, with the options that it has by default; but advice that only `strict` gives is asked
 * for where a fixture is about it: nearly every lock has some coming.
 */
export const rulesFor = (text: string, path: string, about?: string): Linter.Config => ({
  rules: Object.fromEntries(
    ruleTable
      .filter(({ name, recommended }) => recommended !== 'off' || name === about || path.includes(`${sep}${name}${sep}`) || expectationsIn(text).some((it) => it.rule === name))
      .map(({ name }) => [`fencepost/${name}`, 'warn']),
  ),
});

/** What ESLint reports for a text as the file at `path`; `about` is a rule that is asked for in any case. A syntax error is thrown. */
export function lint(text: string, path: string, about?: string): Linted[] {
  const linter = new Linter({ cwd: root });
  // A CommonJS file that says `import` is a module all the same.
  const isModule = path.endsWith('.js') && /^(?:import|export)\b/m.test(text);
  const all = [...config, rulesFor(text, path, about)];
  const messages = linter.verify(text, isModule ? [...all, { files: ['**/*.js'], languageOptions: { sourceType: 'module' } }] : all, { filename: path });
  const fatal = messages.find((message) => message.fatal);
  if (fatal) throw new Error(`${relative(root, path)}:${fatal.line}: ${fatal.message}`);
  const sourceCode = linter.getSourceCode();
  const analysis = analysisOf(sourceCode);
  return messages.map((message) => {
    const finding = analysis && findingOf(analysis, message);
    return {
      rule: message.ruleId?.replace(/^fencepost\//, '') ?? 'eslint',
      line: message.line,
      endLine: message.endLine ?? message.line,
      message: message.message,
      finding,
      edits: [...(message.fix ? [{ ...message.fix, title: 'fix' }] : []), ...(message.suggestions ?? []).map(({ fix, desc }) => ({ ...fix, title: desc }))].map(({ range, text: replacement, title }) => ({
        range: [range[0], range[1]] as [number, number],
        text: replacement,
        title,
      })),
    };
  });
}

export const apply = (text: string, { range, text: replacement }: Linted['edits'][number]): string => text.slice(0, range[0]) + replacement + text.slice(range[1]);

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
