/**
 * Owns the cutting of a flat text into tokens. The parser understands SQL; tokens are needed
 * beside it because it keeps neither the places of clauses (rewriting inserts text there) nor
 * JavaScript's placeholder styles, and because a few statements must be re-spelled before it can
 * read them.
 */

import { findMarkers, soleMarker } from './flat-text.ts';

/** How a dialect writes strings, names and comments. */
interface Lexis {
  backslashEscapes: boolean;
  hashComments: boolean;
  bracketNames: boolean;
  dollarStrings: boolean;
}

function lexisOf(dialect: string): Lexis {
  return {
    backslashEscapes: dialect === 'mysql',
    hashComments: dialect === 'mysql',
    bracketNames: dialect === 'mssql' || dialect === 'sqlite',
    dollarStrings: dialect === 'postgresql' || dialect === 'generic',
  };
}

export type ParamForm = 'numbered' | 'question' | 'colon' | 'at' | 'dollar';

export interface Token {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'hole' | 'param';
  text: string;
  /** The text in upper case, for words; the text itself otherwise. */
  word: string;
  start: number;
  end: number;
  /** How many round brackets are open around the token; a bracket itself counts as outside. */
  depth: number;
  form?: ParamForm;
}

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';
const isLetter = (c: string | undefined): boolean =>
  c !== undefined && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_' || c > '\u007f');
const isWordPart = (c: string | undefined): boolean => isLetter(c) || isDigit(c) || c === '$' || c === '#';

/** Brackets that pg-promise and its like put around a name after the dollar. */
const DOLLAR_BRACKETS: Record<string, string> = { '(': ')', '{': '}', '<': '>', '[': ']', '/': '/' };
const SYMBOLS = ['->>', '#>>', '::', ':=', '||', '<=', '>=', '<>', '!=', '+=', '-=', '*=', '/=', '->', '@>', '<@', '@@', '?|', '?&'];

/** Cuts a text into tokens; comments and white space fall between them. */
export function scan(text: string, dialect: string): Token[] {
  const lexis = lexisOf(dialect);
  const tokens: Token[] = [];
  let at = 0;
  let depth = 0;

  while (at < text.length) {
    const skipped = skipGap(text, at, lexis);
    if (skipped > at) { at = skipped; continue; }
    const start = at;
    const { kind, end, form } = readToken(text, at, lexis);
    at = Math.max(end, start + 1);
    const piece = text.slice(start, at);
    if (piece === ')') depth = Math.max(0, depth - 1);
    const isHole = kind === 'word' && soleMarker(piece)?.type === 'hole';
    tokens.push({
      kind: isHole ? 'hole' : kind, text: piece, word: kind === 'word' ? piece.toUpperCase() : piece, start, end: at, depth,
      ...(form === undefined ? {} : { form }),
    });
    if (piece === '(') depth++;
  }
  return tokens;
}

/** The end of the white space or comment that starts here; the same place when there is none. */
function skipGap(text: string, at: number, lexis: Lexis): number {
  const c = text[at]!;
  if (c.trim() === '') return at + 1;
  if (text.startsWith('--', at) || (c === '#' && lexis.hashComments)) {
    const line = text.indexOf('\n', at);
    return line < 0 ? text.length : line;
  }
  if (!text.startsWith('/*', at)) return at;
  let open = 0;
  for (let i = at; i < text.length; i++) {
    // MySQL and SQLite do not nest comments, but an opening inside one is too rare to matter.
    if (text.startsWith('/*', i)) { open++; i++; }
    else if (text.startsWith('*/', i)) { open--; i++; if (open === 0) return i + 1; }
  }
  return text.length;
}

function readToken(text: string, at: number, lexis: Lexis): { kind: Token['kind']; end: number; form?: ParamForm } {
  const c = text[at]!;
  const next = text[at + 1];
  const prefixed = next === "'" && 'eEnNbBxX'.includes(c);
  if (c === "'" || prefixed) {
    const from = prefixed ? at + 1 : at;
    return { kind: 'string', end: endOfQuoted(text, from, lexis.backslashEscapes || 'eE'.includes(c) ? '\\' : undefined) };
  }
  if (c === '"' || c === '`') return { kind: 'quoted', end: endOfQuoted(text, at, c === '"' && lexis.backslashEscapes ? '\\' : undefined) };
  if (c === '[' && lexis.bracketNames) {
    const close = text.indexOf(']', at);
    return { kind: 'quoted', end: close < 0 ? text.length : close + 1 };
  }
  const param = readParam(text, at, lexis);
  if (param !== undefined) return param;
  if (isLetter(c)) return { kind: 'word', end: endOfWord(text, at) };
  if (isDigit(c)) return { kind: 'number', end: endOfNumber(text, at) };
  // `@@ROWCOUNT` and, where they are no parameters, variables: words for our purposes.
  if (c === '@' && (isLetter(next) || (next === '@' && isLetter(text[at + 2])))) {
    return { kind: 'word', end: endWhile(text, at + 2, isWordPart) };
  }
  const symbol = SYMBOLS.find((s) => text.startsWith(s, at));
  return { kind: 'symbol', end: at + (symbol?.length ?? 1) };
}

/** A placeholder in any style; whether it is one is decided later, when the whole text is seen. */
function readParam(text: string, at: number, lexis: Lexis): { kind: Token['kind']; end: number; form?: ParamForm } | undefined {
  const c = text[at]!;
  const next = text[at + 1];
  const before = text[at - 1];
  if (c === '$') {
    if (isDigit(next)) return { kind: 'param', form: 'numbered', end: endOfModifier(text, endWhile(text, at + 1, isDigit)) };
    const tag = endWhile(text, at + 1, isWordPartOfTag);
    // `$${n}`: the number is an embedded expression.
    const marker = findMarkers(text.slice(at + 1, tag))[0];
    if (marker?.start === 0) return { kind: 'param', form: 'numbered', end: endOfModifier(text, at + 1 + marker.end) };
    if (lexis.dollarStrings && text[tag] === '$') {
      const close = text.indexOf(text.slice(at, tag + 1), tag + 1);
      return { kind: 'string', end: close < 0 ? text.length : close + tag + 1 - at };
    }
    if (isLetter(next)) return { kind: 'param', form: 'dollar', end: endOfModifier(text, tag) };
    const closing = next === undefined ? undefined : DOLLAR_BRACKETS[next];
    if (closing === undefined || !isLetter(text[at + 2])) return undefined;
    const end = endOfModifier(text, endWhile(text, at + 2, isWordPartOfTag));
    return text[end] === closing ? { kind: 'param', form: 'dollar', end: end + 1 } : undefined;
  }
  if (c === '?') {
    if (isDigit(next)) return { kind: 'param', form: 'numbered', end: endWhile(text, at + 1, isDigit) };
    if (next === '|' || next === '&') return undefined;
    return { kind: 'param', form: 'question', end: at + (next === '?' ? 2 : 1) };
  }
  // `a[low:high]` and `a::type` are no parameters: a name or a colon stands right before.
  if (c === ':' && !isWordPart(before) && before !== ':' && before !== ']') {
    const from = text.startsWith('...', at + 1) ? at + 4 : at + 1;
    if (!isLetter(text[from])) return undefined;
    const end = endWhile(text, from, isWordPartOfTag);
    return { kind: 'param', form: 'colon', end: text[end] === ':' && text[end + 1] !== ':' ? end + 1 : end };
  }
  if (c === '@' && isLetter(next) && before !== '<' && before !== '@') {
    return { kind: 'param', form: 'at', end: endWhile(text, at + 1, isWordPart) };
  }
  return undefined;
}

const isWordPartOfTag = (c: string | undefined): boolean => isLetter(c) || isDigit(c);

/** `$1:csv`, `$(name:raw)`: the formatting modifiers of pg-promise. */
function endOfModifier(text: string, at: number): number {
  return text[at] === ':' && isLetter(text[at + 1]) ? endWhile(text, at + 1, isWordPartOfTag) : at;
}

/**
 * The end of a word. Holes may be part of a name (`lock_${n}`), but one that is glued to a keyword
 * or to another hole is a token of its own.
 */
function endOfWord(text: string, at: number): number {
  const end = endWhile(text, at, isWordPart);
  const [first] = findMarkers(text.slice(at, end)).filter((marker) => marker.type === 'hole');
  if (first === undefined) return end;
  if (first.start > 0) return GLUED_KEYWORDS.has(text.slice(at, at + first.start).toUpperCase()) ? at + first.start : end;
  const rest = text.slice(at + first.end, end);
  return GLUED_KEYWORDS.has(rest.toUpperCase()) || findMarkers(rest)[0]?.start === 0 ? at + first.end : end;
}

const GLUED_KEYWORDS = new Set([
  'SELECT', 'UPDATE', 'SHARE', 'LOCKED', 'NOWAIT', 'FROM', 'WHERE', 'SET', 'AND', 'OR', 'END', 'NULL', 'TRUE', 'FALSE', 'ASC', 'DESC', 'NOTHING',
  'ORDER', 'GROUP', 'LIMIT', 'RETURNING', 'FOR', 'ON', 'IS', 'IN',
]);

function endWhile(text: string, at: number, test: (c: string | undefined) => boolean): number {
  let end = at;
  while (test(text[end])) end++;
  return end;
}

function endOfNumber(text: string, at: number): number {
  if (text[at] === '0' && (text[at + 1] === 'x' || text[at + 1] === 'X')) return endWhile(text, at + 2, isWordPartOfTag);
  let end = endWhile(text, at, (c) => isDigit(c) || c === '.');
  if (text[end] === 'e' || text[end] === 'E') {
    const digits = text[end + 1] === '-' || text[end + 1] === '+' ? end + 2 : end + 1;
    if (isDigit(text[digits])) end = endWhile(text, digits, isDigit);
  }
  return end;
}

function endOfQuoted(text: string, at: number, escape: string | undefined): number {
  const quote = text[at]!;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === escape) i++;
    else if (text[i] === quote && text[i + 1] === quote) i++;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}
