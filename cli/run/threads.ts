/** More threads for a run, where it is long enough: each has a model of its own, which it has to fill first. */
import { availableParallelism } from 'node:os';
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
 * Takes files off the end of `queue`, while the caller takes them off its beginning; `add` gets what was
 * found. Ends when the queue is empty and all is answered, and at once when cancelled.
 */
export async function inThreads(queue: Wanted[], texts: Texts, settings: EditorSettings, add: (answer: Answer) => void, signal: AbortSignal, own: () => Promise<void>): Promise<number> {
  const threads = typeof WORKER === 'undefined' ? 0 : Math.min(availableParallelism() - 1, Math.floor(queue.length / perThread));
  const running = Array.from({ length: threads }, () => inThread(queue, texts, settings, add, signal));
  await own();
  await Promise.all(running);
  return threads;
}

function inThread(queue: Wanted[], texts: Texts, settings: EditorSettings, add: (answer: Answer) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(WORKER!, import.meta.url), { workerData: { settings } satisfies Sent });
    let last: Answer | undefined;
    const end = (error?: unknown): void => {
      if (last) add({ looked: { files: [], unchecked: [] }, read: [], told: last.told });
      void worker.terminate().then(() => (error === undefined ? resolve() : reject(error)));
    };
    const next = (): void => {
      if (signal.aborted || queue.length === 0) end();
      else worker.postMessage(queue.splice(-batch).map((it) => ({ ...it, text: textOf(texts.of(it.path)) })));
    };
    worker.on('message', (answer: Answer) => {
      last = answer;
      texts.merge(answer.read);
      add({ looked: answer.looked, read: [], told: { spent: [], counts: { ...answer.told.counts, bytes: 0, parsed: 0 } } });
      next();
    });
    worker.on('error', end);
    signal.addEventListener('abort', () => end(), { once: true });
    next();
  });
}

const textOf = (read: Read): string => ('text' in read ? read.text : '');
