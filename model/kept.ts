/** What a module keeps on the global object, so that it outlives a reload of the module: clients of stores above all. */
import type { Expr } from './ir.ts';
import type { Value } from './value.ts';

const globalObjects: ReadonlySet<string> = new Set(['globalThis', 'global', 'window', 'self']);

/** What the module puts under this name on the object, and on that which it is another name of: `const kept = globalThis as unknown as { pool?: Pool }`. */
export function keptOn(object: Expr, name: string): Expr[] {
  const found: Expr[] = [];
  for (let at: Expr | undefined = object, depth = 3; at?.kind === 'var' && depth > 0; depth--) {
    found.push(...(at.variable.kept?.get(name) ?? []));
    at = at.variable.values.length === 1 ? at.variable.values[0] : undefined;
  }
  return found;
}

const isMade = (it: Value): boolean => it.kind === 'typed' || it.kind === 'instance';

/** Whatever has been made and kept there; plain flags and counters may be set by other modules as well. */
export const madeAndKept = (values: readonly Value[]): Value[] => values.filter(isMade);

/** What is found on the global object, or else made, is what was made there before the module was loaded again. */
export function withoutKept(values: Value[]): Value[] {
  if (!values.some(isMade)) return values;
  return values.filter((it) => !(it.kind === 'global' && globalObjects.has(it.name.slice(0, it.name.indexOf('.')))));
}
