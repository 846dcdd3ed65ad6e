/**
 * What an expression can be. Without a store the answer holds wherever the expression stands; with
 * one it holds on the path that the store describes (after a granted acquire, say).
 */
import { bind } from './binding.ts';
import { Circles } from './circles.ts';
import { CallSteps } from './call-steps.ts';
import type { CallExpr, ClassDef, Expr, Func, Module, TypeRef, Variable } from './ir.ts';
import { elementOf, withAdded } from './collections.ts';
import { itself, withoutItself } from './itself.ts';
import { withoutKept } from './kept.ts';
import { Members } from './members.ts';
import { binary, nullish, unary } from './operators.ts';
import type { Project, Resolved } from './project.ts';
import { type Binding, type Value, alternatives, receiverIndex, constant, either, nothing, printValue, text, truthiness, unknown } from './value.ts';

/** What is known on a path: variables, results of calls and fields of `this` that were assigned on it. */
export interface Store {
  variables: Map<Variable, Value>;
  results: Map<CallExpr, Value>;
  fields: Map<string, Value>;
}

const maxDepth = 24;

export class Evaluator {
  private readonly memo = new WeakMap<Expr, Value>();
  private readonly returned = new WeakMap<Func, Value>();
  private readonly busy = new Set<unknown>();
  private readonly members = new Members(this);
  private readonly steps = new CallSteps((it) => this.value(it), (it) => this.memo.has(it) || this.busy.has(it));
  private depth = 0;
  /** Set by `Calls`, which knows the catalog; the two need each other. */
  callValue: (call: CallExpr, store: Store | undefined) => Value = () => unknown('a call');

  readonly circles = new Circles();

  constructor(readonly project: Project) {}

  /** Whether a value is a map of the language; set by `Identities`. */
  isMap: (value: Value) => boolean = () => false;

  /** The class of the project that a value is an object of; set by `Identities`. */
  classOf: (value: Value) => ClassDef | undefined = () => undefined;

  /** A value that is only said to be of a type; set by `Identities`. */
  claimed: (type: TypeRef, module: Module) => Value = () => unknown('a claim');

  private cyclic(): Value {
    this.circles.cut();
    return itself;
  }

  value(expr: Expr, store?: Store): Value {
    if (!store) {
      const known = this.memo.get(expr);
      if (known) return known;
      const step = this.steps.get(expr);
      if (step) return step;
      if (this.busy.has(expr)) return this.cyclic();
      const steps = expr.kind === 'call' ? this.steps.begin(expr) : undefined;
      this.busy.add(expr);
      const before = this.circles.count;
      const value = this.guarded(expr, undefined);
      this.busy.delete(expr);
      if (steps) this.steps.end(steps);
      // What was seen while something was going round in a circle is not the whole answer.
      if (this.circles.count === before || this.busy.size === 0) this.memo.set(expr, value);
      return value;
    }
    return this.guarded(expr, store);
  }

  private guarded(expr: Expr, store: Store | undefined): Value {
    if (this.depth > maxDepth) {
      // Another way to the same expression may be shorter.
      this.circles.cut();
      return unknown('too deep');
    }
    if (this.busy.size <= 1 && this.depth === 0) this.circles.begin();
    this.circles.look();
    this.depth++;
    const value = this.evaluate(expr, store);
    this.depth--;
    return value;
  }

  private evaluate(expr: Expr, store: Store | undefined): Value {
    switch (expr.kind) {
      case 'const':
        return constant(expr.value);
      case 'template':
        return text(expr.parts.map((it) => (typeof it === 'string' ? constant(it) : this.value(it, store))));
      case 'var':
        return this.variable(expr.variable, store);
      case 'this':
        // The receiver of a function that belongs to no class is whatever it is called on.
        if (!expr.func.owner) return expr.func.kind === 'function' ? { kind: 'param', func: expr.func, index: receiverIndex } : unknown('this');
        return expr.func.isStatic ? { kind: 'class', def: expr.func.owner } : { kind: 'this', cls: expr.func.owner };
      case 'module': {
        const found = this.project.resolve(expr.module, expr.specifier, '*');
        return found ? this.resolved(found) : unknown(`module ${expr.specifier}`);
      }
      case 'member': {
        const of = this.value(expr.object, store);
        const name = typeof expr.name === 'string' ? expr.name : this.propertyName(expr.name, store);
        if (name === undefined) return { kind: 'item', of };
        return (of.kind === 'global' && this.members.kept(expr.object, name)) || this.member(of, name, store);
      }
      case 'call':
        return store?.results.get(expr) ?? this.callValue(expr, store);
      case 'object': {
        const props = new Map<string, Value>();
        let open = false;
        for (const it of expr.props) {
          const value = this.value(it.value, store);
          if (it.name === undefined) {
            if (value.kind === 'object') {
              for (const [name, inner] of value.props) props.set(name, inner);
              open ||= value.open;
            } else open = true;
          } else {
            const name = typeof it.name === 'string' ? it.name : this.propertyName(it.name, store);
            // A property whose name is computed is called by how it is computed.
            if (name === undefined) props.set(`[${printValue(this.value(it.name as Expr, store))}]`, value);
            else props.set(name, value);
          }
        }
        return { kind: 'object', props, open };
      }
      case 'array': {
        const items: Value[] = [];
        let open = false;
        for (const it of expr.items) {
          if (it.kind !== 'spread') items.push(this.value(it, store));
          else {
            const inner = this.value(it.of, store);
            if (inner.kind === 'array' && !inner.open) items.push(...inner.items);
            else open = true;
          }
        }
        return { kind: 'array', items, open };
      }
      case 'spread':
        return this.value(expr.of, store);
      case 'function':
        return { kind: 'func', func: expr.func, bindings: [] };
      case 'class':
        return { kind: 'class', def: expr.def };
      case 'binary':
        return binary(expr.op, this.value(expr.left, store), this.value(expr.right, store));
      case 'logical': {
        const left = this.value(expr.left, store);
        const decided = expr.op === '??' ? nullish(left) : truthiness(left);
        if (expr.op === '&&' ? decided === false : expr.op === '||' ? decided === true : decided === false) return left;
        const right = this.value(expr.right, store);
        if (decided !== undefined) return right;
        return either(withoutKept([...alternatives(left).filter((it) => (expr.op === '&&' ? truthiness(it) !== true : expr.op === '||' ? truthiness(it) !== false : nullish(it) !== true)), ...alternatives(right)]));
      }
      case 'not': {
        const truth = truthiness(this.value(expr.of, store));
        return truth === undefined ? unknown('a negation') : constant(!truth);
      }
      case 'unary':
        return unary(expr.op, this.value(expr.of, store));
      case 'conditional': {
        const truth = truthiness(this.value(expr.test, store));
        if (truth !== undefined) return this.value(truth ? expr.yes : expr.no, store);
        return either([this.value(expr.yes, store), this.value(expr.no, store)]);
      }
      case 'await':
        return this.value(expr.of, store);
      case 'assign':
        return this.value(expr.value, store);
      case 'element':
        return elementOf(this.value(expr.of, store));
      case 'part': {
        const value = this.member(this.value(expr.of, store), String(expr.name), store);
        if (!expr.fallback) return value;
        if (value.kind === 'const' && value.value === undefined) return this.value(expr.fallback, store);
        return value;
      }
      case 'param':
        return { kind: 'param', func: expr.func, index: expr.index };
      case 'error':
        return unknown('an error');
      case 'claimed':
        return this.claimed(expr.type, expr.module);
      case 'opaque':
        return unknown(expr.why);
    }
  }

  private propertyName(expr: Expr, store: Store | undefined): string | undefined {
    const value = this.value(expr, store);
    // Well-known symbols are kept under names that no property can have.
    // An operator of a library, `[Op.lt]`, is called as in the filter languages.
    if (value.kind === 'export' && value.name.includes('.')) return `$${value.name.slice(value.name.lastIndexOf('.') + 1)}`;
    if (value.kind === 'global' && value.name.startsWith('Symbol.')) return `@@${value.name.slice('Symbol.'.length)}`;
    return value.kind === 'const' && (typeof value.value === 'string' || typeof value.value === 'number') ? String(value.value) : undefined;
  }

  variable(variable: Variable, store?: Store): Value {
    const value = variable.added ? withAdded(this.bound(variable, store), variable, this) : this.bound(variable, store);
    return variable.grows ? opened(value) : value;
  }

  private bound(variable: Variable, store: Store | undefined): Value {
    const known = store?.variables.get(variable);
    if (known) return known;
    if (variable.import) {
      const found = variable.module && this.project.resolve(variable.module, variable.import.specifier, variable.import.name);
      return found ? this.resolved(found) : unknown(`${variable.name} of ${variable.import.specifier}`);
    }
    if (variable.kind === 'global') return { kind: 'global', name: variable.name };
    if (variable.kind === 'catch' || variable.opaque) return unknown(variable.name);
    const values = variable.values;
    if (values.length === 0) return variable.kind === 'let' ? nothing : unknown(variable.name);
    if (this.busy.has(variable)) return this.cyclic();
    this.busy.add(variable);
    // A `let` that is assigned later begins as undefined, which says nothing about what it is for.
    const value = values.length === 1 ? this.value(values[0]!) : values.length > 6 ? unknown(`${variable.name}, assigned in many places`) : either(withoutKept(withoutItself(values.map((it) => this.value(it)))));
    this.busy.delete(variable);
    return value;
  }

  resolved(found: Resolved): Value {
    switch (found.kind) {
      case 'value':
        return this.value(found.expr);
      case 'module': {
        // `module.exports = class …`: the module is that class.
        const { whole } = found.module;
        return whole && whole.kind !== 'object' ? this.value(whole) : { kind: 'namespace', module: found.module };
      }
      case 'package':
        return { kind: 'export', specifier: found.specifier, name: found.name, from: found.module };
      case 'type':
        return unknown('a type');
    }
  }

  /** What a function answers, in terms of its parameters; a promise stands for its value. */
  returns(func: Func): Value {
    const known = this.returned.get(func);
    if (known) return known;
    if (this.busy.has(func)) return this.cyclic();
    this.busy.add(func);
    const before = this.circles.count;
    const values: Value[] = [];
    let falls = false;
    const reachable = new Set<unknown>();
    const visit = [func.graph().entry];
    for (let step = visit.pop(); step; step = visit.pop()) {
      if (reachable.has(step)) continue;
      reachable.add(step);
      if (step.op.kind === 'return') {
        if (step.op.value) values.push(this.value(step.op.value));
        else falls = true;
      }
      for (const next of step.next) if (next) visit.push(next);
      if (step.fail) visit.push(step.fail);
    }
    if (falls && values.length > 0 && func.kind !== 'constructor') values.push(nothing);
    const value = values.length ? either(withoutKept(this.withoutLookUps(withoutItself(values)))) : nothing;
    this.busy.delete(func);
    if (this.circles.count === before || this.busy.size === 0) this.returned.set(func, value);
    return value;
  }

  /** A function that keeps what it makes in a map answers the same sort of thing from there. */
  private withoutLookUps(values: Value[]): Value[] {
    const made = values.filter((it) => it.kind === 'typed');
    if (made.length === 0 || made.length === values.length) return values;
    return values.filter((it) => !(it.kind === 'result' && it.callee.kind === 'field' && it.callee.name === 'get' && this.isMap(it.callee.of)));
  }

  /** Calls a user's function symbolically. */
  applied(callee: Value & { kind: 'func' }, args: readonly Value[], open = false): Value {
    let value = this.returns(callee.func);
    value = this.bind(value, { func: callee.func, args: [...args], self: callee.self, open });
    for (const binding of callee.bindings) value = this.bind(value, binding);
    return value;
  }

  /** Replaces parameters and `this` of `binding.func` by what it was called with. */
  bind(value: Value, binding: Binding): Value {
    // Objects that know each other would be put into each other for ever.
    if (this.bindings >= maxDepth) return unknown('too deep');
    this.bindings++;
    const bound = bind(value, binding, this);
    this.bindings--;
    return bound;
  }

  private bindings = 0;

  /** Property `name` of a value. */
  member(of: Value, name: string, store?: Store): Value {
    return this.members.of(of, name, store);
  }

  construct(def: ClassDef): Func | undefined {
    return this.members.construct(def);
  }

  /** The class and those that it extends, as far as they are of this project. */
  lineage(def: ClassDef): ClassDef[] {
    return this.members.lineage(def);
  }
}

/** An object to which properties are added later. */
const opened = (value: Value): Value => (value.kind === 'object' ? { ...value, open: true } : value.kind === 'either' ? { kind: 'either', of: value.of.map(opened) } : value);
