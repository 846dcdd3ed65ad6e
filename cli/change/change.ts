/** A change of files, wherever it comes from: what stood in them before, what stands in them now, and which lines are new. */
import { structuredPatch } from 'diff';

/** A change that cannot be read: the message says what to do. */
export class ChangeError extends Error {}

export interface ChangedFile {
  /** Absolute path on the new side, or on the old one when the file is gone. */
  path: string;
  /** Absolute path on the old side, where the file was renamed. */
  oldPath?: string;
  /** Undefined: the file does not exist on that side. */
  before: string | undefined;
  after: string | undefined;
}

export interface Change {
  /** What it is measured against, for people. */
  base: string;
  files: ChangedFile[];
}

/** Lines (1-based) of the new side that are new, or that stand where lines were taken out. */
export function changedLines({ before, after }: ChangedFile): ReadonlySet<number> {
  const lines = new Set<number>();
  if (after === undefined) return lines;
  const { hunks } = structuredPatch('', '', before ?? '', after, '', '', { context: 0 });
  for (const { newStart, newLines } of hunks) {
    if (newLines === 0) lines.add(newStart).add(newStart + 1);
    for (let line = newStart; line < newStart + newLines; line++) lines.add(line);
  }
  return lines;
}

const isSource = (path: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** Files in which locks can stand, on either side. */
export const sourcesOf = (change: Change): ChangedFile[] => change.files.filter((it) => isSource(it.path) || (it.oldPath !== undefined && isSource(it.oldPath)));
