/**
 * The interleaving of two holders, drawn: a lane for each instance, a dot where it acts, dots all
 * along where it is paused, and the user's own line below the step that it takes.
 */
import type { Place } from '../model/place.ts';
import { milliseconds } from '../rules/words.ts';
import type { Step } from '../rules/finding.ts';
import { cut, wrap } from './prose.ts';
import type { Paint } from './terminal.ts';

export interface Canvas {
  paint: Paint;
  width: number;
  /** The text of a line (1-based) of a file, where it is known. */
  lineOf(place: Place): string | undefined;
  /** How a place is named: its line, with the file where it is another one. */
  nameOf(place: Place): string;
}

/** What stands between the time and the text: two lanes and who acts. */
const lanesWidth = 9;

export function drawTimeline(steps: readonly Step[], { paint, width, lineOf, nameOf }: Canvas): string[] {
  const lines: string[] = [];
  const times = steps.map((step) => milliseconds(step.at));
  const timeWidth = Math.max(...times.map((it) => it.length));
  const textWidth = width - timeWidth - lanesWidth;
  const blank = ' '.repeat(timeWidth);
  let lastShown = '';
  steps.forEach((step, index) => {
    const color = step.loses ? paint.red : step.who === 'service' ? paint.magenta : (text: string): string => text;
    const lanes = lanesAt(steps, index, paint);
    const says = step.resource ? `${step.says}  (data: ${step.resource})` : step.says;
    wrap(says, textWidth).forEach((text, row) => {
      const time = row === 0 ? times[index]!.padStart(timeWidth) : blank;
      const lost = row === 0 && step.loses ? paint.bold('✗ ') : '';
      lines.push(`${paint.dim(time)}  ${row === 0 ? lanes.acting : lanes.passing}  ${color(lost + text)}`.trimEnd());
    });
    const name = step.place && nameOf(step.place);
    const source = step.place && lineOf(step.place)?.trim();
    if (!source || name === lastShown) return;
    lastShown = name!;
    lines.push(`${blank}  ${lanes.passing}  ${paint.dim(`${name} │ `)}${paint.cyan(cut(source, textWidth - name!.length - 3))}`);
  });
  return lines;
}

/** The two lanes beside a step, in its own row and in the rows below it. */
function lanesAt(steps: readonly Step[], index: number, paint: Paint): { acting: string; passing: string } {
  const { who } = steps[index]!;
  const lane = (name: 'A' | 'B'): { acting: string; passing: string } => {
    const hasActed = steps.slice(0, index + 1).some((it) => it.who === name);
    const willAct = steps.slice(index + 1).some((it) => it.who === name);
    // Between two steps of its own, with others' in between, an instance stands still.
    const line = !hasActed || !willAct ? ' ' : steps[index + 1]?.who === name ? '│' : '┆';
    const color = name === 'A' ? paint.blue : paint.yellow;
    if (who === name) return { acting: color('●'), passing: color(line) };
    return { acting: color(hasActed && willAct ? '┆' : ' '), passing: color(line) };
  };
  const [a, b] = [lane('A'), lane('B')];
  const label = who === 'service' ? paint.magenta('◌') : paint.bold(who);
  return { acting: `${a.acting} ${b.acting} ${label}`, passing: `${a.passing} ${b.passing}  ` };
}
