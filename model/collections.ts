/** Lists whose elements are known though their number is not: what a loop has added to one, what `map` has made of another. */
import type { Evaluator } from './evaluator.ts';
import type { Variable } from './ir.ts';
import { type Value, alternatives, contains, either, isNothing, unknown } from './value.ts';

const busy = new Set<Variable>();
/** A list to which more places add something holds something of everything. */
const maxAdded = 6;

/** A list with what is added to it later. */
export function withAdded(list: Value, variable: Variable, evaluator: Evaluator): Value {
  if (list.kind !== 'array' || !variable.added) return list;
  // What is added may be made of the list itself.
  if (busy.has(variable)) {
    evaluator.circles.cut();
    return { ...list, open: true };
  }
  if (variable.added.length > maxAdded) return { ...list, open: true };
  busy.add(variable);
  let added: Value[];
  try {
    added = variable.added.map((it) => evaluator.value(it));
  } finally {
    busy.delete(variable);
  }
  if (!added.every((it) => isPlain(it))) return { ...list, open: true };
  return list.open ? { kind: 'array', items: [...list.items, ...added], open: true } : sampleOf([...list.items, ...added]);
}

/** A key, a handle, or an object of such. What is made of lists and of objects in objects is a tree, and grows without end where it is followed into its own branches. */
function isPlain(value: Value, depth = 2): boolean {
  const all = (of: Iterable<Value>): boolean => depth > 0 && [...of].every((it) => isPlain(it, depth - 1));
  switch (value.kind) {
    case 'const':
    case 'fresh':
    case 'some':
    case 'releaser':
    case 'param':
    case 'this':
    case 'global':
    case 'export':
    case 'unknown':
      return true;
    case 'text':
      return value.parts.every((it) => isPlain(it, depth));
    case 'field':
    case 'item':
      return isPlain(value.of, depth);
    case 'derived':
      return value.from.every((it) => isPlain(it, depth));
    case 'either':
      return value.of.every((it) => isPlain(it, depth));
    case 'object':
      return all(value.props.values());
    case 'typed':
    case 'result':
      return all(value.args);
    default:
      return false;
  }
}

/** A list of any number of elements, each of which is one of these. Of lists of lists nothing is said: a tree that is walked would be unfolded for ever. */
export const sampleOf = (items: Value[]): Value => ({ kind: 'array', items, open: true, isSample: !items.some((it) => contains(it, isList)) });

const isList = (it: Value): boolean => it.kind === 'array' && it.isSample === true;

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
