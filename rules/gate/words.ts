/** What a text must mention to be worth a look, read from the catalog: names of packages, and forms that only locks have. */
import type { Library } from '../../catalog/schema.ts';
import type { FolderRow } from '../../model/folder-specifiers.ts';

/** By what a word says of the text that it stands in. */
export interface GateWords {
  /** A package that is about locks, or a form that only locks and the like have: `NX`. */
  marks: readonly string[];
  /** The client of a store in which a key can be a lock. */
  clients: readonly string[];
  /** A store in which a row or document may be a lock. */
  stores: readonly string[];
  /** Methods that give a key back, prolong it or run a script, on whatever object they are called. */
  shapes: readonly string[];
  /** Properties that stand for the classes of a folder, which no import names. */
  folders: readonly FolderRow[];
}

const aboutKeys: ReadonlySet<string> = new Set(['acquire', 'release', 'renew', 'remove', 'expire', 'script', 'define-script', 'command']);

/** Files of one machine are written whether they have changed or not: no lock is a row there, and nothing compares. */
const isFiles = (library: Library): boolean => library.coordinator === 'machine' && !library.calls.some((row) => [row.does].flat().some((it) => it.kind === 'sql'));

export function wordsOf(libraries: readonly Library[]): GateWords {
  const [marks, clients, stores, shapes] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  for (const library of libraries) {
    const takesLocks = library.calls.some((row) => [row.does].flat().some((it) => it.kind === 'acquire' || (it.kind === 'put' && it.condition === 'absent')));
    for (const row of library.calls) if (row.on === 'any' && [row.does].flat().some((it) => aboutKeys.has(it.kind))) for (const name of [row.name].flat()) if (name.length > 1) shapes.add(name);
    // Forms of no package in particular are marks of a lock only where one of them takes it.
    for (const word of library.mentions ?? []) (library.packages.length === 0 && !takesLocks ? stores : marks).add(word);
    const into = library.family === 'lock' ? marks : takesLocks ? clients : library.family === 'store' && !isFiles(library) ? stores : undefined;
    // A client that is generated into the project is imported from wherever that is.
    if (into) for (const row of library.obtain ?? []) if (row.anywhere) for (const name of [row.name].flat()) into.add(name.replace(/^default\./, ''));
    if (into) for (const name of library.packages) into.add(name.endsWith('/*') ? name.slice(0, -2) : name);
  }
  return { marks: [...marks], clients: [...clients], stores: [...stores], shapes: [...shapes], folders: libraries.flatMap((it) => it.folders ?? []) };
}
