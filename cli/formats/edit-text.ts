/** What an edit makes of a file's lines: for suggestion blocks and for diffs. */
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

/** The whole text after the edit. */
export function edited(edit: Edit, text: string): string {
  return [...edit.changes].sort((a, b) => b.start - a.start).reduce((at, { start, end, text: replacement }) => at.slice(0, start) + replacement + at.slice(end), text);
}
