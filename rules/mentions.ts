/** Whether a file is worth a look: it names something of the catalog, or imports a module that does. */
import type { CatalogIndex } from '../model/catalog-index.ts';
import { specifiersByFolder } from '../model/folders.ts';
import type { ModuleHost } from '../model/host.ts';

/** How many imports away the naming module may be. */
const maxHops = 4;
/** So many scans of modules are kept, of whatever versions. */
const maxScans = 5_000;

interface Scan {
  lock: boolean;
  store: boolean;
  rows: boolean;
  specifiers: string[];
}

const scans = new WeakMap<CatalogIndex, Map<string, Scan>>();
interface Patterns {
  /** Packages that take locks, and the marks of their calls. */
  locks: RegExp;
  /** Stores in which a row or document may be a lock. */
  stores: RegExp;
}

const patterns = new WeakMap<CatalogIndex, Patterns>();

/** What a text about lock rows, rows that are locked and fences cannot do without: an end in time, a version, or the words. */
const rowWords = /expir|until|lease|(?<![bcf])lock|advisory|mutex|pessimistic|fenc(?:e|ing)|\bversion\s*[=:,}]|\bfor\s*(?:no\s*)?(?:key\s*)?(?:update|share)\b|\.for\(/i;

/**
 * True when the file, or a module of the project that it imports, mentions a lock service or a lock's
 * form; or when lock rows are spoken of in it or in a direct import, and a store is within reach.
 */
export function mentionsLock(file: string, text: string, host: ModuleHost, catalog: CatalogIndex): boolean {
  const seen = new Set<string>([file]);
  let speaksOfRows = false;
  let hasStore = false;
  let at: { file: string; text: string; id: string }[] = [{ file, text, id: '' }];
  for (let hop = 0; hop <= maxHops && at.length > 0; hop++) {
    const next: typeof at = [];
    for (const it of at) {
      const found = scanOf(it, catalog);
      hasStore ||= found.store;
      if (hop <= 1) speaksOfRows ||= found.rows;
      if (found.lock || (speaksOfRows && hasStore)) return true;
      for (const specifier of found.specifiers) {
        const resolved = host.resolve(it.file, specifier);
        if (resolved === undefined || seen.has(resolved)) continue;
        seen.add(resolved);
        const source = host.read(resolved);
        if (source) next.push({ file: resolved, text: source.text, id: `${resolved}\0${source.version}` });
      }
    }
    at = next;
  }
  return false;
}

function scanOf(it: { file: string; text: string; id: string }, catalog: CatalogIndex): Scan {
  if (!it.id) return scan(it.file, it.text, catalog);
  let known = scans.get(catalog);
  if (!known) scans.set(catalog, (known = new Map()));
  let found = known.get(it.id);
  if (known.size > maxScans) known.clear();
  if (!found) known.set(it.id, (found = scan(it.file, it.text, catalog)));
  return found;
}

function scan(file: string, text: string, catalog: CatalogIndex): Scan {
  let pattern = patterns.get(catalog);
  if (!pattern) patterns.set(catalog, (pattern = patternOf(catalog)));
  if (pattern.locks.test(text)) return { lock: true, store: true, rows: true, specifiers: [] };
  return { lock: false, store: pattern.stores.test(text), rows: rowWords.test(text), specifiers: [...specifiersIn(text), ...specifiersByFolder(file, text, catalog)] };
}

/** What a text seems to import. Only which files to look at is decided by it; what they import is told by their trees. */
export const specifiersIn = (text: string): string[] => [...text.matchAll(/(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g)].map((match) => match[1]!);

function patternOf(catalog: CatalogIndex): Patterns {
  const locks = new Set<string>();
  const stores = new Set<string>();
  for (const library of catalog.libraries) {
    for (const word of library.mentions ?? []) (library.key.startsWith('shapes-') && library.key !== 'shapes-redis' ? stores : locks).add(word);
    const takesLocks = library.family === 'lock' || library.calls.some((row) => [row.does].flat().some((it) => it.kind === 'acquire' || (it.kind === 'put' && it.condition === 'absent')));
    const into = takesLocks ? locks : library.family === 'store' ? stores : undefined;
    if (into) for (const name of library.packages) into.add(name.endsWith('/*') ? name.slice(0, -2) : name);
  }
  return { locks: anyOf(locks), stores: anyOf(stores) };
}

function anyOf(words: ReadonlySet<string>): RegExp {
  const quoted = [...words].map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`(?<![\\w-])(?:${quoted.join('|')})(?![\\w-])`);
}
