/**
 * Owns how a placeholder is shown to the parser: as an identifier where a value or a name may
 * stand, and as a whole clause where the driver puts more than a value (`SET ?` of mysqljs,
 * `SET ${sql(row)}` and `IN ${sql(ids)}` of postgres.js).
 */

import { type Draft, isNamePart, replaceTokens } from './draft.ts';
import { paramMarker } from './flat-text.ts';
import type { Token } from './tokens.ts';

/** Writes the markers of parameters, and completes the clauses that a placeholder stands for. */
export function showPlaceholders(draft: Draft): void {
  let occurrence = 0;
  // The clause that each open bracket, and the statement around it, is in at the moment.
  const clauses: string[] = [];
  draft.tokens.forEach((token, i) => {
    if (token.text === '(') clauses[token.depth + 1] = '';
    if (LIST_CLAUSES.has(token.word)) clauses[token.depth] = token.word;
    if (token.kind !== 'param' && token.kind !== 'hole') return;
    const marker = token.kind === 'hole' ? token.text : paramMarker(occurrence++);
    const shown = clauseFor(draft.tokens, i, marker, clauses[token.depth]);
    if (shown.fragment) draft.fragments.push(token);
    // `FOR UPDATE${rest}`: glued to a word, it would be read as part of it.
    const isGlued = draft.tokens[i - 1]?.kind === 'word' && draft.tokens[i - 1]!.end === token.start;
    if (shown.text !== token.text || isGlued) replaceTokens(draft, i, i, isGlued ? ` ${shown.text}` : shown.text);
  });
}

const LIST_CLAUSES = new Set(['SET', 'FROM', 'WHERE', 'OUTPUT', 'RETURNING', 'ORDER', 'LIMIT', 'SELECT', 'VALUES', ';']);

/**
 * Takes away the holes that stand where only more SQL could (`WHERE id = ${id} ${andMore}`), or
 * gives them the least clause that can stand there. Done only to a text that is not read as it is.
 */
export function loosenHoles(draft: Draft): void {
  draft.tokens.forEach((token, i) => {
    if (token.kind !== 'hole') return;
    const loose = looseClauseFor(draft.tokens, i);
    if (loose === undefined) return;
    if (!draft.fragments.includes(token)) draft.fragments.push(token);
    draft.edits = draft.edits.filter((edit) => edit.start !== token.start);
    replaceTokens(draft, i, i, loose);
  });
}

function looseClauseFor(tokens: readonly Token[], i: number): string | undefined {
  const marker = tokens[i]!.text;
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  const begins = after !== undefined && (after.kind === 'hole' || after.text === ',' || STATEMENT_VERBS.has(after.word));
  if (begins && (before?.word === 'WITH' || (before?.text === ',' && tokens[i - 2]?.text === ')' && after.text !== ','))) return `${marker} AS (SELECT 1)`;
  if (before?.text === '(' && tokens[i - 2]?.word === 'AS' && after?.text === ')') return `SELECT ${marker}`;
  // `SET ${more} updated_at = now()`, `SELECT id, ${more} name`: the hole brings its own comma.
  if (['SET', 'SELECT', ','].includes(before?.word ?? '') && isNamePart(after) && !NOT_OPERANDS.has(after!.word)) return '';
  // `FOR UPDATE ${skipLocked}`.
  if (['UPDATE', 'SHARE'].includes(before?.word ?? '') && ['FOR', 'KEY'].includes(tokens[i - 2]?.word ?? '')) return '';
  if (before !== undefined && !endsOperand(before)) return undefined;
  if (before?.text === ')' && !['DO', 'WHERE'].includes(after?.word ?? '') && isConflictTarget(tokens, i - 1)) return 'DO NOTHING';
  // `FROM jobs ${where} AND done`: the hole is the WHERE.
  return (after?.word === 'AND' || after?.word === 'OR') && !standsInCondition(tokens, i) ? `WHERE ${marker}` : '';
}

function standsInCondition(tokens: readonly Token[], i: number): boolean {
  const opener = tokens.slice(0, i).findLast((token) => token.depth <= tokens[i]!.depth && (CLAUSE_WORDS.has(token.word) || token.depth < tokens[i]!.depth));
  return opener !== undefined && ['WHERE', 'ON', 'HAVING', 'WHEN', 'AND', 'OR'].includes(opener.word);
}

const CLAUSE_WORDS = new Set(['SELECT', 'FROM', 'WHERE', 'ON', 'HAVING', 'WHEN', 'SET', 'AND', 'OR', 'JOIN']);

const STATEMENT_VERBS = new Set(['SELECT', 'UPDATE', 'INSERT', 'DELETE', 'MERGE']);

function isConflictTarget(tokens: readonly Token[], close: number): boolean {
  const open = tokens.findLastIndex((token, k) => k < close && token.text === '(' && token.depth === tokens[close]!.depth);
  return tokens[open - 1]?.word === 'CONFLICT';
}

function clauseFor(tokens: readonly Token[], i: number, marker: string, clause: string | undefined): { text: string; fragment: boolean } {
  const before = tokens[i - 1]?.word;
  const after = tokens[i + 1];
  if (before === 'IN' && after?.text !== '(' && after?.text !== '.') return { text: `(${marker})`, fragment: false };
  if (before === 'VALUES' || before === 'VALUE') return { text: `(${marker})`, fragment: true };
  if (clause === 'SET' && isWholeAssignment(tokens, i)) return { text: `${marker} = ${marker}`, fragment: true };
  if (isWholeInsert(tokens, i)) return { text: `(${marker}) VALUES (${marker})`, fragment: true };
  // The parser takes only a number here, and the number does not matter.
  if ((before === 'FIRST' || before === 'NEXT') && tokens[i - 2]?.word === 'FETCH') return { text: '1', fragment: false };
  return { text: marker, fragment: false };
}

/** Is this element of a SET list without an equals sign? */
function isWholeAssignment(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  if (after !== undefined && after.depth === tokens[i]!.depth && after.kind === 'symbol' && after.text !== ',' && after.text !== ';') return false;
  return before?.word === 'SET' || before?.text === ',';
}

/** `INSERT INTO t ${sql(row)}`: the driver writes columns and values. */
function isWholeInsert(tokens: readonly Token[], i: number): boolean {
  const after = tokens[i + 1];
  if (after !== undefined && !INSERT_ENDS.has(after.word)) return false;
  let start = i - 1;
  while (isNamePart(tokens[start]) && tokens[start - 1]?.text === '.') start -= 2;
  return isNamePart(tokens[start]) && tokens[start - 1]?.word === 'INTO';
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

