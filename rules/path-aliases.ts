/** The path aliases of the tsconfig or jsconfig that a folder belongs to, also where a configuration that it extends is not installed. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPathsMatcher, getTsconfig, type TsConfigResult } from 'get-tsconfig';
import JSON5 from 'json5';

type Matcher = ((specifier: string) => string[]) | null;
type Config = TsConfigResult['config'];

const matchers = new Map<string, Matcher>();

/** Where an alias may lead, seen from a file of this folder. */
export function aliasesOf(folder: string, specifier: string): string[] {
  let match = matchers.get(folder);
  if (match === undefined) matchers.set(folder, (match = matcherFor(folder)));
  return match?.(specifier) ?? [];
}

export const forgetAliases = (): void => matchers.clear();

function matcherFor(folder: string): Matcher {
  try {
    const result = getTsconfig(folder) ?? getTsconfig(folder, 'jsconfig.json');
    const match = result && createPathsMatcher(result);
    return match ?? (result && ofReferences(result.path, result.config, new Set([result.path])));
  } catch {
    // A base that is not there, or a broken file: what can be read of it holds all the same.
    const file = nearest(folder);
    return file === undefined ? null : matcherIn(file, new Set());
  }
}

function nearest(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = ['tsconfig.json', 'jsconfig.json'].map((name) => join(at, name)).find((file) => existsSync(file));
    if (found || at === dirname(at)) return found;
  }
}

/** The first configuration of the chain, nearest first, that has aliases of its own. Each file is looked at once: what extends and references can lead in a circle. */
function matcherIn(file: string, seen: Set<string>): Matcher {
  if (seen.has(file)) return null;
  seen.add(file);
  const config = read(file);
  if (!config) return null;
  if (config.compilerOptions?.paths ?? config.compilerOptions?.baseUrl) {
    try {
      return createPathsMatcher({ path: file, config });
    } catch {
      return null;
    }
  }
  const bases = [(config as { extends?: string | string[] }).extends ?? []].flat().filter((it) => it.startsWith('.') || it.startsWith('/'));
  for (const base of bases.reverse()) {
    const path = join(dirname(file), base);
    const match = matcherIn(path.endsWith('.json') ? path : `${path}.json`, seen);
    if (match) return match;
  }
  return ofReferences(file, config, seen);
}

/** A configuration that only lists others has their aliases. */
function ofReferences(file: string, config: Config, seen: Set<string>): Matcher {
  const { references } = config as { references?: { path: string }[] };
  for (const { path } of references ?? []) {
    const target = join(dirname(file), path);
    const referenced = statSync(target, { throwIfNoEntry: false })?.isDirectory() ? join(target, 'tsconfig.json') : target;
    // A reference to another package says nothing of this one's aliases.
    const match = dirname(referenced) === dirname(file) ? matcherIn(referenced, seen) : null;
    if (match) return match;
  }
  return null;
}

/** A configuration has comments and trailing commas, which JSON5 has as well. */
function read(file: string): Config | undefined {
  try {
    return JSON5.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
