/** What one text says that makes it, or those that import it, worth a look. */
import { specifiersByFolder } from '../../model/folder-specifiers.ts';
import { type HandedOn, Import, declaredIn, trafficOf } from './imports.ts';
import { WordScan } from './word-scan.ts';
import type { GateWords } from './words.ts';

const [mark, client, store, mayBeAbstract, mayBeInjected, mayBind, shape] = [1, 2, 4, 8, 16, 32, 64] as const;

/** What a text about lock rows, rows that are locked and fences cannot do without: an end in time, a version, or the words. */
const aboutRows = /expir|until|stale|(?:claim|tak|h[eo]l|seen|beat|alive|ping)\w{0,3}(?:at|by|since)(?![a-z])|claimed|heartbeat|<=?\s*(?:now\(|current_timestamp|clock_timestamp|getdate|sysdate)|(?<!re|p)lease|(?<![bcf])lock|advisory|mutex|pessimistic|fenc(?:e|ing)|\bversion\s*[=:,}]|\bfor\s*(?:no\s*)?(?:key\s*)?(?:update|share)\b|\.for\(|\bbegin\s+(?:immediate|exclusive)|\.(?:immediate|exclusive)\(/i;

/** What statements about locks say, wherever they are sent from. */
const lockWord = /(?<![bcf])lock|advisory|mutex|(?<!re|p)lease|\bfor\s+(?:no\s+key\s+)?(?:update|share)\b/i;

/** `jobLock` and `syncLock` are neither blocks nor clocks. */
const lockInName = /[bcf]Lock/;

/** What a fence, a version or a bound looks like, whatever its column is called: an order that is asked of a parameter. */
const ordered = /(?:<=?|>=)\s*(?:\$\d|\?|:[a-z]|@[a-z]|\$\{|excluded)|\$?\b[lg]te?\s*[:(]|['"](?:<=?|>=)['"]|\bless_?than|\bincrement\s*:|\$inc\b/i;

/** A column that is counted up from itself. That something is raised by one is found faster than what is. */
const raised = /\+\s*1\b/;
const counted = /\b(\w+)\s*=\s*\1\s*\+\s*1\b/i;

/** Prose says "until" about everything. An address in a text is none. */
const comments = /\/\*[\s\S]*?\*\/|(?<![:\w'"`\\/])\/\/.*/g;

const abstract = /\binterface\s|\babstract\s+class\b|\bSymbol\(|@Inject\(|InjectionToken/;
const injection = /@Inject|\bconstructor\s*\(\s*[^)\s]/;
const binding = /\bimplements\s|\bprovide\s*:|\buseClass\b/;

export class ScannedText {
  readonly imports: readonly Import[];
  readonly handsOn: readonly HandedOn[];
  private readonly flags: number;

  constructor(file: string, text: string, gate: Gate) {
    this.flags = gate.scan.flagsOf(text);
    const { imports, handsOn } = trafficOf(text);
    const byFolder = gate.words.folders.length > 0 ? specifiersByFolder(file, text, gate.words.folders) : [];
    this.imports = byFolder.length > 0 ? [...imports, ...byFolder.map((specifier) => new Import(specifier))] : imports;
    this.handsOn = handsOn;
    this.isAbstract = this.has(mayBeAbstract) && abstract.test(text);
    this.isInjected = this.has(mayBeInjected) && injection.test(text);
    this.binds = this.has(mayBind) && binding.test(text);
  }

  /** The names that the text declares and exports; it is handed in, because it need not be kept. */
  declaredIn(text: () => string): ReadonlySet<string> {
    return (this.declared ??= declaredIn(text()));
  }

  private declared: ReadonlySet<string> | undefined;

  /** Names something that a file beside it may stand behind: an interface, a token. */
  readonly isAbstract: boolean;
  /** Is given what it uses: a constructor with parameters, or a decorator that says so. */
  readonly isInjected: boolean;
  /** Stands behind such a thing: a class that implements, a provider that binds. */
  readonly binds: boolean;

  /** Speaks of locks itself, or makes a client of a store in which keys can be locks. */
  get speaksOfLocks(): boolean {
    return this.has(mark | client);
  }

  /** Whether the text itself may do something to a lock, given whatever client; it is handed in, because it need not be kept. */
  mayTouchLocks(text: string): boolean {
    return this.has(mark | client | shape) || this.saysLock(text);
  }

  /** Whether the text says what statements about locks say; it is handed in, because it need not be kept. */
  saysLock(text: string): boolean {
    return (this.words ??= lockWord.test(text) || lockInName.test(text));
  }

  private words: boolean | undefined;

  get hasStore(): boolean {
    return this.has(client | store);
  }

  /** Whether the text speaks of lock rows, rows that are locked, or fences; it is handed in, because it need not be kept. */
  speaksOfRows(text: string): boolean {
    return (this.rows ??= speaksOfRows(text));
  }

  private rows: boolean | undefined;

  private has(flags: number): boolean {
    return (this.flags & flags) !== 0;
  }
}

/** The words of the catalog in the form in which texts are searched for them. */
export class Gate {
  readonly scan: WordScan;

  constructor(readonly words: GateWords) {
    this.scan = new WordScan([
      [mark, words.marks],
      [client, words.clients],
      [store, words.stores],
      [mayBeAbstract, ['interface', 'abstract', 'Symbol', '@Inject', 'InjectionToken']],
      [mayBeInjected, ['constructor', '@Inject*']],
      [mayBind, ['implements', 'provide', 'useClass']],
      [shape, words.shapes],
    ]);
  }
}

/** Whether a text speaks of lock rows, rows that are locked, or fences; comments aside. As it is first: most have nothing, and taking the comments away costs more than asking twice. */
function speaksOfRows(text: string): boolean {
  const asks = (it: string): boolean => aboutRows.test(it) || lockInName.test(it) || ordered.test(it) || (raised.test(it) && counted.test(it));
  return asks(text) && asks(text.replace(comments, ''));
}
