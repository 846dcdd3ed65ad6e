/** What the rules say of a text, through ESLint as users run it, and what an edit makes of the text. No test runner is needed for it. */
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { relative, sep } from 'node:path';
import { analysisOf, findingOf } from '../rules/eslint.ts';
import type { Finding } from '../rules/finding.ts';
import { ruleTable } from '../rules/table.gen.ts';
import '../rules/analysing.ts';
import plugin from '../rules/plugin.ts';
import type { Settings } from '../rules/settings.ts';
import { type Report, expectationsIn } from './fixture.ts';
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

/** What ESLint reports for a text as the file at `path`; `about` is a rule that is asked for in any case, `settings` are those of the user. A syntax error is thrown. */
export function lint(text: string, path: string, about?: string, settings: Partial<Settings> = {}): Linted[] {
  const linter = new Linter({ cwd: root });
  // A CommonJS file that says `import` is a module all the same.
  const isModule = path.endsWith('.js') && /^(?:import|export)\b/m.test(text);
  const all = [...config, { settings: { fencepost: settings } }, rulesFor(text, path, about)];
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
