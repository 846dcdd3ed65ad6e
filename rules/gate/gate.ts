/**
 * Whether a file is worth a look: it speaks of locks itself, or it imports a module that takes, gives back
 * or hands out locks. Texts are scanned; only the few modules that speak of locks are ever parsed for it.
 */
import type { ModuleHost } from '../../model/host.ts';
import type { Names } from '../../model/exposure.ts';
import type { Touch } from '../../model/project.ts';
import { Recent } from '../../model/recent.ts';
import type { Import } from './imports.ts';
import { type Gate, ScannedText } from './text.ts';

/** How many imports away the locking module may be. */
const maxHops = 4;
/** A statement stands with the client that sends it, behind a module that makes the client and an index file at most. */
const maxStoreHops = 2;
const maxScans = 200_000;
/** So many files of a folder are looked at. */
const maxBeside = 60;

/** Whether a module of the project, by path, hands locks to one that can come to these methods of it; asked only of those that speak of locks or import one that does. */
export type Exposes = (file: string, names: Names) => boolean;

/**
 * True when the file itself may take a lock, lock rows or fence a write; or when it imports a module that
 * `exposes` locks, at any of four hops.
 */
export function mentionsLock(file: string, text: string, host: ModuleHost, gate: Gate, exposes: Exposes): boolean {
  const search = searchIn(host, gate);
  return search.isCandidate(search.given(file, text), maxHops, exposes);
}

/**
 * Whether anything of a lock can be behind a file: it may do something to one itself, or takes something from a
 * module that may. `touch` is what is to be done to one, `touches` says of a module whose text may do it whether
 * it does.
 */
export const mayReachLock = (file: string, touch: Touch, host: ModuleHost, gate: Gate, touches: (file: string) => boolean): boolean => searchIn(host, gate).reaches(file, touch, touches);

/** Where that stands which a file imports, past modules that only hand it on; and what may stand behind its interfaces and tokens. */
export const behindImports = (file: string, host: ModuleHost, gate: Gate): string[] => searchIn(host, gate).behindImports(file);

const searches = new WeakMap<object, WeakMap<Gate, Search>>();

/** What was found out holds for as long as the host's snapshot does. */
function searchIn(host: ModuleHost, gate: Gate): Search {
  const key = host.snapshot;
  if (!key) return new Search(host, gate);
  let byGate = searches.get(key);
  if (!byGate) searches.set(key, (byGate = new WeakMap()));
  let search = byGate.get(gate);
  if (!search) byGate.set(gate, (search = new Search(host, gate)));
  return search;
}

/** What is known of a question that only more hops can answer with yes: the fewest for which it was, and the most for which it was not. */
class Answer {
  private yes = Infinity;
  private no = -1;

  /** A circle of imports has an end: each question is asked with fewer hops than the one that led to it. */
  of(hops: number, find: () => boolean): boolean {
    if (hops >= this.yes) return true;
    if (hops <= this.no) return false;
    const found = find();
    if (found) this.yes = Math.min(this.yes, hops);
    else this.no = Math.max(this.no, hops);
    return found;
  }
}

/** To look at all that a longer text does costs more than it saves. */
const maxAsked = 40_000;

const inheriting = /\bextends\b/;
/** A decorator, with what it is given. */
const decorating = /@[\w.]+\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g;

/** A module is the way to so many others at most, where all that it hands on may be meant. */
const maxHandedOn = 200;

/** A file of the project, and what has been found out about it. */
interface Text {
  file: string;
  /** Until it is known whether it speaks of locks itself. */
  text: string;
  length: number;
  scanned: ScannedText;
  candidate: Answer;
  store: Answer;
  /** Whether it speaks of locks itself. */
  itself?: boolean;
  /** Whether it, or something that it leads to, may do so. */
  reaches: Partial<Record<Touch, boolean>>;
  touches?: boolean;
  /** Speaks of locks in words that stand in statements. */
  words?: boolean;
  names?: Names;
  /** Where the names stand that it imports. */
  imports?: readonly Text[];
  /** By name: the module in which what it hands on stands, as far as it was asked for. */
  handed?: Map<string, Text | undefined>;
  /** Of what it hands on as a whole: the modules that hand on nothing themselves, by the names that they declare, and the others. */
  leaves?: { byName: Map<string, Text>; others: Text[] };
}

/** What was scanned is kept from snapshot to snapshot, by gate and by file, for as long as the text is the same. */
const scans = new WeakMap<Gate, Map<string, { version: string | number; scanned: ScannedText }>>();

/** Of the texts that were asked about last, by gate and by file; so many characters of them. */
const given = new WeakMap<Gate, Recent<string, { text: string; scanned: ScannedText }>>();
const keptGiven = 2_000_000;

class Search {
  private readonly texts = new Map<string, Text | undefined>();

  constructor(
    private readonly host: ModuleHost,
    private readonly gate: Gate,
  ) {}

  /** The file that is asked about, as its editor or linter has it. Those that import it are told by the same text. */
  given(file: string, text: string): Text {
    const known = this.texts.get(file);
    let last = given.get(this.gate);
    if (!last) given.set(this.gate, (last = new Recent(keptGiven)));
    let entry = last.get(file);
    // An editor asks again about a text when something else has changed.
    if (entry?.text !== text) last.set(file, (entry = { text, scanned: new ScannedText(file, text, this.gate) }), text.length);
    const it = textOf(file, text, entry!.scanned);
    if (known?.imports && sameImports(known.scanned.imports, it.scanned.imports)) it.imports = known.imports;
    this.texts.set(file, it);
    return it;
  }

  isCandidate(it: Text, hops: number, exposes: Exposes): boolean {
    return it.candidate.of(hops, () => this.speaks(it) || (hops > 0 && this.others(it).some((other) => this.isCandidate(other, hops - 1, exposes) && exposes(other.file, (it.names ??= this.namesIn(it))))));
  }

  /** Which methods a text can come to: those that it names, those of what it extends, and those that a framework runs around what a decorator of it stands on. */
  private namesIn(it: Text): Names {
    const text = this.textOf(it);
    const inherits = inheriting.test(text);
    const decorators = [...text.matchAll(decorating)].map(([, args]) => args).join('\n');
    return (method, owner) => inherits || text.includes(method) || (owner !== undefined && decorators.includes(owner));
  }

  private textOf(it: Text): string {
    return it.text || ((this.host.skim ?? this.host.read).call(this.host, it.file)?.text ?? '');
  }

  /** The text alone asks for a look. */
  private speaks(it: Text): boolean {
    if (it.itself === undefined) {
      it.itself = it.scanned.speaksOfLocks || (this.reachesStore(it, maxStoreHops) && it.scanned.speaksOfRows(it.text));
      it.touches = it.itself || it.scanned.mayTouchLocks(it.text);
      it.words = it.scanned.saysLock(it.text);
      it.text = '';
    }
    return it.itself;
  }

  reaches(file: string, touch: Touch, touches: (file: string) => boolean): boolean {
    const root = this.read(file);
    return !root || this.leads(root, touch, touch === 'any' ? (it) => (this.speaks(it), it.touches === true) && (it.length > maxAsked || touches(it.file)) : (it) => this.mayTake(it) && touches(it.file));
  }

  /** Keys are removed and prolonged by whatever client is handed in; a lock is taken where there is a store. */
  private mayTake(it: Text): boolean {
    return this.speaks(it) || (it.words === true && this.reachesStore(it, maxHops));
  }

  /** Whether a text is so, or one that it leads to. */
  private leads(root: Text, what: Touch, is: (it: Text) => boolean): boolean {
    const seen = new Map<Text, Text | undefined>([[root, undefined]]);
    for (const it of seen.keys()) {
      if (it.reaches[what] === false) continue;
      if (!it.reaches[what] && !is(it)) {
        for (const other of this.others(it)) if (!seen.has(other)) seen.set(other, it);
        continue;
      }
      for (let at: Text | undefined = it; at; at = seen.get(at)) at.reaches[what] = true;
      return true;
    }
    for (const it of seen.keys()) it.reaches[what] = false;
    return false;
  }

  behindImports(file: string): string[] {
    const it = this.read(file);
    return it ? this.others(it).map((other) => other.file) : [];
  }

  private reachesStore(it: Text, hops: number): boolean {
    return it.store.of(hops, () => it.scanned.hasStore || (hops > 0 && this.imports(it).some((other) => this.reachesStore(other, hops - 1))));
  }

  /** The modules in which stands what a file imports, past those that only hand it on. */
  private imports(it: Text): readonly Text[] {
    return (it.imports ??= [...new Set(it.scanned.imports.flatMap((each) => this.standing(this.target(it, each.specifier), each)))]);
  }

  private target(from: Text, specifier: string): Text | undefined {
    const file = this.host.resolve(from.file, specifier);
    return file === undefined ? undefined : this.read(file);
  }

  private standing(it: Text | undefined, taken: Import): Text[] {
    if (!it) return [];
    if (it.scanned.handsOn.length === 0) return [it];
    const found = new Set<Text>();
    for (const name of taken.names ?? [undefined]) {
      const one = name === undefined ? undefined : this.named(it, name);
      if (one) found.add(one);
      else this.whole(it, found);
    }
    return [...found];
  }

  /** The module in which a name of another one stands; undefined when that cannot be told. */
  private named(it: Text, name: string): Text | undefined {
    const handed = (it.handed ??= new Map());
    if (handed.has(name)) return handed.get(name);
    // A circle of modules that hand on from each other has no such name.
    handed.set(name, undefined);
    const found = this.findNamed(it, name);
    handed.set(name, found);
    return found;
  }

  private findNamed(it: Text, name: string): Text | undefined {
    for (const each of it.scanned.handsOn) {
      if (each.as !== name) continue;
      const target = this.target(it, each.specifier);
      if (target) return each.name === undefined || target.scanned.handsOn.length === 0 ? target : this.named(target, each.name);
    }
    if (this.declared(it).has(name)) return it;
    it.leaves ??= this.leavesOf(it);
    const leaf = it.leaves.byName.get(name);
    if (leaf) return leaf;
    for (const target of it.leaves.others) {
      const found = this.named(target, name);
      if (found) return found;
    }
    return undefined;
  }

  /** An index is asked for one name after the other: what it hands on as a whole is looked through once. */
  private leavesOf(it: Text): NonNullable<Text['leaves']> {
    const leaves: NonNullable<Text['leaves']> = { byName: new Map(), others: [] };
    for (const each of it.scanned.handsOn) {
      const target = each.as === undefined ? this.target(it, each.specifier) : undefined;
      if (!target) continue;
      if (target.scanned.handsOn.length > 0) leaves.others.push(target);
      else for (const name of this.declared(target)) if (!leaves.byName.has(name)) leaves.byName.set(name, target);
    }
    return leaves;
  }

  private declared(it: Text): ReadonlySet<string> {
    return it.scanned.declaredIn(() => this.textOf(it));
  }

  /** A module and all that it hands on. */
  private whole(it: Text, found: Set<Text>): void {
    if (found.has(it) || found.size >= maxHandedOn) return;
    found.add(it);
    for (const { specifier } of it.scanned.handsOn) {
      const target = this.target(it, specifier);
      if (target) this.whole(target, found);
    }
  }

  /** What a file imports, and what may stand behind the interfaces and tokens that it has or imports. */
  private others(it: Text): readonly Text[] {
    const imported = this.imports(it);
    if (!it.scanned.isInjected) return imported;
    return [...imported, ...[it, ...imported].flatMap((each) => this.behind(each))];
  }

  /** Files beside one that names an interface or a token, which it does not import. */
  private behind(it: Text): Text[] {
    if (!it.scanned.isAbstract) return [];
    return (this.host.beside?.(it.file) ?? []).slice(0, maxBeside).flatMap((file) => {
      const text = this.read(file);
      return text?.scanned.binds ? [text] : [];
    });
  }

  private read(file: string): Text | undefined {
    if (this.texts.has(file)) return this.texts.get(file);
    const source = this.host.skim ? this.host.skim(file) : this.host.read(file);
    let text: Text | undefined;
    if (source) {
      let known = scans.get(this.gate);
      if (!known) scans.set(this.gate, (known = new Map()));
      let entry = known.get(file);
      if (entry?.version !== source.version) {
        if (known.size > maxScans) known.clear();
        known.set(file, (entry = { version: source.version, scanned: new ScannedText(file, source.text, this.gate) }));
      }
      text = textOf(file, source.text, entry!.scanned);
    }
    this.texts.set(file, text);
    return text;
  }
}

const sameImports = (a: readonly Import[], b: readonly Import[]): boolean => a.length === b.length && a.every((it, i) => it.isSame(b[i]!));

const textOf = (file: string, text: string, scanned: ScannedText): Text => ({ file, text, length: text.length, scanned, candidate: new Answer(), store: new Answer(), reaches: {} });
