/** The test that tells a granted acquire from a refused one, by what it answers. */
import { type Value, alternatives, truthiness } from '../../../model/value.ts';
import { type Style, quoted } from '../source/style.ts';

export interface GrantTest {
  granted: string;
  refused: string;
}

/** The test of a name that holds the answer; undefined where the two answers cannot be told apart for certain. */
export function grantTest(name: string, held: Value, refused: Value, style: Style): GrantTest | undefined {
  const [ours, theirs] = [alternatives(held), alternatives(refused)];
  const [only] = ours;
  if (ours.length === 1 && only?.kind === 'const' && only.value !== true && only.value && theirs.every((it) => it.kind === 'const' && it.value !== only.value)) {
    const literal = typeof only.value === 'string' ? quoted(only.value, style) : String(only.value);
    return typeof only.value === 'string' || typeof only.value === 'number' ? { granted: `${name} === ${literal}`, refused: `${name} !== ${literal}` } : undefined;
  }
  if (theirs.every((it) => it.kind === 'const' && !it.value) && ours.every((it) => truthiness(it) === true)) return { granted: name, refused: `!${name}` };
  return inParts(name, ours, theirs, style);
}

/** Both answers are objects, or both are lists: a part of them tells. */
function inParts(name: string, ours: readonly Value[], theirs: readonly Value[], style: Style): GrantTest | undefined {
  const [one] = ours;
  const [other] = theirs;
  if (ours.length !== 1 || theirs.length !== 1 || !one || !other) return undefined;
  if (one.kind === 'object' && other.kind === 'object') {
    for (const [key, value] of one.props) {
      const rest = other.props.get(key);
      const test = rest && /^[A-Za-z_$][\w$]*$/.test(key) ? grantTest(`${name}.${key}`, value, rest, style) : undefined;
      if (test) return test;
    }
  }
  if (one.kind === 'array' && other.kind === 'array') {
    for (const [i, value] of one.items.entries()) {
      const rest = other.items[i];
      const test = rest && grantTest(`${name}[${i}]`, value, rest, style);
      if (test) return test;
    }
  }
  return undefined;
}
