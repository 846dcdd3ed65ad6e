/** Looking into files that have something to look at: one slice of a run, in the thread that it was given to. */
import type { ModuleHost } from '../../model/host.ts';
import type { EditorSettings } from '../../server/editor-settings.ts';
import { lint } from '../../server/lint.ts';
import { type FileReport, type LintText, type Unchecked, problemsOf } from '../report.ts';
import type { Stats } from './stats.ts';
import type { Texts } from './texts.ts';

export interface Looked {
  files: FileReport[];
  unchecked: Unchecked[];
}

export interface Wanted {
  path: string;
  named: boolean;
}

/** The problems of one file, added to `looked`. False when there is no saying. */
export function look({ path, named }: Wanted, texts: Texts, settings: EditorSettings, host: ModuleHost, stats: Stats, looked: Looked, lintText: LintText = lint): boolean {
  const read = texts.of(path);
  const linted = 'why' in read ? { why: read.why, isBug: false } : stats.during('analysis', () => problemsOf(read.text, path, settings, host, lintText));
  if ('why' in linted) {
    // One file must not cost the others their findings; that a defect of ours kept it unchecked is said aloud.
    looked.unchecked.push({ file: path, why: linted.why, named: named || linted.isBug });
    return false;
  }
  if (linted.problems.length > 0) looked.files.push({ file: path, problems: linted.problems });
  return true;
}
