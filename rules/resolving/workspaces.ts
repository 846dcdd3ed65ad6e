/** Packages of the same repository: where their sources are, whether or not they are linked or built. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

interface Manifest {
  name?: string;
  source?: string;
  types?: string;
  typings?: string;
  module?: string;
  main?: string;
  exports?: unknown;
  workspaces?: string[] | { packages?: string[] };
}

/** Folders by package name, per root of a workspace. */
const workspaces = new Map<string, Map<string, string>>();
const roots = new Map<string, readonly string[]>();
const maxFolders = 600;

/** The paths at which the sources of a package of this workspace may be found, likeliest first. */
export function workspaceSources(folder: string, specifier: string, manifestIn: (folder: string) => Record<string, unknown> | undefined): string[] {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
  const rest = specifier.slice(name.length + 1);
  const home = rootsOf(folder, manifestIn).map((root) => {
    let packages = workspaces.get(root);
    if (!packages) workspaces.set(root, (packages = packagesOf(root, manifestIn)));
    return packages.get(name);
  }).find((it) => it !== undefined);
  if (home === undefined) return [];
  const manifest = (manifestIn(home) ?? {}) as Manifest;
  const named = rest ? [] : [manifest.source, manifest.types, manifest.typings, manifest.module, manifest.main];
  const entries = [...exportsOf(manifest.exports, rest ? `./${rest}` : '.'), ...named].filter((it): it is string => typeof it === 'string');
  const guesses = rest ? [rest, `src/${rest}`, `lib/${rest}`] : ['src/index', 'src/main', 'lib/index', 'index', 'src'];
  return [...entries.flatMap(sourcesOf), ...guesses].map((it) => join(home, it));
}

export function forgetWorkspaces(): void {
  workspaces.clear();
  roots.clear();
}

/** `dist/esm/gate.d.ts` is made from `src/gate.ts`. */
function sourcesOf(entry: string): string[] {
  const bare = entry.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const [, ...inner] = bare.replace(/^\.\//, '').split('/');
  const within = inner.map((_, i) => inner.slice(i).join('/'));
  return [bare, ...within.flatMap((it) => [`src/${it}`, it])];
}

/** Every target of an entry of `exports`, its pattern filled in. */
function exportsOf(exports: unknown, wanted: string): string[] {
  const texts = (it: unknown): string[] => (typeof it === 'string' ? [it] : it && typeof it === 'object' ? Object.values(it).flatMap(texts) : []);
  if (typeof exports === 'string') return wanted === '.' ? [exports] : [];
  if (!exports || typeof exports !== 'object') return [];
  const entries = Object.entries(exports);
  if (!entries.some(([key]) => key.startsWith('.'))) return wanted === '.' ? texts(exports) : [];
  for (const [key, target] of entries) {
    if (key === wanted) return texts(target);
    const [before, after] = key.split('*');
    if (after !== undefined && wanted.startsWith(before!) && wanted.endsWith(after)) {
      const filling = wanted.slice(before!.length, wanted.length - after.length);
      return texts(target).map((it) => it.replaceAll('*', filling));
    }
  }
  return [];
}

/** The folders around that say which workspaces they have, the highest first; a repository may hold another one, as an example or a fixture. */
function rootsOf(folder: string, manifestIn: (folder: string) => Record<string, unknown> | undefined): readonly string[] {
  const known = roots.get(folder);
  if (known) return known;
  const isRoot = (manifestIn(folder) as Manifest | undefined)?.workspaces !== undefined || ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json'].some((it) => existsSync(join(folder, it)));
  const parent = dirname(folder);
  const found = [...(parent === folder ? [] : rootsOf(parent, manifestIn)), ...(isRoot ? [folder] : [])];
  roots.set(folder, found);
  return found;
}

function packagesOf(root: string, manifestIn: (folder: string) => Record<string, unknown> | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const pattern of patternsOf(root, manifestIn)) {
    for (const folder of foldersOf(root, pattern.split('/').filter((it) => it !== '.' && it !== ''))) {
      const name = (manifestIn(folder) as Manifest | undefined)?.name;
      if (name !== undefined && !found.has(name)) found.set(name, folder);
      if (found.size > maxFolders) return found;
    }
  }
  return found;
}

function patternsOf(root: string, manifestIn: (folder: string) => Record<string, unknown> | undefined): string[] {
  const { workspaces: declared } = (manifestIn(root) ?? {}) as Manifest;
  const patterns = (Array.isArray(declared) ? declared : declared?.packages) ?? pnpmPatterns(root);
  return (patterns.length ? patterns : ['packages/*', 'apps/*', 'libs/*']).filter((it) => !it.startsWith('!'));
}

/** The list below `packages:`. */
function pnpmPatterns(root: string): string[] {
  try {
    const [, list] = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').split(/^packages:\s*$/m);
    const lines = (list ?? '').split('\n').slice(1);
    const end = lines.findIndex((line) => /^\S/.test(line) && !/^[-#]/.test(line));
    return (end < 0 ? lines : lines.slice(0, end)).flatMap((line) => /^\s*-\s*["']?([^"'#\s]+)/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** The folders that a pattern such as `packages/*` names; `**` goes three deep. */
function foldersOf(at: string, [head, ...tail]: readonly string[]): string[] {
  if (head === undefined) return [at];
  if (head === '**') return [...foldersOf(at, tail), ...childrenOf(at).flatMap((it) => [...foldersOf(it, tail), ...childrenOf(it).flatMap((inner) => foldersOf(inner, tail))])];
  if (!head.includes('*')) return foldersOf(join(at, head), tail);
  const matches = new RegExp(`^${head.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  return childrenOf(at).filter((it) => matches.test(it.slice(it.lastIndexOf(sep) + 1))).flatMap((it) => foldersOf(it, tail));
}

function childrenOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((it) => it.isDirectory() && it.name !== 'node_modules' && !it.name.startsWith('.')).map((it) => join(folder, it.name));
  } catch {
    return [];
  }
}
