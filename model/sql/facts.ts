/**
 * Owns the vocabulary of the SQL room: what is handed in (`SqlText`) and what is known about one
 * statement afterwards (`SqlFacts`). Types only, and all of them plain data.
 */

export type Dialect = 'postgresql' | 'mysql' | 'sqlite' | 'mssql' | 'cql';

/**
 * SQL as it stands in JavaScript: strings, and holes where an expression is embedded (a template
 * literal, a tagged template, a concatenation). The number says which expression.
 */
export interface SqlText {
  readonly parts: readonly (string | { readonly hole: number })[];
}

/** A text without holes. */
export function sqlText(text: string): SqlText {
  return { parts: [text] };
}

/**
 * `$1`, `?`, `:id`, `@id`; `index` is the 0-based position of its value in the parameter list, or
 * -1 where the number or the name is itself an embedded expression (`$${n}`).
 */
export interface ParamOperand { kind: 'param'; name: string; index: number }

/** An embedded expression; `quoted` when it is the whole content of a string literal: `'${id}'`. */
export interface HoleOperand { kind: 'hole'; hole: number; quoted?: true }

export interface ColumnOperand { kind: 'column'; column: string; table?: string }

/**
 * The database's clock. `unitMs` is there when it is read as a number (`unixepoch()`: 1000).
 * `plusMs` is a constant distance from it, `plus` one that is a value: `now() + $1 * interval
 * '1 second'` gives `{ sign: '+', by: $1, unitMs: 1000 }`.
 */
export interface NowOperand {
  kind: 'now';
  unitMs?: number;
  plusMs?: number;
  plus?: { sign: '+' | '-'; by: Operand; unitMs?: number };
}

export type Operand =
  | ParamOperand
  | HoleOperand
  | ColumnOperand
  | NowOperand
  | { kind: 'literal'; value: string | number | boolean | null }
  /** `column + operand`, `column - operand`. */
  | { kind: 'sum'; column: string; table?: string; sign: '+' | '-'; by: Operand }
  | { kind: 'call'; function: string; args: Operand[] }
  | { kind: 'list'; items: Operand[] }
  | { kind: 'subselect'; select: SqlFacts }
  /** Anything else, with the parameters, holes, columns and clocks that occur in it. */
  | { kind: 'other'; mentions: Operand[] };

export type ComparisonOp =
  | '=' | '<>' | '<' | '<=' | '>' | '>='
  | 'is null' | 'is not null' | 'is distinct from' | 'is not distinct from'
  | 'in' | 'not in' | 'like' | 'not like';

/** A condition on a column, turned so that the column stands left. */
export interface ColumnCondition {
  column: string;
  table?: string;
  op: ComparisonOp;
  operand: Operand;
  /** The column was compared as `COALESCE(column, literal)`. */
  through?: 'coalesce';
  /** The statement behind `IN (SELECT …)` or `= (SELECT …)`. */
  subselect?: SqlFacts;
}

export type Condition =
  | ColumnCondition
  | { exists: SqlFacts; negated: boolean }
  /** Alternatives, each a list of conditions that hold together. */
  | { any: Condition[][] }
  | { other: true; mentions: Operand[] };

/**
 * `relative` when the new value is the old one plus or minus `value`; `onlyIf` when the old value
 * stays unless these conditions hold: `b = IF(token < VALUES(token), VALUES(b), b)`.
 */
export interface Assignment { column: string; table?: string; value: Operand; relative?: '+' | '-'; onlyIf?: Condition[] }

export type StatementKind =
  | 'select' | 'insert' | 'update' | 'delete' | 'merge' | 'call' | 'begin' | 'commit' | 'rollback'
  | 'savepoint' | 'set' | 'ddl' | 'other';

/** `NO KEY UPDATE` counts as `update`, `KEY SHARE` as `share`: both keep other writers out. */
export interface RowLock { strength: 'update' | 'share' | 'exclusive'; skipLocked: boolean; noWait: boolean }

export interface LockCall {
  /** In lower case: `pg_advisory_lock`, `get_lock`, `sp_getapplock`, `lock table`… */
  function: string;
  /** `unknown` when the owner of an application lock is not written as a literal. */
  scope: 'session' | 'transaction' | 'unknown';
  mode: 'acquire' | 'try' | 'release';
  shared: boolean;
  /** The lock's name or key first. */
  args: Operand[];
  /** The name of the result column, as written. */
  alias?: string;
}

/** A number that grows with every execution of the statement: a possible fencing token. */
export interface Mint {
  expression: 'nextval' | 'increment-returning' | 'last-insert-id';
  sequence?: string;
  column?: string;
  alias?: string;
}

export interface Conflict {
  action: 'nothing' | 'update' | 'replace' | 'delete';
  set: Assignment[];
  where: Condition[];
}

export interface InsertFacts {
  columns: string[];
  /** How many rows are written out; 0 where they come from a SELECT. */
  rows: number;
  conflict?: Conflict;
  /** A row is inserted only when a sub-select finds none: `WHERE NOT EXISTS`, `IF NOT EXISTS`. */
  guardedBySelect?: true;
}

/** One written placeholder; `start` and `end` are offsets in the string `parts[part]`. */
export interface ParamPlace { name: string; index: number; part: number; start: number; end: number }

/** `dollar` is `$name` and the `$(name)` family of pg-promise. */
export type ParamStyle = 'numbered' | 'question' | 'colon' | 'at' | 'dollar' | 'holes' | 'none';

/**
 * What is known about one statement. Tables and columns are in lower case and without quotes and
 * schema; a hole inside a name is rendered `${n}`. Names that come back in a result row
 * (`returning`, `selected`, aliases) keep their case.
 */
export interface SqlFacts {
  kind: StatementKind;
  tables: string[];
  /** The written table. */
  target?: string;
  /** UPDATE's SET; INSERT's column/value pairs; the variables of a SET statement. */
  set: Assignment[];
  where: Condition[];
  insert?: InsertFacts;
  returning: string[];
  /** The result columns of a SELECT. */
  selected: string[];
  rowLock?: RowLock;
  lockCalls: LockCall[];
  mints: Mint[];
  /** The procedure of CALL or EXEC. */
  procedure?: string;
  /** In lower case, where a BEGIN, START or SET says it: `serializable`. */
  isolation?: string;
  /** The name in SAVEPOINT, RELEASE, and ROLLBACK TO (which does not end the transaction). */
  savepoint?: string;
  /** Statements inside this one: common table expressions, derived tables, INSERT's SELECT. */
  inner: { name?: string; facts: SqlFacts }[];
  params: ParamPlace[];
  style: ParamStyle;
  /** The holes of this statement, in order. */
  holes: number[];
  /** Placeholders that stand for an unknown piece of SQL: what they add is not in these facts. */
  fragments: (ParamOperand | HoleOperand)[];
  /** The parser could read other statements of the text, but not this one. */
  unparsed?: true;
}
