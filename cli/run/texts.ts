/** The texts of one run: each file is read from disk once, and kept for as long as there is room. */
import { readSource } from '../sources.ts';

export type Read = { text: string } | { why: string };

/** Characters that are kept of files which may be asked for again. */
const room = 96_000_000;

export class Texts {
  /** Files read, and how many of them a second time, here or in another thread. */
  read = 0;
  readAgain = 0;
  bytes = 0;
  private readonly seen = new Set<string>();
  /** Files that were read here. */
  readonly own: string[] = [];
  private readonly recent = new Map<string, Read>();
  private readonly pinned = new Map<string, Read>();
  private size = 0;

  constructor(private readonly maxFileSize: number) {}

  of(file: string): Read {
    const known = this.pinned.get(file) ?? this.recent.get(file);
    if (known) return known;
    const read = readSource(file, this.maxFileSize);
    this.read++;
    if (this.seen.has(file)) this.readAgain++;
    this.seen.add(file);
    this.own.push(file);
    if ('text' in read) this.bytes += read.text.length;
    this.recent.set(file, read);
    this.size += sizeOf(read);
    for (const [oldest, it] of this.recent) {
      if (this.size <= room) break;
      this.recent.delete(oldest);
      this.size -= sizeOf(it);
    }
    return read;
  }

  /** Another thread has read the file. */
  handed(file: string, text: string): void {
    this.seen.add(file);
    this.pinned.set(file, { text });
  }

  /** What another thread has read by itself. */
  merge(files: readonly string[]): void {
    for (const file of files) {
      if (this.seen.has(file)) this.readAgain++;
      this.seen.add(file);
    }
    this.read += files.length;
  }

  /** The file will be looked into: its text stays. */
  pin(file: string): void {
    const read = this.of(file);
    if (this.recent.delete(file)) this.size -= sizeOf(read);
    this.pinned.set(file, read);
  }
}

const sizeOf = (it: Read): number => ('text' in it ? it.text.length : 0);
