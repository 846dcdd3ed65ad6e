/** What an edit makes of a file's lines: for suggestion blocks and for diffs. */
import { createTwoFilesPatch } from 'diff';
import type { Edit } from '../../rules/finding.ts';
import { lineAndColumn, lineStarts } from '../../model/place.ts';

/** Lines `first` to `last` (1-based) of the file that the edit touches, and what becomes of them. Undefined where it reaches into other files. */
export function editedLines(edit: Edit, file: string, text: string): { first: number; last: number; lines: string } | undefined {
  if (edit.changes.length === 0 || edit.changes.some((it) => it.file !== undefined && it.file !== file)) return undefined;
  const starts = lineStarts(text);
  const first = Math.min(...edit.changes.map((it) => lineAndColumn(starts, it.start).line));
  const last = Math.max(...edit.changes.map((it) => lineAndColumn(starts, it.end).line));
  const from = starts[first - 1]!;
  const to = starts[last] ?? text.length;
  let lines = text.slice(from, to);
  for (const { start, end, text: replacement } of [...edit.changes].sort((a, b) => b.start - a.start)) lines = lines.slice(0, start - from) + replacement + lines.slice(end - from);
  return { first, last, lines: lines.replace(/\r?\n$/, '') };
}

/** One change, by offsets, that does what all of the edit's do. Undefined where it reaches into other files. */
export function joined(edit: Edit, file: string, text: string): { start: number; end: number; text: string } | undefined {
  if (edit.changes.length === 0 || edit.changes.some((it) => it.file !== undefined && it.file !== file)) return undefined;
  const start = Math.min(...edit.changes.map((it) => it.start));
  const end = Math.max(...edit.changes.map((it) => it.end));
  return { start, end, text: edited(edit, text).slice(start, end + edit.changes.reduce((all, it) => all + it.text.length - (it.end - it.start), 0)) };
}

/** What becomes of a text, as the lines of a unified diff, without its header. */
export function diffOf(edit: Edit, text: string, context: number): string {
  const patch = createTwoFilesPatch('', '', text, edited(edit, text), '', '', { context });
  return patch.slice(patch.indexOf('@@')).trimEnd();
}

/** The whole text after the edit. */
export function edited(edit: Edit, text: string): string {
  return [...edit.changes].sort((a, b) => b.start - a.start).reduce((at, { start, end, text: replacement }) => at.slice(0, start) + replacement + at.slice(end), text);
}
