/**
 * Keys of advisory locks that are narrower than what they are made of: two names may get the same
 * key, and a number beyond 2⁵³ another one than was meant. Followed from the statement back through
 * variables and functions to the expression that narrows.
 */
import type { DatabaseLockEvent } from './events.ts';
import type { CallExpr, Expr, Module } from './ir.ts';
import type { Span } from './place.ts';
import type { Model, Story } from './story.ts';
import type { Deep } from './deep.ts';
import { alternatives, sameSite } from './value.ts';

/** How a key loses bits. */
export type Narrowing = 'hash-in-sql' | 'number-of-bigint' | 'digest-cut' | 'bits-32';

export interface LossyKey {
  event: DatabaseLockEvent;
  how: Narrowing;
  module: Module;
  span: Span;
}

interface Narrowed {
  how: Narrowing;
  expr: Expr;
  module: Module;
}

const maxDepth = 12;

/** The narrowed keys of a file, once for each place. */
export function lossyKeys(story: Story): LossyKey[] {
  const { model, module } = story;
  const found: LossyKey[] = [];
  const add = (it: LossyKey): void => {
    if (it.module === module && !found.some((known) => known.span.start === it.span.start && known.span.end === it.span.end)) found.push(it);
  };
  for (const func of module.functions) {
    for (const deep of model.summaries.of(func).known) {
      if (!isAdvisory(deep)) continue;
      const { event } = deep;
      if (deep.via.length === 0 && event.keyFunctions?.includes('hashtext')) add({ event, how: 'hash-in-sql', module: event.call.func.module, span: event.call.span });
      const keys = deep.via.length === 0 ? partsHandedOver(event.call) : argumentsForKey(deep, model);
      const narrowed = keys.flatMap((key) => {
        const it = narrowingOf(key, deep.at.func.module, model, 0);
        return it ? [{ key, it }] : [];
      });
      // Two halves of 32 bits are 64 together.
      if (narrowed.length > 1 && event.keyParts === 2) continue;
      // What a helper of another file does is said where it is asked for.
      for (const { key, it } of narrowed) add({ event, how: it.how, module, span: it.module === module ? it.expr.span : key.span });
    }
  }
  return found;
}

const isAdvisory = (it: Deep): it is Deep & { event: DatabaseLockEvent } => it.kind === 'database-lock' && it.event.step === 'acquire' && it.event.name.startsWith('pg_');

/** What goes into a statement: holes of a template, elements of a list of parameters. */
function partsHandedOver(call: CallExpr): Expr[] {
  const visit = (it: Expr, depth: number): Expr[] => {
    if (depth > 4) return [];
    const inner = (each: Expr): Expr[] => visit(each, depth + 1);
    if (it.kind === 'array') return it.items.flatMap(inner);
    if (it.kind === 'object') return it.props.flatMap((prop) => inner(prop.value));
    if (it.kind === 'template') return it.parts.flatMap((part) => (typeof part === 'string' ? [] : inner(part)));
    if (it.kind === 'call' && it.isTag) return it.args.flatMap(inner);
    if (it.kind === 'var' && it.variable.values.length === 1) {
      const [value] = it.variable.values;
      if (value!.kind === 'array' || value!.kind === 'object' || value!.kind === 'template' || (value!.kind === 'call' && value!.isTag)) return inner(value!);
    }
    return [it];
  };
  return call.args.flatMap((it) => visit(it, 0));
}

/** The argument by which a caller hands a helper the key. */
function argumentsForKey({ event, at, via }: Deep & { event: DatabaseLockEvent }, model: Model): Expr[] {
  if (via.length !== 1 || !sameSite(via[0], event.call)) return [];
  const found: Expr[] = [];
  for (const { callee } of model.interpreter.meaning(at).entered) {
    if (callee.func !== event.call.func) continue;
    for (const part of partsHandedOver(event.call)) {
      for (const it of alternatives(model.evaluator.value(part))) if (it.kind === 'param' && it.func === callee.func && at.args[it.index]) found.push(at.args[it.index]!);
    }
  }
  return found;
}

/** The expression by which a key loses bits, the last one on its way. */
function narrowingOf(expr: Expr, module: Module, model: Model, depth: number): Narrowed | undefined {
  if (depth > maxDepth) return undefined;
  const inner = (it: Expr | undefined): Narrowed | undefined => it && narrowingOf(it, module, model, depth + 1);
  const how = narrows(expr, model);
  if (how) return { how, expr, module };
  switch (expr.kind) {
    case 'await':
    case 'unary':
      return inner(expr.of);
    case 'template':
      return expr.parts.length === 1 && typeof expr.parts[0] !== 'string' ? inner(expr.parts[0]) : undefined;
    case 'var':
      // A hash that is put together in a loop: what is assigned last narrows it.
      return expr.variable.kind === 'param' ? undefined : expr.variable.values.map(inner).findLast((it) => it !== undefined);
    case 'call':
      return ofAnswer(expr, model, depth) ?? (isConversion(expr, model) ? inner(expr.args.at(-1) ?? receiverOf(expr)) : undefined);
    default:
      return undefined;
  }
}

/** What a function of the project answers. */
function ofAnswer(call: CallExpr, model: Model, depth: number): Narrowed | undefined {
  for (const { callee } of model.interpreter.meaning(call).entered) {
    for (const { op } of callee.func.graph().steps) {
      const it = op.kind === 'return' && op.value ? narrowingOf(op.value, callee.func.module, model, depth + 1) : undefined;
      if (it) return it;
    }
  }
  return undefined;
}

const receiverOf = (call: CallExpr): Expr | undefined => (call.callee.kind === 'member' ? call.callee.object : undefined);
const methodOf = (call: CallExpr): string | undefined => (call.callee.kind === 'member' && typeof call.callee.name === 'string' ? call.callee.name : undefined);
const globalOf = (call: CallExpr, model: Model): string | undefined => {
  const callee = model.evaluator.value(call.callee);
  return callee.kind === 'global' ? callee.name : undefined;
};

/** `String(key)`, `key.toString()`, `BigInt(key)`, `Math.abs(key)`: keep what is narrow as it is. */
const isConversion = (call: CallExpr, model: Model): boolean => conversions.has(globalOf(call, model) ?? '') || ((methodOf(call) === 'toString' || methodOf(call) === 'valueOf') && call.args.length === 0);
const conversions = new Set(['String', 'Number', 'BigInt', 'Math.abs', 'BigInt.asIntN']);

/** Operators that make 32 bits of whatever they are given. */
const bitwise = new Set(['|', '&', '^', '<<', '>>', '>>>']);
/** Readings of a buffer that have 48 bits at most. */
const readings = /^read(?:U?[Ii]nt(?:8|16(?:LE|BE)|32(?:LE|BE)|LE|BE))$/;

function narrows(expr: Expr, model: Model): Narrowing | undefined {
  if (expr.kind === 'binary') {
    const isConstant = [expr.left, expr.right].every((it) => model.evaluator.value(it).kind === 'const');
    return bitwise.has(expr.op) && !isConstant && !isBigInt(expr.left, model) && !isBigInt(expr.right, model) ? 'bits-32' : undefined;
  }
  if (expr.kind !== 'call') return undefined;
  const method = methodOf(expr);
  if (method && readings.test(method) && isDigest(receiverOf(expr), model)) return 'digest-cut';
  const name = globalOf(expr, model);
  const [first, second] = expr.args;
  if (name === 'Math.imul') return 'bits-32';
  if (name === 'Number' && isBigInt(first, model)) return 'number-of-bigint';
  if ((name === 'parseInt' || name === 'Number.parseInt') && (isDigest(first, model) || (isCut(first) && isConst(second, 16, model)))) return 'digest-cut';
  if ((name === 'Number' || name === 'BigInt') && isDigest(first, model) && (name === 'Number' || isCutTo(first, 8, model))) return 'digest-cut';
  if (name === 'BigInt.asIntN' || name === 'BigInt.asUintN') {
    const bits = first && model.evaluator.value(first);
    return bits?.kind === 'const' && typeof bits.value === 'number' && bits.value < 63 ? 'bits-32' : undefined;
  }
  return undefined;
}

/** Certainly a `bigint`. */
function isBigInt(expr: Expr | undefined, model: Model, depth = 0): boolean {
  if (!expr || depth > 6) return false;
  const inner = (it: Expr | undefined): boolean => isBigInt(it, model, depth + 1);
  switch (expr.kind) {
    case 'const':
      return typeof expr.value === 'bigint';
    case 'var':
      return expr.variable.values.length === 1 && inner(expr.variable.values[0]);
    case 'unary':
    case 'await':
      return inner(expr.of);
    case 'binary':
      return inner(expr.left) || inner(expr.right);
    case 'call': {
      const name = globalOf(expr, model);
      if (name === 'BigInt' || name === 'BigInt.asIntN' || name === 'BigInt.asUintN' || /^readBig(?:U?[Ii]nt)64(?:LE|BE)$/.test(methodOf(expr) ?? '')) return true;
      const entered = model.interpreter.meaning(expr).entered;
      return entered.length > 0 && entered.every(({ callee }) => {
        const answers = callee.func.graph().steps.flatMap(({ op }) => (op.kind === 'return' && op.value ? [op.value] : []));
        return answers.length > 0 && answers.every(inner);
      });
    }
    default:
      return false;
  }
}

/** The whole or a part of a digest: `createHash('sha1').update(name).digest('hex').slice(0, 8)`. */
function isDigest(expr: Expr | undefined, model: Model, depth = 0): boolean {
  if (!expr || depth > maxDepth) return false;
  const inner = (it: Expr | undefined): boolean => isDigest(it, model, depth + 1);
  switch (expr.kind) {
    case 'var':
      return expr.variable.values.length === 1 && inner(expr.variable.values[0]);
    case 'binary':
      return expr.op === '+' && (inner(expr.left) || inner(expr.right));
    case 'template':
      return expr.parts.some((it) => typeof it !== 'string' && inner(it));
    case 'await':
      return inner(expr.of);
    case 'call': {
      if (methodOf(expr) === 'digest') return true;
      if (isCut(expr) || methodOf(expr) === 'toString') return inner(receiverOf(expr));
      return model.interpreter.meaning(expr).entered.some(({ callee }) => callee.func.graph().steps.some(({ op }) => op.kind === 'return' && inner(op.value)));
    }
    default:
      return false;
  }
}

const cuts = new Set(['slice', 'substring', 'substr', 'subarray']);
const isCut = (expr: Expr | undefined): expr is CallExpr => expr?.kind === 'call' && cuts.has(methodOf(expr) ?? '');

/** Not more than so many digits of it are left. */
function isCutTo(expr: Expr | undefined, digits: number, model: Model, depth = 0): boolean {
  if (!expr || depth > 6) return false;
  if (isCut(expr)) {
    const [from, to] = expr.args.map((it) => model.evaluator.value(it));
    return from?.kind === 'const' && to?.kind === 'const' && typeof from.value === 'number' && typeof to.value === 'number' && from.value >= 0 && to.value > 0 && (methodOf(expr) === 'substr' ? to.value : to.value - from.value) <= digits;
  }
  const inner = (it: Expr | undefined): boolean => isCutTo(it, digits, model, depth + 1);
  if (expr.kind === 'var') return expr.variable.values.length === 1 && inner(expr.variable.values[0]);
  if (expr.kind === 'template') return expr.parts.some((it) => typeof it !== 'string' && inner(it));
  return expr.kind === 'binary' && expr.op === '+' && (inner(expr.left) || inner(expr.right));
}

const isConst = (expr: Expr | undefined, value: number, model: Model): boolean => {
  const it = expr && model.evaluator.value(expr);
  return it?.kind === 'const' && it.value === value;
};
