/**
 * The page of the timeline view: how a finding loses data, and beside it how the mended code refuses. Each
 * is one list, laid out as a board: a row for each step, a lane for each instance, the lease as a bar along
 * the lane. So the eye, the keyboard and the screen reader get the same thing, and text wraps instead of
 * shrinking. A step that has a line is a button that leads there. Nothing is loaded from elsewhere; the one
 * script carries the nonce.
 */
import { duration } from '../rules/words.ts';
import type { Timeline, TimelineStep } from '../server/messages.ts';
import { lanesOf, type Stretch } from './timeline-lanes.ts';
import { style } from './timeline-style.ts';

/** `nonce` is fresh for each page. */
export function timelinePage(timelines: readonly Timeline[], nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<title>How this loses data</title>
<style>${style}</style>
</head>
<body>
<main>
${timelines.map(article).join('\n') || '<p>There is no finding with a timeline at the cursor. Put it on one and run the command again.</p>'}
</main>
<script nonce="${nonce}">
const vscode = acquireVsCodeApi();
document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-uri]');
  if (!step) return;
  event.preventDefault();
  vscode.postMessage({ uri: step.dataset.uri, line: Number(step.dataset.line), character: Number(step.dataset.character) });
});
</script>
</body>
</html>`;
}

function article({ message, page, rule, uri, steps }: Timeline, index: number): string {
  const [first, ...rest] = message.split(/(?<=[.!?]) (?=[A-Z"`])/);
  const hasMended = steps.some((it) => it.loses && it.mended);
  return `<article aria-labelledby="t${index}">
<h1 id="t${index}">${prose(first ?? '')}</h1>
<p class="why">${prose(rest.join(' '))} <a href="${text(page)}">${text(rule)}</a></p>
<div class="sides">
<section>
<h2>Now</h2>
${board(steps, uri, 'How the data is lost')}
</section>
${hasMended ? `<section>\n<h2>Mended</h2>\n${board(mended(steps), uri, 'How the mended code refuses')}\n</section>` : ''}
</div>
</article>`;
}

interface BoardStep extends TimelineStep {
  refuses?: true;
}

/** What is mended ends the story: what came after the loss follows from it. */
function mended(steps: readonly TimelineStep[]): BoardStep[] {
  const at = steps.findIndex((it) => it.loses && it.mended);
  const lost = steps[at]!;
  return [...steps.slice(0, at), { ...lost, ...lost.mended, loses: undefined, refuses: true }];
}

function board(steps: readonly BoardStep[], own: string, label: string): string {
  const lanes = lanesOf(steps);
  const rows = steps.map((step, i) => {
    const kind = step.loses ? ' bad' : step.refuses ? ' good' : step.who === 'service' ? ' end' : '';
    const lane = step.who === 'B' ? 'b' : 'a';
    const cells = (['a', 'b'] as const).map((it) => `<div class="lane ${it}">${stretch(lanes[it][i]!)}${it === lane ? content(step, own) : ''}</div>`);
    return `<li class="${lane}${kind}"><span class="time">${duration(step.at).replaceAll(' ', '\u00a0')}</span>${cells.join('')}</li>`;
  });
  return `<div class="board"><div class="names" aria-hidden="true"><span></span><span>instance A</span><span>instance B</span></div>
<ol aria-label="${label}">${rows.join('')}</ol></div>`;
}

/** The parts of a lane above and below the step's dot. */
const stretch = ({ above, below }: Stretch): string => `<i class="${['up', ...above].join(' ')}"></i><i class="${['down', ...below].join(' ')}"></i>`;

function content(step: BoardStep, own: string): string {
  const who = step.who === 'service' ? 'Lock service' : `Instance ${step.who}`;
  const link = step.uri === undefined ? '' : `<button type="button" data-uri="${text(step.uri)}" data-line="${step.line}" data-character="${step.character}">${text(lineName(step, own))}</button>`;
  const data = step.resource ? `<span class="data">data: ${text(step.resource)}</span>` : '';
  return `<i class="dot"></i><div class="told"><span class="heard">${who}: </span><span class="says">${prose(step.says)}</span>${data || link ? `<div class="more">${data}${link}</div>` : ''}</div>`;
}

/** `line 14` in the file of the finding, `lock.ts:14` in another. */
function lineName({ uri, line }: BoardStep, own: string): string {
  const shown = (line ?? 0) + 1;
  return uri === own ? `line ${shown}` : `${decodeURIComponent(uri!.slice(uri!.lastIndexOf('/') + 1))}:${shown}`;
}

const text = (it: string): string => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** Text with the code spans that messages set. */
const prose = (it: string): string => text(it).replace(/`([^`]+)`/g, '<code>$1</code>');
