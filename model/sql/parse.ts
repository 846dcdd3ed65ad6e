/**
 * Owns the way from a text to trees: which dialect reads it, which re-spellings it needs, and
 * what to do when only some of its statements can be read.
 */

import type { Dialect, SqlText } from './facts.ts';
import { applyEdits, type Draft } from './draft.ts';
import { isEngineReady, parseTrees } from './engine.ts';
import { type FlatText, flatten, renderHoles } from './flat-text.ts';
import { findPlaceholders, type Placeholders } from './placeholders.ts';
import { loosenHoles, showPlaceholders } from './placeholder-places.ts';
import { respell } from './respell.ts';
import { type ParamForm, scan, type Token } from './tokens.ts';
import { nodeOf, type Tree } from './tree.ts';

const DIALECTS = ['postgresql', 'mysql', 'mssql', 'sqlite', 'generic'] as const;

/** Longer texts are dumps and fixtures, and would cost seconds in an editor. */
const LONGEST_TEXT = 50_000;

/** A text of more statements than this is only read as a whole. */
const MOST_PIECES = 100;

/** A dialect of the parser; `generic` is its most lenient one. */
export type ParserDialect = Dialect | 'generic';

export interface ParsedStatement {
  /** Undefined where only other statements of the text could be read. */
  tree: Tree | undefined;
  /** The tokens of the statement, where they are known to be its own. */
  tokens?: readonly Token[];
}

export interface ParsedText {
  dialect: ParserDialect;
  flat: FlatText;
  placeholders: Placeholders;
  statements: ParsedStatement[];
  fragments: Token[];
}

/** Reads a text: in the given dialect, else in the first that can. */
export function parseText(text: SqlText, dialect?: ParserDialect): ParsedText | undefined {
  if (!isEngineReady()) return undefined;
  const flat = flatten(text);
  if (flat.text.length > LONGEST_TEXT) return undefined;
  const dialects = dialect === undefined ? likelyDialects(flat) : [dialect];
  const sources: Source[] = [];
  const hasHoles = text.parts.some((part) => typeof part !== 'string');
  for (const holes of hasHoles ? ['kept', 'loose'] as const : ['kept'] as const) {
    for (const [i, name] of dialects.entries()) {
      // Most texts are read in the first dialect, and need not be cut for the others.
      const source = sources[i] ??= cut(flat, name);
      const whole = parsePiece(source, source.placeholders.tokens, holes);
      if (whole !== undefined) return { ...source, ...whole };
    }
  }
  return parseWithOperators(flat, dialect) ?? parseInPieces(sources);
}

/** `data ? 'key'`: where `?` cannot be a parameter it is PostgreSQL's operator. */
function parseWithOperators(flat: FlatText, dialect: ParserDialect | undefined): ParsedText | undefined {
  if (!flat.text.includes('?') || (dialect ?? 'postgresql') !== 'postgresql') return undefined;
  const source = cut(flat, 'postgresql', ['at']);
  const whole = parsePiece(source, source.placeholders.tokens, 'kept');
  return whole && { ...source, ...whole };
}

/** To PostgreSQL the `@` of `@Resource` is an operator, so a text with such a word is not tried there first. */
function likelyDialects(flat: FlatText): readonly ParserDialect[] {
  const hasVariables = flat.text.includes('@') && scan(flat.text, 'mssql').some((token) => token.form === 'at');
  return hasVariables ? ['mssql', 'mysql', 'postgresql', 'sqlite', 'generic'] : DIALECTS;
}

interface Source {
  dialect: ParserDialect;
  flat: FlatText;
  placeholders: Placeholders;
  /** How the placeholders of the whole text are shown; they are numbered through all its statements. */
  shown: Pick<Draft, 'edits' | 'fragments'>;
}

function cut(flat: FlatText, dialect: ParserDialect, forms?: readonly ParamForm[]): Source {
  const placeholders = findPlaceholders(scan(flat.text, dialect), forms);
  const params = placeholders.params.map((param) => ({ ...param, name: renderHoles(param.name, flat) }));
  const draft: Draft = { text: flat.text, dialect, tokens: placeholders.tokens, edits: [], fragments: [] };
  showPlaceholders(draft);
  return { dialect, flat, placeholders: { ...placeholders, params }, shown: draft };
}

/** Parses a run of tokens; loose holes may stand for clauses. */
function parsePiece(source: Source, tokens: readonly Token[], holes: 'kept' | 'loose'): { statements: ParsedStatement[]; fragments: Token[] } | undefined {
  const start = tokens[0]?.start ?? 0;
  const end = tokens.at(-1)?.end ?? 0;
  const isWithin = (place: { start: number; end: number }): boolean => place.start >= start && place.end <= end;
  const draft: Draft = {
    text: source.flat.text, dialect: source.dialect, tokens, edits: source.shown.edits.filter(isWithin), fragments: source.shown.fragments.filter(isWithin),
  };
  if (holes === 'loose') loosenHoles(draft);
  respell(draft);
  const shifted = draft.edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const trees = parseTrees(source.dialect, applyEdits(source.flat.text.slice(start, end), shifted));
  if (trees === undefined || trees.length === 0) return undefined;
  const runs = splitAt(tokens, isSemicolon);
  const statements = trees.map((tree, i): ParsedStatement => (runs.length === trees.length ? { tree, tokens: runs[i]! } : { tree }));
  return { statements, fragments: draft.fragments };
}

/**
 * The last resort: each statement on its own. T-SQL needs no semicolons between statements, so
 * there the words that can only begin one separate as well.
 */
function parseInPieces(sources: readonly Source[]): ParsedText | undefined {
  for (const separates of [isSemicolon, beginsStatement]) {
    let best: ParsedText | undefined;
    for (const source of sources) {
      const pieces = splitAt(source.placeholders.tokens, separates);
      if (pieces.length < 2 || pieces.length > MOST_PIECES) continue;
      const parsed = pieces.map((tokens) => parsePiece(source, tokens, 'kept') ?? parsePiece(source, tokens, 'loose'));
      const statements = parsed.flatMap((piece, i): ParsedStatement[] => piece?.statements ?? [{ tree: undefined, tokens: pieces[i]! }]);
      // Scraps of other languages (`return 0`) parse as well, so something must be plain SQL.
      if (!statements.some((statement) => PLAIN_SQL.has(nodeOf(statement.tree).name))) continue;
      const read = statements.filter((statement) => statement.tree !== undefined).length;
      const known = best?.statements.filter((statement) => statement.tree !== undefined).length ?? 0;
      if (read > known) best = { ...source, statements, fragments: parsed.flatMap((piece) => piece?.fragments ?? []) };
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

const PLAIN_SQL = new Set(['Query', 'Insert', 'Update', 'Delete', 'Merge', 'Execute', 'Call']);

type Separates = (tokens: readonly Token[], i: number) => 'before' | 'instead' | false;

const isSemicolon: Separates = (tokens, i) => (tokens[i]!.text === ';' && tokens[i]!.depth === 0 ? 'instead' : false);

const ALWAYS_BEGIN = new Set(['EXEC', 'EXECUTE', 'DECLARE', 'COMMIT', 'ROLLBACK', 'IF', 'BEGIN', 'WAITFOR', 'THROW', 'PRINT', 'RETURN', 'RAISERROR', 'SAVE']);
const BEGIN_A_LINE = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'SET', 'WITH']);
const CONTINUES = new Set(['THEN', 'FOR', 'ON', 'DO', 'AS', 'UNION', 'ALL', 'EXCEPT', 'INTERSECT', ')', '(', ',', 'KEY', 'NOT']);

const beginsStatement: Separates = (tokens, i) => {
  const token = tokens[i]!;
  const before = tokens[i - 1];
  if (isSemicolon(tokens, i) !== false) return 'instead';
  if (token.depth > 0 || token.kind !== 'word' || before === undefined) return false;
  if (token.word === 'END' || token.word === 'TRY' || token.word === 'CATCH') return 'instead';
  if (token.word === 'BEGIN' && !['TRAN', 'TRANSACTION'].includes(tokens[i + 1]?.word ?? '')) return 'instead';
  if (before.word === 'TRAN' || before.word === 'TRANSACTION') return token.word === 'ISOLATION' ? false : 'before';
  if (ALWAYS_BEGIN.has(token.word)) return 'before';
  if (token.word === 'WITH' && tokens[i + 1]?.text === '(') return false;
  if (!BEGIN_A_LINE.has(token.word) || CONTINUES.has(before.word)) return false;
  // SET belongs to an UPDATE that has none yet; SELECT may be the rows of an INSERT.
  const opener = openerBefore(tokens, i);
  if (token.word === 'SET') return opener === 'UPDATE' ? false : 'before';
  return token.word === 'SELECT' && opener === 'INSERT' ? false : 'before';
};

/** The nearest word before a token that begins a statement. */
function openerBefore(tokens: readonly Token[], at: number): string | undefined {
  for (let i = at - 1; i >= 0; i--) {
    const { word, depth } = tokens[i]!;
    if (depth === 0 && (BEGIN_A_LINE.has(word) || ALWAYS_BEGIN.has(word))) return word;
  }
  return undefined;
}

function splitAt(tokens: readonly Token[], separates: Separates): Token[][] {
  const runs: Token[][] = [[]];
  tokens.forEach((token, i) => {
    const separation = separates(tokens, i);
    if (separation !== false) runs.push([]);
    if (separation !== 'instead') runs.at(-1)!.push(token);
  });
  return runs.filter((run) => run.length > 0);
}
