/**
 * What a value is: of which type of a library, or of which class of the project. Told by
 * construction, annotation, injection, factories and getters; never by a name in the user's code.
 */
import type { TypeId } from '../catalog/schema.ts';
import type { ClassDef, Expr, Field, Func, Module, TypeRef } from './ir.ts';
import type { Identity } from './identified.ts';
import type { ObtainRow } from './catalog-index.ts';
import type { Evaluator } from './evaluator.ts';
import { classByFolder } from './folders.ts';
import { implementing, provided } from './providers.ts';
import { type Value, alternatives, receiverIndex, unknown } from './value.ts';

const maxDepth = 10;

export class Identities {
  private readonly byRef = new WeakMap<TypeRef, Identity | undefined>();
  private readonly byInjectedRef = new WeakMap<TypeRef, Identity | undefined>();
  /** By the parameter or field that is injected. */
  private readonly byProvider = new WeakMap<object, Identity | undefined>();
  /** Of fields and of what calls answer. */
  private readonly bySteps = new WeakMap<Value, Identity | undefined>();
  private depth = 0;
  /** What a function gets from the library that it is handed to; set by `Calls`, which knows the calls. */
  handed: (func: Func, index: number) => TypeId | undefined = () => undefined;
  /** What a function gets from the promise or the array that it is handed to; set by `Calls`. */
  handedValue: (func: Func, index: number) => Value | undefined = () => undefined;

  constructor(private readonly evaluator: Evaluator) {
    evaluator.classOf = (value) => this.of(value)?.def;
    evaluator.isMap = (value) => ['Map', 'WeakMap'].includes(this.of(value)?.builtin ?? '');
    evaluator.claimed = (type, module) => {
      const found = this.ofAnnotation(type, module);
      return found?.type === undefined ? unknown('an object that is only said to be something') : { kind: 'typed', type: found.type, args: [], from: module };
    };
  }

  of(value: Value): Identity | undefined {
    if (this.depth > maxDepth) {
      // Another way to the same value may be shorter.
      this.evaluator.circles.cut();
      return undefined;
    }
    const isStep = value.kind === 'field' || value.kind === 'result';
    // A chain of calls asks for each of its steps from each that follows.
    if (isStep && this.bySteps.has(value)) return this.bySteps.get(value);
    const before = this.evaluator.circles.count;
    this.depth++;
    const found = this.find(value);
    this.depth--;
    if (isStep && this.evaluator.circles.count === before) this.bySteps.set(value, found);
    return found;
  }

  private find(value: Value): Identity | undefined {
    switch (value.kind) {
      case 'typed':
        return { type: value.type, typed: value };
      case 'instance':
        return { def: value.def };
      case 'this':
        return { def: value.cls };
      case 'class':
        return { def: value.def, type: this.baseType(value.def, 'subclass') };
      case 'param': {
        if (value.index === receiverIndex) return this.ofAnnotation(value.func.thisType, value.func.module);
        const param = value.func.params[value.index];
        if (!param) return undefined;
        if (param.rest) return param.annotation?.kind === 'array' ? { element: param.annotation.of, elementOf: value.func.module } : undefined;
        const injected = value.func.kind === 'constructor';
        const declared = this.ofProvider(param, value.func.module) ?? this.ofAnnotation(param.annotation, value.func.module, injected) ?? this.ofDecorators(param.decorators) ?? (param.fallback && this.of(this.evaluator.value(param.fallback)));
        if (declared) return declared;
        const type = this.handed(value.func, value.index);
        if (type !== undefined) return { type };
        const from = this.handedValue(value.func, value.index);
        return from && this.of(from);
      }
      case 'field':
        return this.ofField(value.of, value.name);
      case 'item': {
        const of = this.of(value.of);
        if (of?.type !== undefined) return this.ofProperty(of.type, '*');
        return of?.element ? this.ofAnnotation(of.element, of.elementOf!) : undefined;
      }
      case 'result': {
        if (value.callee.kind === 'global' && value.site.isNew) return { builtin: value.callee.name };
        if (value.callee.kind === 'func') return this.ofAnnotation(value.callee.func.returnType, value.callee.func.module);
        if (value.callee.kind === 'field') {
          const of = this.of(value.callee);
          if (of?.returns) return this.ofAnnotation(of.returns, of.returnsOf!);
        }
        return undefined;
      }
      case 'export': {
        const { catalog } = this.evaluator.project;
        const type = this.pick(catalog.obtainFromExport(value.specifier, 'value', value.name), value.from);
        if (type !== undefined) return { type };
        const dot = value.name.lastIndexOf('.');
        const of = dot < 0 ? undefined : this.pick(catalog.obtainFromExport(value.specifier, 'value', value.name.slice(0, dot)), value.from);
        return of === undefined ? undefined : this.ofProperty(of, value.name.slice(dot + 1));
      }
      case 'releaser':
        return value.type === undefined ? undefined : { type: value.type };
      case 'either':
        for (const it of alternatives(value)) {
          const found = this.of(it);
          if (found) return found;
        }
        return undefined;
      default:
        return undefined;
    }
  }

  private ofField(of: Value, name: string): Identity | undefined {
    const parent = this.of(of);
    const def = !parent || (parent.def === undefined && parent.type === undefined) ? classByFolder(of, name, this.evaluator) : undefined;
    if (def) return { def };
    if (!parent) return undefined;
    if (parent.def) {
      for (const cls of this.evaluator.lineage(parent.def)) {
        const field = cls.fields.get(name);
        const found = field ? this.ofClassField(field, cls) : undefined;
        if (found) return found;
        const getter = cls.getters.get(name);
        if (getter) return this.ofAnnotation(getter.returnType, getter.module) ?? this.of(this.evaluator.returns(getter));
      }
      const base = this.baseType(parent.def);
      return base ? this.ofProperty(base, name) : undefined;
    }
    if (parent.type) return this.ofProperty(parent.type, name);
    const member = parent.members?.get(name);
    return member && this.ofAnnotation(member, parent.membersOf!);
  }

  private ofProperty(type: TypeId, name: string): Identity | undefined {
    const [row] = this.evaluator.project.catalog.obtainFromType(type, 'property', name);
    return row && { type: row.row.type };
  }

  private ofClassField(field: Field, cls: ClassDef): Identity | undefined {
    const declared = this.ofProvider(field, cls.module) ?? this.ofAnnotation(field.annotation, cls.module, true) ?? this.ofDecorators(field.decorators);
    if (declared?.type || declared?.def) {
      // The construction tells more than the annotation: a pool of one, a fake.
      for (const it of field.values) {
        const made = this.of(this.evaluator.value(it));
        if (made?.typed && made.type !== undefined) return made;
      }
      return declared;
    }
    for (const it of field.values) {
      const found = this.of(this.evaluator.value(it));
      if (found) return found;
    }
    return declared;
  }

  /** What a provider binds to an injected parameter or field. */
  private ofProvider(it: Pick<Field, 'decorators' | 'annotation'>, module: Module): Identity | undefined {
    if (it.decorators.length === 0 && !it.annotation) return undefined;
    if (this.byProvider.has(it)) return this.byProvider.get(it);
    const before = this.evaluator.circles.count;
    const value = provided(it.decorators, it.annotation, module, this.evaluator);
    const found = value && (value.kind === 'class' ? { def: value.def } : this.of(value));
    const answer = found?.def || found?.type !== undefined ? found : undefined;
    // What goes round in a circle gives no whole answer.
    if (this.evaluator.circles.count === before) this.byProvider.set(it, answer);
    return answer;
  }

  private ofDecorators(decorators: readonly Expr[]): Identity | undefined {
    for (const it of decorators) {
      const value = this.evaluator.value(it.kind === 'call' ? it.callee : it);
      if (value.kind !== 'export') continue;
      const [row] = this.evaluator.project.catalog.obtainFromExport(value.specifier, 'decorator', value.name);
      if (row) return { type: row.row.type };
    }
    return undefined;
  }

  /** The first row that holds in the project of `from`, by the version of its package. */
  private pick(rows: readonly ObtainRow[], from: Module): TypeId | undefined {
    const { catalog } = this.evaluator.project;
    return rows.find(({ row, library }) => !row.versions || catalog.holdsIn(row.versions, this.rangeOf(library.packages, from)))?.row.type;
  }

  private rangeOf(packages: readonly string[], from: Module): string | undefined {
    for (const name of packages) {
      const range = name.endsWith('/*') ? undefined : this.evaluator.project.packageRange(from, name);
      if (range !== undefined) return range;
    }
    return undefined;
  }

  /** The library's type that a class of the project extends: `class PrismaService extends PrismaClient`. */
  baseType(def: ClassDef, by: 'annotation' | 'subclass' = 'annotation'): TypeId | undefined {
    for (const cls of this.evaluator.lineage(def)) {
      if (!cls.base) continue;
      const base = this.evaluator.value(cls.base);
      if (base.kind !== 'export') continue;
      const type = this.pick(this.evaluator.project.catalog.obtainFromExport(base.specifier, by, base.name), base.from);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  ofAnnotation(ref: TypeRef | undefined, module: Module, injected = false): Identity | undefined {
    if (!ref || ref.kind === 'other') return undefined;
    const known = injected ? this.byInjectedRef : this.byRef;
    if (known.has(ref)) return known.get(ref);
    if (this.depth > maxDepth) return undefined;
    this.depth++;
    known.set(ref, undefined);
    const found = this.annotated(ref, module, injected);
    this.depth--;
    known.set(ref, found);
    return found;
  }

  private annotated(ref: TypeRef, module: Module, injected: boolean): Identity | undefined {
    switch (ref.kind) {
      case 'name':
        return this.named(ref, module, injected);
      case 'typeof':
        return this.of(this.evaluator.value(ref.expr));
      case 'returns': {
        if (ref.of.kind !== 'typeof') return this.ofAnnotation(ref.of, module);
        const value = this.evaluator.value(ref.of.expr);
        if (value.kind === 'func') return this.ofAnnotation(value.func.returnType, value.func.module) ?? this.of(this.evaluator.returns(value.func));
        if (value.kind === 'export') {
          const type = this.pick(this.evaluator.project.catalog.obtainFromExport(value.specifier, 'call', value.name), value.from);
          return type === undefined ? undefined : { type };
        }
        return undefined;
      }
      case 'instance': {
        if (ref.of.kind !== 'typeof') return undefined;
        const value = this.evaluator.value(ref.of.expr);
        return value.kind === 'class' ? { def: value.def } : undefined;
      }
      case 'part': return this.ofPart(ref, module, injected);
      case 'union': {
        const found = ref.of.flatMap((it) => this.ofAnnotation(it, module, injected) ?? []);
        // Who it is comes before what it has.
        const first = found.find((it) => it.type !== undefined || it.def) ?? found[0];
        const rest = found.filter((it) => it !== first);
        return first && rest.some((it) => it.type !== undefined && it.type !== first.type) ? { ...first, others: rest.flatMap((it) => it.type ?? []) } : first;
      }
      case 'object':
        return { members: ref.members, membersOf: module };
      case 'array':
        return { element: ref.of, elementOf: module };
      case 'function':
        return { returns: ref.returns, returnsOf: module };
      default:
        return undefined;
    }
  }

  /** A client without what only a client has is a transaction of it; one of which that is not known may be either. */
  private ofPart(ref: TypeRef & { kind: 'part' }, module: Module, injected: boolean): Identity | undefined {
    const whole = this.ofAnnotation(ref.of, module, injected);
    const without = whole?.type === undefined ? [] : this.evaluator.project.catalog.obtainWithout(whole.type);
    const inner = without.find(({ row }) => ref.names.some((it) => [row.name].flat().includes(it)) === (ref.how === 'Omit'))?.row;
    if (inner && ref.how === 'Omit') return { type: inner.type };
    return inner || ref.names.some((it) => it.startsWith('<')) ? { ...whole, others: without.map(({ row }) => row.type) } : whole;
  }

  private named(ref: TypeRef & { kind: 'name' }, module: Module, injected: boolean): Identity | undefined {
    if (ref.name === 'Array' || ref.name === 'ReadonlyArray' || ref.name === 'Set') return ref.args[0] && { element: ref.args[0], elementOf: module };
    const variable = ref.variable;
    if (!variable) return (this.fromPackage('', [ref.name], injected, module) ?? { builtin: ref.name });
    if (variable.import && variable.module) {
      const { project } = this.evaluator;
      const resolved = project.resolve(variable.module, variable.import.specifier, variable.import.name);
      if (!resolved) return this.fromPackage(variable.import.specifier, [variable.import.name], injected, module);
      if (resolved.kind === 'package') {
        const head = variable.import.name === '*' ? 'default' : resolved.name;
        return this.fromPackage(resolved.specifier, [[head, ...ref.path].join('.'), ...(variable.import.name === '*' ? [ref.path.join('.')] : [])], injected, module);
      }
      if (resolved.kind === 'type') {
        return this.implementing(resolved.name, resolved.module, module) ?? (resolved.type && this.ofAnnotation(resolved.type, resolved.module, injected));
      }
      if (resolved.kind === 'module') {
        const last = ref.path[ref.path.length - 1];
        const inner = last ? project.exported(resolved.module, last) : undefined;
        if (inner?.kind === 'type') return inner.type && this.ofAnnotation(inner.type, inner.module, injected);
        if (inner?.kind === 'value') return this.ofClass(this.evaluator.value(inner.expr));
        return undefined;
      }
      return this.ofClass(this.evaluator.value(resolved.expr));
    }
    const alias = variable.module?.types.get(variable.name);
    if (alias && variable.kind === 'type') return this.implementing(variable.name, module, module) ?? this.ofAnnotation(alias, module, injected);
    return variable.values[0] ? this.ofClass(this.evaluator.value(variable.values[0])) : undefined;
  }

  /** What is injected under an interface is the one class that implements it. */
  private implementing(name: string, home: Module, module: Module): Identity | undefined {
    const def = implementing(name, home, module, this.evaluator);
    return def && { def };
  }

  private ofClass(value: Value): Identity | undefined {
    if (value.kind === 'class') return { def: value.def };
    // `const User = model('User', …)` used as a type.
    return value.kind === 'export' ? this.fromPackage(value.specifier, [value.name], false, value.from) : this.of(value);
  }

  private fromPackage(specifier: string, names: readonly string[], injected: boolean, from: Module): Identity | undefined {
    const { catalog } = this.evaluator.project;
    for (const name of names) {
      // What is injected once is more than what is handed in at each call.
      const type = (injected ? this.pick(catalog.obtainFromExport(specifier, 'member', name), from) : undefined) ?? this.pick(catalog.obtainFromExport(specifier, 'annotation', name), from);
      if (type !== undefined) return { type };
    }
    return undefined;
  }
}
