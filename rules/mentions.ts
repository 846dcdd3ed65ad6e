/**
 * Whether a file is worth a look: it speaks of locks itself, or it imports a module that takes, gives back
 * or hands out locks. Texts are scanned; only the few modules that speak of locks are ever parsed for it.
 */
import { isBuiltin } from 'node:module';
import type { CatalogIndex } from '../model/catalog-index.ts';
import { specifiersByFolder } from '../model/folders.ts';
import type { ModuleHost, SourceText } from '../model/host.ts';

/** How many imports away the locking module may be. */
const maxHops = 4;
/** A statement stands with the client that sends it, behind a module that makes the client and an index file at most. */
const maxStoreHops = 2;
const maxScans = 200_000;
/** So many files of a folder are looked at. */
const maxBeside = 60;

interface Scan {
  /** A package that is about locks, or a form that only locks and the like have: `NX`. */
  marks: boolean;
  /** The client of a store in which a key can be a lock. */
  client: boolean;
  /** A store in which a row or document may be a lock. */
  store: boolean;
  /** A module of the platform that keeps data: the file system. */
  files: boolean;
  /** Speaks of lock rows, rows that are locked, or fences. */
  rows: boolean;
  /** Names something that a file beside it may stand behind: an interface, a token. */
  isAbstract: boolean;
  /** Is given what it uses: a constructor with parameters, or a decorator that says so. */
  injected: boolean;
  /** Stands behind such a thing: a class that implements, a provider that binds. */
  binds: boolean;
  specifiers: string[];
}

interface Patterns {
  marks: RegExp;
  clients: RegExp;
  stores: RegExp;
  files: RegExp;
}

const scans = new WeakMap<CatalogIndex, Map<string, Scan>>();
const patterns = new WeakMap<CatalogIndex, Patterns>();

/** What a text about lock rows, rows that are locked and fences cannot do without: an end in time, a version, or the words. */
const aboutRows = /expir|until|stale|(?:claim|tak|h[eo]l|seen|beat|alive|ping)\w{0,3}(?:at|by|since)(?![a-z])|claimed|heartbeat|<=?\s*(?:now\(|current_timestamp|clock_timestamp|getdate|sysdate)|(?<!re|p)lease|(?<![bcf])lock|advisory|mutex|pessimistic|fenc(?:e|ing)|\bversion\s*[=:,}]|\bfor\s*(?:no\s*)?(?:key\s*)?(?:update|share)\b|\.for\(|\bbegin\s+(?:immediate|exclusive)|\.(?:immediate|exclusive)\(/i;

/** What a fence, a version or a bound looks like, whatever its column is called: an order that is asked of a parameter, or a column that is counted up from itself. */
const ordered = /(?:<=?|>=)\s*(?:\$\d|\?|:[a-z]|@[a-z]|\$\{|excluded)|\$?\b[lg]te?\s*[:(]|['"](?:<=?|>=)['"]|\bless_?than|\b(\w+)\s*=\s*\1\s*\+\s*1\b|\bincrement\s*:|\$inc\b/i;

/** Prose says "until" about everything. An address in a text is none. */
const comments = /\/\*[\s\S]*?\*\/|(?<![:\w'"`\\/])\/\/.*/g;

const abstract = /\binterface\s|\babstract\s+class\b|\bSymbol\(|@Inject\(|InjectionToken/;
const injection = /@Inject|\bconstructor\s*\(\s*[^)\s]/;
const binding = /\bimplements\s|\bprovide\s*:|\buseClass\b/;

/** Which modules of the project, by path, hand locks to those that import them; asked only of those that speak of locks or import one that does. */
export type Exposes = (file: string) => boolean;

/**
 * True when the file itself may take a lock, lock rows or fence a write; or when it imports a module that
 * `exposes` locks, at any of four hops.
 */
export function mentionsLock(file: string, text: string, host: ModuleHost, catalog: CatalogIndex, exposes: Exposes): boolean {
  // Others may import it, and then ask the same again.
  const known = host.snapshot ? host.read(file) : undefined;
  const id = known && known.text === text ? idOf(file, known) : '';
  return searchIn(host, catalog).isCandidate({ file, id, source: id ? known! : { text, version: '' } }, maxHops, exposes);
}

const searches = new WeakMap<object, WeakMap<CatalogIndex, Search>>();

/** What was found out holds for as long as the host's snapshot does. */
function searchIn(host: ModuleHost, catalog: CatalogIndex): Search {
  const key = host.snapshot;
  if (!key) return new Search(host, catalog);
  let byCatalog = searches.get(key);
  if (!byCatalog) searches.set(key, (byCatalog = new WeakMap()));
  let search = byCatalog.get(catalog);
  if (!search) byCatalog.set(catalog, (search = new Search(host, catalog)));
  return search;
}

interface Text {
  file: string;
  /** Its text is asked for when it has not been scanned. */
  source: SourceText;
  /** Names the text in the memory of scans; empty for the one that is asked about, where its editor or linter has it in another form. */
  id: string;
}

const idOf = (file: string, source: SourceText): string => `${file}\0${source.version}`;

/** Answers about files at a number of hops: a circle of imports has an end, and every answer can be kept. */
class Search {
  private readonly candidates = new Map<string, boolean>();
  private readonly stores = new Map<string, boolean>();
  private readonly imported = new Map<string, readonly Text[]>();

  constructor(
    private readonly host: ModuleHost,
    private readonly catalog: CatalogIndex,
  ) {}

  isCandidate(it: Text, hops: number, exposes: Exposes): boolean {
    return this.kept(this.candidates, it, hops, () => this.speaks(it) || (hops > 0 && this.others(it).some((other) => this.isCandidate(other, hops - 1, exposes) && exposes(other.file))));
  }

  /** The text alone asks for a look. */
  private speaks(it: Text): boolean {
    const found = scanOf(it, this.catalog);
    return found.marks || found.client || (found.rows && this.reachesStore(it, maxStoreHops));
  }

  private reachesStore(it: Text, hops: number): boolean {
    return this.kept(this.stores, it, hops, () => this.hasStore(it, hops) || (hops > 0 && this.imports(it).some((other) => this.reachesStore(other, hops - 1))));
  }

  /** Files are read and written everywhere; a lock file is made where its module is imported. */
  private hasStore(it: Text, hops: number): boolean {
    const { store, files } = scanOf(it, this.catalog);
    return store || (files && hops === maxStoreHops);
  }

  private kept(answers: Map<string, boolean>, it: Text, hops: number, find: () => boolean): boolean {
    if (!it.id) return find();
    const key = `${hops}${it.id}`;
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, (answer = find()));
    return answer;
  }

  private imports(it: Text): readonly Text[] {
    let found = it.id ? this.imported.get(it.id) : undefined;
    if (found) return found;
    found = scanOf(it, this.catalog).specifiers.flatMap((specifier) => {
      const file = this.host.resolve(it.file, specifier);
      const source = file === undefined ? undefined : this.host.read(file);
      return source ? [{ file: file!, source, id: idOf(file!, source) }] : [];
    });
    if (it.id) this.imported.set(it.id, found);
    return found;
  }

  /** What a file imports, and what may stand behind the interfaces and tokens that it has or imports. */
  private others(it: Text): readonly Text[] {
    const imported = this.imports(it);
    if (!scanOf(it, this.catalog).injected) return imported;
    return [...imported, ...[it, ...imported].flatMap((each) => this.behind(each))];
  }

  /** Files beside one that names an interface or a token, which it does not import. */
  private behind(it: Text): Text[] {
    if (!scanOf(it, this.catalog).isAbstract) return [];
    return (this.host.beside?.(it.file) ?? []).slice(0, maxBeside).flatMap((file) => {
      const source = this.host.read(file);
      const text = source && { file, source, id: idOf(file, source) };
      return text && scanOf(text, this.catalog).binds ? [text] : [];
    });
  }
}

function scanOf(it: Text, catalog: CatalogIndex): Scan {
  if (!it.id) return scan(it.file, it.source.text, catalog);
  let known = scans.get(catalog);
  if (!known) scans.set(catalog, (known = new Map()));
  let found = known.get(it.id);
  if (!found) {
    // An editor's texts have many versions.
    if (known.size > maxScans) known.clear();
    known.set(it.id, (found = scan(it.file, it.source.text, catalog)));
  }
  return found;
}

function scan(file: string, text: string, catalog: CatalogIndex): Scan {
  let pattern = patterns.get(catalog);
  if (!pattern) patterns.set(catalog, (pattern = patternOf(catalog)));
  const client = pattern.clients.test(text);
  return { marks: pattern.marks.test(text), client, store: client || pattern.stores.test(text), files: pattern.files.test(text), rows: speaksOfRows(text), isAbstract: abstract.test(text), injected: injection.test(text), binds: binding.test(text), specifiers: [...new Set([...specifiersIn(text), ...specifiersByFolder(file, text, catalog)])] };
}

/** The text as it is first: most have nothing, and taking the comments away costs more than asking twice. */
function speaksOfRows(text: string): boolean {
  const asks = (it: string): boolean => aboutRows.test(it) || ordered.test(it);
  return asks(text) && asks(text.replace(comments, ''));
}

/** What a text seems to import. Only which files to look at is decided by it; what they import is told by their trees. */
export const specifiersIn = (text: string): string[] => [...text.matchAll(/(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g)].map((match) => match[1]!);

function patternOf(catalog: CatalogIndex): Patterns {
  const [marks, clients, stores, files] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  for (const library of catalog.libraries) {
    for (const word of library.mentions ?? []) (library.key.startsWith('shapes-') && library.key !== 'shapes-redis' ? stores : marks).add(word);
    const takesLocks = library.calls.some((row) => [row.does].flat().some((it) => it.kind === 'acquire' || (it.kind === 'put' && it.condition === 'absent')));
    const into = library.family === 'lock' ? marks : takesLocks ? clients : library.family === 'store' ? stores : undefined;
    if (into) for (const name of library.packages) (into === stores && isBuiltin(name) ? files : into).add(name.endsWith('/*') ? name.slice(0, -2) : name);
  }
  return { marks: anyOf(marks), clients: anyOf(clients), stores: anyOf(stores), files: anyOf(files) };
}

function anyOf(words: ReadonlySet<string>): RegExp {
  const quoted = [...words].map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`(?<![\\w-])(?:${quoted.join('|')})(?![\\w-])`);
}
