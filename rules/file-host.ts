/** Modules from the file system: resolved as TypeScript and Node do, each file read and parsed once per version. */
import fs, { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import enhanced from 'enhanced-resolve';
import type { ModuleHost, Program, SourceText } from '../model/host.ts';
import { Recent } from '../model/recent.ts';
import { FolderListings } from './folder-listing.ts';
import { aliasesOf, forgetAliases } from './path-aliases.ts';
import { forgetWorkspaces, workspaceSources } from './workspaces.ts';

/** Parses a text; undefined when it has a syntax error. */
export type ParseFunction = (file: string, text: string) => Program | undefined;

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
/** Larger files are generated, and hold no one's locks. */
const maxBytes = 1_000_000;

/** For so long what was found on disk is taken to be there. */
const keptMs = 4000;
const restMs = 200;
const fileSystem = new enhanced.CachedInputFileSystem(fs, keptMs);

const resolver = enhanced.ResolverFactory.createResolver({
  fileSystem, useSyncFileSystemCalls: true, extensions, symlinks: true,
  // A written `.js` names the `.ts` that it is made from.
  extensionAlias: { '.js': ['.ts', '.tsx', '.js', '.jsx'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'], '.jsx': ['.tsx', '.jsx'] },
  conditionNames: ['source', 'types', 'import', 'require', 'node', 'default'], mainFields: ['source', 'module', 'main'],
});

const listings = new FolderListings(extensions);
let listed = 0;
/** By the folder of a manifest and a package's name: whether the package comes from elsewhere. */
const external = new Map<string, boolean>();

const resolutions = new Map<string, string | undefined>();
/** Characters of text that are kept, and of text whose tree is: a tree takes about 120 bytes for each. */
const keptText = 20_000_000;
const keptTrees = 2_500_000;
const sources = new Recent<string, { stamp: string; source: SourceText | undefined; checked: number }>(keptText);
const programs = new WeakMap<ParseFunction, Recent<string, { version: string | number; program: Program | undefined }>>();
const manifests = new Map<string, Record<string, unknown> | undefined>();
const folders = new Map<string, { files: string[]; listed: number }>();
const maxKept = 2000;

/** A host over the file system. Answers are shared by all hosts of the process; files are looked at again when they change. */
export function fileHost({ parse }: { parse: ParseFunction }): ModuleHost {
  let parsed = programs.get(parse);
  if (!parsed) programs.set(parse, (parsed = new Recent(keptTrees)));
  const byFile = parsed;
  return {
    parsesLike: byFile,
    snapshot: snapshotNow(),
    resolve: resolveModule,
    read: readSource,
    parse(file, source) {
      const known = byFile.get(file);
      if (known && known.version === source.version) return known.program;
      const program = parse(file, source.text);
      byFile.set(file, { version: source.version, program }, source.text.length + 200);
      return program;
    },
    beside,
    packageRange,
  };
}

let snapshot: { begun: number; asked: number; token: object } | undefined;

/**
 * Within a run, in which one question follows the other, files are taken to stay what they are for as long
 * as what was found on disk is; after a moment's rest, in which somebody may have edited one, they are not.
 */
function snapshotNow(): object {
  const now = Date.now();
  if (!snapshot || now - snapshot.asked > restMs || now - snapshot.begun > keptMs) snapshot = { begun: now, asked: now, token: {} };
  snapshot.asked = now;
  return snapshot.token;
}

/** Forgets everything that was looked up on disk; for those who are told when something changes there. */
export function forgetFiles(): void {
  fileSystem.purge();
  listings.clear();
  external.clear();
  snapshot = undefined;
  resolutions.clear();
  forgetAliases();
  forgetWorkspaces();
  sources.clear();
  folders.clear();
  manifests.clear();
}

/** Puts open documents, by path, over another host. */
export function overlayHost(base: ModuleHost, openDocument: (file: string) => SourceText | undefined): ModuleHost {
  return { ...base, snapshot: undefined, read: (file) => openDocument(file) ?? base.read(file) };
}

function resolveModule(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  const folder = dirname(from);
  const id = `${folder}\0${specifier}`;
  if (resolutions.has(id)) return resolutions.get(id);
  const found = resolveNew(folder, from, specifier);
  if (resolutions.size > 20_000) resolutions.clear();
  // What is missing now may be written in a moment.
  if (found !== undefined || !specifier.startsWith('.')) resolutions.set(id, found);
  return found;
}

function resolveNew(folder: string, from: string, specifier: string): string | undefined {
  const isBare = !specifier.startsWith('.') && !specifier.startsWith('/');
  for (const candidate of isBare ? aliasesOf(folder, specifier) : []) {
    const found = tryResolve(folder, candidate);
    if (found) return found;
  }
  if (isBare && !specifier.startsWith('#') && isExternal(folder, specifier)) return undefined;
  const found = tryResolve(folder, specifier);
  if (found !== undefined || !isBare || specifier.startsWith('#')) return found === from ? undefined : found;
  // A package of the same repository that is not linked, or not built.
  for (const candidate of workspaceSources(folder, specifier, manifestIn)) {
    const source = tryResolve(folder, candidate);
    if (source && source !== from) return source;
  }
  return undefined;
}

/** A package that npm has installed or that is nowhere: none of this repository, by a link or by its workspaces. */
function isExternal(folder: string, specifier: string): boolean {
  if (isBuiltin(specifier)) return true;
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
  let home = folder;
  while (!manifestIn(home) && dirname(home) !== home) home = dirname(home);
  const id = `${home}\0${name}`;
  let answer = external.get(id);
  if (answer === undefined) external.set(id, (answer = isInstalled(home, name) ?? workspaceSources(home, name, manifestIn).length === 0));
  return answer;
}

/** Undefined where no folder above has it. */
function isInstalled(home: string, name: string): boolean | undefined {
  for (let at = home; ; at = dirname(at)) {
    try {
      return realpathSync(join(at, 'node_modules', name)).includes(`${sep}node_modules${sep}`);
    } catch {
      // Not here.
    }
    // A package may import itself by its name.
    if (manifestIn(at)?.name === name) return false;
    if (dirname(at) === at) return undefined;
  }
}

function tryResolve(folder: string, specifier: string): string | undefined {
  const isPath = /^(?:\.{0,2}\/|[A-Za-z]:)/.test(specifier) && !/(?:^|\/)\.{0,2}$/.test(specifier);
  const near = isPath ? nearFile(resolve(folder, specifier)) : undefined;
  if (near !== undefined) return near !== null && isSource(near) ? near : undefined;
  try {
    const found = resolver.resolveSync({}, folder, specifier);
    return found && isSource(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function nearFile(path: string): string | null | undefined {
  const now = Date.now();
  if (now - listed > keptMs) {
    listings.clear();
    listed = now;
  }
  return listings.find(path);
}

const isSource = (file: string): boolean => !file.includes(`${sep}node_modules${sep}`) && !file.endsWith('.d.ts') && extensions.some((it) => file.endsWith(it));

function readSource(file: string): SourceText | undefined {
  const known = sources.get(file);
  const now = Date.now();
  // A burst of questions about one file asks the disk once.
  if (known && now - known.checked < 50) return known.source;
  let stamp = 'missing';
  let source: SourceText | undefined;
  try {
    const stat = statSync(file);
    stamp = `${stat.mtimeMs}:${stat.size}`;
    if (known?.stamp === stamp) {
      known.checked = now;
      return known.source;
    }
    if (stat.isFile() && stat.size <= maxBytes) {
      const text = readFileSync(file, 'utf8');
      if (!text.includes('\0')) source = { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, version: stamp };
    }
  } catch {
    // A file that cannot be read is one that nothing is known of.
  }
  sources.set(file, { stamp, source, checked: now }, (source?.text.length ?? 0) + 200);
  return source;
}

/** The sources in the folder of `file`. Listed anew after as long as resolutions are kept. */
function beside(file: string): readonly string[] {
  const folder = dirname(file);
  const known = folders.get(folder);
  const now = Date.now();
  if (known && now - known.listed < keptMs) return known.files.filter((it) => it !== file);
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((name) => extensions.some((it) => name.endsWith(it)) && !/\.(?:d|spec|test)\.[cm]?[jt]sx?$/.test(name)).sort().map((name) => join(folder, name));
  } catch {
    // A folder that cannot be read has nothing in it.
  }
  if (folders.size > maxKept) folders.clear();
  folders.set(folder, { files, listed: now });
  return files.filter((it) => it !== file);
}

const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function packageRange(from: string, name: string): string | undefined {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const manifest = manifestIn(folder);
    if (manifest) {
      for (const field of dependencyFields) {
        const range = (manifest[field] as Record<string, string> | undefined)?.[name];
        if (typeof range === 'string') return range.replace(/^workspace:/, '');
      }
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function manifestIn(folder: string): Record<string, unknown> | undefined {
  if (manifests.has(folder)) return manifests.get(folder);
  let manifest: Record<string, unknown> | undefined;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  } catch {
    // No manifest here, or a broken one: the next folder may have one.
  }
  manifests.set(folder, manifest);
  return manifest;
}
