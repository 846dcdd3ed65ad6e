/**
 * One text through ESLint's own `Linter`: for a project's configuration, and for comments in the text that
 * switch rules on or off, so that they mean here what they mean in a lint run. ESLint is loaded when the
 * first text needs it, which most never do.
 */
import type { Linter as LinterClass } from 'eslint';
import { parse as parsePath, resolve } from 'node:path';
import type { Analysis } from '../rules/analysis.ts';
import { analysisOf, findingOf } from '../rules/eslint.ts';
import plugin from '../rules/plugin.ts';
import type { EditorSettings } from './editor-settings.ts';
import type { Problem } from './lint.ts';
import { parser } from './eslint-parser.ts';
import { eslintParts } from './eslint-parts.ts';
import { parserOptions } from './parser.ts';
import { ruleNamed, severityNumber, type Severities } from './severities.ts';

/** A linter per file-system root: flat configuration matches nothing outside its base folder. */
const linters = new Map<string, LinterClass>();
function linterFor(file: string): LinterClass {
  const { root } = parsePath(file);
  let linter = linters.get(root);
  if (!linter) linters.set(root, (linter = new (eslintParts().Linter)({ cwd: root || '/' })));
  return linter;
}

export type Run =
  /** The project's configuration leaves the file out. */
  | { is: 'left out' }
  /** The text could not be read. */
  | { is: 'fatal'; message: string; line: number }
  /** `problems` have offsets without a byte order mark. `analysis` is undefined where it failed. */
  | { is: 'done'; problems: Omit<Problem, 'takesCommentAbove'>[]; analysis: Analysis | undefined };

/** Problems of other plugins' comments and of the text's own `eslint` comments are not Fencepost's to tell. */
export function runEslint(text: string, file: string, settings: EditorSettings, severities: Severities): Run {
  const linter = linterFor(file);
  const messages = linter.verify(text, configFor(settings, severities), { filename: file });
  // A file that a configuration ignores is not read at all, and what was read last is still there.
  if (settings.project && messages.some((it) => it.message.startsWith('No matching configuration found'))) return { is: 'left out' };
  // Fatal messages are not only syntax errors (an old `eslint-env` comment is one); a text without a tree is.
  const sourceCode = linter.getSourceCode() as ReturnType<LinterClass['getSourceCode']> | null;
  if (!sourceCode) {
    const fatal = messages.find((message) => message.fatal);
    return { is: 'fatal', message: fatal?.message.replace(/^Parsing error: /, '') ?? 'it cannot be read', line: fatal?.line ?? 1 };
  }

  const analysis = analysisOf(sourceCode);
  const problems = messages.flatMap((message) => {
    const rule = message.ruleId?.startsWith(prefix) ? message.ruleId.slice(prefix.length) : undefined;
    if (rule === undefined || !ruleNamed.has(rule)) return [];
    const finding = analysis && findingOf(analysis, message);
    const start = sourceCode.getIndexFromLoc({ line: message.line, column: message.column - 1 });
    const end = message.endLine === undefined ? start : sourceCode.getIndexFromLoc({ line: message.endLine, column: message.endColumn! - 1 });
    // A comment in the file may raise or lower a severity; the settings' finer ones stand otherwise.
    const wanted = severities.get(rule);
    const raised = message.severity === 2 ? 'error' : 'warn';
    const severity = wanted && wanted !== 'off' && severityNumber(wanted) === message.severity ? wanted : raised;
    return [{ rule, severity, message: finding?.message ?? message.message, span: { start, end }, finding } as const];
  });
  return { is: 'done', problems, analysis };
}

/** The plugin without the form of its options: those are checked where they are read, and to start ESLint's own check takes longer than to analyse a file. */
const unchecked = {
  ...plugin,
  rules: Object.fromEntries(Object.entries(plugin.rules!).map(([name, rule]) => [name, { ...rule, meta: { ...('meta' in rule && rule.meta), schema: false } }])),
} as NonNullable<LinterClass.Config['plugins']>[string];

const prefix = 'fencepost/';
const sources = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}';
const configs = new WeakMap<EditorSettings, LinterClass.Config[]>();

function configFor(settings: EditorSettings, severities: Severities): LinterClass.Config[] {
  let config = configs.get(settings);
  if (!config) {
    config = [
      // Whoever asks for a file wants it checked, wherever it lies; what to ask for is decided elsewhere.
      { ignores: ['!**/node_modules/', '!**/.git/'] },
      {
        files: [sources],
        plugins: { fencepost: unchecked },
        languageOptions: { parser, parserOptions, ecmaVersion: 'latest', sourceType: 'module' },
        linterOptions: { reportUnusedDisableDirectives: 'off' },
        settings: { fencepost: settings.analysis },
      },
      ...(settings.project?.elements.map((it) => ({ ...it, basePath: resolve(settings.project!.folder, it.basePath ?? '.') })) ?? []),
      {
        files: [sources],
        rules: Object.fromEntries([...severities].map(([name, severity]) => [prefix + name, settings.options?.[name] ? [severityNumber(severity), settings.options[name]] : severityNumber(severity)])),
      },
    ];
    configs.set(settings, config);
  }
  return config;
}
