/** Owns the rewriting of a statement that takes a lock row into one that also counts its grants, and answers the number. */

import { readText } from './analyze.ts';
import { findClauses } from './clauses.ts';
import type { Dialect, SqlText } from './facts.ts';
import { compose, type FenceRewrite } from './fence.ts';
import { type Insertion, keyword, listElement, prefixOf, setPrefix, type Site } from './fence-spelling.ts';
import { parseText } from './parse.ts';
import { qualifierNeeded } from './relations.ts';

export interface MintOptions {
  /** The counter's column. */
  column: string;
  dialect?: Dialect;
}

/**
 * Adds a counter to one UPDATE, or to the DO UPDATE of an INSERT: raised in its SET, answered by its
 * RETURNING. Undefined where the statement has a column of that name, where its dialect answers no rows
 * of a write, or where the result could be wrong.
 */
export function addMint(text: SqlText, { column, dialect }: MintOptions): FenceRewrite | undefined {
  const parsed = parseText(text, dialect);
  const [statement, ...others] = (parsed && readText(parsed)) ?? [];
  if (!parsed || !statement || others.length > 0 || statement.fragments.length > 0 || (statement.kind !== 'update' && statement.kind !== 'insert')) return undefined;
  if (parsed.dialect === 'mysql' || parsed.dialect === 'mssql' || parsed.dialect === 'cql') return undefined;
  const { tokens } = parsed.placeholders;
  if (tokens.some((it) => it.word === column.toUpperCase() || it.text.slice(1, -1).toLowerCase() === column)) return undefined;
  const clauses = findClauses(tokens, statement.kind);
  if (!clauses?.set || qualifierNeeded(parsed.statements[0]!.tree, statement) !== 'no') return undefined;
  const site: Site = { parsed, clauses };
  const old = statement.kind === 'insert' ? prefixOf(site, clauses.qualifier) : setPrefix(site, clauses.set);
  const list: Insertion[] = [listElement(site, clauses.set, [...(statement.kind === 'insert' ? [] : old), `${column} = `, ...old, `${column} + 1`]), ...answer(site, column)];
  const result = compose(parsed, list);
  const again = parseText(result.text, parsed.dialect);
  const [minting] = (again && readText(again)) ?? [];
  const isMinting = minting?.mints.some((it) => it.expression === 'increment-returning' && it.column === column) === true;
  return isMinting && JSON.stringify([minting.where, minting.insert?.conflict?.where]) === JSON.stringify([statement.where, statement.insert?.conflict?.where]) ? { ...result, insertedParams: [] } : undefined;
}

/** One more column of the RETURNING, or a RETURNING at the end. */
function answer(site: Site, column: string): Insertion[] {
  const { tokens } = site.parsed.placeholders;
  const at = tokens.findIndex((it) => it.depth === 0 && it.word === 'RETURNING');
  const end = tokens.findLastIndex((it) => it.text !== ';');
  if (at < 0) return [{ at: tokens[end]!.end, pieces: [`${lineBreak(site)}${keyword(site, 'RETURNING')} ${column}`] }];
  return tokens[at + 1]?.text === '*' ? [] : [listElement(site, { from: at + 1, to: end }, [column])];
}

/** A clause begins a line of its own where the WHERE does. */
function lineBreak({ parsed, clauses }: Site): string {
  const { tokens } = parsed.placeholders;
  const where = clauses.where && tokens[clauses.where.from - 1];
  const before = clauses.where && tokens[clauses.where.from - 2];
  const gap = where && before ? parsed.flat.text.slice(before.end, where.start) : ' ';
  return gap.includes('\n') && gap.trim() === '' ? gap : ' ';
}
