/** The two streams, and whether they take colour. The rest of the command prints through this. */
import colors from 'picocolors';
import { type Progress, progressOn } from './run/progress.ts';

/** Nothing of severity error; something of it; the command could not do what it was asked for; it was cancelled. */
export type ExitCode = 0 | 1 | 2 | 130;

export type Paint = ReturnType<typeof colors.createColors>;

export interface Terminal {
  paint: Paint;
  /** Columns that a line may have. */
  width: number;
  print(text: string): void;
  /** To standard error, so that the output stays what was asked for. */
  complain(text: string): void;
  progress: Progress;
}

/** Colour where a person reads, unless the environment says otherwise; see no-color.org. */
function wantsColor(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0' && environment.FORCE_COLOR !== 'false';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

/** Wide enough for code in a file or a pipe; no wider than is easily read on a screen. */
const widthOf = (stream: { isTTY?: boolean; columns?: number }): number => (stream.isTTY && stream.columns ? Math.max(60, Math.min(stream.columns, 140)) : 120);

export const terminal: Terminal = {
  paint: colors.createColors(wantsColor(process.stdout, process.env)),
  width: widthOf(process.stdout),
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`fencepost: ${text}\n`),
  progress: progressOn(process.stderr, process.env),
};
