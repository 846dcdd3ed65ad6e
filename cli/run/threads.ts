/** More threads for a run, where they are asked for and it is long enough: each has a model of its own, which it has to fill first. */
import { Worker } from 'node:worker_threads';
import type { EditorSettings } from '../../server/editor-settings.ts';
import type { Wanted } from './look.ts';
import type { Read, Texts } from './texts.ts';
import type { Answer, Sent } from './worker.ts';

/** So many files pay for a thread; so many are handed over at a time. */
const perThread = 60;
const batch = 12;

/** In the package, the worker is a file beside this one; run from sources there are no threads. */
declare const WORKER: string | undefined;

/**
 * How many threads there may be beside the first: `FENCEPOST_THREADS` says how many in all. By itself none: what
 * a second one has to compute again made every run that was measured longer, see docs/performance.md.
 */
function most(): number {
  if (typeof WORKER === 'undefined') return 0;
  const wanted = Number(process.env.FENCEPOST_THREADS);
  return Number.isInteger(wanted) && wanted > 0 ? wanted - 1 : 0;
}

/**
 * Threads that take files off the end of a queue, while their owner still puts some in, and then takes them
 * off its beginning. `add` gets what was found.
 */
export class Threads {
  private readonly threads: Thread[] = [];
  private queued = 0;

  constructor(
    private readonly queue: Wanted[],
    private readonly texts: Texts,
    private readonly settings: EditorSettings,
    private readonly add: (answer: Answer) => void,
    private readonly signal: AbortSignal,
  ) {}

  get count(): number {
    return this.threads.length;
  }

  /** A file was put into the queue. */
  queuedOne(): void {
    this.queued++;
    if (this.threads.length < most() && this.queued >= perThread * (this.threads.length + 1)) this.threads.push(new Thread(this.queue, this.texts, this.settings, this.add, this.signal));
    else if (this.queue.length >= batch) this.threads.find((it) => it.isIdle)?.next();
  }

  /** The run has failed: none of them is waited for. */
  stop(): void {
    for (const it of this.threads) it.stop();
  }

  /** Nothing is put in any more. Fulfilled when the queue is empty and all is answered, and at once when cancelled. */
  async end(): Promise<void> {
    await Promise.all(this.threads.map((it) => it.end()));
  }
}

class Thread {
  isIdle = false;
  private isLast = false;
  private last: Answer | undefined;
  private readonly worker: Worker;
  private readonly over: Promise<void>;
  stop!: (error?: unknown) => void;

  constructor(
    private readonly queue: Wanted[],
    private readonly texts: Texts,
    settings: EditorSettings,
    private readonly add: (answer: Answer) => void,
    private readonly signal: AbortSignal,
  ) {
    const worker = new Worker(new URL(WORKER!, import.meta.url), { workerData: { settings } satisfies Sent });
    this.worker = worker;
    this.over = new Promise((resolve, reject) => {
      this.stop = (error) => void worker.terminate().then(() => (error === undefined ? resolve() : reject(error as Error)));
    });
    // It is waited for when the queue is full; what happens before must not go unheard, nor end the process.
    this.over.catch(() => undefined);
    worker.on('message', (answer: Answer) => this.answered(answer));
    worker.on('error', (error) => this.stop(error));
    signal.addEventListener('abort', () => this.stop(), { once: true });
    this.next();
  }

  next(): void {
    this.isIdle = this.queue.length === 0 && !this.signal.aborted;
    if (!this.isIdle && !this.signal.aborted) this.worker.postMessage(this.queue.splice(-batch).map((it) => ({ ...it, text: textOf(this.texts.of(it.path)) })));
    else if (this.isLast) this.finish();
  }

  end(): Promise<void> {
    this.isLast = true;
    if (this.isIdle) this.next();
    return this.over;
  }

  private answered(answer: Answer): void {
    this.last = answer;
    this.texts.merge(answer.read);
    this.add({ looked: answer.looked, read: [], told: { spent: [], counts: { ...answer.told.counts, bytes: 0, parsed: 0 } } });
    this.next();
  }

  private finish(): void {
    if (this.last) this.add({ looked: { files: [], unchecked: [] }, read: [], told: this.last.told });
    this.stop();
  }
}

const textOf = (read: Read): string => ('text' in read ? read.text : '');
