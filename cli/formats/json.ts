/** The report for programs. The form is part of the command's interface: `version` is raised when it breaks. */
import type { Place } from '../../model/place.ts';
import { type FileReport, type Report, type Reported, pathFrom } from '../report.ts';

export function asJson(report: Report): string {
  const pathOf = (file: string): string => pathFrom(report.cwd, file);
  const placeOf = ({ file, line, column, endLine, endColumn }: Place) => ({ file: pathOf(file), line, column: column + 1, endLine, endColumn: endColumn + 1 });

  const problem = ({ finding, ...it }: Reported, { file }: FileReport) => ({
    ...it,
    related: finding?.related.map(({ place, text }) => ({ ...placeOf(place), text })) ?? [],
    interleaving: finding?.interleaving?.map(({ place, ...step }) => ({ ...step, place: place && placeOf(place) })) ?? [],
    edits:
      finding?.edits.map(({ kind, title, note, changes }) => ({
        kind,
        title,
        note,
        // Half-open ranges of UTF-16 offsets into the file's text.
        changes: changes.map(({ start, end, text, file: other }) => ({ file: pathOf(other ?? file), start, end, text })),
      })) ?? [],
  });

  return JSON.stringify(
    {
      version: 1,
      files: report.files.map((file) => ({ file: pathOf(file.file), findings: file.problems.map((it) => problem(it, file)) })),
      unchecked: report.unchecked.map(({ file, why }) => ({ file: pathOf(file), reason: why })),
      ...(report.review && { base: report.review.base, mended: report.review.mended.map((file) => ({ file: pathOf(file.file), findings: file.problems.map((it) => problem(it, file)) })) }),
      summary: { checked: report.checked, errors: report.errors, warnings: report.warnings, ...(report.known !== undefined && { known: report.known }) },
    },
    null,
    2,
  );
}
