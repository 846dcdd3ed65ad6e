/**
 * Old findings that are known: how many of each rule a file may have. The file has the form of ESLint's
 * bulk suppressions (`eslint --suppress-all`), so that one file can serve both; it counts, and so does
 * not mind that lines move.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Baseline, BaselineError, hiddenBy, readBaseline } from '../server/baseline.ts';
import { count } from './prose.ts';
import { type Report, counted, pathFrom } from './report.ts';

export { BaselineError };

export interface BaselineRequest {
  file: string;
  /** `use`: known findings are left out. `create`: what there is now becomes known. `prune`: what is gone is forgotten. */
  how: 'use' | 'create' | 'prune';
}

/** Leaves known findings out of the report, and writes the file where that was asked for. Throws a `BaselineError`. */
export function applyBaseline(report: Report, { file, how }: BaselineRequest, say: (text: string) => void): void {
  const path = resolve(report.cwd, file);
  const folder = dirname(path);
  if (how === 'create') {
    const baseline = baselineOf(report, folder);
    write(path, baseline);
    say(`${count(total(baseline), 'finding')} in ${count(Object.keys(baseline).length, 'file')} written to ${file}.`);
  }
  let baseline: Baseline;
  try {
    baseline = readBaseline(readFileSync(path, 'utf8'), file);
  } catch (error) {
    if (error instanceof BaselineError) throw error;
    throw new BaselineError(`The baseline ${file} cannot be read. Make one with fencepost check --baseline ${file} --create-baseline.`);
  }
  if (how === 'prune') {
    const pruned = prune(baseline, baselineOf(report, folder));
    write(path, pruned);
    say(`${count(total(baseline) - total(pruned), 'finding')} taken out of ${file}.`);
    baseline = pruned;
  }
  let known = 0;
  for (const it of report.files) {
    const isHidden = hiddenBy(baseline, pathFrom(folder, it.file), it.problems);
    known += it.problems.filter(isHidden).length;
    it.problems = it.problems.filter((problem) => !isHidden(problem));
  }
  report.files = report.files.filter((it) => it.problems.length > 0);
  report.known = known;
  counted(report);
}

function baselineOf(report: Report, folder: string): Baseline {
  const baseline: Baseline = {};
  for (const { file, problems } of report.files) {
    const counts: Baseline[string] = {};
    for (const { rule } of problems) counts[`fencepost/${rule}`] = { count: (counts[`fencepost/${rule}`]?.count ?? 0) + 1 };
    baseline[pathFrom(folder, file)] = sorted(counts);
  }
  return sorted(baseline);
}

/** No count is larger than what is there; what other plugins have written stays. */
function prune(baseline: Baseline, now: Baseline): Baseline {
  const pruned: Baseline = {};
  for (const [file, counts] of Object.entries(baseline)) {
    const kept = Object.entries(counts).flatMap(([rule, { count: known }]) => {
      const left = rule.startsWith('fencepost/') ? Math.min(known, now[file]?.[rule]?.count ?? 0) : known;
      return left > 0 ? [[rule, { count: left }] as const] : [];
    });
    if (kept.length > 0) pruned[file] = Object.fromEntries(kept);
  }
  return pruned;
}

const sorted = <T>(it: Record<string, T>): Record<string, T> => Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)));
const total = (baseline: Baseline): number => Object.values(baseline).reduce((sum, counts) => sum + Object.entries(counts).reduce((n, [rule, it]) => n + (rule.startsWith('fencepost/') ? it.count : 0), 0), 0);

function write(path: string, baseline: Baseline): void {
  try {
    writeFileSync(path, `${JSON.stringify(baseline, null, 2)}\n`);
  } catch (error) {
    throw new BaselineError(`The baseline ${path} cannot be written: ${(error as Error).message}.`);
  }
}
