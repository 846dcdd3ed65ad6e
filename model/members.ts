/** What a property of a value is: members of objects, modules and packages, and what classes of the project hand down. */
import type { Evaluator, Store } from './evaluator.ts';
import type { ClassDef, Expr, Func } from './ir.ts';
import { keptOn, madeAndKept } from './kept.ts';
import { type Value, alternatives, constant, either, nothing, unknown } from './value.ts';

export class Members {
  constructor(private readonly evaluator: Evaluator) {}

  /** Property `name` of a value. */
  of(of: Value, name: string, store?: Store): Value {
    switch (of.kind) {
      case 'object': {
        const found = of.props.get(name);
        if (found) return found;
        return of.open ? { kind: 'field', of, name } : nothing;
      }
      case 'array': {
        const index = Number(name);
        if (Number.isInteger(index)) return of.items[index] ?? (of.open ? { kind: 'item', of } : nothing);
        if (name === 'length' && !of.open) return constant(of.items.length);
        return { kind: 'field', of, name };
      }
      case 'namespace': {
        const found = this.evaluator.project.exported(of.module, name);
        return found ? this.evaluator.resolved(found) : unknown(`export ${name}`);
      }
      case 'export':
        return this.ofPackage({ ...of, name: of.name === 'default' && name === 'default' ? 'default' : `${of.name}.${name}` });
      case 'global':
        return { kind: 'global', name: `${of.name}.${name}` };
      case 'this': {
        const assigned = store?.fields.get(name);
        if (assigned) return assigned;
        return this.ofObject(of.cls, name, of);
      }
      case 'instance':
        return this.ofObject(of.def, name, of);
      case 'class':
        return this.ofClass(of.def, name);
      case 'either': {
        const inner = of.of.filter((it) => !(it.kind === 'const' && (it.value === null || it.value === undefined)));
        return inner.length ? either(inner.map((it) => this.of(it, name, store))) : nothing;
      }
      case 'const':
        if (name === 'length' && typeof of.value === 'string') return constant(of.value.length);
        return of.value === null || of.value === undefined ? nothing : { kind: 'field', of, name };
      case 'param':
      case 'field':
      case 'item':
      case 'result': {
        const def = this.evaluator.classOf(of);
        return def ? this.ofObject(def, name, of) : { kind: 'field', of, name };
      }
      default:
        return { kind: 'field', of, name };
    }
  }

  private readonly asked = new Set<Expr>();

  /** What the module has made and keeps on the global object under this name. */
  kept(object: Expr, name: string): Value | undefined {
    const made = keptOn(object, name).flatMap((it) => {
      if (this.asked.has(it)) {
        // What is found there or else made does not depend on what is found there.
        this.evaluator.circles.cut();
        return [];
      }
      this.asked.add(it);
      const value = this.evaluator.value(it);
      this.asked.delete(it);
      return madeAndKept(alternatives(value));
    });
    return made.length > 0 ? either(made) : undefined;
  }

  /** A constant of a package that its rows speak of stands for what it is. */
  private ofPackage(value: Value & { kind: 'export' }): Value {
    const known = this.evaluator.project.catalog.constantOf(value.specifier, value.name);
    return known === undefined ? value : constant(known);
  }

  private ofClass(def: ClassDef, name: string): Value {
    for (const cls of this.lineage(def)) {
      const method = cls.statics.get(name);
      if (method) return { kind: 'func', func: method, bindings: [], self: { kind: 'class', def } };
      const field = cls.fields.get(name);
      if (field?.isStatic && field.values.length) return either(field.values.map((it) => this.evaluator.value(it)));
    }
    return { kind: 'field', of: { kind: 'class', def }, name };
  }

  /** A method, getter or field of an object of a class. Fields stay symbolic unless they are constant. */
  private ofObject(def: ClassDef, name: string, self: Value): Value {
    for (const cls of this.lineage(def)) {
      const method = cls.methods.get(name);
      if (method) return { kind: 'func', func: method, bindings: [], self };
      const getter = cls.getters.get(name);
      if (getter) return this.evaluator.bind(this.evaluator.returns(getter), { func: getter, args: [], self });
      const field = cls.fields.get(name);
      if (!field || field.values.length === 0) continue;
      if (field.values.length === 1) {
        const value = this.evaluator.value(field.values[0]!);
        if (value.kind === 'func' || isPlain(value)) return self.kind === 'this' ? value : this.bindSelf(value, self);
        if (self.kind === 'instance' && value.kind !== 'unknown') return this.bindConstruction(value, self);
      } else if (self.kind === 'instance') {
        const values = field.values.map((it) => this.evaluator.value(it)).filter((it) => !(it.kind === 'const' && (it.value === null || it.value === undefined || it.value === '')));
        if (values.length === 1) return this.bindConstruction(values[0]!, self);
      }
      return { kind: 'field', of: self, name };
    }
    return { kind: 'field', of: self, name };
  }

  private bindSelf(value: Value, self: Value): Value {
    return value.kind === 'func' ? { ...value, self } : value;
  }

  /** What a constructor put into a field, seen from an object whose construction is known. */
  private bindConstruction(value: Value, self: Value & { kind: 'instance' }): Value {
    const construct = this.construct(self.def);
    return construct ? this.evaluator.bind(value, { func: construct, args: self.args, self }) : value;
  }

  /** The constructor that `new` runs: the class's own, or one that it inherits. */
  construct(def: ClassDef): Func | undefined {
    for (const cls of this.lineage(def)) if (cls.construct) return cls.construct;
    return undefined;
  }

  /** The class and those that it extends, as far as they are of this project. */
  lineage(def: ClassDef): ClassDef[] {
    const found = [def];
    for (let at = def; at.base && found.length < 8; ) {
      const base = this.evaluator.value(at.base);
      if (base.kind !== 'class' || found.includes(base.def)) break;
      found.push(base.def);
      at = base.def;
    }
    return found;
  }
}

function isPlain(value: Value): boolean {
  return value.kind === 'const' ? value.value !== null && value.value !== undefined && value.value !== '' && typeof value.value !== 'boolean' : value.kind === 'text' ? value.parts.every(isPlain) : value.kind === 'object' ? [...value.props.values()].every((it) => it.kind === 'const') : false;
}
