/**
 * The page of the timeline view: how a finding loses data, and beside it how the mended code refuses. The
 * drawing is for the eye, the list of steps for the keyboard and the screen reader; each step that has a
 * line is a button that leads there. Nothing is loaded from elsewhere; the one script carries the nonce.
 */
import type { Timeline, TimelineStep } from '../server/messages.ts';

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
${timelines.map(section).join('\n') || '<p>There is no finding with a timeline at the cursor. Put it on one and run the command again.</p>'}
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

function section(timeline: Timeline, index: number): string {
  const [first, ...rest] = timeline.message.split(/(?<=[.!?]) (?=[A-Z"`])/);
  const last = timeline.steps.find((it) => it.loses);
  return `<article aria-labelledby="t${index}">
<h1 id="t${index}">${text(first ?? '')}</h1>
<p>${text(rest.join(' '))} <a href="${text(timeline.page)}">${text(timeline.rule)}</a></p>
<div class="sides">
<section aria-label="How the data is lost">
<h2>Now</h2>
${timeline.drawing}
<ol>${timeline.steps.map((it) => stepItem(it)).join('')}</ol>
</section>
${
  timeline.mendedDrawing && last?.mended
    ? `<section aria-label="How the mended code refuses">
<h2>Mended</h2>
${timeline.mendedDrawing}
<ol>${timeline.steps.map((it) => stepItem(it.loses && it.mended ? { ...it, ...it.mended, loses: undefined, mended: it.mended } : it, it.loses)).join('')}</ol>
</section>`
    : ''
}
</div>
</article>`;
}

function stepItem(step: TimelineStep, isRefusal = false): string {
  const who = step.who === 'service' ? 'Lock service' : `Instance ${step.who}`;
  const kind = step.loses ? 'bad' : isRefusal ? 'good' : step.who;
  const told = `<span class="time">${String(step.at).replace(/\B(?=(\d{3})+$)/g, '\u00a0')} ms</span> <strong>${who}</strong> ${text(step.says)}${step.resource ? ` <span class="data">data: ${text(step.resource)}</span>` : ''}`;
  const name = step.uri?.slice(step.uri.lastIndexOf('/') + 1);
  const link = step.uri === undefined ? '' : ` <button type="button" data-uri="${text(step.uri)}" data-line="${step.line}" data-character="${step.character}">${text(decodeURIComponent(name ?? ''))}:${(step.line ?? 0) + 1}</button>`;
  return `<li class="${kind}">${told}${link}</li>`;
}

const text = (it: string): string => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
body { padding: 0 1.25rem 2rem; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.5;
  --fencepost-ink: var(--vscode-foreground); --fencepost-soft: var(--vscode-descriptionForeground); --fencepost-line: var(--vscode-editorWidget-border, var(--vscode-contrastBorder, currentColor));
  --fencepost-a: var(--vscode-charts-blue); --fencepost-b: var(--vscode-charts-orange); --fencepost-bad: var(--vscode-errorForeground); --fencepost-good: var(--vscode-charts-green); }
h1 { font-size: 1.2rem; font-weight: 600; margin: 1.25rem 0 .25rem; } h2 { font-size: 1rem; margin: 1rem 0 .5rem; }
article + article { border-top: 1px solid var(--fencepost-line); margin-top: 2rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem; }
svg { width: 100%; height: auto; } ol { padding-left: 1.25rem; } li { margin: .2rem 0; }
.time, .data { color: var(--vscode-descriptionForeground); } .bad { color: var(--vscode-errorForeground); } .good { color: var(--vscode-charts-green); }
a { color: var(--vscode-textLink-foreground); }
button { font: inherit; color: var(--vscode-textLink-foreground); background: none; border: 0; padding: 0 .2rem; cursor: pointer; text-decoration: underline; }
button:focus-visible, a:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
`;
