/**
 * What a finding is recognised by when lines have moved: its rule, its file, what it says without
 * line numbers, and the code that it reports. Equal ones in a file are told apart by their order.
 */
import { createHash } from 'node:crypto';
import type { Reported } from './report.ts';

/** The parts in one text; `path` is the file's name on both sides of a change. */
function nameOf(problem: Reported, path: string, lines: readonly string[]): string {
  const said = problem.message.replace(/\bline \d+/g, 'line').replace(/([\w.-]+\.[cm]?[jt]sx?):\d+/g, '$1');
  const code = (lines[problem.line - 1] ?? '').trim().replace(/\s+/g, ' ');
  return [problem.rule, path, said, code].join('\0');
}

/** A fingerprint (32 hexadecimal digits) for each problem of a file, in their order. */
export function fingerprintsOf(problems: readonly Reported[], path: string, lines: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return problems.map((it) => {
    const name = nameOf(it, path, lines);
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return createHash('sha256').update(`${name}\0${nth}`).digest('hex').slice(0, 32);
  });
}
