/**
 * Owns the answer to "what does this text do?": the facts of its statements, remembered by text
 * and dialect.
 */

import { cqlAsSql } from './cql.ts';
import type { Dialect, ParamPlace, SqlFacts, SqlText } from './facts.ts';
import { isEngineReady } from './engine.ts';
import { findMarkers, markedOperand, placeOf } from './flat-text.ts';
import { parseText, type ParsedText } from './parse.ts';
import { cteNamesIn } from './relations.ts';
import { emptyFacts, readStatement, readStatements } from './statement.ts';
import type { Placeholder } from './placeholders.ts';
import { type Reading, stringsIn, type Tree } from './tree.ts';

/** A project repeats its statements in few files at a time; old answers are dropped first. */
const REMEMBERED = 1000;
const answers = new Map<string, { facts: SqlFacts[] | undefined }>();

/**
 * The facts of every statement in a text, in order. Without a dialect the first of PostgreSQL,
 * MySQL, T-SQL and SQLite that can read the text is taken. Undefined when no engine has been
 * provided or nothing in the text can be read. The answer is shared: do not change it.
 */
export function analyzeSql(text: SqlText, dialect?: Dialect): SqlFacts[] | undefined {
  if (!isEngineReady()) return undefined;
  const key = `${dialect ?? ''} ${JSON.stringify(text.parts)}`;
  const known = answers.get(key);
  if (known !== undefined) {
    answers.delete(key);
    answers.set(key, known);
    return known.facts;
  }
  const parsed = dialect === 'cql' ? parseText(cqlAsSql(text), 'postgresql') : parseText(text, dialect);
  const facts = parsed && readText(parsed);
  answers.set(key, { facts });
  if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value!);
  return facts;
}

/** The facts of every statement of a parsed text. */
export function readText(parsed: ParsedText): SqlFacts[] {
  const placed = parsed.placeholders.params.map((param) => placeParam(param, parsed));
  const whole = parsed.statements.length === 1;
  return parsed.statements.flatMap((statement) => {
    const tokens = whole ? parsed.placeholders.tokens : statement.tokens;
    if (statement.tree === undefined) return [{ ...emptyFacts('other'), unparsed: true as const, ...placeholdersIn(tokens ?? [], parsed, placed) }];
    const read = readStatements(statement.tree, readingOf(parsed, statement.tree));
    return read.map(({ tree, facts }) => {
      const places = tokens !== undefined && read.length === 1 ? placeholdersIn(tokens, parsed, placed) : placeholdersOfTree(tree, parsed, placed);
      return { ...facts, ...places, fragments: distinct([...facts.fragments, ...fragmentsOf(parsed, statement.tokens)]) };
    });
  });
}

function readingOf(parsed: ParsedText, tree: Tree): Reading {
  const reading: Reading = {
    flat: parsed.flat, params: parsed.placeholders.params,
    cteNames: cteNamesIn(tree), proposedRows: new Set(['excluded', 'inserted']),
    statement: (inner) => readStatement(inner, reading),
  };
  return reading;
}

type Places = Pick<SqlFacts, 'params' | 'style' | 'holes'>;
type Run = readonly { start: number; end: number; text: string }[];

function placeholdersIn(tokens: Run, parsed: ParsedText, placed: readonly ParamPlace[]): Places {
  const from = tokens[0]?.start ?? 0;
  const to = tokens.at(-1)?.end ?? 0;
  const { params } = parsed.placeholders;
  const holes = tokens.flatMap((token) => findMarkers(token.text)).filter((marker) => marker.type === 'hole').map((marker) => marker.number);
  return placesOf(placed.filter((_, k) => params[k]!.start >= from && params[k]!.end <= to), holes, parsed);
}

/** Where the tokens of a statement are not known, its tree says which placeholders are its own. */
function placeholdersOfTree(tree: Tree, parsed: ParsedText, placed: readonly ParamPlace[]): Places {
  const markers = stringsIn(tree).flatMap(findMarkers);
  const mine = new Set(markers.filter((marker) => marker.type === 'param').map((marker) => marker.number));
  const holes = new Set(markers.filter((marker) => marker.type === 'hole').map((marker) => marker.number));
  return placesOf(placed.filter((_, k) => mine.has(k)), [...holes].sort((a, b) => a - b), parsed);
}

function placesOf(params: ParamPlace[], holeParts: readonly number[], parsed: ParsedText): Places {
  const holes = holeParts.flatMap((part) => {
    const operand = markedOperand({ type: 'hole', number: part, start: 0, end: 0 }, parsed.flat, []);
    return operand?.kind === 'hole' ? [operand.hole] : [];
  });
  return { params, holes, style: params.length > 0 ? parsed.placeholders.style : holes.length > 0 ? 'holes' : 'none' };
}

function placeParam(param: Placeholder, parsed: ParsedText): ParamPlace {
  const { part, offset } = placeOf(parsed.flat, param.end);
  return { name: param.name, index: param.index, part, start: offset - (param.end - param.start), end: offset };
}

function fragmentsOf(parsed: ParsedText, tokens: Run | undefined): SqlFacts['fragments'] {
  const from = tokens?.[0]?.start ?? 0;
  const to = tokens?.at(-1)?.end ?? parsed.flat.text.length;
  return parsed.fragments.filter((token) => token.start >= from && token.end <= to).flatMap((token): SqlFacts['fragments'] => {
    const param = parsed.placeholders.params.find((candidate) => candidate.start === token.start);
    if (param !== undefined) return [{ kind: 'param', name: param.name, index: param.index }];
    const operand = findMarkers(token.text)[0] && markedOperand(findMarkers(token.text)[0]!, parsed.flat, []);
    return operand === undefined ? [] : [operand];
  });
}

function distinct(fragments: SqlFacts['fragments']): SqlFacts['fragments'] {
  const key = (fragment: SqlFacts['fragments'][number]): string => JSON.stringify(fragment);
  return fragments.filter((fragment, i) => fragments.findIndex((other) => key(other) === key(fragment)) === i);
}

/** A statement and every statement inside it: common table expressions, derived tables, sub-selects. */
export function statementsWithin(facts: SqlFacts): SqlFacts[] {
  const fromConditions = (conditions: SqlFacts['where']): SqlFacts[] => conditions.flatMap((condition) =>
    'exists' in condition ? [condition.exists]
    : 'any' in condition ? condition.any.flatMap(fromConditions)
    : 'column' in condition && condition.subselect !== undefined ? [condition.subselect] : []);
  const fromValues = facts.set.flatMap(({ value }) => (value.kind === 'subselect' ? [value.select] : []));
  return [facts, ...[...facts.inner.map((inner) => inner.facts), ...fromConditions(facts.where), ...fromValues].flatMap(statementsWithin)];
}

/** The writes that a statement makes: itself, and those in its common table expressions. */
export function writesOf(facts: SqlFacts): SqlFacts[] {
  return statementsWithin(facts).filter(({ kind }) => kind === 'insert' || kind === 'update' || kind === 'delete' || kind === 'merge');
}
