/** The edits that put a problem out of sight: ESLint's own disable comments, for a line or for the file. */
import type { Problem } from './lint.ts';
import type { TextDocument, TextEdit } from './protocol.ts';

const lineStart = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });

/** Disables the rule for the problem's line; undefined where a comment would become part of the program's text. */
export function disableForLine(problem: Problem, document: TextDocument): TextEdit | undefined {
  const { line } = document.positionAt(problem.span.start);
  const name = `fencepost/${problem.rule}`;
  const above = line > 0 ? lineOf(document, line - 1) : '';
  const existing = /^(\s*\/\/\s*eslint-disable-next-line\s+\S.*?)(\s+--\s.*)?$/.exec(above);
  if (existing) {
    const at = { line: line - 1, character: existing[1]!.length };
    return { range: { start: at, end: at }, newText: `, ${name}` };
  }
  if (!problem.takesCommentAbove) return undefined;
  const indent = /^[ \t]*/.exec(lineOf(document, line))![0];
  return { range: lineStart(line), newText: `${indent}// eslint-disable-next-line ${name}${endOfLine(document)}` };
}

/** Disables the rule for the whole file, below a `#!` line. */
export function disableForFile(problem: Problem, document: TextDocument): TextEdit {
  const line = document.getText().startsWith('#!') && document.lineCount > 1 ? 1 : 0;
  return { range: lineStart(line), newText: `/* eslint-disable fencepost/${problem.rule} */${endOfLine(document)}` };
}

/** What the document ends its lines with. */
export const endOfLine = (document: TextDocument): string => (document.getText({ start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }).endsWith('\r\n') ? '\r\n' : '\n');

function lineOf(document: TextDocument, line: number): string {
  return document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }).replace(/[\r\n]+$/, '');
}
