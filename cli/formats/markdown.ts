/** One comment for a pull request: short, each finding folded, its edit as a suggestion. */
import { milliseconds } from '../../rules/words.ts';
import type { Edit, Step } from '../../rules/finding.ts';
import { count, splitMessage } from '../prose.ts';
import { type Report, type Reported, pathFrom } from '../report.ts';
import { diffOf, editedLines } from './edit-text.ts';

/** A suggestion of more lines is no longer read at a glance. */
const maxSuggested = 12;
/** The platforms cut comments that are longer. */
const maxLength = 60_000;

export function asMarkdown(report: Report): string {
  const found = report.files.flatMap(({ file, problems }) => problems.map((it) => ({ file, it })));
  const brought = found.filter(({ it }) => it.change !== 'touched');
  const touched = found.filter(({ it }) => it.change === 'touched');
  const mended = report.review?.mended.flatMap(({ file, problems }) => problems.map((it) => ({ file, it }))) ?? [];
  const parts = [`### Fencepost: ${headline(report, brought.length, mended.length)}`];
  for (const { file, it } of brought) parts.push(findingAsMarkdown(it, file, report));
  if (touched.length > 0) parts.push(folded(`${count(touched.length, 'finding')} in what the change touches`, touched.map(({ file, it }) => lineFor(it, file, report)).join('\n')));
  if (mended.length > 0) parts.push(`**Mended**\n\n${mended.map(({ file, it }) => lineFor(it, file, report)).join('\n')}`);
  for (const { file, why } of report.unchecked) parts.push(`Not checked: \`${pathFrom(report.cwd, file)}\`, because ${why}.`);
  let text = '';
  for (const [i, part] of parts.entries()) {
    if (text.length + part.length > maxLength) return `${text}\n\n${count(parts.length - i, 'more part')} left out: the comment would be too long.`;
    text += `${text && '\n\n'}${part}`;
  }
  return text;
}

function headline({ review }: Report, found: number, mended: number): string {
  if (!review) return found === 0 ? 'no lock misuse found' : count(found, 'finding');
  const words = [found > 0 ? `${found} new` : 'nothing new', ...(mended > 0 ? [`${mended} mended`] : [])];
  return words.join(', ');
}

const lineFor = (it: Reported, file: string, { cwd }: Report): string => `- \`${pathFrom(cwd, file)}:${it.line}\` ${escaped(splitMessage(it.message).first)} ([${it.rule}](${it.url}))`;

function findingAsMarkdown(it: Reported, file: string, report: Report): string {
  const { first, rest } = splitMessage(it.message);
  const body = [escaped(rest)];
  const related = it.finding?.related ?? [];
  if (related.length > 0) body.push(related.map(({ place, text }) => `- \`${pathFrom(report.cwd, place.file)}:${place.line}\` ${escaped(text)}`).join('\n'));
  if (it.finding?.interleaving?.length) body.push(timeline(it.finding.interleaving, report));
  for (const edit of it.finding?.edits ?? []) body.push(suggestion(edit, file, report));
  body.push(`[${it.rule}](${it.url})`);
  return folded(`${it.severity === 'error' ? '🔴' : '🟡'} <code>${html(`${pathFrom(report.cwd, file)}:${it.line}`)}</code> ${html(first).replace(/`([^`]+)`/g, '<code>$1</code>')}`, body.filter(Boolean).join('\n\n'));
}

/** The summary is HTML, the body is Markdown: the blank lines between them make it so. */
const folded = (summary: string, body: string): string => `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;

function timeline(steps: readonly Step[], report: Report): string {
  const rows = steps.map((step) => {
    const name = step.place ? ` \`${pathFrom(report.cwd, step.place.file).split('/').at(-1)}:${step.place.line}\`` : '';
    const says = escaped(step.says).replaceAll('|', '\\|');
    const said = step.loses ? `**${says}**${name}` : `${says}${name}`;
    const cells = step.who === 'A' ? [said, ''] : step.who === 'B' ? ['', said] : [`*${said}*`, ''];
    return `| ${milliseconds(step.at)} | ${cells.join(' | ')} | ${escaped(step.resource ?? '').replaceAll('|', '\\|')} |`;
  });
  return ['| time | instance A | instance B | data |', '| ---: | --- | --- | --- |', ...rows].join('\n');
}

function suggestion(edit: Edit, file: string, report: Report): string {
  const text = report.textOf(file);
  const title = `**${escaped(edit.title)}**${edit.note ? `: ${escaped(edit.note)}` : ''}`;
  const lines = editedLines(edit, file, text);
  if (!lines) return title;
  const where = lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first} to ${lines.last}`;
  if (lines.last - lines.first < maxSuggested) return `${title} (${where})\n\n${fence('suggestion', lines.lines)}`;
  return `${title}\n\n${fence('diff', diffOf(edit, text, 1))}`;
}

/** Longer than any fence inside. */
function fence(language: string, code: string): string {
  const ticks = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map((it) => it[0].length + 1)));
  return `${ticks}${language}\n${code}\n${ticks}`;
}

const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Outside of code, what a user named must not become markup. */
const escaped = (text: string): string => text.split(/(`[^`]*`)/).map((part, i) => (i % 2 ? part : html(part).replace(/([*_[\]])/g, '\\$1'))).join('');
