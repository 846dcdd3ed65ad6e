/**
 * Owns where the clauses of a writing statement stand in its tokens. The tree has been read by
 * then; this only finds places, and what is inserted there is checked against a new tree.
 */

import { afterName, closingBracket, isNamePart } from './draft.ts';
import type { Token } from './tokens.ts';

/** A run of tokens, both ends included. */
export interface Span { from: number; to: number }

export interface WriteClauses {
  verb: number;
  /** The elements of the SET list, without the word. */
  set?: Span;
  /** The condition, without the word. */
  where?: Span;
  /** The token after which a missing WHERE goes. */
  beforeTail: number;
  /** What columns of the written table may be qualified with, as written: a token index. */
  qualifier?: number;
  /** INSERT: the elements of the column list, and of every row of VALUES. */
  columns?: Span;
  rows?: Span[];
}

const TAIL = new Set(['RETURNING', 'ORDER', 'LIMIT', 'OPTION', ';']);
const SET_ENDS = new Set([...TAIL, 'WHERE', 'FROM', 'OUTPUT']);
const NO_ALIAS = new Set(['SET', 'WITH', 'FROM', 'OUTPUT', 'JOIN', 'INNER', 'LEFT', 'RIGHT', 'CROSS', 'USING', 'WHERE', 'VALUES', 'SELECT', 'DEFAULT', 'OVERRIDING', ...TAIL]);
const MODIFIERS = new Set(['ONLY', 'LOW_PRIORITY', 'IGNORE', 'QUICK']);

/** The clauses of the outermost UPDATE, DELETE or INSERT, or undefined where they are not plain. */
export function findClauses(tokens: readonly Token[], kind: 'update' | 'delete' | 'insert'): WriteClauses | undefined {
  const verb = tokens.findIndex((token, i) => token.depth === 0 && token.word === kind.toUpperCase() && tokens[i - 1]?.word !== 'FOR');
  if (verb < 0) return undefined;
  return kind === 'insert' ? insertClauses(tokens, verb) : kind === 'update' ? updateClauses(tokens, verb) : deleteClauses(tokens, verb);
}

function updateClauses(tokens: readonly Token[], verb: number): WriteClauses | undefined {
  const set = find(tokens, verb, new Set(['SET']));
  if (set === undefined) return undefined;
  const name = skipModifiers(tokens, verb + 1);
  return { verb, ...listAfter(tokens, set, SET_ENDS), ...whereAfter(tokens, set), ...qualifierAt(tokens, name) };
}

function deleteClauses(tokens: readonly Token[], verb: number): WriteClauses {
  const start = skipModifiers(tokens, verb + 1);
  const name = tokens[start]?.word === 'FROM' ? skipModifiers(tokens, start + 1) : start;
  // Of `DELETE q FROM queue q` the first name is the one that qualifies.
  return { verb, ...whereAfter(tokens, verb), ...qualifierAt(tokens, name) };
}

function insertClauses(tokens: readonly Token[], verb: number): WriteClauses | undefined {
  const into = find(tokens, verb, new Set(['INTO']));
  const values = find(tokens, verb, new Set(['VALUES']));
  const action = tokens.findIndex((token, i) => i > verb && token.depth === 0 && token.word === 'DO' && tokens[i + 1]?.word === 'UPDATE' && tokens[i + 2]?.word === 'SET');
  if (into === undefined || values === undefined || action < 0) return undefined;
  const { qualifier, next } = qualifierAt(tokens, into + 1);
  if (qualifier === undefined || tokens[next]?.text !== '(') return undefined;
  const rows: Span[] = [];
  let open = values + 1;
  while (tokens[open]?.text === '(') {
    const close = closingBracket(tokens, open);
    rows.push({ from: open + 1, to: close - 1 });
    if (tokens[close + 1]?.text !== ',') break;
    open = close + 2;
  }
  const columns = { from: next + 1, to: closingBracket(tokens, next) - 1 };
  return { verb, columns, rows, qualifier, ...listAfter(tokens, action + 2, SET_ENDS), ...whereAfter(tokens, action) };
}

/** The next of some clause words at the depth of the statement. */
function find(tokens: readonly Token[], after: number, words: ReadonlySet<string>): number | undefined {
  const depth = tokens[after]!.depth;
  const found = tokens.findIndex((token, i) => i > after && token.depth === depth && words.has(token.word) && opensClause(tokens, i));
  return found < 0 ? undefined : found;
}

/** `IS DISTINCT FROM`, `t.output` and `output = 1` hold clause words that open no clause. */
function opensClause(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1];
  const after = tokens[i + 1]?.text;
  if (tokens[i]!.word === 'FROM' && before?.word === 'DISTINCT') return false;
  return before?.text !== '.' && after !== '=' && after !== '.';
}

function listAfter(tokens: readonly Token[], word: number, ends: ReadonlySet<string>): { set: Span } {
  return { set: { from: word + 1, to: (find(tokens, word, ends) ?? tokens.length) - 1 } };
}

function whereAfter(tokens: readonly Token[], after: number): { where?: Span; beforeTail: number } {
  const tail = find(tokens, after, TAIL) ?? tokens.length;
  const where = find(tokens, after, new Set(['WHERE']));
  const beforeTail = tail - 1;
  return where === undefined || where > tail ? { beforeTail } : { where: { from: where + 1, to: beforeTail }, beforeTail };
}

function skipModifiers(tokens: readonly Token[], at: number): number {
  let i = at;
  for (;;) {
    if (tokens[i]?.word === 'TOP' && tokens[i + 1]?.text === '(') {
      i = closingBracket(tokens, i + 1) + 1;
      if (tokens[i]?.word === 'PERCENT') i++;
    } else if (tokens[i]?.word === 'OR') i += 2;
    else if (MODIFIERS.has(tokens[i]?.word ?? '') && isNamePart(tokens[i + 1])) i++;
    else return i;
  }
}

/** The alias of the table that is named here, else the last part of its name. */
function qualifierAt(tokens: readonly Token[], name: number): { qualifier?: number; next: number } {
  const end = afterName(tokens, name);
  if (end === name) return { next: name };
  const alias = tokens[end]?.word === 'AS' ? end + 1 : end;
  const hasAlias = isNamePart(tokens[alias]) && !NO_ALIAS.has(tokens[alias]!.word);
  return hasAlias ? { qualifier: alias, next: alias + 1 } : { qualifier: end - 1, next: end };
}
