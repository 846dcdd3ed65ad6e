/**
 * The form in which Fencepost knows libraries. This file owns the row types and the typed builders;
 * every other file in this folder is data in this form. A team's own helpers are described by the
 * same rows, through settings.
 *
 * A library is described by *obtain* rows (how a value of one of its types is reached: by
 * construction, annotation, factory, method) and *call* rows (what a call on such a value does).
 * Versions stand inside the data: a row with `versions` holds only where the project's
 * package.json names a matching range.
 */

/** A type of a library, written `package-key:Name`, for example `ioredis:Client`. */
export type TypeId = string;

/** Where in a call a value stands. Indexes are 0-based. */
export type ArgPath =
  /** Argument `arg`, then the properties `path` of it. */
  | { arg: number; path?: readonly string[] }
  /** The argument after the positional token `flag` (any case), looked for from index `from` on; nested arrays are flattened. */
  | { flag: string; from: number }
  /** All arguments from index `rest` on; arrays among them are spread. */
  | { rest: number }
  /** The last argument. */
  | { last: true }
  /** The receiver, then the properties `path` of it. */
  | { self: true; path?: readonly string[] }
  /** A constructor (or factory) argument of the receiver. */
  | { ctor: number; path?: readonly string[] }
  /** A value that an earlier call of the same chain put down under this name (see `configure`). */
  | { configured: string }
  /** A value that does not stand in the call. */
  | { constant: Constant };

export type Constant = string | number | boolean | null | undefined;

/** What must hold of a call for its row to apply. All conditions of a row must hold; an unknown argument fails `is` and `flag`. */
export type When =
  | { has: ArgPath }
  | { lacks: ArgPath }
  | { flag: string; from: number }
  | { noFlag: string; from: number }
  | { is: ArgPath; value: Constant | readonly Constant[] }
  /** Argument is (structurally) of this sort. */
  | { sort: ArgPath; of: Sort }
  | { count: number; atLeast?: boolean };

export type Sort = 'string' | 'number' | 'object' | 'array' | 'function' | 'sql';

export type Unit = 'ms' | 's' | 'epoch-ms' | 'epoch-s' | 'duration';

/** A lease length: where it stands and its unit. The first one that is present counts. */
export interface Lease {
  at: ArgPath;
  unit: Unit;
  /** Unit read from another argument, for example `expiration: { type: 'EX', value }`. */
  unitFrom?: { at: ArgPath; units: Record<string, Unit> };
  /** Used when the argument is absent; in `unit`. */
  default?: number;
}

/** What a caller gets. `throws` and `waits` are not values; everything else is. */
export type Answer =
  | 'throws'
  /** Never returns until granted. */
  | 'waits'
  | { is: Constant }
  | { of: 'string' | 'number' | 'object' | 'array' | 'void' | 'unknown' | 'count' }
  /** A handle of the given type. */
  | { type: TypeId }
  /** A function that releases the lock when called. */
  | { releases: true }
  | { tuple: readonly Answer[] }
  | { props: Readonly<Record<string, Answer>>; type?: TypeId };

/** How the result is delivered. Without it: returned, or by the promise that is returned. */
export interface Delivery {
  /** A Node callback `(err, reply)` at this index (`last` for the last function argument). */
  callback?: number | 'last';
  /** What the call itself returns when the answer comes by callback (redis 3: `true`). */
  returns?: Answer;
}

export type LockKind =
  /** Ends by a clock. */
  | 'lease'
  /** Ends with a database connection. */
  | 'session'
  /** Ends with a transaction. */
  | 'transaction'
  /** Lives in this process or on this machine. */
  | 'local';

/** A call that takes a lock, in a library that knows locks. */
export interface Acquire {
  kind: 'acquire';
  key?: ArgPath;
  lock: LockKind;
  lease?: readonly Lease[];
  granted: Answer;
  refused: Answer;
  /** The function that runs while the lock is held. */
  body?: ArgPath;
  /** Index of the abort signal among the body's parameters. */
  bodySignal?: number;
  /** Index of the handle among the body's parameters, with its type. */
  bodyHandle?: { index: number; type: TypeId };
  /** The library prolongs the lease by itself: always, or while the body runs. */
  renews?: 'always' | 'body';
  /** The owner value is not unique per holder, or can be chosen. */
  owner?: ArgPath;
  /** The value of the handle or reply by which later holders can be told from earlier ones. */
  token?: { path: readonly string[]; sound: boolean; why: string };
}

/** A call that gives a lock back, in a library that knows locks. */
export interface Release {
  kind: 'release';
  /** The handle, or the key. Without both, the receiver's own lock. */
  handle?: ArgPath;
  key?: ArgPath;
  ownerChecked: boolean;
  /** What is told when the lock had been lost. */
  lost?: Answer;
}

/** A call that prolongs a lease, in a library that knows locks. */
export interface Renew {
  kind: 'renew';
  handle?: ArgPath;
  key?: ArgPath;
  ownerChecked: boolean;
  lease?: readonly Lease[];
  done?: Answer;
  lost?: Answer;
}

/** A question whether the lock is still held. */
export interface Holds {
  kind: 'holds';
  handle?: ArgPath;
}

/** `SET` and its kin on a key-value store. With `absent` it may be the acquire of a lock. */
export interface Put {
  kind: 'put';
  key: ArgPath;
  value: ArgPath;
  condition?: 'absent' | 'present' | { equals: ArgPath };
  lease?: readonly Lease[];
  done: Answer;
  refused?: Answer;
  /** Why this call does something else than it seems to: the client ignores what was asked for. */
  trap?: string;
}

export interface Remove {
  kind: 'remove';
  keys: ArgPath;
  /** The value that the key must hold. */
  ifEquals?: ArgPath;
}

export interface Expire {
  kind: 'expire';
  key: ArgPath;
  lease: readonly Lease[];
}

export interface Get {
  kind: 'get';
  key: ArgPath;
  removes?: boolean;
  lease?: readonly Lease[];
}

export interface Exists {
  kind: 'exists';
  key: ArgPath;
}

/** A number that grows: raised and answered in one step. */
export interface Increment {
  kind: 'increment';
  key: ArgPath;
}

/** A write of data under a key that is not a plain value: hash, list, set, stream. */
export interface Data {
  kind: 'data';
  key: ArgPath;
}

/** A Lua script run on the server. */
export interface Script {
  kind: 'script';
  /** The script's text; a sha, or the type's configured script, is followed to its text. */
  text: ArgPath;
  /** `counted`: the number of keys at `count`, then keys and arguments one after another from `from` on. */
  layout:
    | { counted: ArgPath; from: number }
    | { keys: ArgPath; args: ArgPath };
}

/** Defines a method that runs a script: `defineCommand('name', { lua, numberOfKeys })`. */
export interface DefineScript {
  kind: 'define-script';
  name: ArgPath;
  text: ArgPath;
  numberOfKeys: ArgPath;
}

/** A command given by name and arguments: `call('SET', …)`, `sendCommand(['SET', …])`. */
export interface Command {
  kind: 'command';
  /** Command name first, then its arguments. */
  words: ArgPath;
}

/** Where a store tells how many rows a statement touched. `path` leads from the (awaited) result. */
export interface Count {
  path: readonly string[];
  /** What a miss looks like. */
  miss: Constant | 'bigint-zero' | 'empty-array' | 'array-of-zero';
  note?: string;
}

/** SQL text sent to a database. What it does is read from the text. */
export interface Sql {
  kind: 'sql';
  /** The statement's text, or the template itself for a tag. */
  text: ArgPath | { template: true };
  params?: ArgPath;
  /** How parameters are given: positional list, one argument each, or an object of names. */
  paramStyle?: 'list' | 'spread' | 'named';
  count?: Count;
  dialect?: 'postgresql' | 'mysql' | 'sqlite' | 'mssql';
  /** Which connection it runs on. */
  connection: 'pool' | 'single' | 'transaction' | 'receiver';
  /** The statement is only prepared: the call of `run` on the result sends it. */
  prepares?: TypeId;
}

/** A condition, value or table added to a statement under construction. */
export interface Build {
  kind: 'build';
  table?: ArgPath;
  /** A filter: an object of column → value, a `(column, op, value)` triple, or a condition expression. */
  filter?: { object?: ArgPath; triple?: { column: ArgPath; op?: ArgPath; value: ArgPath }; expression?: ArgPath; sql?: ArgPath };
  set?: ArgPath;
  op?: 'select' | 'insert' | 'update' | 'delete' | 'upsert';
  conflict?: 'nothing' | 'update';
  lock?: 'update' | 'share';
  /** Puts a value down under a name for later calls of the chain. */
  configure?: Record<string, ArgPath>;
}

/** A write to a durable store that is one call. Parts that a chain has built before are added. */
export interface Write {
  kind: 'write';
  op: 'insert' | 'update' | 'delete' | 'upsert' | 'save' | 'replace';
  /** What is written: a table, model, collection, bucket or file. The receiver's own when absent. */
  target?: ArgPath | { receiver: true } | { property: number };
  /** The filter object by which rows are chosen; a version, token or state in it is a fence. */
  filter?: ArgPath;
  /** An expression that must hold (DynamoDB), with its values. */
  expression?: { text: ArgPath; values?: ArgPath; names?: ArgPath };
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
  /** What a filter language calls its operators: `$lt` → `<`. */
  operators?: Readonly<Record<string, '<' | '<=' | '>' | '>=' | '=' | '<>' | 'increment'>>;
}

/** A read, so that stale values and checks can be told. */
export interface Read {
  kind: 'read';
  target?: ArgPath | { receiver: true } | { property: number };
  filter?: ArgPath;
  lock?: ArgPath;
}

/** Runs `body` in a transaction; its parameter `passes` is the transaction. */
export interface Transaction {
  kind: 'transaction';
  body?: ArgPath;
  /** Type of the body's first parameter, or of the result when there is no body. */
  passes?: TypeId;
  /** The array form: the statements are the elements of this argument. */
  statements?: ArgPath;
  step?: 'begin' | 'commit' | 'rollback';
}

/** Calls a function that is handed over. */
export interface Calls {
  kind: 'calls';
  body: ArgPath;
  /** `now`: before the call's own promise is done. `later`: a timer or listener. `repeatedly`: an interval. `floating`: started, its promise is dropped. */
  when: 'now' | 'later' | 'repeatedly' | 'floating';
  /** Delay or period. */
  delay?: ArgPath;
  /** What the body gets, by index: elements of the receiver, a resolve function … */
  passes?: readonly ('element' | 'index' | 'resolve' | 'reject' | 'error' | 'value' | 'unknown')[];
  /** What the call answers: the body's answer, the array of them, or something else. */
  answers?: 'body' | 'bodies' | 'other';
}

/** Waits for a time. */
export interface Wait {
  kind: 'wait';
  ms: ArgPath;
  unit?: Unit;
}

/** Makes a fresh value: random, of the clock, or of the process and machine. */
export interface Fresh {
  kind: 'fresh';
  source: 'random' | 'clock' | 'process';
}

/** Text of an argument passed on: `createHash(x)`, `String(x)`. The result is as unique as the argument. */
export interface Derives {
  kind: 'derives';
  from: ArgPath;
}

/** A call of something outside that cannot be taken back. */
export interface External {
  kind: 'external';
  service: 'payment' | 'mail' | 'message' | 'http';
  idempotencyKey?: readonly ArgPath[];
}

/** Ends the process. */
export interface Exit {
  kind: 'exit';
}

/** Writes a log line: neither a durable write nor work. */
export interface Log {
  kind: 'log';
}

/** A callback-style function turned into one that answers by promise: `promisify(client.set)`. */
export interface Promisifies {
  kind: 'promisifies';
  function: ArgPath;
}

/** A call that answers the value of an argument or of the receiver, unchanged: `bind`, `Promise.resolve`, `Object.freeze`. */
export interface Passes {
  kind: 'passes';
  value: ArgPath;
}

/** A family of promises: all of them, or the first. */
export interface Joins {
  kind: 'joins';
  items: ArgPath;
  how: 'all' | 'settled' | 'race' | 'any';
}

export type Effect =
  | Acquire | Release | Renew | Holds
  | Put | Remove | Expire | Get | Exists | Increment | Data | Script | DefineScript | Command
  | Sql | Build | Write | Read | Transaction
  | Calls | Wait | Fresh | Derives | External | Exit | Log | Promisifies | Passes | Joins;

/** How a value of a type is reached. */
export interface Obtain {
  type: TypeId;
  by:
    /** `new Name(…)`; `name` is an export, `default`, or `default.Member`. */
    | 'new'
    /** `name(…)`. */
    | 'call'
    /** The export itself. */
    | 'value'
    /** A type annotation (also a generic's name), a constructor parameter's type, a base class. */
    | 'annotation'
    /** A method of a value of type `of`. */
    | 'method'
    /** A property of a value of type `of`. `*` is any property. */
    | 'property'
    /** A decorator on an injected constructor parameter or property: `@InjectRedis()`. */
    | 'decorator';
  name: string | readonly string[];
  of?: TypeId;
  versions?: string;
  /** The constructed thing has these sub-values: `createLock({ adapter })`. */
  when?: readonly When[];
}

/** What a call does. */
export interface Call {
  /** Receiver's type; `module` for an export called by name; `any` for call shapes that nothing else has. */
  on: TypeId | 'module' | 'any' | 'global';
  /** Method (or export) names; `()` for a call of the value itself, `` `` \` `` for a template tag. */
  name: string | readonly string[];
  versions?: string;
  when?: readonly When[];
  does: Effect | readonly Effect[];
  /** Type of the (awaited) result, when it has one and the effect does not say. */
  answers?: TypeId;
  delivery?: Delivery;
  /** A fact that a rule or the docs show. */
  note?: string;
}

/** A decorator of a library that takes a lock around the method it stands on. */
export interface Decorator {
  name: string | readonly string[];
  does: Acquire | Transaction;
}

export interface Library {
  /** Short name, the prefix of its types. */
  key: string;
  /** Module specifiers that name it; a trailing `/*` matches sub-paths. Empty for the language itself. */
  packages: readonly string[];
  /** Name for people. */
  title: string;
  /** `lock`: takes locks. `store`: keeps data. `language`: the platform. `service`: something outside. */
  family: 'lock' | 'store' | 'language' | 'service';
  /** Words besides the package names whose presence in a file makes it worth a look. */
  mentions?: readonly string[];
  obtain?: readonly Obtain[];
  calls: readonly Call[];
  decorators?: readonly Decorator[];
  /** Facts for `docs/catalog.md`. */
  facts?: readonly string[];
}

/** Identity functions that give the data its types, so that a slip in a row is a compile error. */
export const library = (it: Library): Library => it;
export const arg = (index: number, ...path: string[]): ArgPath => (path.length ? { arg: index, path } : { arg: index });
export const flag = (name: string, from = 2): ArgPath => ({ flag: name, from });
export const rest = (from: number): ArgPath => ({ rest: from });
export const self = (...path: string[]): ArgPath => (path.length ? { self: true, path } : { self: true });
export const ctor = (index: number, ...path: string[]): ArgPath => (path.length ? { ctor: index, path } : { ctor: index });
export const last: ArgPath = { last: true };
export const configured = (name: string): ArgPath => ({ configured: name });
export const is = (value: Constant): Answer => ({ is: value });
