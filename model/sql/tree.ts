/**
 * Owns the reading of the parser's trees, which come as untyped data: nodes are objects with one
 * key (`{ BinaryOp: {…} }`) or plain strings (`"DoNothing"`).
 */

import { type FlatText, markedOperand, replaceMarkers, soleMarker } from './flat-text.ts';
import type { HoleOperand, ParamOperand, SqlFacts } from './facts.ts';
import type { Placeholder } from './placeholders.ts';

export type Tree = unknown;

/** What a reader needs beside the tree. */
export interface Reading {
  flat: FlatText;
  params: readonly Placeholder[];
  /** Names of common table expressions, which are no tables. */
  cteNames: ReadonlySet<string>;
  /** Names of rows that are only proposed (`EXCLUDED`): their columns are values, not the stored ones. */
  proposedRows: ReadonlySet<string>;
  /** The facts of a statement or query inside an expression. */
  statement: (tree: Tree) => SqlFacts;
}

/** The value at a path of keys, or undefined. */
export function at(tree: Tree, ...path: (string | number)[]): Tree {
  let value: unknown = tree;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value ?? undefined;
}

/** The array at a path, or an empty one. */
export function listAt(tree: Tree, ...path: (string | number)[]): Tree[] {
  const value = at(tree, ...path);
  return Array.isArray(value) ? value : [];
}

/** The string at a path. */
export function textAt(tree: Tree, ...path: (string | number)[]): string | undefined {
  const value = at(tree, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The name and the body of a node. */
export function nodeOf(tree: Tree): { name: string; body: Tree } {
  if (typeof tree === 'string') return { name: tree, body: undefined };
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) return { name: '', body: undefined };
  const [entry, more] = Object.entries(tree);
  return entry === undefined || more !== undefined ? { name: '', body: tree } : { name: entry[0], body: entry[1] };
}

/** Calls back for every node with a name, from the outside in; false stops it going deeper. */
export function walk(tree: Tree, visit: (name: string, body: Tree) => boolean | void): void {
  if (tree === null || typeof tree !== 'object') return;
  if (Array.isArray(tree)) {
    for (const item of tree) walk(item, visit);
    return;
  }
  for (const [name, body] of Object.entries(tree)) {
    if (name === 'span' || body === null || typeof body !== 'object') continue;
    if (visit(name, body) !== false) walk(body, visit);
  }
}

/** Every string in a tree, keys and places left out. */
export function stringsIn(tree: Tree, found: string[] = []): string[] {
  if (typeof tree === 'string') found.push(tree);
  else if (Array.isArray(tree)) for (const item of tree) stringsIn(item, found);
  else if (tree !== null && typeof tree === 'object') {
    for (const [key, value] of Object.entries(tree)) if (key !== 'span') stringsIn(value, found);
  }
  return found;
}

/** The parts of an object name, as written without quotes. */
export function nameParts(name: Tree): string[] {
  return Array.isArray(name) ? name.map((part) => textAt(part, 'Identifier', 'value') ?? textAt(part, 'value') ?? '') : [];
}

/** A name for reading: markers rendered as what stood there. */
export function renderName(name: string, reading: Reading): string {
  return replaceMarkers(name, (type, number) => {
    const operand = markedOperand({ type, number, start: 0, end: 0 }, reading.flat, reading.params);
    return operand === undefined ? '' : operand.kind === 'hole' ? `\${${operand.hole}}` : operand.name;
  });
}

/** The last part of an object name, in lower case, with markers rendered. */
export function lastName(name: Tree, reading: Reading): string {
  return renderName(nameParts(name).at(-1) ?? '', reading).toLowerCase();
}

/** What a name stands for, when it is a placeholder. */
export function placeholderOf(name: string, reading: Reading): HoleOperand | ParamOperand | undefined {
  const marker = soleMarker(name);
  return marker && markedOperand(marker, reading.flat, reading.params);
}
