/** The file of known findings that holds for a file: the nearest one of its name in the folders above. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type Baseline, BaselineError, readBaseline } from './baseline.ts';

interface Found {
  folder: string;
  baseline: Baseline;
  problem?: string;
}

const byFolder = new Map<string, Found | undefined>();

/** What is known of `file` by the baseline called `name`; undefined where there is none. Never throws: a broken one hides nothing. */
export function baselineAbove(file: string, name: string): { baseline: Baseline; path: string; problem?: string } | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = baselineIn(folder, name);
    if (found) return { baseline: found.baseline, path: relative(found.folder, file).split(sep).join('/'), ...(found.problem && { problem: found.problem }) };
    if (dirname(folder) === folder) return undefined;
  }
}

/** What was read is no more. */
export const forgetBaselines = (): void => byFolder.clear();

function baselineIn(folder: string, name: string): Found | undefined {
  const path = join(folder, name);
  if (byFolder.has(path)) return byFolder.get(path);
  let found: Found | undefined;
  try {
    found = { folder, baseline: readBaseline(readFileSync(path, 'utf8'), path) };
  } catch (error) {
    // Not there, which is the usual case; or of another form, which is said.
    if (error instanceof BaselineError) found = { folder, baseline: {}, problem: error.message };
  }
  byFolder.set(path, found);
  return found;
}
