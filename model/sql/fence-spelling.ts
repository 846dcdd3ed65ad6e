/**
 * Owns the manner in which a fence is written into a statement: the case of its words, its line
 * breaks, its commas and its brackets are those of the statement.
 */

import type { Span, WriteClauses } from './clauses.ts';
import { findMarkers } from './flat-text.ts';
import type { ParsedText } from './parse.ts';

export type Piece = string | { readonly hole: number };

/** Pieces to insert at an offset of the flat text. */
export interface Insertion { at: number; pieces: Piece[] }

/** A statement to write into. */
export interface Site { parsed: ParsedText; clauses: WriteClauses }

/** A keyword as this statement would write it. */
export function keyword(site: Site, word: string): string {
  const { tokens } = site.parsed.placeholders;
  const used = tokens.find((token) => token.kind === 'word' && token.word === word);
  const verb = tokens[site.clauses.verb]!.text;
  return used?.text ?? (verb === verb.toLowerCase() ? word.toLowerCase() : word);
}

/** `table.` for a token that names it; as pieces, because a table's name may be a hole. */
export function prefixOf(site: Site, token: number | undefined): Piece[] {
  if (token === undefined) return [];
  const { text } = site.parsed.placeholders.tokens[token]!;
  const pieces: Piece[] = [];
  let at = 0;
  for (const marker of findMarkers(text)) {
    const part = site.parsed.flat.parts[marker.number];
    if (typeof part !== 'object') continue;
    pieces.push(text.slice(at, marker.start), part);
    at = marker.end;
  }
  return [...pieces, text.slice(at), '.'];
}

/** The qualifier that a SET list already uses for its columns. */
export function setPrefix(site: Site, set: Span): Piece[] {
  const { tokens } = site.parsed.placeholders;
  return tokens[set.from + 1]?.text === '.' && tokens[set.from + 3]?.text !== '.' ? prefixOf(site, set.from) : [];
}

/** One more element of a comma-separated list, broken over lines as the list is. */
export function listElement(site: Site, list: Span, pieces: Piece[]): Insertion {
  const { tokens } = site.parsed.placeholders;
  const depth = tokens[list.from]!.depth;
  const comma = tokens.findLastIndex((token, i) => i >= list.from && i <= list.to && token.text === ',' && token.depth === depth);
  const before = comma < 0 ? undefined : gapAfter(site, comma - 1);
  const after = comma < 0 ? undefined : gapAfter(site, comma);
  const separator = before?.includes('\n') === true ? `${before},${after ?? ' '}` : `,${after ?? ' '}`;
  return { at: tokens[list.to]!.end, pieces: [separator, ...pieces] };
}

/** One more condition of the WHERE; the WHERE itself where there is none. */
export function addCondition(site: Site, pieces: Piece[]): Insertion[] {
  const { tokens } = site.parsed.placeholders;
  const { where, beforeTail, set } = site.clauses;
  const lineBreak = (token: number): string | undefined => {
    const gap = gapAfter(site, token);
    return gap?.includes('\n') === true ? gap : undefined;
  };
  if (where === undefined) {
    const beforeSet = set === undefined ? undefined : lineBreak(set.from - 2);
    return [{ at: tokens[beforeTail]!.end, pieces: [`${beforeSet ?? ' '}${keyword(site, 'WHERE')} `, ...pieces] }];
  }
  const depth = tokens[where.from]!.depth;
  const and = tokens.findLastIndex((token, i) => i > where.from && i < where.to && token.word === 'AND' && token.depth === depth);
  const before = and < 0 ? undefined : lineBreak(and - 1);
  const after = and < 0 || before !== undefined ? undefined : lineBreak(and);
  const joint = `${before ?? ' '}${keyword(site, 'AND')}${after ?? ' '}`;
  const end = tokens[where.to]!.end;
  if (!needsBrackets(site, where)) return [{ at: end, pieces: [joint, ...pieces] }];
  return [{ at: tokens[where.from]!.start, pieces: ['('] }, { at: end, pieces: [')', joint, ...pieces] }];
}

/** OR binds weaker than AND; a placeholder that is a whole condition may hold one. */
function needsBrackets(site: Site, where: Span): boolean {
  const { tokens } = site.parsed.placeholders;
  const depth = tokens[where.from]!.depth;
  const isBorder = (i: number): boolean => i < where.from || i > where.to || ['AND', 'NOT'].includes(tokens[i]!.word);
  return tokens.some((token, i) => {
    if (i < where.from || i > where.to || token.depth !== depth) return false;
    if (token.word === 'OR' || token.word === 'XOR') return true;
    if (token.text === '||') return site.parsed.dialect === 'mysql';
    return token.kind === 'hole' && isBorder(i - 1) && isBorder(i + 1);
  });
}

/** The white space between a token and the next one; of a comment, only what follows its line. */
function gapAfter(site: Site, token: number): string | undefined {
  const { tokens } = site.parsed.placeholders;
  if (tokens[token] === undefined || tokens[token + 1] === undefined) return undefined;
  const gap = site.parsed.flat.text.slice(tokens[token].end, tokens[token + 1]!.start);
  if (gap.trim() === '') {
    // Of several line breaks one is enough.
    const line = gap.lastIndexOf('\n');
    return line < 0 ? gap : gap.slice(gap[line - 1] === '\r' ? line - 1 : line);
  }
  const line = gap.lastIndexOf('\n');
  return line >= 0 && gap.slice(line).trim() === '' ? gap.slice(line) : undefined;
}
