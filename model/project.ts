/** The modules that have been read, each lowered once per version, and what the names that they import stand for. */
import { type CatalogIndex } from './catalog-index.ts';
import type { ModuleHost, Program } from './host.ts';
import type { Expr, Module, TypeRef } from './ir.ts';
import { lowerModule } from './lower/module.ts';

export type Resolved =
  /** A value of a module of this project. */
  | { kind: 'value'; expr: Expr; module: Module }
  | { kind: 'type'; module: Module; name: string; type: TypeRef | undefined }
  | { kind: 'module'; module: Module }
  /** Something that a package exports. */
  | { kind: 'package'; specifier: string; name: string; module: Module };

const maxModules = 400;

/** A tree that a host hands out again is lowered once. */
const byProgram = new WeakMap<Program, Module>();

function lowered(file: string, text: string, program: Program): Module {
  let module = byProgram.get(program);
  if (!module || module.file !== file) byProgram.set(program, (module = lowerModule(file, text, program)));
  return module;
}

export class Project {
  private readonly modules = new Map<string, Module | undefined>();
  private readonly resolutions = new Map<string, string | undefined>();
  /** Files that were asked for while this project was in use: what its answers depend on. */
  readonly dependencies = new Map<string, string | number | undefined>();

  constructor(
    readonly host: ModuleHost,
    readonly catalog: CatalogIndex,
  ) {}

  /** Puts in the file that is looked at, as its editor or linter has it. */
  add(file: string, text: string, program: Program): Module {
    const module = lowered(file, text, program);
    this.modules.set(file, module);
    return module;
  }

  module(file: string): Module | undefined {
    if (this.modules.has(file)) return this.modules.get(file);
    let module: Module | undefined;
    const source = this.modules.size < maxModules ? this.host.read(file) : undefined;
    this.dependencies.set(file, source?.version);
    if (source) {
      const program = this.host.parse(file, source);
      if (program) module = lowered(file, source.text, program);
    }
    this.modules.set(file, module);
    return module;
  }

  /** The project's own module that a specifier names, or undefined for packages. */
  imported(from: Module, specifier: string): Module | undefined {
    const id = `${from.file}\0${specifier}`;
    let file = this.resolutions.get(id);
    if (!this.resolutions.has(id)) {
      file = this.host.resolve(from.file, specifier);
      this.resolutions.set(id, file);
    }
    return file === undefined ? undefined : this.module(file);
  }

  /** What `name` of `specifier` is; `*` is the module as a whole. Cycles of re-exports end. */
  resolve(from: Module, specifier: string, name: string, seen = new Set<string>()): Resolved | undefined {
    // A package of the workspace that rows describe is what the rows say.
    const module = !isOwn(specifier) && this.catalog.librariesOf(specifier).length > 0 ? undefined : this.imported(from, specifier);
    if (!module) {
      return isOwn(specifier) ? undefined : { kind: 'package', specifier, name: name === '*' ? 'default' : name, module: from };
    }
    return name === '*' ? { kind: 'module', module } : this.exported(module, name, seen);
  }

  exported(module: Module, name: string, seen = new Set<string>()): Resolved | undefined {
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
