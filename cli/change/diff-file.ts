/** A change that is handed over as a unified diff which has been applied to the files on disk. */
import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from 'diff';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { type Change, ChangeError, type ChangedFile } from './change.ts';

/** `path` is the diff's file, `-` is standard input. Throws a `ChangeError` where it does not fit what is on disk. */
export function changeIn(path: string, cwd: string): Change {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : resolve(cwd, path), 'utf8');
  } catch {
    throw new ChangeError(`${path} cannot be read.`);
  }
  let patches: StructuredPatch[];
  try {
    patches = parsePatch(text);
  } catch (error) {
    throw new ChangeError(`${path} is no unified diff: ${(error as Error).message}`);
  }
  patches = patches.filter((it) => it.hunks.length > 0);
  if (patches.length === 0) throw new ChangeError(`${path} holds no change. Make it with git diff, or diff -u.`);
  const root = rootAbove(cwd);
  return { base: `what ${path === '-' ? 'the diff' : path} changes`, files: patches.map((it) => changedBy(it, path, root, cwd)) };
}

function changedBy(patch: StructuredPatch, from: string, root: string, cwd: string): ChangedFile {
  const newName = nameIn(patch.newFileName);
  const oldName = nameIn(patch.oldFileName);
  const name = newName ?? oldName;
  if (name === undefined) throw new ChangeError(`${from} names no file in one of its parts.`);
  // git's names count from the repository's root, those of other tools from where they ran.
  const place = (it: string): string => (existsSync(join(root, it)) || !existsSync(join(cwd, it)) ? join(root, it) : join(cwd, it));
  const path = place(name);
  let after: string | undefined;
  if (newName !== undefined) {
    try {
      after = readFileSync(path, 'utf8');
    } catch {
      throw new ChangeError(`${from} speaks of ${newName}, which is not there. Check out what the diff leads to, then review.`);
    }
  }
  const before = oldName === undefined ? undefined : applyPatch(after ?? '', reversePatch(patch));
  if (before === false) throw new ChangeError(`${from} does not fit ${name}. Check out what the diff leads to, then review.`);
  return { path, ...(oldName !== undefined && newName !== undefined && oldName !== newName && { oldPath: join(root, oldName) }), before, after };
}

/** Undefined for the side on which the file does not exist. */
function nameIn(name: string | undefined): string | undefined {
  if (name === undefined || name === '/dev/null') return undefined;
  return name.replace(/^[ab]\//, '');
}

function rootAbove(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return cwd;
  }
}
