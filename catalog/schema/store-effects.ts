/** What is sent to databases and document stores: statements, writes, reads, transactions. */
import type { ArgPath, Constant, Lease, TypeId } from './arguments.ts';

/** Which connection of a database something runs on; `receiver`: it depends on where the receiver comes from. */
export type Connection = 'pool' | 'single' | 'transaction' | 'receiver';

/** Where a store tells how many rows a statement touched. `path` leads from the (awaited) result. */
export interface Count {
  path: readonly string[];
  /** Other places of the result that tell a miss as well. */
  also?: readonly (readonly string[])[];
  /** What a miss looks like. */
  miss: Constant | 'bigint-zero' | 'empty-array' | 'array-of-zero';
  note?: string;
}

/** SQL text sent to a database. What it does is read from the text. */
export interface Sql {
  kind: 'sql';
  /** The statement's text, or the template itself for a tag: a row with `template` fits only a tag. */
  text: ArgPath | { template: true };
  /** The text is the name of a stored procedure; its parameters are those that the chain has bound before. */
  procedure?: boolean;
  params?: ArgPath;
  /** How parameters are given: positional list, one argument each, or an object of names. */
  paramStyle?: 'list' | 'spread' | 'named';
  /** The step of the chain that binds a parameter by its name before the statement is sent: `input('id', id)`. */
  binds?: string;
  count?: Count;
  /** Where the rows that it answers stand in the (awaited) result. */
  rows?: readonly string[];
  /** Where the row stands, in the result of a call that answers one row. */
  row?: readonly string[];
  dialect?: 'postgresql' | 'mysql' | 'sqlite' | 'mssql' | 'cql';
  /** Which connection it runs on. */
  connection: Connection;
  /** The argument in which a transaction or connection is handed over. */
  transaction?: ArgPath;
  /** The statement is only made: a call of `run` on the result sends it, or a call that is given the result (`` execute(sql`…`) ``). */
  prepares?: TypeId;
  /** An answer without any row throws. */
  throwsOnMiss?: boolean;
}

/** Adds text to the statement that the receiver is, which changes by it. */
export interface Append {
  kind: 'append';
  text: ArgPath;
}

/** A condition, value or table added to a statement under construction. */
export interface Build {
  kind: 'build';
  table?: ArgPath;
  /** A filter: an object of column → value, a `(column, op, value)` triple, or a condition expression. */
  filter?: { object?: ArgPath; triple?: { column: ArgPath; op?: ArgPath; value: ArgPath }; expression?: ArgPath; sql?: ArgPath; params?: ArgPath };
  /** This step joins its own filter to what stood before by OR. */
  or?: boolean;
  /** The result is these conditions together: `and(a, b)`, `or(a, b)`, `not(a)`. */
  combine?: { how: 'and' | 'or' | 'not'; items: ArgPath };
  /** A named parameter for SQL text elsewhere in the chain. */
  bind?: { name: ArgPath; value: ArgPath };
  set?: ArgPath;
  op?: 'select' | 'insert' | 'update' | 'delete' | 'upsert';
  conflict?: 'nothing' | 'update';
  lock?: 'update' | 'share';
  /**
   * Puts a value down under a name for later calls of the chain. Under `compare`: the operator by which
   * the result compares a column that stands outside of it with argument 0, `{ token: LessThan(7) }`.
   */
  configure?: Record<string, ArgPath>;
  /** How the sent statement tells how many rows it touched. The last step of a chain that says so counts. */
  count?: Count;
  rows?: readonly string[];
  row?: readonly string[];
  /** From this step on, a miss throws. */
  throwsOnMiss?: boolean;
  /** Which connection the chain runs on. The last step that says so counts. */
  connection?: Connection;
  /** The change is relative to what is stored (`increment`): no value is overwritten. */
  relative?: boolean;
  /** The argument by which the chain is bound to a transaction. */
  transaction?: ArgPath;
  /** The step sends the statement; without such a step, awaiting the chain does. */
  sends?: boolean;
  /** What a filter object calls its operators. */
  operators?: Operators;
}

/** What a filter or data language calls its operators: `$lt` → `<`. */
export type Operators = Readonly<
  Record<string, '<' | '<=' | '>' | '>=' | '=' | '<>' | 'in' | 'and' | 'or' | 'not' | 'set' | 'increment' | 'expression'>
>;

/** A write to a durable store that is one call. Parts that a chain has built before are added, and those that it builds afterwards where the call `chains`. */
export interface Write {
  kind: 'write';
  op: 'insert' | 'update' | 'delete' | 'upsert' | 'save' | 'replace';
  /** What is written: a table, model, collection, bucket or file. The receiver's own when absent. */
  target?: ArgPath | { receiver: true } | { property: number };
  /** The filter object by which rows are chosen; a version, token or state in it is a fence. */
  filter?: ArgPath;
  /** What values are wrapped in, one property that names their type: `{ S: 'a' }`. */
  wrappers?: readonly string[];
  /** An expression that must hold (DynamoDB), with its values. */
  expression?: { text: ArgPath; values?: ArgPath; names?: ArgPath };
  /** The argument and value by which it writes only where nothing is yet. */
  createsOnly?: readonly { at: ArgPath; value: Constant }[];
  /** How long what is made says that it is good for, where it is a lock. */
  lease?: readonly Lease[];
  /** Arguments whose presence is a fence: `ifMatch`, `IfNoneMatch`, `preconditionOpts`. */
  fence?: readonly ArgPath[];
  data?: ArgPath;
  count?: Count;
  /** A miss of the filter throws. */
  throwsOnMiss?: boolean;
  /** The entry carries an expiry, or the store is a cache: not a durable write when present. */
  expiry?: ArgPath;
  /** The options argument in which a transaction or session is handed over. */
  transaction?: ArgPath;
  operators?: Operators;
  /** Which connection it runs on. */
  connection?: Connection;
  /** The change is relative to what is stored (`increment`): no value is overwritten. */
  relative?: boolean;
  /** Decorators of a version that this write raises and may compare: where the entity has one, nothing is concluded. */
  raises?: readonly string[];
  /** The store compares and raises a version by itself where the model is declared with one of these options or decorators. */
  versioned?: readonly string[];
  /** It writes what was read and handed over before: a unit of work. */
  flushes?: boolean;
}

/** Hands an entity over to a unit of work, which a later call writes. */
export interface Pends {
  kind: 'pends';
  entity: ArgPath;
}

/** A read, so that stale values and checks can be told. */
export interface Read {
  kind: 'read';
  target?: ArgPath | { receiver: true } | { property: number };
  filter?: ArgPath;
  lock?: ArgPath;
  /** Which connection it runs on. */
  connection?: Connection;
  /** The options argument in which a transaction or session is handed over. */
  transaction?: ArgPath;
  operators?: Operators;
}

/** Runs `body` in a transaction; its parameter `passes` is the transaction. A body that the receiver was made with gets the arguments of the call. */
export interface Transaction {
  kind: 'transaction';
  body?: ArgPath;
  /** Type of the body's first parameter, or of the result when there is no body. */
  passes?: TypeId;
  /** The array form: the statements are the elements of this argument. */
  statements?: ArgPath;
  step?: 'begin' | 'commit' | 'rollback';
  /** It waits for the database's only write lock when it begins, in the words of its SQL: `BEGIN IMMEDIATE`. */
  locks?: string;
  /** The call only wraps the body, which runs when the result (or a method of it) is called. */
  wraps?: boolean;
  /** Where its isolation level is said. */
  isolation?: ArgPath;
  /** Calls that do not name the transaction belong to it all the same while it is open. */
  ambient?: boolean;
}

/** Ends a connection, or gives it back to its pool. What is bound to the session ends only with `end`. */
export interface Disconnect {
  kind: 'disconnect';
  how: 'end' | 'release';
}
