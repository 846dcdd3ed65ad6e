/** Which file of the project a specifier names, as TypeScript and Node would say: by a look at folders, by configurations, and only then by all of their rules. */
import fs, { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { FolderListings } from './folder-listing.ts';
import { packages } from './loaded.ts';
import { aliasesOf, configOf, forgetAliases } from './path-aliases.ts';
import { forgetWorkspaces, workspaceSources } from './workspaces.ts';

export const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** For so many milliseconds what was found on disk is taken to be there. */
export const keptMs = 4000;

let full: { resolveSync(context: object, folder: string, specifier: string): string | false; purge(): void } | undefined;

/** All the rules of resolution, for what nothing simpler tells. */
function resolver(): NonNullable<typeof full> {
  if (!full) {
    const { enhanced } = packages();
    const fileSystem = new enhanced.CachedInputFileSystem(fs, keptMs);
    const made = enhanced.ResolverFactory.createResolver({
      fileSystem, useSyncFileSystemCalls: true, extensions, symlinks: true,
      // A written `.js` names the `.ts` that it is made from.
      extensionAlias: { '.js': ['.ts', '.tsx', '.js', '.jsx'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'], '.jsx': ['.tsx', '.jsx'] },
      conditionNames: ['source', 'types', 'import', 'require', 'node', 'default'], mainFields: ['source', 'module', 'main'],
    });
    full = { resolveSync: (context, folder, specifier) => made.resolveSync(context, folder, specifier), purge: () => fileSystem.purge() };
  }
  return full;
}

const listings = new FolderListings(extensions);
let listed = 0;

/** What the files of a folder share with those of others: the configuration, and the folder of the manifest. */
interface Scope {
  home: string;
  config: string | null;
  /** By specifier that begins with no dot. */
  resolved: Map<string, string | undefined>;
}
/** By folder, and by what makes them the same. */
const scopes = new Map<string, Scope>();
const sameScopes = new Map<string, Scope>();
/** By the folder of a manifest and a package's name: whether the package comes from elsewhere. */
const external = new Map<string, boolean>();
const manifests = new Map<string, Record<string, unknown> | undefined>();
const packageFolders = new Map<string, string | undefined>();

/** As `ModuleHost.resolve` wants it. */
export function resolveModule(from: string, specifier: string): string | undefined {
  const folder = dirname(from);
  if (specifier.startsWith('.') || specifier.startsWith('/')) {
    const found = tryResolve(folder, specifier);
    return found === from ? undefined : found;
  }
  if (specifier.startsWith('node:')) return undefined;
  const scope = scopeOf(folder);
  if (scope.resolved.has(specifier)) {
    const found = scope.resolved.get(specifier);
    return found === from ? undefined : found;
  }
  const found = resolveBare(folder, scope, specifier);
  if (scope.resolved.size > 20_000) scope.resolved.clear();
  scope.resolved.set(specifier, found);
  return found === from ? undefined : found;
}

/** Forgets everything that was looked up on disk. */
export function forgetResolutions(): void {
  full?.purge();
  listings.clear();
  scopes.clear();
  sameScopes.clear();
  external.clear();
  manifests.clear();
  packageFolders.clear();
  forgetAliases();
  forgetWorkspaces();
}

function scopeOf(folder: string): Scope {
  let scope = scopes.get(folder);
  if (!scope) {
    let home = folder;
    while (!manifestIn(home) && dirname(home) !== home) home = dirname(home);
    const config = configOf(folder);
    const id = `${home}\0${config}`;
    scope = sameScopes.get(id);
    if (!scope) sameScopes.set(id, (scope = { home, config, resolved: new Map() }));
    scopes.set(folder, scope);
  }
  return scope;
}

function resolveBare(folder: string, { home, config }: Scope, specifier: string): string | undefined {
  for (const candidate of config === null ? [] : aliasesOf(config, specifier)) {
    const found = tryResolve(folder, candidate);
    if (found) return found;
  }
  const isPrivate = specifier.startsWith('#');
  if (!isPrivate && isExternal(home, specifier)) return undefined;
  const found = tryResolve(folder, specifier);
  if (found !== undefined || isPrivate) return found;
  // A package of the same repository that is not linked, or not built.
  for (const candidate of workspaceSources(folder, specifier, manifestIn)) {
    const source = tryResolve(folder, candidate);
    if (source) return source;
  }
  return undefined;
}

/** A package that npm has installed or that is nowhere: none of this repository, by a link or by its workspaces. */
function isExternal(home: string, specifier: string): boolean {
  if (isBuiltin(specifier)) return true;
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
  const id = `${home}\0${name}`;
  let answer = external.get(id);
  if (answer === undefined) external.set(id, (answer = isInstalled(home, name) ?? workspaceSources(home, name, manifestIn).length === 0));
  return answer;
}

/** Undefined where no folder above has it. */
function isInstalled(home: string, name: string): boolean | undefined {
  for (let at = home; ; at = dirname(at)) {
    const inside = packagesIn(at);
    const found = inside === undefined ? undefined : lstatSync(join(inside, name), { throwIfNoEntry: false });
    if (found) return !found.isSymbolicLink() || isElsewhere(join(inside!, name));
    // A package may import itself by its name.
    if (manifestIn(at)?.name === name) return false;
    if (dirname(at) === at) return undefined;
  }
}

function packagesIn(folder: string): string | undefined {
  if (packageFolders.has(folder)) return packageFolders.get(folder);
  const path = join(folder, 'node_modules');
  const found = existsSync(path) ? path : undefined;
  packageFolders.set(folder, found);
  return found;
}

function isElsewhere(link: string): boolean {
  try {
    return realpathSync(link).includes(`${sep}node_modules${sep}`);
  } catch {
    // It leads nowhere.
    return true;
  }
}

/** A path to a file beside, below or above, by a name that can be a source's. */
const isPlain = /^\.\.?\/(?:\.\.\/)*\w[\w/-]*(?<!\/)$/;

function tryResolve(folder: string, specifier: string): string | undefined {
  if (isPlain.test(specifier)) {
    const near = nearFile(specifier.lastIndexOf('/') === 1 ? folder + sep + specifier.slice(2) : resolve(folder, specifier));
    if (near !== undefined) return near !== null && isSource(near) ? near : undefined;
  }
  const isPath = /^(?:\.{0,2}\/|[A-Za-z]:)/.test(specifier) && !/(?:^|\/)\.{0,2}$/.test(specifier);
  const near = isPath ? nearFile(resolve(folder, specifier)) : undefined;
  if (near !== undefined) return near !== null && isSource(near) ? near : undefined;
  try {
    const found = resolver().resolveSync({}, folder, specifier);
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

const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** As `ModuleHost.packageRange` wants it. */
export function packageRange(from: string, name: string): string | undefined {
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

/** The package.json of a folder. */
function manifestIn(folder: string): Record<string, unknown> | undefined {
  if (manifests.has(folder)) return manifests.get(folder);
  let manifest: Record<string, unknown> | undefined;
  const file = join(folder, 'package.json');
  try {
    if (existsSync(file)) manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    // A broken one: the next folder may have one that can be read.
  }
  manifests.set(folder, manifest);
  return manifest;
}
