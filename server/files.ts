/** Which files a check is about: those that are named, and those below named folders that git would track. */
import ignore, { type Ignore } from 'ignore';
import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

export interface Found {
  /** Absolute paths, each once, in a stable order. */
  files: { path: string; named: boolean }[];
  /** Paths that could not be looked into, each with the reason. */
  unreadable: { path: string; why: string; named: boolean }[];
}

/** JavaScript and TypeScript that people write. */
export const isSource = (name: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(name) && !/\.d\.[cm]?ts$|[.-]min\.[cm]?js$/.test(name);
const alwaysSkipped = new Set(['node_modules', '.git', '.hg', '.svn']);

/** The patterns of one `.gitignore`, which count from the folder that it lies in. */
interface Patterns {
  folder: string;
  patterns: Ignore;
}

/** Named files, and those below named folders whose name `isWanted` takes. */
export function findFiles(paths: readonly string[], cwd: string, isWanted = isSource): Found {
  const found: Found = { files: [], unreadable: [] };
  const seen = new Set<string>();
  // Below one folder, only a link can lead to a file twice.
  const isSingle = paths.length < 2;
  for (const path of paths) {
    const absolute = resolve(cwd, path);
    const kind = kindOf(absolute);
    if (kind.is === 'file') take(absolute, true);
    else if (kind.is === 'folder') walk(absolute, patternsAbove(absolute), true);
    else found.unreadable.push({ path: absolute, why: kind.why, named: true });
  }
  return found;

  function take(path: string, named: boolean, isLink = true): void {
    const real = isSingle && !isLink ? path : realPath(path);
    if (seen.has(real)) return;
    seen.add(real);
    found.files.push({ path, named });
  }

  function walk(folder: string, above: readonly Patterns[], named: boolean): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      found.unreadable.push({ path: folder, why: reasonOf(error), named });
      return;
    }
    const levels = [...above, ...patternsIn(folder, '.gitignore')];
    entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      // A linked folder is reached by its own path, or lies outside of what was named.
      const isFolder = entry.isDirectory();
      if (isFolder ? alwaysSkipped.has(entry.name) : !isWanted(entry.name)) continue;
      if (isIgnored(path, isFolder, levels)) continue;
      if (isFolder) walk(path, levels, false);
      else if (entry.isFile()) take(path, false, false);
      else if (kindOf(path).is === 'file') take(path, false);
    }
  }
}

function kindOf(path: string): { is: 'file' } | { is: 'folder' } | { is: 'neither'; why: string } {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { is: 'folder' };
    return stats.isFile() ? { is: 'file' } : { is: 'neither', why: 'it is neither a file nor a folder' };
  } catch (error) {
    return { is: 'neither', why: reasonOf(error) };
  }
}

/** Why the file system refused, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file or folder';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'EISDIR':
      return 'it is a folder';
    case 'ELOOP':
      return 'its links lead in a circle';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    default:
      return message;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The patterns that hold in a named folder because of the folders above it, up to the repository's
 * root. Whoever names a folder that is ignored wants it checked.
 */
function patternsAbove(folder: string): Patterns[] {
  const above: Patterns[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) above.unshift(...patternsIn(at, '.gitignore'));
    if (kindOf(join(at, '.git')).is !== 'neither') {
      above.unshift(...patternsIn(at, '.git/info/exclude'));
      return isIgnored(folder, true, above) ? [] : above;
    }
    if (dirname(at) === at) return [];
  }
}

function patternsIn(folder: string, name: string): Patterns[] {
  try {
    return [{ folder, patterns: ignore().add(readFileSync(join(folder, name), 'utf8')) }];
  } catch {
    return [];
  }
}

/** A nearer file of patterns has the last word, as in git. */
function isIgnored(path: string, isFolder: boolean, levels: readonly Patterns[]): boolean {
  let ignored = false;
  for (const { folder, patterns } of levels) {
    const inside = relative(folder, path).split(sep).join('/') + (isFolder ? '/' : '');
    if (inside === '/' || inside.startsWith('../')) continue;
    const verdict = patterns.test(inside);
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}
