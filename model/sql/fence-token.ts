/**
 * Owns how the token is written in each placeholder style, and where its value then belongs in
 * the parameter list.
 */

import type { Dialect, Operand } from './facts.ts';
import type { ParsedText } from './parse.ts';
import { plainName, UNKNOWN_INDEX } from './placeholders.ts';

/**
 * A value of the token to put into the parameter list. `at` is its position in the list as it is
 * after the insertions before it; `occurrences` says how often the text names it; `sameAs` is the
 * position of the parameter it repeats, in the list as it was.
 */
export interface InsertedParam { at: number; occurrences: number; sameAs?: number }

/** How the token is written: as text, or as a hole. */
export interface TokenSpelling {
  piece: string | { hole: number };
  /** Each occurrence takes a place of its own in the list. */
  positional: boolean;
  /** The position of a value that is written once and named several times. */
  appendedAt?: number;
  /** The bare name, in the named styles. */
  name?: string;
  sameAs?: number;
}

/** The hole number that stands for the token. */
export const TOKEN_HOLE = -1;

/** A spelling for a token that the statement does not have yet. */
export function spellToken(parsed: ParsedText, options: { tokenParam: string; dialect?: Dialect }): TokenSpelling | undefined {
  const { params, style } = parsed.placeholders;
  const wanted = options.tokenParam;
  if (params.some((param) => param.index === UNKNOWN_INDEX)) return undefined;
  const count = params.reduce((most, param) => Math.max(most, param.index + 1), 0);
  if (wanted === 'hole') return { piece: { hole: TOKEN_HOLE }, positional: false };
  if (wanted !== 'next') return spellAsWritten(wanted, count, parsed);
  switch (style) {
    case 'numbered': return { piece: `${params[0]!.name[0]}${count + 1}`, positional: false, appendedAt: count };
    case 'question': return { piece: '?', positional: true };
    case 'holes': return { piece: { hole: TOKEN_HOLE }, positional: false };
    case 'none': {
      // A text without placeholders does not say what its driver takes; only the caller can know.
      if (options.dialect === undefined) return undefined;
      return spellAsWritten({ postgresql: '$1', mysql: '?', sqlite: '?', mssql: '@token', cql: '?' }[options.dialect], count, parsed);
    }
    default: {
      const name = freeName(parsed);
      // `$(id)` keeps its brackets, `:...ids` loses its dots: the token is one value.
      const model = params[0]!.name;
      const old = plainName(model);
      const opening = model.slice(0, model.indexOf(old)).split('.').join('');
      const closing = { '(': ')', '{': '}', '<': '>', '[': ']', '/': '/' }[opening.at(-1) ?? ''] ?? '';
      return { piece: `${opening}${name}${closing}`, positional: false, appendedAt: count, name };
    }
  }
}

function spellAsWritten(text: string, count: number, parsed: ParsedText): TokenSpelling {
  if (text === '?') return { piece: text, positional: true };
  const number = Number(text.slice(1));
  if (Number.isInteger(number) && number > 0) {
    return { piece: text, positional: false, ...(number > count ? { appendedAt: number - 1 } : {}) };
  }
  const isKnown = parsed.placeholders.params.some((param) => plainName(param.name) === plainName(text));
  return { piece: text, positional: false, name: plainName(text), ...(isKnown ? {} : { appendedAt: count }) };
}

function freeName(parsed: ParsedText): string {
  const taken = new Set(parsed.placeholders.tokens.map((token) => plainName(token.text).toLowerCase()));
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'token' : `token${n}`;
    if (!taken.has(name)) return name;
  }
}

/** The spelling of a token that the statement already stores, to be compared as well. */
export function repeatToken(value: Operand): TokenSpelling | undefined {
  if (value.kind === 'hole' && value.quoted === undefined) return { piece: { hole: value.hole }, positional: false };
  if (value.kind !== 'param' || value.index === UNKNOWN_INDEX) return undefined;
  if (value.name === '?') return { piece: '?', positional: true, sameAs: value.index };
  return { piece: value.name, positional: false, ...('$?'.includes(value.name[0]!) ? {} : { name: plainName(value.name) }) };
}
