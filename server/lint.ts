/**
 * One text → its problems, with the severities and comments that count in a lint run. What a project's own
 * ESLint configuration or a comment says about our rules is left to ESLint; all other texts do without it.
 * No LSP, no I/O of its own.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { ModuleHost, Program } from '../model/host.ts';
import { lineAndColumn, lineStarts, type Span } from '../model/place.ts';
import type { Analysis } from '../rules/analysis.ts';
import '../rules/analysing.ts';
import { isCandidate } from '../rules/candidate.ts';
import { lookAhead, findingsOf, forgetAnalysis, setFace, settingsFrom } from '../rules/eslint.ts';
import type { Finding } from '../rules/finding.ts';
import { childrenOf } from '../rules/fixes/source/tree.ts';
import { rules } from '../rules/index.gen.ts';
import type { EditorSettings, RuleSeverity } from './editor-settings.ts';
import { needsEslint } from './eslint-comments.ts';
import { runEslint } from './eslint-run.ts';
import { parseOnce } from './parser.ts';
import { severitiesOf, type Severities } from './severities.ts';

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
export type Parsed = Program;

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
  /** What to add to the offsets in the analysis and its findings: they count without a byte order mark. */
  shift: 0 | 1;
}

/**
 * Checks `text` as the file `file` (an absolute path with the extension of its language, which need not exist).
 * Throws where the analysis itself fails, which is a defect of ours. `known` is what an earlier check of the
 * same text and file has given: other files may have changed since.
 */
export function lint(given: string, file: string, settings: EditorSettings, host: ModuleHost, known?: Parsed): Linted {
  const shift = given.charCodeAt(0) === 0xfeff ? 1 : 0;
  const text = shift ? given.slice(1) : given;
  const failures: unknown[] = [];
  setFace({ hostFor: () => host, failed: (_file, error) => failures.push(error), suggests: false });
  // With rows of its own, a project may know locks that we do not.
  const hasOwnSettings = settings.project?.elements.some((it) => it.settings !== undefined);
  if (!hasOwnSettings && !isCandidate(file, text, host, settingsFrom(settings.analysis))) return { problems: [], shift };
  const parsed = parseOnce(file, text, known);
  if ('syntaxError' in parsed) return { problems: [], shift, ...parsed };

  const severities = severitiesOf(settings);
  const { program } = parsed;
  // With a project's configuration, its settings count: they are for ESLint to put together.
  const analysis = settings.project ? void forgetAnalysis(program) : lookAhead({ file, text, program }, host, settings.analysis);
  if (!settings.project && !analysis && failures.length > 0) throw failures[0];
  if (!settings.project && !needsEslint(program)) {
    const problems = analysis ? problemsOf(analysis, file, settings, severities) : [];
    return { problems: placed(problems, program, text, shift), analysis, shift, failure: failures[0], parsed: program };
  }
  const run = runEslint(text, file, settings, severities);
  if (run.is === 'left out') return { problems: [], shift, isLeftOut: true };
  if (run.is === 'fatal') return { problems: [], shift, syntaxError: { message: run.message, line: run.line } };
  if (!run.analysis && failures.length > 0) throw failures[0];
  return { problems: placed(run.problems, program, text, shift), analysis: run.analysis, shift, failure: failures[0], parsed: program };
}

type Unplaced = Omit<Problem, 'takesCommentAbove'>;

/** What the rules say that the settings have switched on, in the order of the text. */
function problemsOf(analysis: Analysis, file: string, settings: EditorSettings, severities: Severities): Unplaced[] {
  const problems = rules.flatMap((rule): Unplaced[] => {
    const severity = severities.get(rule.name) ?? 'off';
    if (severity === 'off') return [];
    return findingsOf(analysis, file, rule, settings.options?.[rule.name]).map((finding) => ({ rule: rule.name, severity, message: finding.message, span: finding.place, finding }));
  });
  return problems.sort((a, b) => a.span.start - b.span.start);
}

/** Problems whose offsets count as those of the text as it was given. */
function placed(problems: readonly Unplaced[], program: Program, text: string, shift: 0 | 1): Problem[] {
  if (problems.length === 0) return [];
  const starts = lineStarts(text);
  return problems.map((it) => {
    const { start, end } = it.span;
    return { ...it, span: { start: start + shift, end: end + shift }, takesCommentAbove: takesCommentAbove(program, starts[lineAndColumn(starts, start).line - 1]!) };
  });
}

/** Inside a template, JSX text or a string that spans lines, a comment line would become part of the text. `at` is where the line begins. */
function takesCommentAbove(program: Program, at: number): boolean {
  const holds = (node: TSESTree.Node): boolean => node.range[0] < at && at < node.range[1];
  let node: TSESTree.Node | undefined = program as unknown as TSESTree.Program;
  for (let inner: TSESTree.Node | undefined = node; inner; inner = childrenOf(inner).find(holds)) node = inner;
  return !/^(?:Literal|Template|JSX)/.test(node.type);
}
