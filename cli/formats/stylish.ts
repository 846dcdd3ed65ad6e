/** The report for people: what is wrong and where, then why, on their own lines. */
import type { Place } from '../../model/place.ts';
import { count, cut, splitMessage, wrap } from '../prose.ts';
import { type FileReport, type Report, type Reported, pathFrom } from '../report.ts';
import type { Paint, Terminal } from '../terminal.ts';
import { drawTimeline } from '../timeline.ts';

type Screen = Pick<Terminal, 'paint' | 'width'>;

/** Files that could not be checked are listed up to this many; the rest is counted. */
const listed = 10;

export function asText(report: Report, screen: Screen): string {
  const parts = report.files.map((file) => fileAsText(file, report, screen));
  return [...parts, ...mendedAsText(report, screen), summary(report, screen)].join('\n');
}

function fileAsText({ file, problems }: FileReport, report: Report, screen: Screen): string {
  const { paint } = screen;
  const heading = paint.bold(paint.underline(pathFrom(report.cwd, file)));
  return ['', heading, ...problems.map((it) => problemAsText(it, file, report, screen)), ''].join('\n');
}

function problemAsText(problem: Reported, file: string, { cwd, linesOf }: Report, { paint, width }: Screen): string {
  const { first, rest } = splitMessage(problem.message);
  const place = `${problem.line}:${problem.column}`.padStart(8);
  const severity = problem.severity === 'error' ? paint.red('error') : paint.yellow('warn ');
  const out = ['', `${paint.dim(place)}  ${severity}  ${paint.bold(first)}  ${paint.dim(problem.rule)}${problem.change === 'touched' ? paint.dim(' (was there before)') : ''}`];

  const indent = ' '.repeat(10);
  const inner = width - indent.length;
  const add = (text: string): void => void out.push(`${indent}${text}`.trimEnd());
  const lineOf = (it: Place): string | undefined => linesOf(it.file)[it.line - 1];
  const nameOf = (it: Place): string => (it.file === file ? String(it.line) : `${pathFrom(cwd, it.file)}:${it.line}`);
  const code = (name: string, line: string): string => `${paint.dim(`${name} │ `)}${paint.cyan(cut(line.trim(), inner - name.length - 3))}`;

  wrap(rest, inner).forEach(add);

  const { finding } = problem;
  const steps = finding?.interleaving ?? [];
  // A line that the timeline shows is not shown twice.
  const shown = new Set(steps.flatMap((it) => (it.place && lineOf(it.place) ? [nameOf(it.place)] : [])));
  const source = linesOf(file)[problem.line - 1];
  const related = finding?.related.filter((it) => !shown.has(nameOf(it.place))) ?? [];
  if (source?.trim() && !shown.has(String(problem.line))) {
    add('');
    add(code(String(problem.line), source));
  }
  if (related.length > 0) add('');
  for (const { place: at, text } of related) {
    const line = lineOf(at);
    add(text);
    add(line?.trim() ? code(nameOf(at), line) : paint.dim(`${nameOf(at)}:${at.column + 1}`));
  }
  if (steps.length > 0) {
    add('');
    drawTimeline(steps, { paint, width: inner, lineOf, nameOf }).forEach(add);
  }
  if (finding && finding.edits.length > 0) add('');
  for (const { title, note } of finding?.edits ?? []) add(`${paint.green('fix')}  ${title}${note ? paint.dim(` (${note})`) : ''}`);
  return out.join('\n');
}

/** What a change has mended, a line each. */
function mendedAsText({ review, cwd }: Report, { paint }: Screen): string[] {
  const mended = review?.mended.flatMap(({ file, problems }) => problems.map((it) => ({ file, it }))) ?? [];
  if (mended.length === 0) return [];
  const lines = mended.map(({ file, it }) => `  ${paint.green('✓')} ${splitMessage(it.message).first}  ${paint.dim(`${it.rule}, was at ${pathFrom(cwd, file)}:${it.line}`)}`);
  return ['', paint.bold('Mended by this change'), '', ...lines, ''];
}

function summary(report: Report, { paint }: Screen): string {
  const { errors, warnings, checked, unchecked } = report;
  const lines: string[] = [];
  const skipped = unchecked.filter((it) => !it.named);
  for (const { file, why } of skipped.slice(0, listed)) lines.push(paint.dim(`Not checked: ${pathFrom(report.cwd, file)}, because ${why}.`));
  if (skipped.length > listed) lines.push(paint.dim(`Not checked: ${count(skipped.length - listed, 'more file')}.`));

  const known = report.known ? `, ${count(report.known, 'known finding')} left out` : '';
  const checkedText = `${count(checked, 'file')} checked${report.review ? ` against ${report.review.base}` : ''}${known}`;
  if (errors + warnings === 0) lines.push(`${paint.green('✓')} ${checkedText}: no lock misuse ${report.review ? 'in what it changes' : 'found'}.`);
  else {
    const inFiles = `in ${count(report.files.length, 'file')}`;
    const color: Paint['red'] = errors > 0 ? paint.red : paint.yellow;
    lines.push(`${color('✗')} ${paint.bold(`${count(errors, 'error')}, ${count(warnings, 'warning')}`)} ${inFiles} ${paint.dim(`(${checkedText})`)}`);
  }
  return lines.join('\n');
}
