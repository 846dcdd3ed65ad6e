// Owns which variable a name means: Lua's block scopes, shared by all paths through a script.

/** What a name means at one place. It never changes: a declaration makes a new scope for what follows it. */
export interface Scope {
  /** The numbered cell that each name stands for; what the cell holds differs from path to path. */
  readonly cells: ReadonlyMap<string, number>;
  readonly outer: Scope | undefined;
}

/** The scope of a script's first statement. */
export const outermost: Scope = { cells: new Map(), outer: undefined };

/** The scope after a declaration. A second `local x` in the same block is another variable. */
export function declare(outer: Scope, cells: ReadonlyMap<string, number>): Scope {
  return { cells, outer };
}

/** The cell that a name means here. */
export function lookUp(scope: Scope, name: string): number | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const found = at.cells.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
