/**
 * Owns the question which tokens are parameters. It is asked of the whole text, because `?` is
 * an operator of PostgreSQL where `$1` is the parameter, and `@x` a variable where `?` is.
 */

import type { ParamOperand, ParamStyle } from './facts.ts';
import type { ParamForm, Token } from './tokens.ts';

/** The index of `$${n}` and `:${name}`, whose number or name is not in the text. */
export const UNKNOWN_INDEX = -1;

export interface Placeholder extends ParamOperand { start: number; end: number }

export interface Placeholders {
  style: ParamStyle;
  /** The tokens, in which now only parameters are of kind `param`. */
  tokens: Token[];
  /** In the order of the text: the k-th is the one that `paramMarker(k)` stands for. */
  params: Placeholder[];
}

/** The first of these that occurs is the style of the text. */
const PRECEDENCE: readonly ParamForm[] = ['numbered', 'dollar', 'colon', 'question', 'at'];

/** Finds the parameters; some forms can be ruled out. */
export function findPlaceholders(tokens: readonly Token[], forms: readonly ParamForm[] = PRECEDENCE): Placeholders {
  const variables = findVariables(tokens);
  const candidates = tokens.filter((token, i) => token.kind === 'param' && forms.includes(token.form!) && !(token.form === 'at' && variables.isVariable(token, i)));
  const style = PRECEDENCE.find((form) => candidates.some((token) => token.form === form));
  const chosen = new Set(candidates.filter((token) => token.form === style));
  const settled = tokens.map((token): Token =>
    token.kind !== 'param' || chosen.has(token) ? token
    : token.form === 'question' ? { ...token, kind: 'symbol' }
    : { ...token, kind: 'word', word: token.text.toUpperCase() });
  if (style === undefined) return { style: tokens.some(mentionsHole) ? 'holes' : 'none', tokens: settled, params: [] };

  const names: string[] = [];
  const params = [...chosen].map((token, k): Placeholder => {
    const base = { kind: 'param' as const, name: token.text, start: token.start, end: token.end };
    if (mentionsHole(token)) return { ...base, index: UNKNOWN_INDEX };
    if (style === 'question') return { ...base, index: k };
    if (style === 'numbered') return { ...base, index: Number.parseInt(token.text.slice(1), 10) - 1 };
    const name = plainName(token.text);
    if (!names.includes(name)) names.push(name);
    return { ...base, index: names.indexOf(name) };
  });
  return { style, tokens: settled, params };
}

function mentionsHole(token: Token): boolean {
  return token.text.includes('fencepost_hole_');
}

/** The name inside `:name`, `:...name`, `@name`, `$(name:raw)`. Drivers tell names apart by case. */
export function plainName(text: string): string {
  let from = 0;
  while (from < text.length && ':.@$({<[/'.includes(text[from]!)) from++;
  let to = from;
  while (to < text.length && !':)}>]/'.includes(text[to]!)) to++;
  return text.slice(from, to);
}

/**
 * `@x` is not a parameter where the text itself declares or assigns it, nor where it names the
 * argument of a procedure: `EXEC sp_getapplock @Resource = @key` has one parameter, `@key`.
 */
function findVariables(tokens: readonly Token[]): { isVariable: (token: Token, index: number) => boolean } {
  const names = new Set<string>();
  const argumentNames = new Set<number>();
  let executing = false;
  let declaring = false;
  tokens.forEach((token, i) => {
    const before = tokens[i - 1];
    const after = tokens[i + 1];
    if (token.kind === 'word') {
      if (token.word === 'EXEC' || token.word === 'EXECUTE') executing = true;
      if (token.word === 'DECLARE') declaring = true;
      if (STATEMENT_WORDS.has(token.word)) { declaring = token.word === 'DECLARE'; executing = token.word.startsWith('EXEC'); }
    }
    if (token.text === ';') { executing = false; declaring = false; }
    if (token.form !== 'at') return;
    const assigned = after?.text === '=' && !COMPARING_WORDS.has(before?.word ?? '') && before?.text !== '(';
    if (executing && assigned) {
      if (before?.word.startsWith('EXEC')) names.add(token.text.toLowerCase());
      else argumentNames.add(i);
    } else if (after?.text === ':=' || assigned || (declaring && before?.text !== '=')) {
      names.add(token.text.toLowerCase());
    }
  });
  return { isVariable: (token, index) => argumentNames.has(index) || names.has(token.text.toLowerCase()) };
}

const COMPARING_WORDS = new Set(['WHERE', 'AND', 'OR', 'ON', 'NOT', 'HAVING', 'WHEN', 'IF']);
const STATEMENT_WORDS = new Set([
  'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'EXEC', 'EXECUTE', 'DECLARE', 'SET', 'IF', 'BEGIN', 'COMMIT', 'ROLLBACK', 'WITH',
]);
