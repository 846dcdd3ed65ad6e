/**
 * The interleaving of two holders as a drawing: time runs down, a lane for each instance, the lease as a
 * bar along it, a dashed line while it is paused. Colours are CSS variables, so that a page or an editor
 * gives its own; without any it is read on light and dark paper. No script, nothing loaded.
 */
import type { Step } from './finding.ts';
import { milliseconds } from './words.ts';

export interface DrawingOptions {
  /** The link of a step that has a place, as an `href`. */
  linkOf?: (step: Step) => string | undefined;
  /** Beside the last step, what it does once the finding is mended. */
  isMended?: boolean;
}

const width = 860;
const top = 54;
const laneX = { A: 118, B: 478, service: 118 };
const textWidth = 44;
const lineHeight = 17;

/** The drawing as an `<svg>` element with a title and a description for those who hear it. */
export function timelineSvg(steps: readonly Step[], { linkOf, isMended = false }: DrawingOptions = {}): string {
  const shown = isMended ? steps.map((step) => (step.loses && step.mended ? { ...step, ...step.mended, loses: undefined } : step)) : steps;
  let y = top;
  const rows = shown.map((step) => {
    const lines = wrapped(step.says);
    const row = { step, lines, y };
    y += Math.max(34, (lines.length + (step.resource ? 1 : 0)) * lineHeight + 14);
    return row;
  });
  const height = y + 10;
  const yOf = (test: (step: Step) => boolean, from = 0): number | undefined => rows.slice(from).find(({ step }) => test(step))?.y;
  const last = rows.at(-1)?.y ?? top;
  const parts: string[] = [];
  for (const who of ['A', 'B'] as const) {
    const own = rows.filter(({ step }) => step.who === who);
    const [first] = own;
    if (!first) continue;
    const x = laneX[who];
    parts.push(`<line class="lane" x1="${x}" y1="${top - 14}" x2="${x}" y2="${last + 8}"/>`);
    const end = who === 'A' ? (yOf((step) => step.who === 'service') ?? last) : last + 8;
    parts.push(`<rect class="lease ${who.toLowerCase()}" x="${x - 7}" y="${first.y - 4}" width="14" height="${Math.max(8, end - first.y + 4)}" rx="4"/>`);
    own.forEach((row, i) => {
      const next = own[i + 1];
      if (!next) return;
      const isPaused = rows.some(({ step, y: at }) => step.who !== who && at > row.y && at < next.y);
      parts.push(`<line class="${isPaused ? 'pause' : 'run'} ${who.toLowerCase()}" x1="${x}" y1="${row.y + 6}" x2="${x}" y2="${next.y - 6}"/>`);
    });
  }
  for (const { step, lines, y: at } of rows) {
    const x = laneX[step.who];
    const kind = step.loses ? 'bad' : step.who === 'service' ? 'end' : isMended && step === shown.at(-1) ? 'good' : step.who.toLowerCase();
    const inside = [
      `<text class="time" x="92" y="${at + 5}" text-anchor="end">${milliseconds(step.at)}</text>`,
      step.who === 'service' ? `<line class="end" x1="${x - 16}" y1="${at}" x2="${x + 16}" y2="${at}"/>` : `<circle class="dot ${kind}" cx="${x}" cy="${at}" r="5"/>`,
      ...lines.map((line, i) => `<text class="says ${kind}" x="${x + 18}" y="${at + 5 + i * lineHeight}">${escaped(line)}</text>`),
      ...(step.resource ? [`<text class="resource" x="${x + 18}" y="${at + 5 + lines.length * lineHeight}">data: ${escaped(step.resource)}</text>`] : []),
    ].join('');
    const href = linkOf?.(step);
    parts.push(href ? `<a href="${escaped(href)}">${inside}</a>` : `<g>${inside}</g>`);
  }
  const told = shown.map((step) => `${milliseconds(step.at)}: ${step.who === 'service' ? '' : `instance ${step.who} `}${step.says}.`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" class="timeline"><title>${isMended ? 'How the stale step is refused' : 'How the data is lost'}</title><desc>${escaped(told)}</desc><style>${style}</style><text class="name" x="${laneX.A - 8}" y="24">instance A</text><text class="name" x="${laneX.B - 8}" y="24">instance B</text>${parts.join('')}</svg>`;
}

function wrapped(says: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of says.split(' ')) {
    if (line && line.length + 1 + word.length > textWidth) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
.timeline { --ink: var(--fencepost-ink, #1f2328); --soft: var(--fencepost-soft, #59636e); --lane: var(--fencepost-line, #d0d7de); --a: var(--fencepost-a, #0969da); --b: var(--fencepost-b, #9a6700); --bad: var(--fencepost-bad, #cf222e); --good: var(--fencepost-good, #1a7f37); }
@media (prefers-color-scheme: dark) { .timeline { --ink: var(--fencepost-ink, #f0f6fc); --soft: var(--fencepost-soft, #9198a1); --lane: var(--fencepost-line, #3d444d); --a: var(--fencepost-a, #4493f8); --b: var(--fencepost-b, #d29922); --bad: var(--fencepost-bad, #f85149); --good: var(--fencepost-good, #3fb950); } }
.timeline text { font: 14px system-ui, sans-serif; fill: var(--ink); } .timeline .name { font-weight: 600; }
.timeline .time, .timeline .resource { font-size: 12.5px; fill: var(--soft); }
.timeline .says.bad { fill: var(--bad); font-weight: 600; } .timeline .says.good { fill: var(--good); font-weight: 600; } .timeline .says.end { fill: var(--soft); font-style: italic; }
.timeline .lane { stroke: var(--lane); } .timeline .lease { fill-opacity: .18; } .timeline .lease.a { fill: var(--a); } .timeline .lease.b { fill: var(--b); }
.timeline .run, .timeline .pause { stroke-width: 3; stroke-linecap: round; } .timeline .pause { stroke-dasharray: 1 7; } .timeline line.a { stroke: var(--a); } .timeline line.b { stroke: var(--b); }
.timeline .dot.a { fill: var(--a); } .timeline .dot.b { fill: var(--b); } .timeline .dot.bad { fill: var(--bad); } .timeline .dot.good { fill: var(--good); }
.timeline line.end { stroke: var(--soft); stroke-width: 2; } .timeline a:focus-visible text, .timeline a:hover text { text-decoration: underline; }
`;
