/**
 * Owns how a placeholder is shown to the parser: as an identifier where a value or a name may
 * stand, and as a whole clause where the driver puts more than a value (`SET ?` of mysqljs,
 * `SET ${sql(row)}` and `IN ${sql(ids)}` of postgres.js).
 */

import { afterName, type Draft, endOfScope, isNamePart, replaceTokens } from './draft.ts';
import { paramMarker } from './flat-text.ts';
import type { Token } from './tokens.ts';

/** Writes the markers of parameters, and completes the clauses that a placeholder stands for. */
export function showPlaceholders(draft: Draft): void {
  let occurrence = 0;
  draft.tokens.forEach((token, i) => {
    if (token.kind !== 'param' && token.kind !== 'hole') return;
    const marker = token.kind === 'hole' ? token.text : paramMarker(occurrence++);
    const shown = clauseFor(draft, i, marker);
    if (shown.fragment) draft.fragments.push(token);
    if (shown.text !== token.text) replaceTokens(draft, i, i, shown.text);
  });
}

/** Removes holes that stand where only more SQL could: `WHERE id = ${id} ${andMore}`. */
export function blankDanglingHoles(draft: Draft): void {
  draft.tokens.forEach((token, i) => {
    const before = draft.tokens[i - 1];
    if (token.kind !== 'hole' || draft.fragments.includes(token)) return;
    if (before !== undefined && !endsOperand(before)) return;
    draft.fragments.push(token);
    replaceTokens(draft, i, i, '');
  });
}

function clauseFor(draft: Draft, i: number, marker: string): { text: string; fragment: boolean } {
  const { tokens } = draft;
  const before = tokens[i - 1]?.word;
  const after = tokens[i + 1];
  if (before === 'IN' && after?.text !== '(' && after?.text !== '.') return { text: `(${marker})`, fragment: false };
  if (before === 'VALUES' || before === 'VALUE') return { text: `(${marker})`, fragment: true };
  if (isWholeAssignment(tokens, i)) return { text: `${marker} = ${marker}`, fragment: true };
  if (isWholeInsert(draft, i)) return { text: `(${marker}) VALUES (${marker})`, fragment: true };
  // The parser takes only a number here, and the number does not matter.
  if ((before === 'FIRST' || before === 'NEXT') && tokens[i - 2]?.word === 'FETCH') return { text: '1', fragment: false };
  return { text: marker, fragment: false };
}

/** An element of a SET list without an equals sign. */
function isWholeAssignment(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i]!;
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  if (after !== undefined && after.depth === token.depth && (after.kind === 'symbol' && after.text !== ',' && after.text !== ';')) return false;
  if (before?.word === 'SET') return true;
  if (before?.text !== ',') return false;
  for (let k = i - 1; k >= 0 && tokens[k]!.depth >= token.depth; k--) {
    if (tokens[k]!.depth > token.depth) continue;
    if (tokens[k]!.word === 'SET') return true;
    if (SET_LIST_ENDS.has(tokens[k]!.word)) return false;
  }
  return false;
}

const SET_LIST_ENDS = new Set(['FROM', 'WHERE', 'OUTPUT', 'RETURNING', 'ORDER', 'LIMIT', 'SELECT', 'VALUES', ';']);

/** `INSERT INTO t ${sql(row)}`: the driver writes columns and values. */
function isWholeInsert(draft: Draft, i: number): boolean {
  const { tokens } = draft;
  const after = tokens[i + 1];
  if (after !== undefined && !INSERT_ENDS.has(after.word)) return false;
  const into = tokens.findLastIndex((token, k) => k < i && token.word === 'INTO' && token.depth === tokens[i]!.depth);
  return into >= 0 && into + 1 < i && afterName(tokens, into + 1) === i && endOfScope(tokens, into) >= i;
}

const INSERT_ENDS = new Set(['ON', 'RETURNING', ';', ')']);

const NOT_OPERANDS = new Set([
  'SELECT', 'FROM', 'WHERE', 'AND', 'OR', 'NOT', 'IN', 'SET', 'INTO', 'UPDATE', 'JOIN', 'ON', 'USING', 'VALUES', 'BY', 'LIMIT', 'OFFSET',
  'LIKE', 'ILIKE', 'BETWEEN', 'IS', 'AS', 'WHEN', 'THEN', 'ELSE', 'CASE', 'HAVING', 'RETURNING', 'DISTINCT', 'INTERVAL', 'DELETE', 'TABLE',
  'WITH', 'EXISTS', 'ANY', 'ALL', 'SOME', 'TOP', 'OUTPUT', 'DO', 'CALL', 'EXEC', 'EXECUTE', 'ESCAPE', 'COLLATE', 'OF', 'UNION', 'TO',
]);

/** Could an operand end with this token, so that another one cannot follow? */
function endsOperand(token: Token): boolean {
  if (token.kind === 'word') return !NOT_OPERANDS.has(token.word);
  return isNamePart(token) || token.kind === 'string' || token.kind === 'number' || token.text === ')' || token.text === '*' || token.text === ';';
}

