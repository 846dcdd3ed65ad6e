/** What a function gets that is written in place and handed to a library: the transaction, the connection, the handle. */
import type { Effect, TypeId } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import type { Func } from './ir.ts';
import type { Value } from './value.ts';

/** The type of a library that the parameter `index` of `func` has by the call that `func` is handed to. */
export function handedType(func: Func, index: number, calls: Calls): TypeId | undefined {
  if (!func.handedTo) return undefined;
  for (const it of calls.match(calls.site(func.handedTo))) {
    const answer = deliveredType(func, index, it);
    if (answer) return answer;
    for (const effect of it.effects) {
      const type = isBody(effect, func, it, calls) ? passed(effect, index) : undefined;
      if (type) return type;
    }
  }
  return undefined;
}

/** Methods of arrays that hand each item to their function first. */
const perItem = new Set(['map', 'forEach', 'filter', 'flatMap', 'some', 'every', 'find']);

/** What a function written in place gets from a promise or an array: the promise's answer, an item of the array. */
export function handedValue(func: Func, index: number, calls: Calls): Value | undefined {
  const call = func.handedTo;
  const first = call?.args[0];
  if (!call || index !== 0 || first?.kind !== 'function' || first.func !== func) return undefined;
  const { name, receiver } = calls.site(call);
  if (!receiver) return undefined;
  // A promise stands for its value.
  if (name === 'then') return receiver;
  return perItem.has(name) ? { kind: 'item', of: receiver } : undefined;
}

/** The answer that a Node callback, `(error, answer)`, gets. */
function deliveredType(func: Func, index: number, { row, site, effects }: Matched): TypeId | undefined {
  const callback = row.delivery?.callback;
  if (callback === undefined || index !== 1) return undefined;
  const { args } = site.call;
  const expr = args[callback === 'last' ? args.length - 1 : callback];
  if (expr?.kind !== 'function' || expr.func !== func) return undefined;
  for (const effect of effects) if (effect.kind === 'acquire' && typeof effect.granted === 'object' && 'type' in effect.granted) return effect.granted.type;
  return row.answers;
}

function passed(effect: Effect, index: number): TypeId | undefined {
  if (effect.kind === 'transaction') return index === 0 ? effect.passes : undefined;
  if (effect.kind === 'calls') return effect.types?.[index] ?? undefined;
  return effect.kind === 'acquire' && effect.bodyHandle?.index === index ? effect.bodyHandle.type : undefined;
}

function isBody(effect: Effect, func: Func, { site }: Matched, calls: Calls): boolean {
  if (!('body' in effect) || !effect.body) return false;
  const expr = calls.exprAt(effect.body, site);
  return expr?.kind === 'function' && expr.func === func;
}

/** Something that can be called: a function, or what may hold one. */
export const isRunnable = (it: Value): boolean => it.kind === 'func' || it.kind === 'param' || it.kind === 'field' || it.kind === 'releaser';

/** Something that was handed over: to the function, or to the object when it was made. */
export function isParamPath(value: Value): boolean {
  return value.kind === 'param' || value.kind === 'this' || (value.kind === 'field' && isParamPath(value.of));
}
