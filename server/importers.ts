/** Which files lead to others by their imports: a fault of a helper shows in its callers, and an edit of it may need them. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { ModuleHost } from '../model/host.ts';
import type { Importers } from '../rules/fixes/callers/callers.ts';
import { specifiersIn } from '../rules/gate/imports.ts';
import { findFiles, isSource } from './files.ts';

/** A chain of imports that is followed at most. */
const maxHops = 8;
/** In a larger project nobody waits for an answer at a light bulb. */
const maxFiles = 20_000;

/** Files of other languages that import modules: what they do with them is not read. */
const isComponent = (name: string): boolean => /\.(?:vue|svelte|astro|mdx)$/.test(name);

/** Those of `files` (absolute paths) that reach one of `changed` at any distance. */
export function dependantsOf(changed: readonly string[], files: readonly string[], host: ModuleHost): Set<string> {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    let known = imports.get(file);
    if (!known) imports.set(file, (known = specifiersIn(textOnDisk(file))));
    return known;
  };
  return closureOf(changed, files, host, importsOf);
}

function closureOf(changed: readonly string[], files: readonly string[], host: ModuleHost, importsOf: (file: string) => readonly string[]): Set<string> {
  const reached = new Set(changed);
  const found = new Set<string>();
  let frontier: readonly string[] = changed;
  for (let hop = 0; hop < maxHops && frontier.length > 0; hop++) {
    frontier = importersOf(frontier, files.filter((it) => !reached.has(it)), host, importsOf);
    for (const file of frontier) {
      reached.add(file);
      found.add(file);
    }
  }
  return found;
}

/**
 * Those of `files` that import one of `wanted` themselves. Only imports whose last word names a wanted file
 * are resolved, so that a large repository costs little more than a look at its texts.
 */
function importersOf(wanted: readonly string[], files: readonly string[], host: ModuleHost, importsOf: (file: string) => readonly string[]): string[] {
  const words = new Set(wanted.flatMap(wordsOf));
  const targets = new Set(wanted);
  return files.filter((file) =>
    importsOf(file).some((specifier) => {
      if (!words.has(lastWord(specifier)) && !words.has(specifier)) return false;
      const target = host.resolve(file, specifier);
      return target !== undefined && targets.has(target);
    }),
  );
}

export interface ProjectImporters extends Importers {
  /** Files have come, gone or changed. */
  forget(): void;
}

/**
 * The importers of a file among all files below some folders, as `host` sees their texts. Where the file is
 * outside of them, or what its package publishes, there may be others.
 */
export function importersIn(folders: () => readonly string[], host: ModuleHost): ProjectImporters {
  let listed: { of: readonly string[]; files: string[] } | undefined;
  const imports = new Map<string, { version: string | number; specifiers: readonly string[] }>();
  function importsOf(file: string): readonly string[] {
    const source = host.read(file);
    if (!source) return [];
    const known = imports.get(file);
    if (known?.version === source.version) return known.specifiers;
    const specifiers = specifiersIn(source.text);
    imports.set(file, { version: source.version, specifiers });
    return specifiers;
  }
  /** All files below the folders; undefined where they are more than anybody waits for. */
  function filesBelow(): string[] | undefined {
    const at = folders();
    if (listed?.of !== at) listed = { of: at, files: findFiles(at, '/', (name) => isSource(name) || isComponent(name)).files.map((it) => it.path) };
    return listed.files.length > maxFiles ? undefined : listed.files;
  }
  return {
    of(file) {
      if (!folders().some((folder) => !relative(folder, file).startsWith('..')) || isPublished(file)) return undefined;
      const files = filesBelow();
      const found = files && importersOf([file], files, host, importsOf);
      return found?.some(isComponent) ? undefined : found;
    },
    saying(word) {
      const pattern = new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`);
      // A component has what it imports; its own words are about other things.
      return filesBelow()?.filter((file) => {
        const text = isComponent(file) ? undefined : host.read(file)?.text;
        return text?.includes(word) === true && pattern.test(text);
      });
    },
    reaching(file) {
      const files = filesBelow();
      return files && closureOf([file], files, host, importsOf);
    },
    forget() {
      listed = undefined;
      imports.clear();
      manifests.clear();
    },
  };
}

function textOnDisk(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const stem = (name: string): string => basename(name, extname(name));
const lastWord = (specifier: string): string => stem(specifier.slice(specifier.lastIndexOf('/') + 1)) || specifier;

/** What an import of the file may end with: its name, its folder's for an index, its package's for a workspace. */
function wordsOf(file: string): string[] {
  const words = [stem(file)];
  if (stem(file) === 'index') words.push(basename(dirname(file)), '.', '..');
  const { name } = manifestAbove(file) ?? {};
  return name === undefined ? words : [...words, name, lastWord(name)];
}

/** Whether the file's package names it as what others may import. */
function isPublished(file: string): boolean {
  const manifest = manifestAbove(file);
  if (!manifest || manifest.private) return false;
  const { main, module, types, exports } = manifest;
  const entries = JSON.stringify([main, module, types, exports]);
  return entries.includes('*') || entries.match(/[\w-]+(?=[."])/g)?.includes(stem(file)) === true;
}

interface Manifest {
  name?: string;
  private?: boolean;
  main?: unknown;
  module?: unknown;
  types?: unknown;
  exports?: unknown;
}

const manifests = new Map<string, Manifest | undefined>();

function manifestAbove(file: string): Manifest | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!manifests.has(folder)) {
      let manifest: Manifest | undefined;
      try {
        manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      } catch {
        // No manifest here.
      }
      manifests.set(folder, manifest);
    }
    const found = manifests.get(folder);
    if (found?.name !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
}
