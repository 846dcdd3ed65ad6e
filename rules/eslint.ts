/** The only place that knows ESLint's types: rules become rule modules, findings become reports. */
import type { Linter, Rule as ESLintRule, SourceCode } from 'eslint';
import { type ModuleHost, type Program } from '../model/host.ts';
import type { Analysis, Input } from './analysis.ts';
import { isCandidate } from './candidate.ts';
import { type ParseFunction, fileHost } from './file-host.ts';
import type { Edit, Finding } from './finding.ts';
import type { Rule } from './rule.ts';
import { analysing } from './load.ts';
import { type Settings, defaultSettings, readSettings } from './settings.ts';
import type { RuleRow } from './table.gen.ts';

/** What there is to say of a file; undefined when nothing is. */
interface Analysed {
  analysis: Analysis | undefined;
}

const analyses = new WeakMap<SourceCode, Analysed>();
/** Analyses of trees that have not been through ESLint yet. */
const ahead = new WeakMap<Program, Analysed>();
const settingsOf = new WeakMap<object, Settings>();
/** What the rules have reported, with the options that they were given. */
const reported = new WeakMap<Analysis, Finding[]>();

/** What ESLint itself wants of the rules; a face that runs them in its own way wants something else. */
export interface Face {
  /** The source of modules: the file system, or an editor's open documents over it. */
  hostFor: (parse: ParseFunction, file: string) => ModuleHost;
  /** Told of a defect of ours. */
  failed: (file: string, error: unknown) => void;
  /** Reports carry their edits. Whoever has the findings asks these for theirs, when somebody wants one. */
  suggests: boolean;
}

let face: Face = {
  hostFor: (parse) => fileHost({ parse }),
  failed: (file, error) => process.emitWarning(`Fencepost could not analyse ${file}: ${error instanceof Error ? error.message : String(error)}. The file was left out; please report this.`),
  suggests: true,
};

/** Has the rules run for another face than ESLint, from now on in this process. */
export function setFace(own: Face): void {
  face = own;
}

/** The analysis that the rules made of a source code; undefined before they ran, or when the file mentions no lock. */
export function analysisOf(sourceCode: SourceCode): Analysis | undefined {
  return analyses.get(sourceCode)?.analysis;
}

/** The text is the same and other files may not be: the next run of the rules analyses it anew. */
export function forgetAnalysis(program: Program): void {
  ahead.delete(program);
}

/** The finding behind an ESLint message; `column` is 1-based, as in the message. */
export function findingOf(analysis: Analysis, message: { ruleId: string | null; line: number; column: number }): Finding | undefined {
  const rule = message.ruleId?.replace(/^.*\//, '');
  const isMeant = (it: Finding): boolean => it.rule === rule && it.place.line === message.line && it.place.column === message.column - 1;
  return reported.get(analysis)?.find(isMeant) ?? analysis.findings.find(isMeant);
}

/** Makes ESLint's rule module of a rule, which is loaded for the first file that is worth a look. */
export function ruleModule(row: RuleRow): ESLintRule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description: row.description, url: row.url, recommended: row.recommended !== 'off' },
      hasSuggestions: true,
      schema: row.schema ? [row.schema] : [],
      defaultOptions: row.defaults ? [row.defaults] : [],
      messages: { ...Object.fromEntries(row.messages.map((id) => [id, '{{message}}'])), edit: '{{title}}' },
    } as ESLintRule.RuleMetaData,
    create: (context) => (isWorthALook(context) ? { 'Program:exit': () => run(row, context) } : nothing),
  };
}

const nothing: ESLintRule.RuleListener = {};

function run(row: RuleRow, context: ESLintRule.RuleContext): void {
  const { analysis } = analysisFor(context);
  const rule = analysis && analysing().rules.find((it) => it.name === row.name);
  if (!rule) return;
  const options = { ...row.defaults, ...(context.options[0] as Record<string, unknown> | undefined) };
  const findings = guarded(fileOf(context), () => analysis.of(rule, options)) ?? [];
  reported.set(analysis, [...(reported.get(analysis) ?? []), ...findings]);
  for (const it of findings) report(context, it);
}

function report(context: ESLintRule.RuleContext, finding: Finding): void {
  const { place } = finding;
  const edits = !face.suggests ? [] : finding.edits.filter((edit) => edit.changes.every((change) => change.file === undefined || change.file === place.file));
  context.report({
    loc: { start: { line: place.line, column: place.column }, end: { line: place.endLine, column: place.endColumn } },
    messageId: finding.messageId,
    data: { message: finding.message },
    suggest: edits.map((edit) => ({ messageId: 'edit', data: { title: edit.title }, fix: (fixer) => changes(edit, fixer) })),
  });
}

function changes(edit: Edit, fixer: ESLintRule.RuleFixer): ESLintRule.Fix[] {
  return edit.changes.map((it) => fixer.replaceTextRange([it.start, it.end], it.text));
}

const fileOf = (context: ESLintRule.RuleContext): string => context.physicalFilename ?? context.filename;
const settingsGiven = (context: ESLintRule.RuleContext): unknown => (context.settings as Record<string, unknown>).fencepost;

/** By source code: whether its file is worth a look. The first rule asks for all. */
const worth = new WeakMap<SourceCode, boolean>();

function isWorthALook(context: ESLintRule.RuleContext): boolean {
  const { sourceCode } = context;
  let answer = worth.get(sourceCode);
  if (answer === undefined) {
    const file = fileOf(context);
    const settings = settingsFrom(settingsGiven(context));
    answer = ahead.has(sourceCode.ast as unknown as Program) || (guarded(file, () => isCandidate(file, sourceCode.text, face.hostFor(parserOf(context), file), settings)) ?? false);
    worth.set(sourceCode, answer);
  }
  return answer;
}

function analysisFor(context: ESLintRule.RuleContext): Analysed {
  const { sourceCode } = context;
  const program = sourceCode.ast as unknown as Program;
  const file = fileOf(context);
  const entry = analyses.get(sourceCode) ?? ahead.get(program) ?? looked({ file, text: sourceCode.text, program }, face.hostFor(parserOf(context), file), settingsGiven(context));
  analyses.set(sourceCode, entry);
  return entry;
}

/**
 * Looks into a tree before ESLint has it, with the settings in ESLint's form: what has no finding need not
 * be given to ESLint at all, and what has is not analysed again. The file must be worth it.
 */
export function lookAhead(input: Input, host: ModuleHost, given: unknown): Analysis | undefined {
  const entry = looked(input, host, given);
  ahead.set(input.program, entry);
  return entry.analysis;
}

/** What a rule with these options, or its defaults, has to report. */
export const findingsOf = (analysis: Analysis, file: string, rule: Rule, options?: Record<string, unknown>): Finding[] => guarded(file, () => analysis.of(rule, { ...rule.defaults, ...options })) ?? [];

function looked(input: Input, host: ModuleHost, given: unknown): Analysed {
  const settings = settingsFrom(given);
  return { analysis: guarded(input.file, () => analysing().look(input, host, settings)) };
}

/** Throws an `Error` that names what is wrong in them. */
export function settingsFrom(given: unknown): Settings {
  if (given === undefined) return defaultSettings;
  const isObject = typeof given === 'object' && given !== null;
  let settings = isObject ? settingsOf.get(given) : undefined;
  if (!settings) {
    const read = readSettings(given);
    settings = read.settings;
    if (read.problems.length && isObject) throw new Error(`Fencepost: ${read.problems.join(' ')}`);
    if (isObject) settingsOf.set(given, settings);
  }
  return settings;
}

/** A defect of ours on one file must not end the lint of all others. */
function guarded<T>(file: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    face.failed(file, error);
    return undefined;
  }
}

const parsers = new WeakMap<object, ParseFunction>();
const working = new WeakMap<object, boolean>();

/** A linter whose parser is not to be had by its plugins names one that parses nothing. */
function works(parser: Linter.Parser): boolean {
  let answer = working.get(parser);
  if (answer === undefined) {
    try {
      const parsed = 'parseForESLint' in parser && parser.parseForESLint ? parser.parseForESLint('') : (parser as { parse(text: string): unknown }).parse('');
      answer = typeof parsed === 'object' && parsed !== null;
    } catch {
      answer = false;
    }
    working.set(parser, answer);
  }
  return answer;
}

/** For what the linted file imports: oxc's binary, else the file's own parser without type services: a program of the whole project is never started for a helper. */
function parserOf(context: ESLintRule.RuleContext): ParseFunction {
  const languageOptions = context.languageOptions as Linter.LanguageOptions & { parser?: Linter.Parser };
  const parser = languageOptions.parser;
  const key = parser ?? context;
  const known = parsers.get(key);
  if (known) return known;
  const options = { ...(languageOptions.parserOptions as Record<string, unknown> | undefined) };
  for (const name of ['project', 'projectService', 'programs', 'EXPERIMENTAL_useProjectService']) delete options[name];
  const parse: ParseFunction = (file, text) => {
    // A tenth of the time that it takes a parser which also looks for tokens and scopes.
    const native = analysing().parseNatively(file, text);
    if (native) return native;
    if (!parser || !works(parser)) return analysing().parseText(file, text);
    const all = { ecmaVersion: 'latest', sourceType: file.endsWith('.cjs') ? 'commonjs' : 'module', ...options, filePath: file, range: true, loc: true, comment: true, tokens: true };
    const attempt = (given: object): Program | undefined => {
      try {
        const it = 'parseForESLint' in parser && parser.parseForESLint ? parser.parseForESLint(text, given as never).ast : (parser as { parse(text: string, options: object): unknown }).parse(text, given);
        return it as Program;
      } catch {
        return undefined;
      }
    };
    return attempt(all) ?? attempt({ ...all, sourceType: 'script' });
  };
  parsers.set(key, parse);
  return parse;
}
