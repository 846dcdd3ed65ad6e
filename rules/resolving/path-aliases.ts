/** The path aliases of the tsconfig or jsconfig that a folder belongs to, also where a configuration that it extends is not installed. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TsConfigResult } from 'get-tsconfig';
import { packages } from './loaded.ts';

type Matcher = ((specifier: string) => string[]) | null;
type Config = TsConfigResult['config'];

/** By configuration file. */
const matchers = new Map<string, Matcher>();
/** By folder and by name: the nearest file of that name at or above it. */
const nearest: Record<string, Map<string, string | null>> = { 'tsconfig.json': new Map(), 'jsconfig.json': new Map() };

/** The configuration that a folder belongs to. */
export const configOf = (folder: string): string | null => nearestNamed(folder, 'tsconfig.json') ?? nearestNamed(folder, 'jsconfig.json');

/** Where an alias may lead, by a configuration. */
export function aliasesOf(config: string, specifier: string): string[] {
  let match = matchers.get(config);
  if (match === undefined) matchers.set(config, (match = matcherFor(config)));
  return match?.(specifier) ?? [];
}

export function forgetAliases(): void {
  matchers.clear();
  for (const known of Object.values(nearest)) known.clear();
}

function nearestNamed(folder: string, name: string): string | null {
  let found = nearest[name]!.get(folder);
  if (found === undefined) {
    const file = join(folder, name);
    const parent = dirname(folder);
    found = existsSync(file) ? file : parent === folder ? null : nearestNamed(parent, name);
    nearest[name]!.set(folder, found);
  }
  return found;
}

function matcherFor(config: string): Matcher {
  const { createPathsMatcher, getTsconfig } = packages();
  try {
    const result = getTsconfig(dirname(config), basename(config));
    const match = result && createPathsMatcher(result);
    return match ?? (result && ofReferences(result.path, result.config, new Set([result.path])));
  } catch {
    // A base that is not there, or a broken file: what can be read of it holds all the same.
    return matcherIn(config, new Set());
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
      return packages().createPathsMatcher({ path: file, config });
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
    return packages().JSON5.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
