/** The modules that have been read, each lowered once per version, and what the names that they import stand for. */
import { type CatalogIndex } from './catalog-index.ts';
import type { ModuleHost, Program } from './host.ts';
import type { Expr, Module, TypeRef } from './ir.ts';
import { type Kept, byProgram, foldersAbove, lowered, roomOf, upwards } from './read-modules.ts';

export type Resolved =
  /** A value of a module of this project. */
  | { kind: 'value'; expr: Expr; module: Module }
  | { kind: 'type'; module: Module; name: string; type: TypeRef | undefined }
  | { kind: 'module'; module: Module }
  /** Something that a package exports. */
  | { kind: 'package'; specifier: string; name: string; module: Module };

/** What may be done to a lock behind a module: anything, or what takes one or needs to hold it. */
export type Touch = 'any' | 'taking';
const touches: readonly Touch[] = ['any', 'taking'];

/** A file leads to so many others at most. */
const maxModules = 400;
/** So many files of a folder are looked at, and so many of them read: more are no neighbours. */
const maxBeside = 60;
const maxSaying = 8;
/** Modules of this many characters of text are kept, where the host says nothing else. */
const maxKeptText = 2_500_000;

/** What exports names that do not stand in it. */
const handsOn = /export\s*\*|exports\b|export\s*=/;

/**
 * Modules outlive the file for which they were read, and with them whatever was computed of them. A
 * module is dropped, and lowered anew when it is asked for, as soon as its text, the place of one of
 * its imports, or a module that it leads to has changed.
 */
export class Project {
  private readonly kept = new Map<string, Kept>();
  private readonly exports = new WeakMap<Module, Map<string, Resolved | undefined>>();
  private keptText = 0;
  private snapshot: object | undefined;
  private loaded = 0;
  /** Files that have been looked at again for the file in hand, or under the snapshot, with all that they lead to. */
  private readonly fresh = new Set<string>();

  /** `reaches` tells whether anything of a lock can be behind a file, itself or a module that it takes something from. */
  constructor(
    private host: ModuleHost,
    readonly catalog: CatalogIndex,
    private readonly reaches: (file: string, touch: Touch, host: ModuleHost) => boolean = () => true,
  ) {}

  /** Puts in the file that is looked at, as its editor or linter has it; `host` answers from now on. */
  add(file: string, text: string, program: Program, host = this.host): Module {
    if (!host.snapshot) this.fresh.clear();
    this.answer(host);
    this.fresh.delete(file);
    this.dropChanged(file, text);
    this.makeRoom();
    const known = this.kept.get(file);
    if (known?.module) return known.module;
    const module = lowered(file, text, program);
    this.keep(file, { text, module, edges: new Map(), beside: new Map(), reaches: {} });
    return module;
  }

  /** A file as it is now, by what `host` answers from now on. */
  reread(file: string, host: ModuleHost): Module | undefined {
    this.answer(host);
    return this.module(file);
  }

  /** What was looked at holds for the same host, and as long as its snapshot does. */
  private answer(host: ModuleHost): void {
    const isOther = host.snapshot ? host.snapshot !== this.snapshot : host !== this.host;
    if (isOther) this.fresh.clear();
    this.host = host;
    this.snapshot = host.snapshot;
    this.loaded = 0;
    // A lock may have come behind a module that has not changed itself.
    if (isOther) this.drop(new Set([...this.kept].filter(([file, it]) => touches.some((touch) => it.reaches[touch] !== undefined && it.reaches[touch] !== this.reaches(file, touch, host))).map(([file]) => file)));
  }

  module(file: string): Module | undefined {
    this.dropChanged(file);
    const known = this.kept.get(file);
    if (known && !known.isUnparsed) return known.module;
    if (this.loaded >= maxModules) return undefined;
    this.loaded++;
    const source = this.host.read(file);
    const program = source && this.host.parse(file, source);
    const module = program && lowered(file, source.text, program);
    this.keep(file, { text: source?.text, module, edges: new Map(), beside: new Map(), reaches: {} });
    return module;
  }

  private keep(file: string, it: Kept): void {
    this.kept.set(file, it);
    this.fresh.add(file);
    this.keptText += roomOf(it);
  }

  /**
   * Looks again at everything that `root` leads to, and lets go of what is not what it was. What a changed
   * file leads to now is looked at when it is asked for. `text` is that of the file in hand.
   */
  private dropChanged(root: string, text?: string): void {
    if (this.fresh.has(root)) return;
    const changed = new Set<string>();
    const seen = new Set<string>([root]);
    for (const file of seen) {
      const it = this.fresh.has(file) ? undefined : this.kept.get(file);
      if (!it) continue;
      // What is used moves to the end of the order in which things are let go.
      this.kept.delete(file);
      this.kept.set(file, it);
      if (it.text !== (file === root && text !== undefined ? text : this.host.read(file)?.text)) {
        changed.add(file);
        continue;
      }
      for (const [specifier, target] of it.edges) {
        if (this.host.resolve(file, specifier) !== target) changed.add(file);
        else if (target !== undefined) seen.add(target);
      }
      for (const [word, files] of it.beside) {
        if (this.saying(file, word).join() !== files.join()) changed.add(file);
        for (const each of files) seen.add(each);
      }
    }
    this.drop(changed);
    for (const file of seen) if (this.kept.has(file)) this.fresh.add(file);
  }

  /** Lets go of what was used longest ago, well below the limit, so that it need not be done at every file. */
  private makeRoom(): void {
    const room = this.host.room ?? maxKeptText;
    if (this.keptText <= room) return;
    // Whoever leads to what goes has to go with it.
    this.fresh.clear();
    const oldest = new Set<string>();
    let left = this.keptText;
    for (const [file, it] of this.kept) {
      if (left <= room * 0.7) break;
      oldest.add(file);
      left -= roomOf(it);
    }
    this.drop(oldest);
  }

  /**
   * Forgets modules and whoever leads to them: those have been computed with what they were. Adds these to
   * `files`. What is fresh has seen nothing of them yet.
   */
  private drop(files: Set<string>): void {
    for (const file of files) {
      for (const [other, { edges, beside }] of this.kept) if (!this.fresh.has(other) && [...edges.values(), ...[...beside.values()].flat()].includes(file)) files.add(other);
    }
    for (const file of files) {
      const it = this.kept.get(file);
      if (!it) continue;
      if (it.module) byProgram.delete(it.module.program);
      this.keptText -= roomOf(it);
      this.kept.delete(file);
    }
  }

  /** False where nothing of a lock can be behind a module: what its functions do is not asked for without need. */
  mayLock(module: Module): boolean {
    return this.mayReach(module, 'any');
  }

  /** False where no lock can be taken or needed behind a module: whoever only removes or prolongs keys may do so of any. */
  mayTake(module: Module): boolean {
    return this.mayReach(module, 'taking');
  }

  private mayReach(module: Module, touch: Touch): boolean {
    const kept = this.kept.get(module.file);
    return kept ? (kept.reaches[touch] ??= this.reaches(module.file, touch, this.host)) : true;
  }

  /** The project's own module that a specifier names, or undefined for packages. */
  imported(from: Module, specifier: string): Module | undefined {
    const file = this.target(from, specifier);
    return file === undefined ? undefined : this.module(file);
  }

  private target(from: Module, specifier: string): string | undefined {
    const edges = this.kept.get(from.file)?.edges;
    let file = edges?.get(specifier);
    if (!edges?.has(specifier)) {
      file = this.host.resolve(from.file, specifier);
      edges?.set(specifier, file);
    }
    return file;
  }

  /** Whether the text of a module that is handed on as a whole can have the name: an index of hundreds of files is asked for one. */
  private mayExport(from: Module, star: string, name: string): boolean {
    const text = this.textOf(from, star);
    return text === undefined || text.includes(name) || handsOn.test(text);
  }

  /** The text of a module of the project that a specifier names, which is not parsed for it. */
  textOf(from: Module, specifier: string): string | undefined {
    const file = this.target(from, specifier);
    if (file === undefined) return undefined;
    let kept = this.kept.get(file);
    if (!kept) this.keep(file, (kept = { text: this.host.read(file)?.text, module: undefined, isUnparsed: true, edges: new Map(), beside: new Map(), reaches: {} }));
    return kept.text;
  }

  /** The modules in the folder of `module` whose text has a word: what an interface's or a token's file does not import, but lies with it. */
  beside(module: Module, word: string): Module[] {
    const kept = this.kept.get(module.file)?.beside;
    const files = kept?.get(word) ?? this.saying(module.file, word);
    kept?.set(word, files);
    return files.flatMap((it) => this.module(it) ?? []);
  }

  /** The same of the folders above: a feature's layers lie below the file that puts them together. */
  above = (module: Module, word: string): Module[] => this.beside(module, `${upwards}${word}`);

  private saying(file: string, asked: string): readonly string[] {
    const isAbove = asked.startsWith(upwards);
    const word = isAbove ? asked.slice(upwards.length) : asked;
    const pattern = new RegExp(`(?<![\\w$])${word.replace(/[^\w$]/g, '\\$&')}(?![\\w$])`);
    const says = (it: string): boolean => { const text = this.host.read(it)?.text; return text?.includes(word) === true && pattern.test(text); };
    const found = (isAbove ? foldersAbove(file) : [file]).flatMap((it) => (this.host.beside?.(it) ?? []).slice(0, maxBeside)).filter(says);
    return found.length > maxSaying ? [] : found;
  }

  /** What `name` of `specifier` is; `*` is the module as a whole. Cycles of re-exports end. */
  resolve(from: Module, specifier: string, name: string, seen?: Set<string>): Resolved | undefined {
    // A package of the workspace that rows describe is what the rows say.
    const module = !isOwn(specifier) && this.catalog.librariesOf(specifier).length > 0 ? undefined : this.imported(from, specifier);
    if (isOwn(specifier) && this.catalog.isKnownAnywhere(name)) {
      // What is generated is often not there, or is what a function of the package answers.
      const found = module && this.exported(module, name, seen);
      return found && (found.kind !== 'value' || found.expr.kind !== 'call') ? found : { kind: 'package', specifier, name, module: from };
    }
    if (!module) {
      return isOwn(specifier) ? undefined : { kind: 'package', specifier, name: name === '*' ? 'default' : name, module: from };
    }
    return name === '*' ? { kind: 'module', module } : this.exported(module, name, seen);
  }

  exported(module: Module, name: string, seen?: Set<string>): Resolved | undefined {
    if (seen) return this.findExport(module, name, seen);
    let known = this.exports.get(module);
    if (!known) this.exports.set(module, (known = new Map()));
    if (!known.has(name)) known.set(name, this.findExport(module, name, new Set()));
    return known.get(name);
  }

  private findExport(module: Module, name: string, seen: Set<string>): Resolved | undefined {
    const id = `${module.file}\0${name}`;
    if (seen.has(id)) return undefined;
    seen.add(id);
    const direct = module.exports.get(name);
    if (direct?.value) return { kind: 'value', expr: direct.value, module };
    if (direct?.type) return { kind: 'type', module, name: direct.type.name, type: module.types.get(direct.type.name) };
    if (direct?.from) return this.resolve(module, direct.from.specifier, direct.from.name, seen);
    if (module.whole) {
      // `module.exports = { a, b }`: a name is a property; the default is the whole.
      if (name === 'default') return { kind: 'value', expr: module.whole, module };
      if (module.whole.kind === 'object') {
        const prop = module.whole.props.find((it) => it.name === name);
        if (prop) return { kind: 'value', expr: prop.value, module };
      }
      return { kind: 'value', expr: { kind: 'member', object: module.whole, name, optional: false, span: module.whole.span }, module };
    }
    for (const star of module.stars) {
      if (name !== 'default' && !this.mayExport(module, star, name)) continue;
      const found = this.resolve(module, star, name, seen);
      if (found && (found.kind !== 'package' || !isOwn(star))) return found;
    }
    // A default import of a CommonJS module that only has named exports is the module itself.
    if (name === 'default' && module.exports.size > 0 && !module.exports.has('default')) return { kind: 'module', module };
    return undefined;
  }

  /** The range that the project's package.json gives for the package that `specifier` belongs to. */
  packageRange(from: Module, specifier: string): string | undefined {
    const parts = specifier.split('/');
    const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
    return this.host.packageRange(from.file, name);
  }
}

/** A specifier that can only name a file of the project itself. */
const isOwn = (specifier: string): boolean => specifier.startsWith('.') || specifier.startsWith('/') || specifier.startsWith('#') || specifier.startsWith('~/') || specifier.startsWith('@/');
