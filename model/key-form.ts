/** What is known of a key whatever its caller hands over, and whether two are the same. */
import { documentKey } from './documents.ts';
import { type Value, alternatives, printValue, sameValue } from './value.ts';

/**
 * The form of a key, in which every part that depends on the caller is a hole: keys of two functions
 * belong together when their forms are the same. Undefined when nothing is known of the key.
 */
export function keyForm(value: Value): string | undefined {
  switch (value.kind) {
    case 'const':
      return JSON.stringify(String(value.value));
    case 'text':
      return value.parts.map((it) => (it.kind === 'const' ? JSON.stringify(String(it.value)) : '◦')).join('');
    case 'param':
      return '◦';
    case 'item': {
      // What a search for `lock:*` finds are keys of that form.
      const found = value.of.kind === 'field' ? value.of.of : value.of;
      const pattern = found.kind === 'derived' && found.from[0]?.kind === 'const' ? String(found.from[0].value) : undefined;
      return pattern?.includes('*') ? pattern.split('*').map((it) => (it === '' ? '' : JSON.stringify(it))).join('◦') : '◦';
    }
    case 'field':
      return value.of.kind === 'this' || (value.of.kind === 'instance') ? `this.${value.name}` : '◦';
    case 'result':
      return value.callee.kind === 'unknown' ? undefined : `${printValue(value.callee)}(${value.args.map(() => '◦').join(',')})`;
    case 'derived':
      return value.from.length === 1 ? keyForm(value.from[0]!) : '◦';
    case 'array':
      return value.items.map((it) => keyForm(it) ?? '?').join(',');
    default:
      return undefined;
  }
}

/** Keys are the same when their structure is; one of several alternatives is enough. */
export function sameKey(a: Value, b: Value): boolean {
  return alternatives(unwrapKey(a)).some((x) => alternatives(unwrapKey(b)).some((y) => sameValue(x, y)));
}

const unwrapKey = (value: Value): Value => documentKey(value.kind === 'array' && value.items.length === 1 ? value.items[0]! : value);
