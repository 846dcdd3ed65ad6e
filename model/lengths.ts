/** Where the length of a lease was chosen: in the call itself, or at the argument by which it came there. */
import type { CallExpr, Expr, Module } from './ir.ts';
import type { Span } from './place.ts';
import type { Model } from './story.ts';
import type { Taken } from './taken.ts';
import { type Value, alternatives, contains, sameValue } from './value.ts';

/** The expression that chose a length. */
export interface ChosenLength {
  module: Module;
  span: Span;
  /** The expressions by which it went to the acquire, the chosen one last. */
  exprs: Expr[];
  /** How many of them, from the acquire on, stand for the length as it is read; the others for what it was computed from, perhaps in another unit. */
  unscaled: number;
  /** It is an argument of a call, or of the acquire itself. */
  call: CallExpr;
}

/** Follows a length from the acquire outwards, as long as it is a parameter. Undefined where it stands in no call: a library's default. */
export function lengthChosen({ acquire, chain }: Taken, model: Model): ChosenLength | undefined {
  const own = model.interpreter.meaning(acquire.call).events.find((it) => it.kind === 'acquire') ?? acquire;
  const lease = own.kind === 'acquire' ? own.lock.lease : undefined;
  if (!lease) return undefined;
  // What a script gets stands among the call's arguments.
  const site = lease.site ?? acquire.call.args.flatMap((it) => (it.kind === 'array' ? it.items : it.kind === 'object' ? it.props.flatMap((prop) => (prop.value.kind === 'array' ? prop.value.items : [])) : [it])).find((it) => sameValue(model.evaluator.value(it), lease.value));
  let chosen: ChosenLength | undefined = site && { module: acquire.call.func.module, span: site.span, exprs: [site], unscaled: 1, call: acquire.call };
  let value: Value = lease.value;
  let isScaled = false;
  for (let i = chain.length - 1; i >= 0; i--) {
    const outer = chain[i - 1];
    const next = outer ? argumentOf(value, outer, model) : constructorArgument(value, chain[i]!, model);
    // Calls that only lead on are passed over.
    if (!next) {
      if (outer) continue;
      break;
    }
    isScaled ||= contains(value, (it) => it.kind === 'derived' && (it.how === '*' || it.how === '/'));
    const exprs = [...(chosen?.exprs ?? []), next.expr];
    chosen = { module: next.call.func.module, span: next.expr.span, exprs, unscaled: isScaled ? (chosen?.unscaled ?? 0) : exprs.length, call: next.call };
    value = model.evaluator.value(next.expr);
  }
  return chosen;
}

/** The argument that a call gives for the parameter that the value is, or is computed from. */
function argumentOf(value: Value, call: CallExpr, model: Model): { expr: Expr; call: CallExpr } | undefined {
  for (const entered of model.interpreter.meaning(call).entered) {
    const found = parameterIn(value, entered.callee.func);
    if (!found || call.args.slice(0, found.index + 1).some((it) => it.kind === 'spread')) continue;
    const given = call.args[found.index];
    const expr = given && propertyOf(given, found.path);
    if (expr) return { expr, call };
    const fallback = entered.callee.func.params[found.index]?.fallback;
    if (fallback && !given) return { expr: fallback, call };
  }
  return constructorArgument(value, call, model);
}

/** What the object was made with whose method the call enters: `new Lock(redis, 3000).take(key)`. */
function constructorArgument(value: Value, call: CallExpr, model: Model): { expr: Expr; call: CallExpr } | undefined {
  const path = alternatives(value).find((it) => it.kind === 'field' && it.of.kind === 'this') as (Value & { kind: 'field' }) | undefined;
  if (!path || path.of.kind !== 'this' || call.callee.kind !== 'member') return undefined;
  const receiver = model.evaluator.value(call.callee.object);
  const field = path.of.cls.fields.get(path.name);
  if (receiver.kind !== 'instance' || !field) return undefined;
  const from = field.param ? { func: field.param.func, index: field.param.index, path: [] } : field.values.map((it) => parameterIn(model.evaluator.value(it), receiver.def.construct)).find((it) => it !== undefined);
  const given = from && receiver.site.args[from.index];
  const expr = given && propertyOf(given, from.path);
  return expr ? { expr, call: receiver.site } : undefined;
}

interface Parameter {
  index: number;
  path: string[];
}

/** The only parameter of the function that is in the value, and the properties that lead from it. */
function parameterIn(value: Value, func: unknown): Parameter | undefined {
  const found: Parameter[] = [];
  const visit = (it: Value, path: string[]): void => {
    if (it.kind === 'param' && it.func === func) found.push({ index: it.index, path });
    else if (it.kind === 'field') visit(it.of, [it.name, ...path]);
    else if (it.kind === 'derived') it.from.forEach((each) => visit(each, []));
    else if (it.kind === 'either') it.of.forEach((each) => visit(each, path));
    else if (it.kind === 'text') it.parts.forEach((each) => visit(each, []));
  };
  visit(value, []);
  return found.length === 1 ? found[0] : undefined;
}

/** The property of an object that is written here; the whole expression where it is not. */
function propertyOf(expr: Expr, path: readonly string[]): Expr | undefined {
  let at = expr;
  for (const name of path) {
    if (at.kind !== 'object') return at;
    const found = at.props.find((it) => it.name === name);
    if (!found) return undefined;
    at = found.value;
  }
  return at;
}

/** The names by which an expression calls its value: of variables and properties, those behind constants included. */
export function namesOf(expr: Expr): string[] {
  const names: string[] = [];
  let at: Expr | undefined = expr;
  for (let i = 0; at && i < 6; i++) {
    if (at.kind === 'var') {
      names.push(at.variable.name);
      at = at.variable.values.length === 1 ? at.variable.values[0] : undefined;
    } else if (at.kind === 'member') {
      if (typeof at.name === 'string') names.push(at.name);
      at = undefined;
    } else if (at.kind === 'part') {
      if (typeof at.name === 'string') names.push(at.name);
      at = undefined;
    } else if (at.kind === 'await') at = at.of;
    else at = undefined;
  }
  return names;
}
