/**
 * The files of a check, from the folders that were named to what was found in them. Each is read once; what
 * mentions nothing of the catalog is left after a scan of its text; only the rest is parsed.
 */
import { isCandidate } from '../../rules/candidate.ts';
import { settingsFrom } from '../../rules/eslint.ts';
import { canAnalyse } from '../../rules/load.ts';
import type { EditorSettings } from '../../server/editor-settings.ts';
import { findFiles } from '../../server/files.ts';
import type { LintText, Report } from '../report.ts';
import { timedHost } from './host.ts';
import type { Looked, Wanted } from './look.ts';
import type { Progress } from './progress.ts';
import type { Stats } from './stats.ts';
import { Texts } from './texts.ts';
import { Threads } from './threads.ts';
import type { Answer } from './worker.ts';

export interface Run {
  paths: readonly string[];
  cwd: string;
  settings: EditorSettings;
  /** Stands in for the analysis. */
  lintText: LintText | undefined;
  progress: Progress;
  stats: Stats;
  signal: AbortSignal;
}

/** For so many milliseconds the thread works before it hears of anything else. */
const stretch = 40;

/** Fills `report`. Ends early, with what there is, when cancelled. */
export async function runOver(report: Report, { paths, cwd, settings, lintText, progress, stats, signal }: Run): Promise<void> {
  if (!canAnalyse()) await import('../../rules/analysing.ts');
  const breathe = breathing();
  const texts = new Texts(settings.maxFileSize);
  const host = timedHost(texts, stats);
  const found = stats.during('finding files', () => findFiles(paths, cwd));
  stats.counts.files = found.files.length;
  for (const { path, why, named } of found.unreadable) report.unchecked.push({ file: path, why, named });

  const queue: Wanted[] = [];
  const order = new Map<string, number>();
  const looked: Looked = { files: [], unchecked: [] };
  const add = ({ looked: more, told }: Answer): void => {
    looked.files.push(...more.files);
    looked.unchecked.push(...more.unchecked);
    stats.merge(told);
  };
  const threads = lintText ? undefined : new Threads(queue, texts, settings, add, signal);
  try {
    if (!(await scanned()) || !(await lookedInto())) return;
  } catch (error) {
    threads?.stop();
    throw error;
  }
  stats.counts.workers = threads?.count ?? 0;
  for (const name of ['read', 'readAgain', 'bytes'] as const) stats.counts[name] += texts[name];
  // Whoever was first, the report is the same.
  const place = ({ file }: { file: string }): number => order.get(file) ?? 0;
  report.files.push(...looked.files.sort((a, b) => place(a) - place(b)));
  report.unchecked.push(...looked.unchecked.sort((a, b) => place(a) - place(b)));
  report.checked += order.size - looked.unchecked.length;

  /** Puts what is worth a look into the queue. False when cancelled. */
  async function scanned(): Promise<boolean> {
    for (const [i, it] of found.files.entries()) {
      if (await breathe(() => progress.tell(`${i} of ${found.files.length} files scanned`), signal)) return false;
      const read = stats.during('reading and scanning', () => texts.of(it.path));
      if ('why' in read) report.unchecked.push({ file: it.path, why: read.why, named: it.named });
      else if (lintText || stats.during('reading and scanning', () => isWorthALook(it.path, read.text))) {
        texts.pin(it.path);
        queue.push(it);
        order.set(it.path, i);
        threads?.queuedOne();
      } else report.checked++;
    }
    stats.counts.candidates = order.size;
    return true;
  }

  /** Takes what the other threads have left, and waits for them. False when cancelled. */
  async function lookedInto(): Promise<boolean> {
    const ended = threads?.end();
    // What goes wrong there is heard of below, and not before.
    ended?.catch(() => undefined);
    if (queue.length > 0) {
      const { look } = await import('./look.ts');
      let done = 0;
      for (let it = queue.shift(); it; it = queue.shift()) {
        if (await breathe(() => progress.tell(`${done} files looked into, ${queue.length} left, ${looked.files.length} with findings`), signal)) return false;
        look(it, texts, settings, host, stats, looked, lintText);
        done++;
      }
    }
    await ended;
    return !signal.aborted;
  }

  function isWorthALook(path: string, text: string): boolean {
    try {
      return isCandidate(path, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, host, settingsFrom(settings.analysis));
    } catch {
      // A defect of ours shows again, and is told, where the file is looked into.
      return true;
    }
  }
}

/** Now and then lets signals and other threads have their say, and answers whether the run was cancelled. */
function breathing(): (tell: () => void, signal: AbortSignal) => Promise<boolean> {
  let since = performance.now();
  return async (tell, signal) => {
    if (performance.now() - since > stretch) {
      tell();
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    return signal.aborted;
  };
}
