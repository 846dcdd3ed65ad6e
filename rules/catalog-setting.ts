/** `settings.fencepost.catalog`: a team's own rows, checked one by one. A row with a fault is told and left out; the others count. */
import { libraries } from '../catalog/index.gen.ts';
import type { Library } from '../catalog/schema.ts';
import { faultOf, type Form } from './form.ts';
import { forms } from './forms.gen.ts';

const lists = ['obtain', 'calls', 'decorators', 'tokens', 'states'] as const;
const builtIn = new Set(libraries.map((it) => it.key));
const libraryForm = forms.Library!;

/** A library without its rows. */
const frame: Form = { ...libraryForm, properties: { ...libraryForm.properties, ...Object.fromEntries(lists.map((name) => [name, {}])) } };

/** The libraries of the setting whose form is right, with those of their rows that are. */
export function readCatalog(given: unknown, path: string): Read {
  if (!Array.isArray(given)) return { catalog: [], problems: [`${path} must be an array of libraries.`] };
  const known = byGiven.get(given);
  if (known) return known;
  const read = readLibraries(given, path);
  byGiven.set(given, read);
  return read;
}

interface Read {
  catalog: Library[];
  problems: string[];
}

/** Settings are read for every file; the index over the rows is kept as long as they are the same. */
const byGiven = new WeakMap<readonly unknown[], Read>();

function readLibraries(given: readonly unknown[], path: string): Read {
  const problems: string[] = [];
  const keys = new Set(builtIn);
  for (const it of given) if (isObject(it) && typeof it.key === 'string') keys.add(it.key);
  const catalog = given.flatMap((library, i): Library[] => {
    const at = `${path}[${i}]`;
    const fault = faultOf(library, frame, at, forms) ?? clashOf(library as Library, at);
    if (fault !== undefined) {
      problems.push(fault);
      return [];
    }
    return [withSoundRows(library as Library, at, keys, problems)];
  });
  return { catalog, problems };
}

/** A key that is taken already would mix the rows of two libraries. */
function clashOf({ key }: Library, at: string): string | undefined {
  return builtIn.has(key) ? `${at}.key "${key}" is a library that Fencepost knows already; choose another key.` : undefined;
}

function withSoundRows(library: Library, at: string, keys: ReadonlySet<string>, problems: string[]): Library {
  const sound: Record<string, unknown> = { ...library };
  for (const list of lists) {
    const rows: unknown = library[list];
    if (rows === undefined) continue;
    if (!Array.isArray(rows)) {
      problems.push(`${at}.${list} must be an array.`);
      sound[list] = [];
      continue;
    }
    const form = libraryForm.properties![list]!.items!;
    sound[list] = (rows as unknown[]).filter((row, i) => {
      const fault = faultOf(row, form, `${at}.${list}[${i}]`, forms) ?? strangeType(row, `${at}.${list}[${i}]`, keys);
      if (fault !== undefined) problems.push(fault);
      return fault === undefined;
    });
  }
  return sound as unknown as Library;
}

/** A type must be one of a library that there is: a slip in its name would make the row mean nothing, silently. */
function strangeType(row: unknown, at: string, keys: ReadonlySet<string>): string | undefined {
  const { on, of, type } = row as Record<string, unknown>;
  for (const [name, id] of Object.entries({ on, of, type })) {
    if (typeof id !== 'string' || (name === 'on' && ['module', 'any', 'global'].includes(id)) || (name === 'of' && id === 'any')) continue;
    const key = id.includes(':') ? id.slice(0, id.indexOf(':')) : undefined;
    if (key === undefined) return `${at}.${name} is "${id}"; write a type as KEY:NAME, such as "our-locks:Locks"${name === 'on' ? ', or use "module", "any" or "global"' : ''}.`;
    if (!keys.has(key)) return `${at}.${name} is "${id}", but no library has the key "${key}".`;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
