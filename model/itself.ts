/** A value that depends on itself: a variable that a loop adds to. */
import { type Value, contains, either, unknown } from './value.ts';

export const itself = unknown('it depends on itself');
const isItself = (it: Value): boolean => it === itself;

/** A value that is one of several does not become more of them by depending on itself. */
export function withoutItself(all: Value[]): Value[] {
  if (all.length < 2) return all;
  // `client ??= make()`: what it was before is one of its values already.
  const values = all.map((it) => (it.kind === 'either' && it.of.some(isItself) ? either(it.of.filter((each) => !isItself(each))) : it));
  const selves = values.filter((it) => contains(it, isItself));
  if (selves.length === 0 || selves.length === values.length) return values;
  const others = values.filter((it) => !selves.includes(it));
  // A text that a loop puts together of what is not known is not what it begins with.
  const added = selves.flatMap((it) => (it.kind === 'text' ? it.parts : it.kind === 'derived' ? it.from : [])).filter((it) => it !== itself && it.kind !== 'const');
  const isBegun = others.every((it) => it.kind === 'const' && typeof it.value === 'string' && !it.value.includes(' '));
  return added.length && isBegun ? [{ kind: 'derived', from: [...others, ...added], how: '+' }] : others;
}
