/** Lists whose elements are known though their number is not: what a loop has added to one, what `map` has made of another. */
import type { Evaluator } from './evaluator.ts';
import type { Variable } from './ir.ts';
import { type Value, alternatives, either, isNothing, unknown } from './value.ts';

const busy = new Set<Variable>();

/** A list with what is added to it later. */
export function withAdded(list: Value, variable: Variable, evaluator: Evaluator): Value {
  if (list.kind !== 'array' || !variable.added) return list;
  // What is added may be made of the list itself.
  if (busy.has(variable)) {
    evaluator.circles.count++;
    return { ...list, open: true };
  }
  busy.add(variable);
  const added = variable.added.map((it) => evaluator.value(it));
  busy.delete(variable);
  return { kind: 'array', items: [...list.items, ...added], open: true, isSample: !list.open };
}

/** What an element of a list can be; whoever goes through one has looked whether it is there. */
export function elementOf(of: Value): Value {
  const lists = alternatives(of).filter((it) => !isNothing(it));
  const known = lists.flatMap((it) => (it.kind === 'array' && it.items.length > 0 && (!it.open || it.isSample) ? [either(it.items)] : []));
  return known.length > 0 && known.length === lists.length ? either(known) : { kind: 'item', of };
}

/** What a callback is handed that is called for each element; of several that differ none stands for all. */
export function elementHanded(of: Value | undefined): Value {
  if (!of) return unknown('an element');
  const isOne = of.kind === 'array' && (of.isSample || (!of.open && of.items.length === 1));
  return isOne || of.kind === 'either' ? elementOf(of) : { kind: 'item', of };
}
