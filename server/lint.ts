/**
 * One text → its problems, by ESLint's own `Linter`, so that configuration comments, disable
 * comments and severities mean here what they mean in a lint run. No LSP, no I/O of its own.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { SourceCode } from 'eslint';
import { Linter } from 'eslint/universal';
import { parse as parsePath, resolve } from 'node:path';
import type { ModuleHost } from '../model/host.ts';
import type { Span } from '../model/place.ts';
import type { Analysis } from '../rules/analysis.ts';
import { isCandidate } from '../rules/analysis.ts';
import { analyseAhead, analysisOf, findingOf, forgetAnalysis, hasFindings, setFace, settingsFrom } from '../rules/eslint.ts';
import type { Finding } from '../rules/finding.ts';
import { childrenOf } from '../rules/fixes/source/tree.ts';
import { rules, ruleTable } from '../rules/index.gen.ts';
import plugin from '../rules/plugin.ts';
import type { EditorSettings, RuleSeverity } from './editor-settings.ts';
import { parseOnce, parser, parserOptions } from './parser.ts';

export interface Problem {
  /** Rule name without prefix. */
  rule: string;
  severity: Exclude<RuleSeverity, 'default' | 'off'>;
  message: string;
  /** Offsets into the text as it was given. */
  span: Span;
  finding?: Finding;
  /** Whether a comment can be put on a line of its own above the problem without changing the program. */
  takesCommentAbove: boolean;
}

/** A text as it was parsed, for the next check of the same one. */
export type Parsed = SourceCode;

export interface Linted {
  problems: Problem[];
  parsed?: Parsed;
  /** Set when nothing could be checked because of it. */
  syntaxError?: { message: string; line: number };
  /** Undefined when the file mentions nothing that the catalog knows. */
  analysis?: Analysis;
  /** A rule of ours that failed on the file; what the others found is there. */
  failure?: unknown;
  /** The project's ESLint configuration leaves the file out. */
  isLeftOut?: boolean;
  /** What to add to the offsets in the analysis and its findings: ESLint counts without a byte order mark. */
  shift: 0 | 1;
}

const prefix = 'fencepost/';
/** Rule names without prefix, with the severity in `recommended` and the page. */
export const ruleNamed = new Map(ruleTable.map((rule) => [rule.name, rule]));

/** A linter per file-system root: flat configuration matches nothing outside its base folder. */
const linters = new Map<string, Linter>();
function linterFor(file: string): Linter {
  const { root } = parsePath(file);
  let linter = linters.get(root);
  if (!linter) linters.set(root, (linter = new Linter({ cwd: root || '/' })));
  return linter;
}

/**
 * Checks `text` as the file `file` (an absolute path with the extension of its language, which need not exist).
 * Problems of other plugins' comments and of the text's own `eslint` comments are not Fencepost's to tell.
 * Throws where the analysis itself fails, which is a defect of ours. `known` is what an earlier check of the
 * same text and file has given: parsing is two thirds of the work.
 */
export function lint(text: string, file: string, settings: EditorSettings, host: ModuleHost, known?: Parsed): Linted {
  const severities = severitiesOf(settings);
  const failures: unknown[] = [];
  setFace({ hostFor: () => host, failed: (_file, error) => failures.push(error), suggests: false });
  const early = known ? undefined : lintAhead(text, file, settings, severities, host);
  if (early) return { ...early, failure: failures[0] };
  const linter = linterFor(file);
  if (known) forgetAnalysis(known);
  const messages = linter.verify(known ?? text, configFor(settings, severities), { filename: file });
  // Fatal messages are not only syntax errors (an old `eslint-env` comment is one); a text without a tree is.
  const sourceCode = linter.getSourceCode() as SourceCode | null;
  // A file that a configuration ignores is not read at all, and what was read last is still there.
  if (settings.project && messages.some((it) => it.message.startsWith('No matching configuration found'))) return { problems: [], shift: 0, isLeftOut: true };
  if (!sourceCode) {
    const fatal = messages.find((message) => message.fatal);
    const syntaxError = fatal && { message: fatal.message.replace(/^Parsing error: /, ''), line: fatal.line };
    return { problems: [], syntaxError, shift: 0 };
  }

  const analysis = analysisOf(sourceCode);
  if (!analysis && failures.length > 0) throw failures[0];
  const shift = sourceCode.hasBOM ? 1 : 0;
  const problems: Problem[] = [];
  for (const message of messages) {
    const rule = message.ruleId?.startsWith(prefix) ? message.ruleId.slice(prefix.length) : undefined;
    if (rule === undefined || !ruleNamed.has(rule)) continue;
    const finding = analysis && findingOf(analysis, message);
    const start = sourceCode.getIndexFromLoc({ line: message.line, column: message.column - 1 });
    const end = message.endLine === undefined ? start : sourceCode.getIndexFromLoc({ line: message.endLine, column: message.endColumn! - 1 });
    // An `eslint` comment in the file may raise or lower a severity; the settings' finer ones stand otherwise.
    const wanted = severities.get(rule);
    const raised = message.severity === 2 ? 'error' : 'warn';
    problems.push({
      rule,
      severity: wanted && wanted !== 'off' && severityNumber(wanted) === message.severity ? wanted : raised,
      message: finding?.message ?? message.message,
      span: { start: start + shift, end: end + shift },
      finding,
      takesCommentAbove: takesCommentAbove(sourceCode, message.line),
    });
  }
  return { problems, analysis, shift, failure: failures[0], parsed: sourceCode };
}

/** A comment that configures ESLint can switch on what the settings have not. */
const configures = /\/\*\s*eslint(?:-env)?\s/;

/** The answer about a text that has nothing to report, which is nearly all of them, without ESLint; undefined when it has. */
function lintAhead(given: string, file: string, settings: EditorSettings, severities: Severities, host: ModuleHost): Linted | undefined {
  const shift = given.charCodeAt(0) === 0xfeff ? 1 : 0;
  const text = shift ? given.slice(1) : given;
  if (!isCandidate(file, text, host, settingsFrom(settings.analysis))) return { problems: [], shift };
  // What a project's own configuration switches on is for ESLint to say.
  if (settings.project) return undefined;
  // What ESLint reads in the place of a `#!` line.
  const program = text.startsWith('#!') || configures.test(text) ? undefined : parseOnce(file, text);
  const analysis = program && analyseAhead({ file, text, program }, host, settings.analysis);
  if (!analysis) return undefined;
  const isSilent = rules.every((rule) => severities.get(rule.name) === 'off' || !hasFindings(analysis, file, rule, settings.options?.[rule.name]));
  return isSilent ? { problems: [], analysis, shift } : undefined;
}

type Severities = Map<string, Exclude<RuleSeverity, 'default'>>;

/** The severities that the settings give; where a project's own configuration counts, only those that are set. */
function severitiesOf(settings: EditorSettings): Severities {
  const severities: Severities = new Map();
  for (const rule of ruleTable) {
    const wanted = settings.rules[rule.name] ?? 'default';
    if (wanted !== 'default') severities.set(rule.name, wanted);
    else if (!settings.project) severities.set(rule.name, rule.recommended);
  }
  return severities;
}

const severityNumber = (severity: Exclude<RuleSeverity, 'default'>): 0 | 1 | 2 => (severity === 'off' ? 0 : severity === 'error' ? 2 : 1);

const sources = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}';
const configs = new WeakMap<EditorSettings, Linter.Config[]>();
function configFor(settings: EditorSettings, severities: Severities): Linter.Config[] {
  let config = configs.get(settings);
  if (!config) {
    config = [
      // Whoever asks for a file wants it checked, wherever it lies; what to ask for is decided elsewhere.
      { ignores: ['!**/node_modules/', '!**/.git/'] },
      {
        files: [sources],
        plugins: { fencepost: plugin as NonNullable<Linter.Config['plugins']>[string] },
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

/** Inside a template, JSX text or a string that spans lines, a comment line would become part of the text. */
function takesCommentAbove(sourceCode: SourceCode, line: number): boolean {
  const at = sourceCode.getIndexFromLoc({ line, column: 0 });
  const holds = (node: TSESTree.Node): boolean => node.range[0] < at && at < node.range[1];
  let node: TSESTree.Node | undefined = sourceCode.ast as unknown as TSESTree.Program;
  for (let inner: TSESTree.Node | undefined = node; inner; inner = childrenOf(inner).find(holds)) node = inner;
  return !/^(?:Literal|Template|JSX)/.test(node.type);
}
