/**
 * Owns the rewriting of a write into a fenced one: the token in the SET, its comparison in the
 * WHERE. Only text is inserted; nothing of the user's is moved or changed.
 */

import { Recent } from '../recent.ts';
import { analyzeSql } from './analyze.ts';
import { findClauses, type WriteClauses } from './clauses.ts';
import { isEngineReady } from './engine.ts';
import type { Dialect, SqlFacts, SqlText } from './facts.ts';
import { isFenceAlone } from './fence-check.ts';
import { addCondition, type Insertion, keyword, listElement, type Piece, prefixOf, setPrefix, type Site } from './fence-spelling.ts';
import { type InsertedParam, repeatToken, spellToken, type TokenSpelling } from './fence-token.ts';
import { placeOf } from './flat-text.ts';
import { parseText, type ParsedText } from './parse.ts';
import { qualifierNeeded } from './relations.ts';
import type { Token } from './tokens.ts';

export interface FenceOptions {
  /** The column that holds the largest token seen. */
  column: string;
  /** `next`: a new parameter in the statement's own style; `hole`: a new hole; else text to use as it is. */
  tokenParam: string;
  /** `<=` instead of `<`: one grant writes the row more than once. */
  inclusive?: boolean;
  /** `=` instead, and nothing is stored: the row must hold the value already, as it does an owner's. */
  equals?: boolean;
  dialect?: Dialect;
}

export interface FenceRewrite {
  text: SqlText;
  /** The same as insertions into the parts of the old text, in order. */
  insertions: { part: number; offset: number; parts: SqlText['parts'] }[];
  /** Values to insert into the parameter list, one after the other. Empty where the token is a hole or is already in the list. */
  insertedParams: InsertedParam[];
  /** The key of the token's value, in the styles that have names. */
  tokenName?: string;
}

/**
 * Adds a fence to one UPDATE, DELETE or INSERT … ON CONFLICT DO UPDATE. A token that the
 * statement already stores in the column is compared, not stored again. A new hole has the number
 * -1. Undefined where the statement already compares the column, or where the result could be
 * wrong. The answer is shared: do not change it.
 */
export function addFence(text: SqlText, options: FenceOptions): FenceRewrite | undefined {
  // A condition in the WHERE is no fence there.
  if (options.dialect === 'cql' || !isEngineReady()) return undefined;
  const key = JSON.stringify([text.parts, options]);
  let known = rewrites.get(key);
  if (!known) rewrites.set(key, (known = { rewrite: fenced(text, options) }), 1);
  return known.rewrite;
}

/** An editor asks for the same edit again and again, and a project repeats its statements. */
const rewrites = new Recent<string, { rewrite: FenceRewrite | undefined }>(200);

function fenced(text: SqlText, options: FenceOptions): FenceRewrite | undefined {
  const parsed = parseText(text, options.dialect);
  const facts = parsed && analyzeSql(text, options.dialect);
  if (parsed === undefined || facts?.length !== 1) return undefined;
  const [statement] = facts;
  if (statement === undefined || statement.fragments.length > 0 || comparesColumn(statement, plainColumn(options))) return undefined;
  const plan = planFence(parsed, statement, options);
  if (plan === undefined) return undefined;

  const result = compose(parsed, plan.list);
  const again = parseText(result.text, parsed.dialect);
  if (again === undefined || !isFenceAlone(parsed, again, statement.kind, plan.stores)) return undefined;
  const insertedParams = listParams(parsed, plan.list, plan.token);
  return { ...result, insertedParams, ...(plan.token.name === undefined ? {} : { tokenName: plan.token.name }) };
}

/** The column as facts name it: in lower case and without quotes. */
function plainColumn(options: FenceOptions): string {
  return [...options.column].filter((letter) => !'"`[]'.includes(letter)).join('').toLowerCase();
}

/** Is the column already in a condition, in whatever way? */
function comparesColumn(facts: SqlFacts, column: string): boolean {
  const conditions = JSON.stringify([facts.where, facts.insert?.conflict?.where ?? []]);
  return conditions.includes(`"column":${JSON.stringify(column)}`);
}

/** `stores`: the token is not in the row yet, so that it is written as well as compared. */
interface Plan { list: Insertion[]; token: TokenSpelling; stores: 'new' | 'already' }

function planFence(parsed: ParsedText, facts: SqlFacts, options: FenceOptions): Plan | undefined {
  const { kind } = facts;
  if (kind !== 'update' && kind !== 'delete' && kind !== 'insert') return undefined;
  const { tokens } = parsed.placeholders;
  const clauses = findClauses(tokens, kind);
  if (clauses === undefined || (kind !== 'delete' && clauses.set === undefined)) return undefined;
  // A cursor's row cannot be asked for more.
  if (clauses.where !== undefined && tokens[clauses.where.from]?.word === 'CURRENT') return undefined;
  const site = { parsed, clauses };
  if (kind === 'insert') return options.equals === true ? undefined : planUpsert(site, facts, options);

  const stored = options.equals === true ? [] : facts.set.filter((assignment) => assignment.column === plainColumn(options));
  if (stored.length > 1 || stored[0]?.relative !== undefined) return undefined;
  const token = stored[0] === undefined ? spellToken(parsed, options) : repeatToken(stored[0].value);
  const needed = qualifierNeeded(parsed.statements[0]!.tree, facts);
  if (token === undefined || needed === 'unclear') return undefined;
  const prefix = needed === 'yes' ? prefixOf(site, qualifyingToken(tokens, clauses)) : [];
  const list = addCondition(site, [...prefix, `${options.column} ${operatorOf(options)} `, token.piece]);
  if (clauses.set === undefined || stored.length > 0 || options.equals === true) return { list, token, stores: 'already' };
  const assignment = listElement(site, clauses.set, [...setPrefix(site, clauses.set), `${options.column} = `, token.piece]);
  return { list: [assignment, ...list], token, stores: 'new' };
}

function operatorOf(options: FenceOptions): string {
  return options.equals === true ? '=' : options.inclusive === true ? '<=' : '<';
}

/** In a joined UPDATE of MySQL the columns of SET say which table is written. */
function qualifyingToken(tokens: readonly Token[], clauses: WriteClauses): number | undefined {
  const first = clauses.set?.from;
  return first !== undefined && tokens[first + 1]?.text === '.' ? first : clauses.qualifier;
}

/** The row proposed by INSERT carries the token; DO UPDATE takes it over and compares it. */
function planUpsert(site: Site, facts: SqlFacts, options: FenceOptions): Plan | undefined {
  const { columns, rows, set, qualifier } = site.clauses;
  const conflict = facts.insert?.conflict;
  if (conflict?.action !== 'update' || columns === undefined || rows === undefined || rows.length === 0 || set === undefined) return undefined;
  const { column } = options;
  const excluded = keyword(site, 'EXCLUDED');
  const condition = addCondition(site, [...prefixOf(site, qualifier), `${column} ${operatorOf(options)} ${excluded}.${column}`]);
  const proposed = facts.set.some((pair) => pair.column === plainColumn(options));
  const taken = conflict.set.find((pair) => pair.column === plainColumn(options));
  if (proposed || taken !== undefined) {
    const isCarried = proposed && taken?.value.kind === 'column' && taken.value.table === 'excluded' && taken.value.column === taken.column;
    return isCarried ? { list: condition, token: NO_TOKEN, stores: 'already' } : undefined;
  }
  const token = spellToken(site.parsed, options);
  if (token === undefined) return undefined;
  const list = [
    listElement(site, columns, [column]),
    ...rows.map((row) => listElement(site, row, [token.piece])),
    listElement(site, set, [`${column} = ${excluded}.${column}`]),
    ...condition,
  ];
  return { list, token, stores: 'new' };
}

const NO_TOKEN: TokenSpelling = { piece: '', positional: false };

export function compose(parsed: ParsedText, list: readonly Insertion[]): Pick<FenceRewrite, 'text' | 'insertions'> {
  const insertions = list.map(({ at, pieces }) => ({ ...placeOf(parsed.flat, at), parts: join(pieces) }));
  const parts = parsed.flat.parts.flatMap((part, index): Piece[] => {
    const here = insertions.filter((insertion) => insertion.part === index);
    if (typeof part !== 'string') return [...here.filter((i) => i.offset === 0).flatMap((i) => i.parts), part, ...here.filter((i) => i.offset > 0).flatMap((i) => i.parts)];
    const cuts = here.flatMap((insertion, k): Piece[] => [part.slice(k === 0 ? 0 : here[k - 1]!.offset, insertion.offset), ...insertion.parts]);
    return [...cuts, part.slice(here.at(-1)?.offset ?? 0)];
  });
  return { text: { parts: join(parts) }, insertions };
}

/** Joins neighbouring strings. */
function join(pieces: readonly Piece[]): Piece[] {
  return pieces.reduce((joined: Piece[], piece) => {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') return [...joined.slice(0, -1), last + piece];
    return [...joined, piece];
  }, []);
}

function listParams(parsed: ParsedText, list: readonly Insertion[], token: TokenSpelling): InsertedParam[] {
  const places = list.flatMap(({ at, pieces }) => pieces.filter((piece) => piece === token.piece).map(() => at));
  if (token.appendedAt !== undefined) return [{ at: token.appendedAt, occurrences: places.length }];
  if (!token.positional) return [];
  return places.map((place, k) => ({
    at: parsed.placeholders.params.filter((param) => param.start < place).length + k, occurrences: 1,
    ...(token.sameAs === undefined ? {} : { sameAs: token.sameAs }),
  }));
}
