/**
 * What an expression can be, symbolically. Values are compared by structure: a key that is built
 * again at the release is the same key. A value that is not known says why.
 */
import type { CallExpr, ClassDef, Constant, Func, Module } from './ir.ts';

/** Arguments and receiver with which a function's parameters and `this` are replaced. */
export interface Binding {
  func: Func;
  args: Value[];
  self?: Value;
  /** Arguments after a spread: positions are not known. */
  open?: boolean;
  /** What has been bound with it. */
  bound?: Map<Value, Value>;
}

export type Value =
  | { kind: 'const'; value: Constant }
  /** Texts joined together. */
  | { kind: 'text'; parts: Value[] }
  | { kind: 'param'; func: Func; index: number }
  | { kind: 'this'; cls: ClassDef }
  | { kind: 'field'; of: Value; name: string }
  /** Some element of a collection. */
  | { kind: 'item'; of: Value }
  | { kind: 'object'; props: Map<string, Value>; open: boolean }
  /** `isSample`: there may be any number of elements, and each is one of the items. */
  | { kind: 'array'; items: Value[]; open: boolean; isSample?: boolean }
  /** A function with what its surroundings were called with. `self` is the receiver that it is bound to. */
  | { kind: 'func'; func: Func; bindings: Binding[]; self?: Value }
  | { kind: 'class'; def: ClassDef }
  | { kind: 'instance'; def: ClassDef; args: Value[]; site: CallExpr }
  /** Something that a package exports; members are joined by dots. */
  | { kind: 'export'; specifier: string; name: string; from: Module }
  | { kind: 'namespace'; module: Module }
  | { kind: 'global'; name: string }
  /** A value of a library's type. `site` is the call that made it. */
  | { kind: 'typed'; type: string; site?: CallExpr; args: Value[]; base?: Value; from?: Module; configured?: Map<string, Value> }
  /** A method of a receiver, not yet called. */
  | { kind: 'method'; of: Value; name: string }
  /** Made anew at every evaluation of `site`. */
  | { kind: 'fresh'; source: 'random' | 'clock' | 'process'; site: CallExpr }
  /** Something of which only the sort is known; it is neither null nor undefined nor false nor 0. */
  | { kind: 'some'; sort: 'string' | 'number' | 'object' | 'function' | 'array'; site?: CallExpr }
  /** What a call answers, when nothing more is known. */
  | { kind: 'result'; site: CallExpr; callee: Value; args: Value[] }
  /** A function that gives back the lock taken at `site`; its type, where it has methods of its own. */
  | { kind: 'releaser'; site: CallExpr; type?: string; isBlind?: boolean }
  /** Depends on another value in a way that keeps its uniqueness: a hash, a conversion. */
  | { kind: 'derived'; from: Value[]; how: string }
  | { kind: 'either'; of: Value[] }
  | { kind: 'unknown'; why: string };

/** The place of the receiver among the parameters of a function that belongs to no class. */
export const receiverIndex = -1;

export const constant = (value: Constant): Value => ({ kind: 'const', value });
export const unknown = (why: string): Value => ({ kind: 'unknown', why });
export const nothing = constant(undefined);

/** One of several; duplicates are dropped, and beyond eight it is unknown. */
export function either(of: readonly Value[]): Value {
  const flat: Value[] = [];
  for (const each of of) {
    if (each.kind !== 'either') addDistinct(flat, each);
    else for (const it of each.of) addDistinct(flat, it);
  }
  if (flat.length === 1) return flat[0]!;
  if (flat.length === 0) return unknown('no value');
  return flat.length > 8 ? unknown('one of many values') : { kind: 'either', of: flat };
}

function addDistinct(to: Value[], it: Value): void {
  // What is not known in two ways is not known.
  for (const known of to) if (it.kind === 'unknown' ? known.kind === 'unknown' : sameValue(known, it)) return;
  to.push(it);
}

/** The members of a value that may be one of several. */
export const alternatives = (value: Value): Value[] => (value.kind === 'either' ? value.of : [value]);

/** A joined text; constants side by side are merged, and what is all constant is a constant. */
export function text(parts: readonly Value[]): Value {
  const flat: Value[] = [];
  for (const part of parts.flatMap((it) => (it.kind === 'text' ? it.parts : [it]))) {
    const last = flat[flat.length - 1];
    const plain = part.kind === 'const' ? constant(String(part.value)) : part;
    if (plain.kind === 'const' && plain.value === '') continue;
    if (plain.kind === 'const' && last?.kind === 'const') flat[flat.length - 1] = constant(String(last.value) + String(plain.value));
    else flat.push(plain);
  }
  if (flat.length === 0) return constant('');
  if (flat.length === 1 && flat[0]!.kind === 'const') return flat[0]!;
  return { kind: 'text', parts: flat };
}

/** True, false, or undefined when it cannot be told. */
export function truthiness(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'const':
      return Boolean(value.value);
    case 'object':
    case 'array':
    case 'func':
    case 'class':
    case 'instance':
    case 'namespace':
    case 'typed':
    case 'method':
    case 'fresh':
    case 'some':
    case 'releaser':
    case 'this':
      return true;
    case 'export':
      // An export is there; what hangs on it may not be: `models.User || model('User', …)`.
      return value.name.includes('.') ? undefined : true;
    case 'text':
      return value.parts.some((it) => it.kind === 'const' && it.value !== '') ? true : undefined;
    case 'either': {
      const all = value.of.map(truthiness);
      return all.every((it) => it === true) ? true : all.every((it) => it === false) ? false : undefined;
    }
    default:
      return undefined;
  }
}

/** `null` or `undefined`. */
export const isNothing = (value: Value): boolean => value.kind === 'const' && (value.value === null || value.value === undefined);

/** Structural equality. Two unknowns are never the same. */
export const sameValue = (a: Value, b: Value): boolean => isSame(a, b, false);

/**
 * `isLoose` is for what one place of the source is given: that place gets the same each time, known or not,
 * unless its callers give it different things.
 */
function isSame(a: Value, b: Value, isLoose: boolean): boolean {
  if (a.kind === 'unknown' || b.kind === 'unknown') return isLoose;
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'const':
      return b.kind === 'const' && Object.is(a.value, b.value);
    case 'text':
      return b.kind === 'text' && sameAll(a.parts, b.parts, isLoose);
    case 'param':
      return b.kind === 'param' && a.func === b.func && a.index === b.index;
    case 'this':
      return b.kind === 'this' && a.cls === b.cls;
    case 'field':
      return b.kind === 'field' && a.name === b.name && isSame(a.of, b.of, isLoose);
    case 'item':
      return b.kind === 'item' && isSame(a.of, b.of, isLoose);
    case 'object':
      return b.kind === 'object' && a.props.size === b.props.size && (isLoose || (!a.open && !b.open)) && sameProps(a.props, b.props, isLoose);
    case 'array':
      return b.kind === 'array' && (isLoose || (!a.open && !b.open)) && sameAll(a.items, b.items, isLoose);
    case 'func':
      return b.kind === 'func' && a.func === b.func && (isLoose || sameBindings(a.bindings, b.bindings));
    case 'class':
      return b.kind === 'class' && a.def === b.def;
    case 'instance':
      return b.kind === 'instance' && a.def === b.def && sameSite(a.site, b.site) && sameAll(a.args, b.args, true);
    case 'export':
      return b.kind === 'export' && a.specifier === b.specifier && a.name === b.name;
    case 'namespace':
      return b.kind === 'namespace' && a.module === b.module;
    case 'global':
      return b.kind === 'global' && a.name === b.name;
    case 'typed':
      return b.kind === 'typed' && a.type === b.type && sameSite(a.site, b.site) && sameAll(a.args, b.args, true) && (a.base === b.base || (!!a.base && !!b.base && isSame(a.base, b.base, true)));
    case 'method':
      return b.kind === 'method' && a.name === b.name && isSame(a.of, b.of, isLoose);
    case 'fresh':
      return b.kind === 'fresh' && sameSite(a.site, b.site);
    case 'some':
      return b.kind === 'some' && a.sort === b.sort && sameSite(a.site, b.site);
    case 'result':
      return b.kind === 'result' && isSame(a.callee, b.callee, isLoose) && sameAll(a.args, b.args, isLoose);
    case 'releaser':
      return b.kind === 'releaser' && sameSite(a.site, b.site);
    case 'derived':
      return b.kind === 'derived' && a.how === b.how && sameAll(a.from, b.from, isLoose);
    case 'either':
      return b.kind === 'either' && a.of.length === b.of.length && sameMembers(a.of, b.of, isLoose);
  }
}

/** Values are compared all the time: nothing is made for it. */
function sameAll(a: readonly Value[], b: readonly Value[], isLoose: boolean): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && isSame(a[i]!, b[i]!, isLoose)) i++;
  return i === a.length;
}

const sameMembers = (a: readonly Value[], b: readonly Value[], isLoose: boolean): boolean => a.every((it) => b.some((other) => isSame(it, other, isLoose)));

function sameProps(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>, isLoose: boolean): boolean {
  for (const [name, it] of a) {
    const other = b.get(name);
    if (!other || !isSame(it, other, isLoose)) return false;
  }
  return true;
}

/** A call in a duplicated `finally` is the same call of the source. */
export const sameSite = (a: CallExpr | undefined, b: CallExpr | undefined): boolean =>
  a === b || (!!a && !!b && a.func.module === b.func.module && a.span.start === b.span.start && a.span.end === b.span.end);

const sameBindings = (a: readonly Binding[], b: readonly Binding[]): boolean =>
  a.length === b.length && a.every((it, i) => it.func === b[i]!.func && it.args.length === b[i]!.args.length && it.args.every((arg, k) => sameValue(arg, b[i]!.args[k]!)) && (it.self === b[i]!.self || (!!it.self && !!b[i]!.self && sameValue(it.self, b[i]!.self!))));

/** Whether `test` holds of the value or of anything that it is made of. */
export function contains(value: Value, test: (it: Value) => boolean, depth = 0): boolean {
  if (test(value)) return true;
  if (depth > 6) return false;
  switch (value.kind) {
    case 'text':
      return someContains(value.parts, test, depth);
    case 'field':
    case 'item':
    case 'method':
      return contains(value.of, test, depth + 1);
    case 'object':
      for (const it of value.props.values()) if (contains(it, test, depth + 1)) return true;
      return false;
    case 'array':
      return someContains(value.items, test, depth);
    case 'result':
      return contains(value.callee, test, depth + 1) || someContains(value.args, test, depth);
    case 'derived':
      return someContains(value.from, test, depth);
    case 'either':
      return someContains(value.of, test, depth);
    case 'typed':
      return someContains(value.args, test, depth) || (!!value.base && contains(value.base, test, depth + 1));
    default:
      return false;
  }
}

/** Asked of every value that is joined: it makes nothing on its way. */
function someContains(values: readonly Value[], test: (it: Value) => boolean, depth: number): boolean {
  for (const it of values) if (contains(it, test, depth + 1)) return true;
  return false;
}

/**
 * How a value is shown to people: `lock:{id}`, `this.key`. `short` leaves out what would not fit
 * into a sentence.
 */
export function printValue(value: Value, depth = 0): string {
  if (depth > 5) return '…';
  const inner = (it: Value): string => printValue(it, depth + 1);
  switch (value.kind) {
    case 'const':
      return typeof value.value === 'string' && depth === 0 ? value.value : String(value.value);
    case 'text':
      return value.parts.map((it) => (it.kind === 'const' ? String(it.value) : `{${inner(it)}}`)).join('');
    case 'param':
      if (value.index === receiverIndex) return 'this';
      return value.func.params[value.index]?.variable?.name ?? `argument ${value.index + 1}`;
    case 'this':
      return 'this';
    case 'field':
      return value.of.kind === 'param' || value.of.kind === 'field' || value.of.kind === 'this' ? `${inner(value.of)}.${value.name}` : value.name;
    case 'item':
      return `an element of ${inner(value.of)}`;
    case 'object':
      return '{…}';
    case 'array':
      return `[${value.items.map(inner).join(', ')}]`;
    case 'func':
      return value.func.name || 'a function';
    case 'class':
    case 'instance':
      return value.def.name || 'a class';
    case 'export':
      return value.name.split('.').pop()!;
    case 'namespace':
      return 'a module';
    case 'global':
      return value.name;
    case 'typed':
      return value.type.split(':').pop()!;
    case 'method':
      return `${inner(value.of)}.${value.name}`;
    case 'fresh':
      return value.source === 'random' ? 'a random value' : value.source === 'clock' ? 'the time' : 'a value of this process';
    case 'some':
      return `a ${value.sort}`;
    case 'result':
      return `${inner(value.callee)}(${value.args.map(inner).join(', ')})`;
    case 'releaser':
      return 'a release function';
    case 'derived':
      return value.from.map(inner).join(', ');
    case 'either':
      return [...new Set(value.of.map(inner))].join(' or ');
    case 'unknown':
      return '…';
  }
}
