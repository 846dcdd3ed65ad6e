/** One page with every finding, its lines and its timeline. Nothing is loaded from elsewhere, and no script runs. */
import type { Place } from '../../model/place.ts';
import { timelineSvg } from '../../rules/timeline-svg.ts';
import { count, splitMessage } from '../prose.ts';
import type { Edit } from '../../rules/finding.ts';
import { type Report, type Reported, pathFrom } from '../report.ts';
import { diffOf } from './edit-text.ts';

export function asHtml(report: Report): string {
  const findings = report.files.flatMap(({ file, problems }) => problems.map((it) => ({ file, it })));
  const mended = report.review?.mended.flatMap(({ file, problems }) => problems.map((it) => ({ file, it }))) ?? [];
  const title = findings.length === 0 ? 'No lock misuse found' : `${count(report.errors, 'error')}, ${count(report.warnings, 'warning')}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Fencepost: ${text(title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>Fencepost</h1><p>${text(title)} in ${count(report.checked, 'checked file')}${report.review ? ` against ${text(report.review.base)}` : ''}${report.known ? `; ${count(report.known, 'known finding')} left out` : ''}</p></header>
<main>
${findings.map(({ file, it }, i) => findingAsHtml(it, file, report, i)).join('\n')}
${mended.length > 0 ? `<section><h2>Mended by this change</h2><ul>${mended.map(({ file, it }) => `<li><code>${text(pathFrom(report.cwd, file))}:${it.line}</code> ${prose(splitMessage(it.message).first)} <a href="${text(it.url)}">${text(it.rule)}</a></li>`).join('')}</ul></section>` : ''}
</main>
</body>
</html>`;
}

function findingAsHtml(it: Reported, file: string, report: Report, index: number): string {
  const { first, rest } = splitMessage(it.message);
  const code = (place: Pick<Place, 'file' | 'line'>): string => `<pre><span class="line">${place.file === file ? '' : `${text(pathFrom(report.cwd, place.file))}:`}${place.line}</span> ${text((report.linesOf(place.file)[place.line - 1] ?? '').trim())}</pre>`;
  const steps = it.finding?.interleaving ?? [];
  return `<article aria-labelledby="f${index}">
<h2 id="f${index}"><span class="${it.severity}">${it.severity === 'error' ? 'error' : 'warning'}</span> ${prose(first)}</h2>
<p class="where"><code>${text(pathFrom(report.cwd, file))}:${it.line}:${it.column}</code> <a href="${text(it.url)}">${text(it.rule)}</a>${it.change ? ` <span class="change">${it.change === 'new' ? 'new' : 'was there before'}</span>` : ''}</p>
<p>${prose(rest)}</p>
${code({ file, line: it.line })}
${(it.finding?.related ?? []).map(({ place, text: said }) => `<p class="related">${prose(said)}</p>${code(place)}`).join('\n')}
${steps.length > 0 ? `<figure>${timelineSvg(steps)}<figcaption>How the data is lost</figcaption></figure>` : ''}
${(it.finding?.edits ?? []).map((edit) => editAsHtml(edit, file, report)).join('\n')}
</article>`;
}

/** Folded: what the edit makes of the file. One that reaches into other files is told by its title. */
function editAsHtml(edit: Edit, file: string, report: Report): string {
  const title = `${text(edit.title)}${edit.note ? ` <span class="note">${prose(edit.note)}</span>` : ''}`;
  if (edit.changes.some((it) => it.file !== undefined && it.file !== file)) return `<p class="edit">${title}</p>`;
  const lines = diffOf(edit, report.textOf(file), 1).split('\n').slice(1).map((line) => (line.startsWith('@@') ? '<span class="kept">⋯</span>' : `<span class="${line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'kept'}">${text(line)}</span>`));
  return `<details class="edit"><summary>${title}</summary><pre>${lines.join('\n')}</pre></details>`;
}

/** What stands between backticks is code. */
const prose = (it: string): string => text(it).replace(/`([^`]+)`/g, '<code>$1</code>');
const text = (it: string): string => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
:root { color-scheme: light dark; --ink: #1d2433; --paper: #fbfbfd; --soft: #5b6472; --line: #d7dbe3; --error: #b3261e; --warn: #8a5a00; --good: #1a6b3c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8f0; --paper: #14181f; --soft: #9aa4b4; --line: #323a47; --error: #ff8a80; --warn: #f2c14e; --good: #7fd6a0; } }
body { margin: 0 auto; padding: 2rem 1.5rem; max-width: 60rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.5rem; }
article { padding: 1.25rem 0; border-bottom: 1px solid var(--line); }
h2 { margin: 0; font-size: 1.05rem; }
.error { color: var(--error); } .warn { color: var(--warn); } .change, .where, .related, figcaption { color: var(--soft); font-size: .9rem; }
pre { overflow-x: auto; margin: .25rem 0; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 4px; }
pre .line { color: var(--soft); user-select: none; }
.edit { margin: .75rem 0 0; } .edit summary { cursor: pointer; } .note { color: var(--soft); } .added { color: var(--good); } .removed { color: var(--error); } .kept { color: var(--soft); }
figure { margin: 1rem 0 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
a { color: inherit; }
`;
