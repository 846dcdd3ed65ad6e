/** Whether a call answers by a promise, so that something must wait for it. */
import type { CallExpr, Func, TypeRef } from './ir.ts';
import type { Model } from './story.ts';
import { alternatives } from './value.ts';

const maxDepth = 5;

/** True only where it is known: an asynchronous function, one that is typed so, a store that answers later. */
export function isPromise(model: Model, call: CallExpr, depth = 0): boolean {
  if (depth > maxDepth) return false;
  const { callee } = call;
  if (callee.kind === 'member' && ['then', 'catch', 'finally'].includes(callee.name as string) && callee.object.kind === 'call') return true;
  const { entered } = model.interpreter.meaning(call);
  if (entered.length > 0) return !call.isNew && entered.every((it) => answersPromise(model, it.callee.func, depth));
  const value = model.evaluator.value(callee);
  // A function that was handed in is waited for as its type says; without a type it may be anything.
  if (alternatives(value).some((it) => it.kind === 'param')) return value.kind === 'param' && isPromiseFunction(value.func.params[value.index]?.annotation, value.func);
  return model.calls.match(model.calls.site(call)).some((it) => isAnsweredLater(it.library.edits?.isSync, it.row.isSync) && !isToldByCallback(call, it.row.delivery) && it.effects.some((effect) => effects.has(effect.kind)));
}

const isAnsweredLater = (...sync: (boolean | undefined)[]): boolean => !sync.includes(true);

/** What stores do. */
const effects = new Set(['write', 'sql', 'put', 'data', 'script', 'command', 'build', 'transaction', 'remove']);

/** With a function at the end the answer comes by it. */
const isToldByCallback = (call: CallExpr, delivery: { callback?: number | 'last' } | undefined): boolean => delivery?.callback !== undefined && call.args[call.args.length - 1]?.kind === 'function';

function answersPromise(model: Model, func: Func, depth: number): boolean {
  if (func.isGenerator) return false;
  return func.isAsync || func.graph().steps.some((it) => it.op.kind === 'return' && it.op.value?.kind === 'call' && isPromise(model, it.op.value, depth + 1));
}

/** Without a type it is asynchronous work, for that is what a wrapper around a lease is for. */
function isPromiseFunction(type: TypeRef | undefined, of: Func): boolean {
  if (!type) return true;
  if (type.kind === 'name') return of.module.types.has(type.name) && isPromiseFunction(of.module.types.get(type.name), of);
  return type.kind === 'function' && type.isPromised === true;
}
