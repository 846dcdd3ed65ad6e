/**
 * Owns a flat text under revision: tokens to look at, and edits that turn it into what the
 * parser can read. The text that the user wrote is never changed by them.
 */

import type { Token } from './tokens.ts';

export interface Edit { start: number; end: number; text: string }

export interface Draft {
  text: string;
  dialect: string;
  tokens: readonly Token[];
  edits: Edit[];
  /** The tokens of placeholders that stand for an unknown piece of SQL. */
  fragments: Token[];
}

/** Do the words that start at a token read as given? */
export function reads(draft: Draft, at: number, ...words: string[]): boolean {
  return words.every((word, k) => draft.tokens[at + k]?.word === word);
}

/** Replaces the tokens from one to another, both included. */
export function replaceTokens(draft: Draft, from: number, to: number, text: string): void {
  draft.edits.push({ start: draft.tokens[from]!.start, end: draft.tokens[to]!.end, text });
}

export function insertAfter(draft: Draft, at: number, text: string): void {
  const end = draft.tokens[at]!.end;
  draft.edits.push({ start: end, end, text });
}

/** The index after the name that starts here: `a`, `a.b."c"`; the same index where none starts. */
export function afterName(tokens: readonly Token[], at: number): number {
  let i = at;
  while (isNamePart(tokens[i])) {
    if (tokens[i + 1]?.text !== '.') return i + 1;
    i += 2;
  }
  return i;
}

export function isNamePart(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted' || token.kind === 'hole' || token.kind === 'param');
}

/** The index of the bracket that closes the one at `open`, or the last token. */
export function closingBracket(tokens: readonly Token[], open: number): number {
  const { depth } = tokens[open]!;
  for (let i = open + 1; i < tokens.length; i++) if (tokens[i]!.text === ')' && tokens[i]!.depth === depth) return i;
  return tokens.length - 1;
}

/** The last token of the statement or bracket that a token stands in. */
export function endOfScope(tokens: readonly Token[], at: number): number {
  const { depth } = tokens[at]!;
  for (let i = at + 1; i < tokens.length; i++) {
    // A closing bracket counts as outside, so the one that ends the scope has a smaller depth.
    if (tokens[i]!.depth < depth || (tokens[i]!.depth === depth && tokens[i]!.text === ';')) return i - 1;
  }
  return tokens.length - 1;
}

/** Applies edits to a text. Edits at the same place keep their order; overlapping ones lose. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, order) => ({ edit, order })).sort((a, b) => a.edit.start - b.edit.start || a.order - b.order);
  let result = '';
  let at = 0;
  for (const { edit } of ordered) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
