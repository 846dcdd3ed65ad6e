/** The catalog, arranged so that a call finds its rows by receiver type and name. Built once per set of rows. */
import intersects from 'semver/ranges/intersects.js';
import validRange from 'semver/ranges/valid.js';
import type { Call, Connection, Constant, Decorator, Effect, Library, Obtain, Token, TypeId } from '../catalog/schema.ts';

export interface CallRow {
  row: Call;
  library: Library;
}
export interface ObtainRow {
  row: Obtain;
  library: Library;
}

const names = (name: string | readonly string[]): readonly string[] => (typeof name === 'string' ? [name] : name);

const effectsOf = (row: Call): readonly Effect[] => (Array.isArray(row.does) ? (row.does as readonly Effect[]) : [row.does as Effect]);

/** The version that is assumed of a package that package.json does not name: newer than all. */
const newest = '9999.0.0';

export class CatalogIndex {
  private readonly typed = new Map<TypeId, Map<string, CallRow[]>>();
  private readonly any = new Map<string, CallRow[]>();
  private readonly globals = new Map<string, CallRow[]>();
  private readonly modules = new Map<string, Library[]>();
  private readonly prefixes: { prefix: string; library: Library }[] = [];
  private readonly obtained = new Map<string, ObtainRow[]>();
  private readonly libraryOfType = new Map<string, Library>();
  private readonly anywhere = new Map<string, ObtainRow[]>();
  private readonly testRunners = new Set<string>();
  private readonly storeNames = new Set<string>();
  private readonly bySpecifier = new Map<string, readonly Library[]>();
  private readonly without = new Map<TypeId, ObtainRow[]>();
  /** Types of what a transaction hands to its body. */
  private readonly transactions = new Set<TypeId>();
  private readonly ambientPackages = new Map<string, Library | undefined>();
  private readonly ranges = new Map<string, boolean>();
  readonly tokens = new Map<TypeId, Token[]>();
  /** Properties that stand for the classes of a folder. */
  readonly folders: NonNullable<Library['folders']>[number][] = [];

  /** How objects say what stands behind an injection token. */
  readonly injections: NonNullable<Library['injections']>[number][] = [];

  /** Rows for commands that are given word by word, by lower-case command. */
  readonly words = new Map<string, Call[]>();

  constructor(
    readonly libraries: readonly Library[],
    words: readonly Call[] = [],
  ) {
    for (const library of libraries) this.add(library);
    for (const row of words) for (const name of names(row.name)) push(this.words, name, row);
  }

  private add(library: Library): void {
    this.libraryOfType.set(library.key, library);
    this.folders.push(...(library.folders ?? []));
    this.injections.push(...(library.injections ?? []));
    for (const name of library.packages) {
      if (name.endsWith('/*')) this.prefixes.push({ prefix: name.slice(0, -1), library });
      else push(this.modules, name, library);
    }
    for (const row of library.decorators ?? []) if (row.does.kind === 'transaction' && row.does.ambient) for (const name of row.from ? names(row.from) : library.packages) this.ambientPackages.set(name, library.calls.some((call) => effectsOf(call).some((effect) => 'connection' in effect)) ? library : undefined);
    for (const row of library.calls) {
      for (const effect of effectsOf(row)) if (effect.kind === 'transaction' && effect.passes) this.transactions.add(effect.passes);
      for (const name of names(row.name)) {
        const entry = { row, library };
        if (library.family === 'lock' || library.family === 'store') this.storeNames.add(name.slice(name.lastIndexOf('.') + 1));
        if (row.on === 'any') push(this.any, name, entry);
        else if (row.on === 'global') push(this.globals, name, entry);
        else if (row.on !== 'module') {
          let of = this.typed.get(row.on);
          if (!of) this.typed.set(row.on, (of = new Map()));
          push(of, name, entry);
        }
      }
    }
    for (const name of library.tests ?? []) this.testRunners.add(name);
    for (const row of library.obtain ?? []) {
      if (row.by === 'without' && row.of) push(this.without, row.of, { row, library });
      for (const name of names(row.name)) {
        const entry = { row, library };
        if (row.of) push(this.obtained, `${row.by} ${row.of} ${name}`, entry);
        else push(this.obtained, `${row.by} ${library.key} ${name}`, entry);
        if (row.anywhere) push(this.anywhere, `${row.by} ${name}`, entry);
      }
    }
    for (const token of library.tokens ?? []) push(this.tokens, token.of, token);
  }

  /** Whether a method or function of a library for locks or data is called so. */
  isOfStore(name: string): boolean {
    return this.storeNames.has(name);
  }

  /** The libraries that a module specifier names. */
  librariesOf(specifier: string): readonly Library[] {
    let known = this.bySpecifier.get(specifier);
    if (!known) this.bySpecifier.set(specifier, (known = this.findLibraries(specifier)));
    return known;
  }

  private findLibraries(specifier: string): readonly Library[] {
    const bare = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
    const direct = this.modules.get(specifier) ?? this.modules.get(bare) ?? this.modules.get(`node:${bare}`) ?? [];
    const byPrefix = this.prefixes.filter((it) => specifier.startsWith(it.prefix)).map((it) => it.library);
    return byPrefix.length ? [...new Set([...direct, ...byPrefix])] : direct;
  }

  /** How a type of a library is reached from an export: `by` new, call, value, annotation, decorator or subclass. */
  obtainFromExport(specifier: string, by: Obtain['by'], name: string): ObtainRow[] {
    const found: ObtainRow[] = [];
    for (const library of this.librariesOf(specifier)) {
      for (const it of this.obtained.get(`${by} ${library.key} ${name}`) ?? []) {
        if (!it.row.from || names(it.row.from).includes(specifier)) found.push(it);
      }
    }
    return found.length ? found : (this.anywhere.get(`${by} ${name}`) ?? []);
  }

  /** Whether a name says enough, whatever module exports it: a class that is generated into the project. */
  isKnownAnywhere(name: string): boolean {
    return this.anywhere.has(`new ${name}`);
  }

  obtainFromType(of: TypeId, by: 'method' | 'property' | 'new' | 'call', name: string): ObtainRow[] {
    return this.obtained.get(`${by} ${of} ${name}`) ?? this.obtained.get(`${by} ${of} *`) ?? [];
  }

  /** Whether a global of this name runs tests. */
  isTestRunner(name: string): boolean {
    return this.testRunners.has(name);
  }

  /** What a type is when it is written without some of its members. */
  obtainWithout(of: TypeId): readonly ObtainRow[] {
    return this.without.get(of) ?? [];
  }

  callsOnType(type: TypeId, name: string): readonly CallRow[] {
    return this.typed.get(type)?.get(name) ?? [];
  }

  callsOfExport(specifier: string, name: string): readonly CallRow[] {
    return this.librariesOf(specifier).flatMap((library) =>
      library.calls.filter((row) => row.on === 'module' && names(row.name).includes(name) && (!row.from || names(row.from).includes(specifier))).map((row) => ({ row, library })),
    );
  }

  /** What a constant that a package exports is, where its rows speak of it. */
  constantOf(specifier: string, name: string): Constant | undefined {
    const own = name.startsWith('default.') ? name.slice('default.'.length) : name;
    return this.librariesOf(specifier).map((it) => it.constants?.[own] ?? it.constants?.[name]).find((it) => it !== undefined);
  }

  callsOnGlobal(name: string): readonly CallRow[] {
    return this.globals.get(name) ?? [];
  }

  callsOnAny(name: string): readonly CallRow[] {
    return this.any.get(name) ?? [];
  }

  decoratorOf(specifier: string, name: string): { row: Decorator; library: Library } | undefined {
    for (const library of this.librariesOf(specifier)) {
      const row = library.decorators?.find((it) => names(it.name).includes(name) && (!it.from || names(it.from).includes(specifier)));
      if (row) return { row, library };
    }
    return undefined;
  }

  /** What calls on a value of this type run on: a pool, one connection that is kept, a transaction. Undefined when the type does not tell. */
  connectionOf(type: TypeId): Exclude<Connection, 'receiver'> | undefined {
    if (this.transactions.has(type)) return 'transaction';
    for (const rows of this.typed.get(type)?.values() ?? []) {
      for (const { row } of rows) {
        for (const effect of effectsOf(row)) {
          if ('connection' in effect && effect.connection) return effect.connection === 'receiver' ? undefined : effect.connection;
        }
      }
    }
    return undefined;
  }

  /** The method that sends a prepared statement of this type. */
  sendingRow(type: TypeId): CallRow | undefined {
    return [...(this.typed.get(type)?.values() ?? [])].flat().find(({ row }) => effectsOf(row).some((effect) => effect.kind === 'sql' && !effect.prepares && typeof effect.text === 'object' && ('configured' in effect.text || 'ctor' in effect.text)));
  }

  /** The packages by which a call of a library can belong to a transaction without naming it. */
  ambientPackagesOf(library: Library | undefined): readonly string[] {
    return [...this.ambientPackages].flatMap(([name, of]) => (of === undefined || of === library ? [name] : []));
  }

  typeLibrary(type: TypeId): Library | undefined {
    return this.libraryOfType.get(type.slice(0, type.indexOf(':')));
  }

  /** Whether a row for `versions` holds in a project whose package.json gives `range` (undefined: the newest). */
  holdsIn(versions: string | undefined, range: string | undefined): boolean {
    if (!versions) return true;
    const asked = range && validRange(range, { loose: true }) ? range : newest;
    const id = `${asked}|${versions}`;
    let known = this.ranges.get(id);
    if (known === undefined) {
      known = validRange(versions) === null || intersects(asked, versions, { includePrerelease: true, loose: true });
      this.ranges.set(id, known);
    }
    return known;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
