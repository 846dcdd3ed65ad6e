/** Which files lead to changed ones by their imports, at any distance: a fault of a helper shows in its callers. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { ModuleHost } from '../../model/host.ts';
import { specifiersIn } from '../../rules/mentions.ts';

/** A chain of imports that is followed at most. */
const maxHops = 8;

/**
 * Those of `files` (absolute paths) that reach one of `changed`. Only imports whose last word names a
 * wanted file are resolved, so that a large repository costs little more than a look at its texts.
 */
export function dependantsOf(changed: readonly string[], files: readonly string[], host: ModuleHost): Set<string> {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    let known = imports.get(file);
    if (!known) imports.set(file, (known = specifiersIn(textOf(file))));
    return known;
  };
  const reached = new Set(changed);
  const found = new Set<string>();
  let frontier = [...changed];
  for (let hop = 0; hop < maxHops && frontier.length > 0; hop++) {
    const words = new Set(frontier.flatMap(wordsOf));
    const wanted = new Set(frontier);
    frontier = [];
    for (const file of files) {
      if (reached.has(file)) continue;
      const leads = importsOf(file).some((specifier) => {
        if (!words.has(lastWord(specifier)) && !words.has(specifier)) return false;
        const target = host.resolve(file, specifier);
        return target !== undefined && wanted.has(target);
      });
      if (!leads) continue;
      reached.add(file);
      found.add(file);
      frontier.push(file);
    }
  }
  return found;
}

function textOf(file: string): string {
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
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const name = packageName(folder);
    if (name !== undefined) return [...words, name, lastWord(name)];
    if (dirname(folder) === folder) return words;
  }
}

const names = new Map<string, string | undefined>();

function packageName(folder: string): string | undefined {
  if (!names.has(folder)) {
    let name: string | undefined;
    try {
      name = (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name;
    } catch {
      // No manifest here.
    }
    names.set(folder, name);
  }
  return names.get(folder);
}
