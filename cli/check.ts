/** `fencepost check`: files → a report, and the exit code that it earns. */
import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { lineAndColumn, lineStarts } from '../model/place.ts';
import { fileHost } from '../rules/file-host.ts';
import type { Finding } from '../rules/finding.ts';
import { ruleTable, rules as allRules } from '../rules/index.gen.ts';
import { readEditorSettings, type EditorSettings, type RuleSeverity } from '../server/editor-settings.ts';
import { lint, ruleNamed } from '../server/lint.ts';
import { parseFile } from '../server/parser.ts';
import type { CheckArguments } from './arguments.ts';
import { findFiles, reasonOf } from './files.ts';
import { asJson } from './json.ts';
import { asText } from './stylish.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** A problem at its place, as every format shows it. Lines and columns are 1-based. */
export interface Reported {
  rule: string;
  severity: 'error' | 'warn';
  message: string;
  url: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  finding?: Finding;
}

export interface FileReport {
  /** Absolute path. */
  file: string;
  problems: Reported[];
}

/** A file or folder that nothing can be said about. */
export interface Unchecked {
  file: string;
  /** The end of a sentence that begins with the path. */
  why: string;
  named: boolean;
}

export interface Report {
  cwd: string;
  /** The lines of a file that a finding speaks of; none when it cannot be read. */
  linesOf(file: string): readonly string[];
  /** Files with problems, in the order in which they were found. */
  files: FileReport[];
  unchecked: Unchecked[];
  checked: number;
  errors: number;
  warnings: number;
}

export function check(asked: CheckArguments, terminal: Terminal, cwd = process.cwd(), lintText: typeof lint = lint): ExitCode {
  const unknown = asked.rules?.find((rule) => !ruleNamed.has(rule));
  if (unknown !== undefined) {
    terminal.complain(`There is no rule "${unknown}". See fencepost check --help.`);
    return 2;
  }
  const report = reportOn(asked, cwd, lintText);
  if (asked.format === 'json') terminal.print(asJson(report));
  else terminal.print(asText(report, terminal));

  for (const { file, why } of report.unchecked.filter((it) => it.named)) terminal.complain(`${file} was not checked: ${why}.`);
  if (report.checked === 0 && report.unchecked.length === 0) terminal.complain(`There is nothing to check: no JavaScript or TypeScript file in ${asked.paths.join(', ')}.`);
  // A green answer about a file that was asked for and not read would be a lie.
  if (report.unchecked.some((it) => it.named) || report.checked === 0) return 2;
  return report.errors > 0 ? 1 : 0;
}

function reportOn(asked: CheckArguments, cwd: string, lintText: typeof lint): Report {
  const settings = settingsFor(asked);
  const host = fileHost({ parse: parseFile });
  const found = findFiles(asked.paths, cwd);
  const report: Report = { cwd, linesOf: linesReader(settings.maxFileSize), files: [], unchecked: [], checked: 0, errors: 0, warnings: 0 };
  for (const { path, why, named } of found.unreadable) report.unchecked.push({ file: path, why, named });

  for (const { path, named } of found.files) {
    const read = readSource(path, settings.maxFileSize);
    if ('why' in read) {
      report.unchecked.push({ file: path, why: read.why, named });
      continue;
    }
    let linted: ReturnType<typeof lint>;
    try {
      linted = lintText(read.text, resolve(path), settings, host);
    } catch (error) {
      // One file must not cost the others their findings; that it was not checked is said aloud.
      report.unchecked.push({ file: path, why: `Fencepost failed on it, which is a bug (${(error as Error).message.split('\n')[0]})`, named: true });
      continue;
    }
    if (linted.syntaxError) {
      const { line, message } = linted.syntaxError;
      report.unchecked.push({ file: path, why: `line ${line} has a syntax error (${message.replace(/\.$/, '')})`, named });
      continue;
    }
    report.checked++;
    const starts = lineStarts(read.text);
    const problems = linted.problems.map(({ rule, severity, message, span, finding }): Reported => {
      const start = lineAndColumn(starts, span.start);
      const end = lineAndColumn(starts, span.end);
      return {
        rule,
        severity: severity === 'error' ? 'error' : 'warn',
        message,
        url: ruleNamed.get(rule)!.url,
        line: start.line,
        column: start.column + 1,
        endLine: end.line,
        endColumn: end.column + 1,
        finding,
      };
    });
    if (problems.length > 0) report.files.push({ file: path, problems });
    const errors = problems.filter((it) => it.severity === 'error').length;
    report.errors += errors;
    report.warnings += problems.length - errors;
  }
  return report;
}

/** A preset as the severities of its rules; what is not asked for is off. */
function settingsFor(asked: CheckArguments): EditorSettings {
  const rules: Record<string, RuleSeverity> = {};
  for (const rule of ruleTable) {
    const isWanted = asked.rules?.includes(rule.name) ?? true;
    // A rule that is named outright runs whether the preset has it or not.
    const severity = asked.preset === 'recommended' && !asked.rules ? rule.recommended : rule.strict;
    rules[rule.name] = isWanted ? severity : 'off';
  }
  const options = Object.fromEntries(allRules.flatMap((rule) => (rule.strict && asked.preset !== 'recommended' ? [[rule.name, rule.strict]] : [])));
  return { ...readEditorSettings({ rules }).settings, options };
}

/** Reads each file once, when the first of its lines is wanted. */
function linesReader(maxFileSize: number): Report['linesOf'] {
  const known = new Map<string, string[]>();
  return (file) => {
    let lines = known.get(file);
    if (!lines) {
      const read = readSource(file, maxFileSize);
      known.set(file, (lines = 'text' in read ? read.text.split(/\r\n|[\n\r\u2028\u2029]/) : []));
    }
    return lines;
  };
}

/** The text of a file, or why it has none that could be checked. */
export function readSource(path: string, maxFileSize: number): { text: string } | { why: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { why: reasonOf(error) };
  }
  if (bytes.length > maxFileSize) return { why: `it has more than ${maxFileSize} bytes` };
  return bytes.includes(0) ? { why: 'it is binary' } : { text: bytes.toString('utf8') };
}
