/** `fencepost review`: what a change does to the locks: the findings that it brings or touches, and those that it mends. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import type { ModuleHost, SourceText } from '../model/host.ts';
import { filesBehind } from '../rules/candidate.ts';
import { settingsFrom } from '../rules/eslint.ts';
import { fileHost, overlayHost } from '../rules/file-host.ts';
import type { Settings } from '../rules/settings.ts';
import { parseFile } from '../server/parser.ts';
import { lint } from '../server/lint.ts';
import type { ReviewArguments } from './arguments.ts';
import { type Change, ChangeError, type ChangedFile, changedLines, sourcesOf } from './change/change.ts';
import { dependantsOf } from '../server/importers.ts';
import { changeIn } from './change/diff-file.ts';
import { changeSince, stagedChange } from './change/git.ts';
import { settingsFor, unknownRule } from './check.ts';
import { findFiles } from '../server/files.ts';
import { fingerprintsOf } from './fingerprint.ts';
import { formOf } from './formats/index.ts';
import { roomOfRun } from './run/host.ts';
import { type LintText, type Report, type Reported, counted, pathFrom, problemsOf, splitLines } from './report.ts';

import type { ExitCode, Terminal } from './terminal.ts';

export async function review(asked: ReviewArguments, terminal: Terminal, cwd = process.cwd(), lintText: LintText = lint): Promise<ExitCode> {
  const unknown = unknownRule(asked.rules);
  if (unknown !== undefined) {
    terminal.complain(`There is no rule "${unknown}". See fencepost review --help.`);
    return 2;
  }
  let change: Change;
  try {
    change = asked.diff !== undefined ? changeIn(asked.diff, cwd) : asked.isStaged ? stagedChange(cwd) : changeSince(cwd, asked.since);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
  const report = reviewOf(change, asked, cwd, lintText);
  terminal.print((await formOf(asked.format))(report, terminal));
  if (report.unchecked.some((it) => it.named)) {
    for (const { file, why } of report.unchecked.filter((it) => it.named)) terminal.complain(`${file} was not checked: ${why}.`);
    return 2;
  }
  return report.files.some(({ problems }) => problems.some((it) => it.change === 'new' && it.severity === 'error')) ? 1 : 0;
}

/** The report of a change. Reads the old side of changed files from the change, everything else from disk. */
export function reviewOf(change: Change, asked: ReviewArguments, cwd: string, lintText: LintText = lint): Report {
  const settings = settingsFor(asked);
  const sources = sourcesOf(change);
  const byPath = new Map(sources.map((it) => [it.path, it]));
  const after = sideHost(sources, 'after');
  const before = sideHost(sources, 'before');
  const report: Report = {
    cwd,
    textOf: (file) => textOn(after, file),
    linesOf: (file) => splitLines(textOn(after, file)),
    files: [],
    unchecked: [],
    checked: 0,
    errors: 0,
    warnings: 0,
    review: { base: change.base, mended: [], linesBefore: (file) => splitLines(textOn(before, file)) },
  };
  const inScope = scopeOf(asked.paths, cwd);
  const candidates = findFiles(asked.paths, cwd).files.map((it) => it.path);
  const lead = dependantsOf(sources.flatMap((it) => [it.path, ...(it.oldPath ? [it.oldPath] : [])]), candidates, after);
  // Callers of a file that is gone lead to it on the old side only.
  const gone = sources.filter((it) => it.after === undefined || it.oldPath).map((it) => it.oldPath ?? it.path);
  if (gone.length > 0) for (const file of dependantsOf(gone, candidates, before)) lead.add(file);
  for (const path of [...new Set([...byPath.keys(), ...affected(lead, byPath.keys(), [after, before], settingsFrom(settings.analysis))])].sort()) {
    if (inScope(path)) look(path, byPath.get(path));
  }
  return counted(report);

  function look(path: string, changed: ChangedFile | undefined): void {
    const now = changed ? changed.after : textOn(after, path);
    const then = changed ? changed.before : now;
    const oldPath = changed?.oldPath ?? path;
    const found = now === undefined ? [] : problemsIn(now, path, after);
    if (now !== undefined && found !== undefined) report.checked++;
    // A syntax error on the old side is no news; everything found now is then of this change.
    const had = then === undefined ? [] : (problemsIn(then, oldPath, before, true) ?? []);
    const nowNames = fingerprintsOf(found ?? [], pathFrom(cwd, path), splitLines(now ?? ''));
    const thenNames = fingerprintsOf(had, pathFrom(cwd, path), splitLines(then ?? ''));
    const lines = new Map<string, ReadonlySet<number>>();
    const isTouched = (file: string, line: number): boolean => {
      const it = byPath.get(file);
      if (!it) return false;
      if (!lines.has(file)) lines.set(file, changedLines(it));
      return lines.get(file)!.has(line);
    };
    const brought = (found ?? []).flatMap((it, i): Reported[] => {
      if (!thenNames.includes(nowNames[i]!)) return [{ ...it, change: 'new' }];
      const places = [{ file: path, line: it.line }, ...(it.finding?.related.map(({ place }) => place) ?? [])];
      return places.some((place) => isTouched(place.file, place.line)) ? [{ ...it, change: 'touched' }] : [];
    });
    if (brought.length > 0) report.files.push({ file: path, problems: brought });
    const mended = found === undefined ? [] : had.filter((_, i) => !nowNames.includes(thenNames[i]!) && !isReplaced(had[i]!, found));
    if (mended.length > 0) report.review!.mended.push({ file: oldPath, problems: mended });
  }

  function problemsIn(text: string, path: string, host: ModuleHost, isOld = false): Reported[] | undefined {
    if (Buffer.byteLength(text) > settings.maxFileSize || text.includes('\0')) return [];
    const linted = problemsOf(text, path, settings, host, lintText);
    if ('problems' in linted) return linted.problems;
    if (!isOld) report.unchecked.push({ file: path, why: linted.why, named: linted.isBug });
    return undefined;
  }
}

/**
 * Those of some files that lead to changed ones by what they import: on either side, or by importing from
 * elsewhere than before. An index that hands on hundreds of modules changes for few of those that import it.
 */
function affected(files: ReadonlySet<string>, changed: Iterable<string>, sides: readonly ModuleHost[], settings: Settings): Set<string> {
  const importers = new Map<string, string[]>();
  const open = [...changed];
  for (const file of files) {
    const [now, then] = sides.map((side) => filesBehind(file, side, settings));
    if (now!.join() !== then!.join()) open.push(file);
    for (const target of new Set([...now!, ...then!])) {
      const known = importers.get(target);
      if (known) known.push(file);
      else importers.set(target, [file]);
    }
  }
  const found = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    open.push(...(importers.get(file) ?? []));
  }
  return found;
}

/** The same rule still speaks of the same code: what it says has changed, not that it is there. */
const isReplaced = (it: Reported, now: readonly Reported[]): boolean => now.some((other) => other.rule === it.rule && other.finding?.messageId === it.finding?.messageId && codeOf(other) === codeOf(it));
const codeOf = (it: Reported): string => it.finding?.related.map(({ text }) => text).join('|') + it.message.slice(0, 40);

/** The files as they are on one side of the change, over those on disk. */
function sideHost(sources: readonly ChangedFile[], side: 'before' | 'after'): ModuleHost {
  const texts = new Map<string, SourceText | undefined>();
  for (const it of sources) {
    const path = side === 'before' ? (it.oldPath ?? it.path) : it.path;
    const text = it[side];
    texts.set(path, text === undefined ? undefined : { text, version: `${side}:${createHash('sha1').update(text).digest('hex')}` });
    if (side === 'before' && it.oldPath) texts.set(it.path, undefined);
    if (side === 'after' && it.oldPath) texts.set(it.oldPath, undefined);
  }
  // A parse function of its own keeps the two sides' trees apart.
  const base = fileHost({ parse: (file, text) => parseFile(file, text) });
  const find = (from: string, specifier: string): string | undefined => {
    const found = base.resolve(from, specifier);
    if (found !== undefined && !(texts.has(found) && texts.get(found) === undefined)) return found;
    // A file that is only on this side cannot be found on disk.
    if (!specifier.startsWith('.')) return undefined;
    const target = resolve(dirname(from), specifier);
    return [...texts].find(([path, text]) => text !== undefined && !existsSync(path) && [path, path.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '')].some((name) => name === target || name === target.replace(/\.[cm]?js$/, '')))?.[0];
  };
  const resolved = new Map<string, string | undefined>();
  const onDisk = new Map<string, SourceText | undefined>();
  return {
    ...overlayHost(base, (file) => texts.get(file)),
    // Nothing changes until the review ends: nothing is asked twice.
    snapshot: {},
    room: roomOfRun,
    read(file) {
      if (texts.has(file)) return texts.get(file);
      if (!onDisk.has(file)) onDisk.set(file, base.read(file));
      return onDisk.get(file);
    },
    resolve(from, specifier) {
      const key = `${dirname(from)}\0${specifier}`;
      if (!resolved.has(key)) resolved.set(key, find(from, specifier));
      const found = resolved.get(key);
      return found === from ? undefined : found;
    },
  };
}

const textOn = (host: ModuleHost, file: string): string => host.read(file)?.text ?? '';

function scopeOf(paths: readonly string[], cwd: string): (path: string) => boolean {
  const roots = paths.map((it) => resolve(cwd, it));
  return (path) => roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)) && !/[\\/]node_modules[\\/]/.test(path);
}

