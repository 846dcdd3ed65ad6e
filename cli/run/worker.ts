/** A thread of a run: looks into the files that it is sent, and answers with what it found. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EditorSettings } from '../../server/editor-settings.ts';
import { timedHost } from './host.ts';
import { type Looked, type Wanted, look } from './look.ts';
import { type Counts, type Phase, Stats } from './stats.ts';
import { Texts } from './texts.ts';

export interface Sent {
  settings: EditorSettings;
}
/** A file to look into, and its text as it was read. */
export type Handed = Wanted & { text: string };

export interface Answer {
  looked: Looked;
  /** Files that this thread has read by itself since it answered last. */
  read: string[];
  told: { spent: (readonly [Phase, number])[]; counts: Counts };
}

const { settings } = workerData as Sent;
const texts = new Texts(settings.maxFileSize);
const stats = new Stats();
const host = timedHost(texts, stats);

// One batch after the other, so that a thread that is done takes more, and a run that is cancelled ends soon.
parentPort!.on('message', (batch: Handed[]) => {
  const looked: Looked = { files: [], unchecked: [] };
  for (const { path, text } of batch) texts.handed(path, text);
  for (const it of batch) look(it, texts, settings, host, stats, looked);
  // Edits are made when they are asked for, and only here can they be.
  for (const { problems } of looked.files) for (const it of problems) if (it.finding) it.finding = { ...it.finding, edits: it.finding.edits };
  parentPort!.postMessage({ looked, read: texts.own.splice(0), told: { ...stats.told, counts: { ...stats.counts, bytes: texts.bytes } } } satisfies Answer);
});
