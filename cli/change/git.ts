/** Changes as git knows them: since a commit, or in the index. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, ChangeError, type ChangedFile } from './change.ts';

/** Output of a git command, as bytes. Throws a `ChangeError` that says what git said. */
function git(cwd: string, args: readonly string[], input?: string): Buffer {
  try {
    return execFileSync('git', ['-c', 'core.quotepath=off', ...args], { cwd, input, maxBuffer: 1 << 29, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code === 'ENOENT') throw new ChangeError('git was not found. Install it, or hand the change over with --diff FILE.');
    throw new ChangeError(`git ${args[0]} failed: ${stderr?.toString().trim().split('\n')[0] || (error as Error).message}`);
  }
}

const tryGit = (cwd: string, args: readonly string[]): string | undefined => {
  try {
    return git(cwd, args).toString().trim();
  } catch {
    return undefined;
  }
};

function rootOf(cwd: string): string {
  const root = tryGit(cwd, ['rev-parse', '--show-toplevel']);
  if (root === undefined) throw new ChangeError(`${cwd} is in no git repository. Hand the change over with --diff FILE.`);
  return root;
}

/** Where the branch left the one that it will go back to; the last commit where there is no such branch. */
function defaultBase(root: string): string {
  for (const branch of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    const base = tryGit(root, ['merge-base', branch, 'HEAD']);
    if (base && base !== tryGit(root, ['rev-parse', 'HEAD'])) return base;
  }
  return 'HEAD';
}

/** Everything that the working tree has and the base has not: committed, staged, neither, or not yet added. */
export function changeSince(cwd: string, ref: string | undefined): Change {
  const root = rootOf(cwd);
  let base = ref;
  if (ref === undefined) base = defaultBase(root);
  else {
    if (tryGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]) === undefined) throw new ChangeError(`There is no commit "${ref}". In a shallow clone, fetch it first: git fetch --depth=1 origin ${ref}.`);
    // Of a branch that has gone on, only the common part counts.
    base = tryGit(root, ['merge-base', ref, 'HEAD']) ?? ref;
  }
  const status = git(root, ['diff', '--name-status', '-z', '-M', base!]).toString();
  const entries = entriesOf(status);
  const known = new Set(entries.map((it) => it.path));
  for (const path of git(root, ['ls-files', '--others', '--exclude-standard', '-z']).toString().split('\0')) {
    if (path && !known.has(path)) entries.push({ path, oldPath: undefined, isNew: true, isGone: false });
  }
  const before = contentsOf(root, entries.flatMap((it) => (it.isNew ? [] : [`${base}:${it.oldPath ?? it.path}`])));
  return {
    base: ref ?? (base === 'HEAD' ? 'the last commit' : `commit ${base!.slice(0, 9)}`),
    files: entries.map((it) => changed(root, it, it.isNew ? undefined : before.get(`${base}:${it.oldPath ?? it.path}`), it.isGone ? undefined : textOnDisk(join(root, it.path)))),
  };
}

/** What `git commit` would record. */
export function stagedChange(cwd: string): Change {
  const root = rootOf(cwd);
  const hasHead = tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']) !== undefined;
  const entries = entriesOf(git(root, ['diff', '--cached', '--name-status', '-z', '-M', ...(hasHead ? ['HEAD'] : [])]).toString());
  const wanted = entries.flatMap((it) => [...(it.isNew || !hasHead ? [] : [`HEAD:${it.oldPath ?? it.path}`]), ...(it.isGone ? [] : [`:${it.path}`])]);
  const contents = contentsOf(root, wanted);
  return { base: 'the last commit', files: entries.map((it) => changed(root, it, contents.get(`HEAD:${it.oldPath ?? it.path}`), contents.get(`:${it.path}`))) };
}

interface Entry {
  path: string;
  oldPath: string | undefined;
  isNew: boolean;
  isGone: boolean;
}

/** `M\0path\0R087\0old\0new\0…` */
function entriesOf(status: string): Entry[] {
  const words = status.split('\0');
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < words.length; ) {
    const letter = words[i++]![0];
    const oldPath = letter === 'R' || letter === 'C' ? words[i++] : undefined;
    const path = words[i++]!;
    entries.push({ path, oldPath: letter === 'R' ? oldPath : undefined, isNew: letter === 'A' || letter === 'C', isGone: letter === 'D' });
  }
  return entries;
}

const changed = (root: string, { path, oldPath }: Entry, before: string | undefined, after: string | undefined): ChangedFile => ({ path: join(root, path), ...(oldPath && { oldPath: join(root, oldPath) }), before, after });

/** The blobs under these names, all from one process. What is missing, or no file, is left out. */
function contentsOf(root: string, names: readonly string[]): Map<string, string> {
  const contents = new Map<string, string>();
  if (names.length === 0) return contents;
  const out = git(root, ['cat-file', '--batch'], `${names.join('\n')}\n`);
  let at = 0;
  for (const name of names) {
    const end = out.indexOf(10, at);
    if (end < 0) break;
    const [, type, size] = out.subarray(at, end).toString().split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    contents.set(name, out.subarray(at, at + Number(size)).toString('utf8'));
    at += Number(size) + 1;
  }
  return contents;
}

function textOnDisk(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
