/**
 * Owns the proof that a rewritten statement is the old one plus a fence: the added nodes are taken
 * out of the new tree, and what is left must be the old tree.
 */

import type { StatementKind } from './facts.ts';
import { replaceMarkers } from './flat-text.ts';
import type { ParsedText } from './parse.ts';
import { at, listAt, nodeOf, type Tree } from './tree.ts';

/**
 * Is the new statement the old one with one more condition and, if it stores the token, one more value?
 * Takes the added nodes out of the tree of `fenced`, which is of no use after that.
 */
export function isFenceAlone(old: ParsedText, fenced: ParsedText, kind: StatementKind, stores: 'new' | 'already'): boolean {
  if (old.statements.length !== 1 || fenced.statements.length !== 1) return false;
  const before = old.statements[0]!.tree;
  const after = fenced.statements[0]!.tree;
  const name = kind[0]!.toUpperCase() + kind.slice(1);
  const was = writeNode(before, name);
  const is = writeNode(after, name);
  if (was === undefined || is === undefined || fenced.fragments.length > 0) return false;
  if (name === 'Insert') {
    const action = at(is, 'on', 'OnConflict', 'action', 'DoUpdate');
    if (stores === 'new') {
      listAt(is, 'columns').pop();
      listAt(action, 'assignments').pop();
      for (const row of listAt(is, 'source', 'body', 'Values', 'rows')) listAt(row, 'content').pop();
    }
    return dropCondition(action, at(was, 'on', 'OnConflict', 'action', 'DoUpdate')) && same(before, after);
  }
  if (stores === 'new') listAt(is, 'assignments').pop();
  return dropCondition(is, was) && same(before, after);
}

/** The node of the write, alone or under a WITH. */
function writeNode(tree: Tree, name: string): Tree | undefined {
  const own = at(tree, name);
  return own ?? at(tree, 'Query', 'body', name, name);
}

/** Takes the last condition out of a WHERE, and the brackets that were put around the others. */
function dropCondition(is: Tree, was: Tree): boolean {
  const selection = at(is, 'selection');
  const old = at(was, 'selection');
  if (selection === undefined || is === null || typeof is !== 'object') return false;
  const owner = is as Record<string, unknown>;
  if (old === undefined) {
    owner['selection'] = (was as Record<string, unknown>)['selection'];
    return true;
  }
  if (at(selection, 'BinaryOp', 'op') !== 'And') return false;
  const rest = at(selection, 'BinaryOp', 'left');
  const { name, body } = nodeOf(rest);
  owner['selection'] = name === 'Nested' && nodeOf(old).name !== 'Nested' ? body : rest;
  return true;
}

/** Are two trees the same but for places and the numbering of markers? */
function same(a: Tree, b: Tree): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = namesIn(a);
  return names.length === namesIn(b).length && names.every((name) => Object.hasOwn(b, name) && same((a as Record<string, Tree>)[name], (b as Record<string, Tree>)[name]));
}

const namesIn = (tree: object): string[] => Object.keys(tree).filter((name) => name !== 'span' && tree[name as keyof typeof tree] !== undefined);
const plain = (text: string): string => replaceMarkers(text, (type) => `<${type}>`);
