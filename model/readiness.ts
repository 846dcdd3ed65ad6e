/** Questions whether a lock's client is there, and whether it is ready. */
import { partsOf } from './expressions.ts';
import type { CallExpr, Expr, Func, Variable } from './ir.ts';
import type { Section } from './sections.ts';
import type { Model } from './story.ts';
import { type Value, alternatives, sameSite, sameValue } from './value.ts';

/** The objects that are asked for the lock: where the frame takes it, and where the acquire itself stands. */
export function clientsOf(section: Section, model: Model): Value[] {
  const found: Value[] = [];
  for (const call of [section.at, section.acquire.call]) {
    const object = call.callee.kind === 'member' ? call.callee.object : undefined;
    const value = object && object.kind !== 'this' ? (ownField(object, section, model) ?? model.evaluator.value(object)) : undefined;
    for (const it of value ? [value, ...clientsBehind(value)] : []) if (isNamed(it) && !found.some((known) => sameValue(known, it))) found.push(it);
    if (sameSite(section.at, section.acquire.call)) break;
  }
  return found;
}

/** `this.client` of the lock object that the frame asks: what that object was made with. */
function ownField(expr: Expr, { at }: Section, model: Model): Value | undefined {
  if (expr.kind !== 'member' || expr.object.kind !== 'this' || typeof expr.name !== 'string' || at.callee.kind !== 'member') return undefined;
  const of = model.evaluator.value(at.callee.object);
  return of.kind === 'instance' ? model.evaluator.member(of, expr.name) : undefined;
}

/** What a lock's library was made with: its clients. */
const clientsBehind = (value: Value): Value[] => (value.kind === 'typed' ? value.args.flatMap((it) => (it.kind === 'array' ? it.items : [it])) : []);

/** Something that may be there or not, and is not made where it is asked. */
const isNamed = (value: Value): boolean => alternatives(value).some((it) => it.kind === 'param' || it.kind === 'field' || it.kind === 'typed' || it.kind === 'instance' || it.kind === 'export');

/** Whether a test is about one of the clients: the client itself, a property of it, or what keeps its state. */
export function asksForClient(test: Expr, clients: readonly Value[], model: Model): boolean {
  const isClient = (expr: Expr): boolean => {
    const value = model.evaluator.value(expr);
    return clients.some((it) => sameValue(it, value));
  };
  const asks = (expr: Expr, depth: number): boolean => {
    if (depth > 6) return false;
    switch (expr.kind) {
      case 'var':
        return isClient(expr) || isState(expr.variable, isClient) || (expr.variable.values.length === 1 && expr.variable.values[0]!.kind !== 'call' && expr.variable.values[0]!.kind !== 'await' && asks(expr.variable.values[0]!, depth + 1));
      case 'member':
        return isClient(expr) || (typeof expr.name === 'string' && isClient(expr.object));
      case 'not':
      case 'unary':
      case 'binary':
      case 'logical':
        return partsOf(expr).some((it) => asks(it, depth + 1));
      case 'call':
        // A getter that is asked whether it hands the client out.
        return (expr.args.length === 0 && expr.use !== 'await' && isClient(expr)) || isStateCall(expr, isClient, model) || model.interpreter.meaning(expr).entered.some((it) => answersState(it.callee.func, (inner) => asks(inner, depth + 1)));
      default:
        return false;
    }
  };
  return asks(test, 0);
}

/** `client.isReady()`: asks the client nothing about keys. */
function isStateCall(call: CallExpr, isClient: (expr: Expr) => boolean, model: Model): boolean {
  return call.callee.kind === 'member' && call.args.length === 0 && model.interpreter.meaning(call).events.length === 0 && call.use !== 'await' && isClient(call.callee.object);
}

/** A function of the project that does nothing but answer such a question. */
function answersState(func: Func, asks: (expr: Expr) => boolean): boolean {
  const { steps } = func.graph();
  const answers = steps.flatMap(({ op }) => (op.kind === 'return' && op.value ? [op.value] : []));
  return answers.length > 0 && answers.every(asks) && steps.every(({ op }) => op.kind !== 'await' && op.kind !== 'throw');
}

/** A variable that the client's own events set. */
function isState(variable: Variable, isClient: (expr: Expr) => boolean): boolean {
  if (!variable.owner || variable.kind !== 'let') return false;
  return variable.owner.module.functions.some((func) => {
    const on = func.handedTo;
    if (!on || on.callee.kind !== 'member' || (on.callee.name !== 'on' && on.callee.name !== 'once') || !isClient(on.callee.object)) return false;
    return func.graph().steps.some(({ op }) => op.kind === 'assign' && op.target.kind === 'variable' && op.target.variable === variable);
  });
}
