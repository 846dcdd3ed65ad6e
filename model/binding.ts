/** Putting a caller's values in: what a value becomes when its function is called with given arguments and receiver. */
import { elementOf } from './collections.ts';
import type { Evaluator } from './evaluator.ts';
import type { ClassDef, Func } from './ir.ts';
import { binary } from './operators.ts';
import { type Binding, type Value, constant, either, nothing, receiverIndex, text, unknown } from './value.ts';

/** The parameters, receiver and surroundings of a function value, innermost first. */
export function bindingsOf(callee: Value & { kind: 'func' }, args: Value[], open: boolean): Binding[] {
  return [{ func: callee.func, args, self: callee.self, open }, ...callee.bindings];
}

/** Replaces parameters and `this` of `binding.func` by what it was called with. */
export function bind(value: Value, binding: Binding, evaluator: Evaluator, depth = 0): Value {
  switch (value.kind) {
    case 'const':
    case 'class':
    case 'export':
    case 'namespace':
    case 'global':
    case 'fresh':
    case 'some':
    case 'releaser':
    case 'unknown':
      return value;
    case 'param':
    case 'this':
      return depth > maxDepth ? tooDeep() : bindNew(value, binding, evaluator, depth);
    default: {
      // Parts are shared between the values of a function: each is bound once, and stays one part.
      const known = (binding.bound ??= new Map()).get(value);
      if (known) return known;
      if (depth > maxDepth) return tooDeep();
      const before = cuts + evaluator.circles.count;
      const found = bindNew(value, binding, evaluator, depth);
      if (cuts + evaluator.circles.count === before) binding.bound.set(value, found);
      return found;
    }
  }
}

const maxDepth = 8;
/** How often a value was cut off: what holds such a one may be whole on a shorter way. */
let cuts = 0;

function tooDeep(): Value {
  cuts++;
  return unknown('too deep');
}

function bindNew(value: Value, binding: Binding, evaluator: Evaluator, depth: number): Value {
  const inner = (it: Value): Value => bind(it, binding, evaluator, depth + 1);
  switch (value.kind) {
    case 'param': {
      if (value.func !== binding.func) return value;
      if (value.index === receiverIndex) return binding.self ?? value;
      const param = value.func.params[value.index];
      if (param?.rest) return { kind: 'array', items: binding.args.slice(value.index), open: binding.open ?? false };
      const given = binding.args[value.index];
      if (given && !(given.kind === 'const' && given.value === undefined && param?.fallback)) return given;
      if (binding.open) return unknown('a spread argument');
      return param?.fallback ? bind(evaluator.value(param.fallback), binding, evaluator, depth + 1) : nothing;
    }
    case 'this':
      return binding.self && binding.func.owner && isOf(value.cls, binding.func.owner, evaluator) ? binding.self : value;
    case 'text': {
      const parts = all(value.parts, inner);
      return parts === value.parts ? value : text(parts);
    }
    case 'field': {
      const of = inner(value.of);
      return of === value.of ? value : evaluator.member(of, value.name);
    }
    case 'item': {
      const of = inner(value.of);
      if (of === value.of) return value;
      return elementOf(of);
    }
    case 'object': {
      let changed = false;
      const props = new Map<string, Value>();
      for (const [name, it] of value.props) {
        const next = inner(it);
        changed ||= next !== it;
        props.set(name, next);
      }
      return changed ? { ...value, props } : value;
    }
    case 'array': {
      const items = all(value.items, inner);
      return items === value.items ? value : { ...value, items };
    }
    case 'func': {
      const self = value.self && inner(value.self);
      if (encloses(binding.func, value.func)) return { ...value, bindings: [...value.bindings, binding], self };
      // What surrounds a closure was called with values of a function that hands the closure on.
      const bindings = boundAll(value.bindings, inner);
      return bindings !== value.bindings || self !== value.self ? { ...value, bindings, self } : value;
    }
    case 'instance': {
      const args = all(value.args, inner);
      return args === value.args ? value : { ...value, args };
    }
    case 'typed': {
      const args = all(value.args, inner);
      const base = value.base && inner(value.base);
      const configured = value.configured && new Map([...value.configured].map(([name, it]) => [name, inner(it)]));
      const isSame = args === value.args && base === value.base && [...(configured ?? [])].every(([name, it]) => it === value.configured!.get(name));
      return isSame ? value : { ...value, args, base, configured };
    }
    case 'result': {
      const callee = inner(value.callee);
      const args = all(value.args, inner);
      if (callee === value.callee && args === value.args) return value;
      // The callee may have become a function of the project that was handed over.
      if (callee.kind === 'func' && value.callee.kind !== 'func' && depth < 4) return evaluator.applied(callee, args);
      return { ...value, callee, args };
    }
    case 'derived': {
      const from = all(value.from, inner);
      if (from === value.from) return value;
      return computed(value.how, from) ?? { ...value, from };
    }
    case 'either': {
      const of = all(value.of, inner);
      return of === value.of ? value : either(of);
    }
    default:
      return value;
  }
}

function boundAll(bindings: Binding[], inner: (it: Value) => Value): Binding[] {
  const bound = bindings.map((it) => {
    const args = all(it.args, inner);
    const self = it.self && inner(it.self);
    return args === it.args && self === it.self ? it : { func: it.func, args, self, open: it.open };
  });
  return bound.some((it, i) => it !== bindings[i]) ? bound : bindings;
}

/** The same list where nothing in it changes: most of what is bound has nothing of the caller in it. */
function all(list: Value[], bindEach: (it: Value) => Value): Value[] {
  let changed: Value[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const it = bindEach(list[i]!);
    if (changed) changed.push(it);
    else if (it !== list[i]) changed = [...list.slice(0, i), it];
  }
  return changed ?? list;
}

/** A number, once all that it is computed from is one: `seconds * 1000`, `Math.ceil(ms / 1000)`. */
function computed(how: string, from: readonly Value[]): Value | undefined {
  if (!from.every((it) => it.kind === 'const' && typeof it.value === 'number')) return undefined;
  const [a, b] = from as (Value & { kind: 'const'; value: number })[];
  if (from.length === 2 && /^[-+*/%]$/.test(how)) return binary(how, a!, b!);
  return from.length === 1 && how in roundings ? constant(roundings[how]!(a!.value)) : undefined;
}

const roundings: Record<string, (n: number) => number> = { 'Math.ceil': Math.ceil, 'Math.floor': Math.floor, 'Math.round': Math.round, 'Math.trunc': Math.trunc };

/** Whether `this` of the one class can be an object of the other. */
function isOf(cls: ClassDef, owner: ClassDef, evaluator: Evaluator): boolean {
  return cls === owner || evaluator.lineage(owner).includes(cls) || evaluator.lineage(cls).includes(owner);
}

/** Whether `inner` is written inside `outer`, so that it can see its parameters. */
export function encloses(outer: Func, inner: Func): boolean {
  for (let at: Func | undefined = inner; at; at = at.parent) if (at === outer) return true;
  return false;
}
