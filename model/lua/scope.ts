// Owns which variable a name means: Lua's block scopes, shared by all paths through a script.

import type { Node } from 'luaparse';

/** One block. A name stands for a numbered cell; what the cell holds differs from path to path. */
export interface Scope {
  readonly cells: Map<string, { readonly cell: number; readonly declaredBy: Node }>;
  readonly outer: Scope | undefined;
}

/** A block inside another. */
export function innerScope(outer: Scope | undefined): Scope {
  return { cells: new Map(), outer };
}

/**
 * The cell of a local that `declaredBy` declares. A second `local x` in the same block is another variable; the same
 * declaration met again on another path is the same one.
 */
export function declare(scope: Scope, name: string, declaredBy: Node, fresh: () => number): number {
  const known = scope.cells.get(name);
  if (known?.declaredBy === declaredBy) return known.cell;
  const cell = fresh();
  scope.cells.set(name, { cell, declaredBy });
  return cell;
}

/** The cell that a name means here. */
export function lookUp(scope: Scope, name: string): number | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const found = at.cells.get(name);
    if (found) return found.cell;
  }
  return undefined;
}
