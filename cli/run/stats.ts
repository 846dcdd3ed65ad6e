/** Where the time of a run went, and how much of the work there was: `--stats`. */
import { count } from '../prose.ts';

export type Phase = 'finding files' | 'reading and scanning' | 'parsing' | 'analysis' | 'printing';

export interface Counts {
  files: number;
  read: number;
  readAgain: number;
  bytes: number;
  candidates: number;
  parsed: number;
  workers: number;
}

export class Stats {
  readonly counts: Counts = { files: 0, read: 0, readAgain: 0, bytes: 0, candidates: 0, parsed: 0, workers: 0 };
  private readonly spent = new Map<Phase, number>();
  /** Phases within each other: the inner one's time is not the outer one's. */
  private readonly running: { phase: Phase; since: number }[] = [];

  constructor(private readonly begun = performance.now()) {}

  during<T>(phase: Phase, work: () => T): T {
    const now = performance.now();
    const outer = this.running.at(-1);
    if (outer) this.add(outer.phase, now - outer.since);
    this.running.push({ phase, since: now });
    try {
      return work();
    } finally {
      const { since } = this.running.pop()!;
      const end = performance.now();
      this.add(phase, end - since);
      if (outer) outer.since = end;
    }
  }

  /** What another thread has spent and done. */
  merge(other: { spent: readonly (readonly [Phase, number])[]; counts: Counts }): void {
    for (const [phase, ms] of other.spent) this.add(phase, ms);
    for (const name of ['bytes', 'parsed'] as const) this.counts[name] += other.counts[name];
  }

  get told(): { spent: (readonly [Phase, number])[]; counts: Counts } {
    return { spent: [...this.spent], counts: this.counts };
  }

  /** `parser` is the name of the one that has read what was parsed. */
  asText(parser: string): string {
    const { files, read, readAgain, bytes, candidates, parsed, workers } = this.counts;
    const all = performance.now() - this.begun;
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).padStart(8)} s`;
    const lines = [...this.spent].map(([phase, ms]) => `  ${phase.padEnd(22)}${seconds(ms)}`);
    return [
      `${count(files, 'file')} found, ${count(read, 'file')} read (${(bytes / 1e6).toFixed(1)} MB, ${readAgain === 0 ? 'none' : readAgain} twice), ${candidates} looked into, ${count(parsed, 'other')} parsed for what they call, by ${parser}`,
      ...lines,
      `  ${'in all'.padEnd(22)}${seconds(all)}${workers > 0 ? `, with ${count(workers, 'more thread')}, whose time is counted above` : ''}; at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory`,
    ].join('\n');
  }

  private add(phase: Phase, ms: number): void {
    this.spent.set(phase, (this.spent.get(phase) ?? 0) + ms);
  }
}
