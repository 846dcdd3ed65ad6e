/** reviewdog's diagnostic form, with edits as suggestions. Its columns count UTF-8 bytes, from 1. */
import { lineAndColumn, lineStarts } from '../../model/place.ts';
import { type Report, type Reported, pathFrom } from '../report.ts';
import { joined } from './edit-text.ts';

interface Position {
  line: number;
  column: number;
}
interface Range {
  start: Position;
  end: Position;
}
export interface DiagnosticResult {
  source: { name: string; url: string };
  severity: 'ERROR' | 'WARNING';
  diagnostics: {
    message: string;
    location: { path: string; range: Range };
    severity: 'ERROR' | 'WARNING' | 'INFO';
    code: { value: string; url: string };
    suggestions?: { range: Range; text: string }[];
    related_locations?: { message: string; location: { path: string; range: Range } }[];
  }[];
}

export function asRdjson(report: Report): string {
  const position = (file: string, line: number, column: number): Position => ({ line, column: Buffer.byteLength((report.linesOf(file)[line - 1] ?? '').slice(0, column - 1)) + 1 });
  const spanned = (file: string) => {
    const starts = lineStarts(report.textOf(file));
    const at = (offset: number): Position => {
      const { line, column } = lineAndColumn(starts, offset);
      return position(file, line, column + 1);
    };
    return (start: number, end: number): Range => ({ start: at(start), end: at(end) });
  };
  // A suggestion of reviewdog is one range: from the first place of an edit to its last.
  const suggestions = (file: string, it: Reported) =>
    it.finding?.edits.flatMap((edit) => {
      const change = joined(edit, file, report.textOf(file));
      return change ? [{ range: spanned(file)(change.start, change.end), text: change.text }] : [];
    }) ?? [];
  const result: DiagnosticResult = {
    source: { name: 'fencepost', url: 'https://github.com/fencepost-dev/fencepost' },
    severity: report.errors > 0 ? 'ERROR' : 'WARNING',
    diagnostics: report.files.flatMap(({ file, problems }) =>
      problems.map((it) => {
        const offered = suggestions(file, it);
        const related = it.finding?.related ?? [];
        return {
          message: it.message,
          location: { path: pathFrom(report.cwd, file), range: { start: position(file, it.line, it.column), end: position(file, it.endLine, it.endColumn) } },
          severity: it.change === 'touched' ? ('INFO' as const) : it.severity === 'error' ? ('ERROR' as const) : ('WARNING' as const),
          code: { value: `fencepost/${it.rule}`, url: it.url },
          ...(offered.length > 0 && { suggestions: offered }),
          ...(related.length > 0 && {
            related_locations: related.map(({ place, text }) => ({
              message: text,
              location: { path: pathFrom(report.cwd, place.file), range: { start: position(place.file, place.line, place.column + 1), end: position(place.file, place.endLine, place.endColumn + 1) } },
            })),
          }),
        };
      }),
    ),
  };
  return JSON.stringify(result, null, 2);
}
