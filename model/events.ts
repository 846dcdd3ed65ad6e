/**
 * What happens at a step, in the words of the domain: a lock is taken, given back, prolonged; data
 * is written, and under which condition. Events carry values, so that a caller sees its own
 * arguments in them.
 */
import type { Connection, Count, Library, Operators, Sql } from '../catalog/schema.ts';
import { type LeaseLength, type Site, milliseconds } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';
import type { Change, Filter } from './fences.ts';
import type { CallExpr, Expr } from './ir.ts';
import type { Given } from './open-calls.ts';
import type { Span } from './place.ts';
import type { Binding, Value } from './value.ts';

/** Where a lock lives and how it is told from others. */
export interface Lock {
  /** `kv`: a key of a Redis-like store. `library`: a handle or lock object. `row`: a row, document or object. */
  space: 'kv' | 'library' | 'row';
  kind: 'lease' | 'session' | 'transaction' | 'local';
  key?: Value;
  /** The object whose method takes and gives the lock back. */
  holder?: Value;
  owner?: Value;
  /** The session that keeps it: when that ends, so does the lock. */
  session?: Value;
  lease?: LeaseLength;
  /** It is known to have no lease: it stays until it is released. */
  isEndless?: boolean;
  /** Taken by a call that can only be a lock; false for `SET NX`, which is more often something else. */
  isCertain: boolean;
  /** Name of the service or library for people. */
  title: string;
  /** For rows: the table or collection. */
  table?: string;
}

export interface EventSource {
  call: CallExpr;
  library: Library | undefined;
}

export interface AcquireEvent extends EventSource {
  kind: 'acquire';
  lock: Lock;
  granted: Value;
  refused: Value | 'throws' | 'waits';
  /** Runs while the lock is held. */
  body?: Value;
  bodyArgs?: Value[];
  bodySpan?: Span;
  renews?: 'always' | 'body';
  signal?: number;
  /** The script or call mints a token in the same step. */
  mints?: boolean;
  /** The key is deleted in the same step when the acquire is undone. */
  form: 'library' | 'put' | 'script' | 'statement';
  trap?: string;
  /** For lock rows: the statement that takes it, and the column that says until when. */
  statement?: WriteEvent;
  endsAt?: string;
  /** What the library calls when it finds the lock lost. */
  onLost?: Value;
  /** The Node callback `(err, answer)` that is told the answer. */
  callback?: Value & { kind: 'func' };
}

export interface ReleaseEvent extends EventSource {
  kind: 'release';
  key?: Value;
  handle?: Value;
  /** Ends a session, and with it all that the session keeps. */
  session?: Value;
  ownerChecked: boolean;
  comparedWith?: Value;
  /** How it is done, for the message. */
  how: string;
  form: 'del' | 'expire' | 'getdel' | 'script' | 'library' | 'statement';
  /** The table of a lock that is a row. */
  table?: string;
  /** Removes several keys, or keys found by a pattern. */
  several?: boolean;
  /** For lock rows: the statement that gives it back, and the column that says until when. */
  statement?: WriteEvent;
  endsAt?: string;
  /** For rows: what the statement is sent through, a transaction that it is given before all else. */
  connection?: Value;
}

export interface RenewEvent extends EventSource {
  kind: 'renew';
  /** For a lock that is a row: the statement. */
  row?: WriteEvent['row'];
  key?: Value;
  handle?: Value;
  session?: Value;
  ownerChecked: boolean;
  how: string;
  /** What `SET` leaves under the key. */
  value?: Value;
  /** For lock rows: the table. */
  table?: string;
  /** How it is told that the lock was lost: it throws, or its answer says so. */
  loss?: 'throws' | 'answer';
}

export interface GetEvent extends EventSource {
  kind: 'get';
  key: Value;
}

export interface PutEvent extends EventSource {
  kind: 'put';
  key: Value;
  value: Value;
  hasExpiry: boolean;
  onlyIfPresent: boolean;
  /** It is not known under which condition. */
  isUnsure?: boolean;
}

export interface MintEvent extends EventSource {
  kind: 'mint';
  key?: Value;
  /** Where the answer's row holds the number; without it the answer itself is the number, or holds it by position. */
  column?: string;
  /** The script that counts also lets the counter end. */
  expires?: boolean;
}

/** Whether a condition in the write itself refuses a stale holder. `unknown` is never reported. */
export type Fenced = 'yes' | 'no' | 'unknown';

export interface WriteEvent extends EventSource {
  kind: 'write';
  op: 'insert' | 'update' | 'delete' | 'upsert' | 'save' | 'replace' | 'data' | 'put' | 'other';
  /** For data under a key: the key. */
  key?: Value;
  /** Table, model, key, file … for people. */
  target: string;
  fenced: Fenced;
  why?: string;
  /** Values that a condition of the write compares: a token or owner among them makes it a fence. */
  compared: Value[];
  /** What is sent, where it is not the columns of a row. */
  sends?: Value[];
  /** The order of a stored and a sent value under which a script writes; `recorded` when it keeps the sent one. */
  order?: { op: '<' | '<=' | '>' | '>='; value: Value; recorded: boolean };
  /** The script's answer tells a refused write from one that was done. */
  answerTells?: boolean;
  /** What a lock row's statements are told by. */
  row?: { /** The id by which it is chosen, where that is all. */ by?: Value; /** What the insert of an upsert puts in. */ inserted?: Change[]; filter: Filter; changes: Change[]; count?: Count; rows?: readonly string[]; row?: readonly string[]; throwsOnMiss?: boolean };
  /** A filter that is a parameter, and what is written by it. */
  handed?: { filter: Value; data?: Value; operators?: Operators };
  /** For statements: what edits need. */
  sql?: { text: Value; textExpr: Expr | undefined; paramsExpr: Expr | undefined; dialect?: string };
  /** Bound to a transaction or single connection: which. */
  connection?: Value;
}

export interface ExternalEvent extends EventSource {
  kind: 'external';
  service: 'payment' | 'mail' | 'message' | 'http';
  hasKey: boolean;
}

export interface PlainEvent extends EventSource {
  /** For a read: it locks what it reads until its transaction ends, on this connection. */
  locksOn?: Value;
  kind: 'wait' | 'exit' | 'log' | 'watch' | 'holds' | 'begin' | 'commit' | 'read' | 'exists';
  value?: Value;
  /** For a read of rows: by what they are chosen. */
  filter?: Filter;
  /** For the end of a transaction: it takes back instead of committing. */
  isRollback?: boolean;
  /** For the begin of a transaction that waits for the database's only write lock, in the words of its SQL. */
  locks?: string;
}

/** A lock of the database itself, taken or given back by a statement: it ends with a session or a transaction. */
export interface DatabaseLockEvent extends EventSource {
  kind: 'database-lock';
  scope: 'session' | 'transaction';
  step: 'acquire' | 'release';
  /** What takes it, as in the statement: `pg_advisory_lock`, `FOR UPDATE`. */
  name: string;
  /** What is locked: a key, or a table's name. */
  key?: Value;
  /** The functions of the database through which the statement itself makes the key, in lower case. */
  keyFunctions?: readonly string[];
  /** How many numbers make the key. */
  keyParts?: number;
  /** What is known of the connection without knowing the receiver. */
  connection: Connection;
  /** What the statement is sent through, a transaction that it is given before all else. */
  receiver: Value | undefined;
}

/** A function that is handed over: to run now, later, or again and again. */
export interface RunsEvent extends EventSource {
  kind: 'runs';
  body: Value;
  args: Value[];
  when: 'now' | 'later' | 'repeatedly' | 'floating';
  /** It runs inside a transaction. */
  inTransaction?: boolean;
  /** The transaction waits for the database's only write lock when it begins, in the words of its SQL. */
  locks?: string;
  isSerializable?: boolean;
  /** It is called when a lock is found to be lost. */
  onLoss?: boolean;
  /** Calls that do not name the transaction belong to it as well. */
  isAmbient?: boolean;
}

/** SQL whose text is the caller's: what it does is known where the text is. */
export interface StatementEvent extends EventSource {
  kind: 'statement';
  text: Value;
  params: Value | undefined;
  connection: Value | undefined;
  /** What it is sent through; undefined when it cannot be told when it is sent. */
  through: Through | undefined;
  effect: Sql;
}

/** A call of a library of which its caller's arguments decide what it is. What it is taken for until then stands after it. */
export interface OpenEvent extends EventSource {
  kind: 'open';
  site: Site;
  given: readonly Given[];
}

/** The connection of a statement, as far as its call tells. */
export type Through = Pick<DatabaseLockEvent, 'connection' | 'receiver'>;

export type ModelEvent = StatementEvent | OpenEvent | DatabaseLockEvent | AcquireEvent | ReleaseEvent | RenewEvent | GetEvent | PutEvent | MintEvent | WriteEvent | ExternalEvent | PlainEvent | RunsEvent;

/** Puts the caller's arguments into an event. */
export function bindEvent<E extends ModelEvent>(event: E, binding: Binding, evaluator: Evaluator): E {
  const bind = (value: Value | undefined): Value | undefined => value && evaluator.bind(value, binding);
  const it = event as ModelEvent;
  switch (it.kind) {
    case 'acquire':
      return { ...it, lock: bindLock(it.lock, binding, evaluator), granted: bind(it.granted)!, refused: typeof it.refused === 'string' ? it.refused : bind(it.refused)!, body: bind(it.body), bodyArgs: it.bodyArgs?.map((each) => bind(each)!) } as ModelEvent as E;
    case 'release':
      return { ...it, key: bind(it.key), handle: bind(it.handle), session: bind(it.session), comparedWith: bind(it.comparedWith), connection: bind(it.connection) } as ModelEvent as E;
    case 'renew':
      return { ...it, key: bind(it.key), handle: bind(it.handle), session: bind(it.session), value: bind(it.value) } as ModelEvent as E;
    case 'get':
      return { ...it, key: bind(it.key)! } as ModelEvent as E;
    case 'put':
      return { ...it, key: bind(it.key)!, value: bind(it.value)! } as ModelEvent as E;
    case 'statement':
      return { ...it, text: bind(it.text)!, params: bind(it.params), connection: bind(it.connection), through: it.through && { ...it.through, receiver: bind(it.through.receiver) } } as ModelEvent as E;
    case 'open':
      return { ...it, given: it.given.map((each) => ({ ...each, value: bind(each.value)! })), site: { ...it.site, receiver: bind(it.site.receiver) } } as ModelEvent as E;
    case 'database-lock':
      return { ...it, key: bind(it.key), receiver: bind(it.receiver) } as ModelEvent as E;
    case 'begin':
    case 'commit':
      return { ...it, value: bind(it.value) } as ModelEvent as E;
    case 'mint':
      return { ...it, key: bind(it.key) } as ModelEvent as E;
    case 'write':
      return { ...it, compared: it.compared.map((each) => bind(each)!), sends: it.sends?.map((each) => bind(each)!), order: it.order && { ...it.order, value: bind(it.order.value)! }, row: it.row && bindRow(it.row, bind), handed: it.handed && { ...it.handed, filter: bind(it.handed.filter)!, data: bind(it.handed.data) }, connection: bind(it.connection) } as ModelEvent as E;
    case 'read':
      return it.filter || it.locksOn ? ({ ...it, filter: it.filter && bindFilter(it.filter, bind), locksOn: bind(it.locksOn) } as ModelEvent as E) : event;
    case 'runs':
      return { ...it, body: bind(it.body)!, args: it.args.map((each) => bind(each)!) } as ModelEvent as E;
    default:
      return event;
  }
}

type Bind = (value: Value | undefined) => Value | undefined;

/** By what a row is chosen and what it gets, with the caller's values. */
function bindRow(row: NonNullable<WriteEvent['row']>, bind: Bind): NonNullable<WriteEvent['row']> {
  const changes = (list: readonly Change[]): Change[] => list.map((it) => (it.value ? { ...it, value: bind(it.value) } : it));
  return { ...row, by: bind(row.by), inserted: row.inserted && changes(row.inserted), filter: bindFilter(row.filter, bind), changes: changes(row.changes) };
}

const bindFilter = (filter: Filter, bind: Bind): Filter =>
  filter.map((it) => ('any' in it ? { any: it.any.map((each) => bindFilter(each, bind)) } : 'column' in it && it.value ? { ...it, value: bind(it.value) } : it));

export function bindLock(lock: Lock, binding: Binding, evaluator: Evaluator): Lock {
  const bind = (value: Value | undefined): Value | undefined => value && evaluator.bind(value, binding);
  const length = bind(lock.lease?.value);
  return { ...lock, key: bind(lock.key), holder: bind(lock.holder), owner: bind(lock.owner), session: bind(lock.session), lease: lock.lease && { ...lock.lease, value: length!, ms: lock.lease.ms ?? milliseconds(length!, lock.lease.unit) } };
}
