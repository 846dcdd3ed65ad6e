/** What a check or a review has found, as every format shows it; and how one file becomes a part of it. */
import { relative, sep } from 'node:path';
import { lineAndColumn, lineStarts } from '../model/place.ts';
import type { ModuleHost } from '../model/host.ts';
import type { Finding } from '../rules/finding.ts';
import type { EditorSettings } from '../server/editor-settings.ts';
import type { lint } from '../server/lint.ts';
import { ruleNamed } from '../server/severities.ts';

/** A problem at its place. Lines and columns are 1-based; the end is exclusive. */
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
  /** In a review: the change brings it, or it was there before and the change touches a line of it. */
  change?: 'new' | 'touched';
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
  /** The text of a file that a finding speaks of; empty when it cannot be read. */
  textOf(file: string): string;
  /** Files with problems, in the order in which they were found. */
  files: FileReport[];
  unchecked: Unchecked[];
  checked: number;
  errors: number;
  warnings: number;
  /** Problems that a baseline knows, and which are left out. */
  known?: number;
  review?: {
    /** What the change is measured against, for people: `main`, `the index`. */
    base: string;
    /** Problems of the old side that the new one does not have, at their old places. */
    mended: FileReport[];
    linesBefore(file: string): readonly string[];
  };
}

/** What `lint` is for the command, or a stand-in. */
export type LintText = typeof lint;

/** The problems of one text, or why there is no saying. */
export function problemsOf(text: string, file: string, settings: EditorSettings, host: ModuleHost, lintText: LintText): { problems: Reported[] } | { why: string; isBug: boolean } {
  let linted: ReturnType<LintText>;
  try {
    linted = lintText(text, file, settings, host);
  } catch (error) {
    return { why: `Fencepost failed on it, which is a bug (${(error as Error).message.split('\n')[0]})`, isBug: true };
  }
  if (linted.syntaxError) {
    const { line, message } = linted.syntaxError;
    return { why: `line ${line} has a syntax error (${message.replace(/\.$/, '')})`, isBug: false };
  }
  const starts = lineStarts(text);
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
  return { problems };
}

/** Counts what the files of a report hold. */
export function counted(report: Report): Report {
  const all = report.files.flatMap((it) => it.problems);
  report.errors = all.filter((it) => it.severity === 'error').length;
  report.warnings = all.length - report.errors;
  return report;
}

/** A path as formats write it: below the working folder, with slashes; whole when it lies elsewhere. */
export function pathFrom(cwd: string, file: string): string {
  const path = relative(cwd, file).split(sep).join('/');
  return path === '' ? '.' : path.startsWith('../') ? file.split(sep).join('/') : path;
}

export const splitLines = (text: string): string[] => text.split(/\r\n|[\n\r\u2028\u2029]/);
