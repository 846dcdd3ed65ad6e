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
  /** Argument `arg`, then the properties `path` of it. With `built`: that argument of the `new` expression which argument `arg` is: `send(new Command('SET', […]))`. With `chain`: what the chain that stands there has put down under this name: `then(client.put(key).lease(id))`. */
  | { arg: number; built?: number; chain?: string; path?: readonly string[] }
  /** Properties `each` of every element of the array there; elements without the first of these properties are passed over. It is present where all others have it. */
  | { arg: number; path?: readonly string[]; each: readonly string[] }
  /** The argument after the positional token `flag` (any case), looked for from index `from` on; nested arrays are flattened. */
  | { flag: string; from: number }
  /** All arguments from index `rest` on; arrays among them are spread; a callback (see `Delivery`) is not among them. */
  | { rest: number }
  /** The last argument. */
  | { last: true }
  /** The receiver, then the properties `path` of it. */
  | { self: true; path?: readonly string[] }
  /** A constructor (or factory) argument of the receiver. */
  | { ctor: number; path?: readonly string[] }
  /** A value that an earlier call of the same chain put down under this name (see `configure`). */
  | { configured: string }
  /** Texts that stand in several places, one after another: a prefix and a name. */
  | { joined: readonly ArgPath[] }
  /** A value that does not stand in the call. */
  | { constant: Constant };

export type Constant = string | number | boolean | null | undefined;

/**
 * What must hold of a call for its row to apply. All conditions of a row must hold; an unknown argument
 * fails `is` and `flag`. `has` asks for the place, whatever its value. `lacks` holds where the place is
 * known to be missing, also together with its argument. In options that hold a spread of something
 * unknown `has` and `lacks` both fail; options that are handed in are taken to have what is asked for.
 */
export type When =
  | { has: ArgPath }
  | { lacks: ArgPath }
  | { flag: string; from: number }
  | { noFlag: string; from: number }
  | { is: ArgPath; value: Constant | readonly Constant[] }
  /** Argument is (structurally) of this sort. */
  | { sort: ArgPath; of: Sort }
  /** Argument is a value of one of these types, of this or another library. */
  | { typed: ArgPath; as: readonly TypeId[] }
  /** Number of arguments, a callback not counted. Fails when arguments are spread from something unknown. */
  | { count: number; atLeast?: boolean };

export type Sort = 'string' | 'number' | 'object' | 'array' | 'function' | 'sql';

/** `duration`: a text such as `10s`; a number counts milliseconds. */
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
  /** A function that releases the lock when called; it compares the owner unless said otherwise. */
  | { releases: true; ownerChecked?: boolean; type?: TypeId }
  | { tuple: readonly Answer[] }
  | { props: Readonly<Record<string, Answer>>; type?: TypeId };

/** How the result is delivered. Without it: returned, or by the promise that is returned. */
export interface Delivery {
  /** A Node callback `(err, reply)` at this index (`last` for the last function argument). */
  callback?: number | 'last';
  /** What the call itself returns when the answer comes by callback (redis 3: `true`). Without it the same answer is also promised, and the callback may be left out. */
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
  /** Without it the length is not known. An empty list: there is none, the lock stays until it is released. */
  lease?: readonly Lease[];
  granted: Answer;
  refused: Answer;
  /** The function that runs while the lock is held. */
  body?: ArgPath;
  /** The body must give the lock back itself: it is still held when the body returns. */
  bodyReleases?: boolean;
  /** Index of the abort signal among the body's parameters. */
  bodySignal?: number;
  /** Index of the handle among the body's parameters, with its type. */
  bodyHandle?: { index: number; type: TypeId };
  /** The library prolongs the lease by itself: always, or while the body runs. */
  renews?: 'always' | 'body';
  /** The owner value is not unique per holder, or can be chosen. */
  owner?: ArgPath;
  /** The session (its id) that keeps the lock: when it ends, so does the lock. */
  session?: ArgPath;
  /** A session lock on a connection of the library's own, which no write of the caller goes through. */
  ownConnection?: boolean;
  /** Where in the answer a token of sound order stands, when the answer has no type whose `tokens` say so. */
  token?: { path: readonly string[] };
  /** The option that asks for the renewal, where the library renews only on request: a report stands there. */
  renewalOption?: ArgPath;
  /** The function that the library calls when it finds the lock lost. */
  onLost?: ArgPath;
  /** Clients that the library does not work on, and what happens then. `at` may hold the client or an array of clients. */
  misfits?: readonly Misfit[];
  /** Why this call takes no lock, or another one than it seems to. */
  trap?: string;
}

/** A client that a library does not work on. */
export interface Misfit {
  at: ArgPath;
  type: TypeId;
  /** Range of the *client's* package. */
  versions?: string;
  why: string;
}

/** A call that gives a lock back, in a library that knows locks. */
export interface Release {
  kind: 'release';
  /** The handle, or the key, or the session that ends with all it keeps. Without them, the receiver's own lock. */
  handle?: ArgPath;
  key?: ArgPath;
  session?: ArgPath;
  ownerChecked: boolean;
  /** What is told when the lock had been lost. */
  lost?: Answer;
}

/** A call that prolongs a lease, in a library that knows locks. */
export interface Renew {
  kind: 'renew';
  handle?: ArgPath;
  key?: ArgPath;
  session?: ArgPath;
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
  /** `unknown`: what was asked for cannot be read from the call; nothing may be concluded from it. */
  condition?: 'absent' | 'present' | 'unknown' | { equals: ArgPath };
  lease?: readonly Lease[];
  /** What is kept ends by itself, whether or not the call says when: a cache. */
  expires?: true;
  /** The session (its id) that keeps the key: when it ends, the key is removed. */
  session?: ArgPath;
  done: Answer;
  refused?: Answer;
  /** Why this call does something else than it seems to: the client ignores what was asked for. */
  trap?: string;
  /** Beside `trap`: any of these says that a key was wanted only where there is none, which this call does not see to. */
  asks?: readonly When[];
}

export interface Remove {
  kind: 'remove';
  keys: ArgPath;
  /** The value that the key must hold. */
  ifEquals?: ArgPath;
  /** Sent through the session that keeps the lock: once that has ended, the service refuses it. */
  bySession?: boolean;
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
  /** Why the script does not get what the call hands over. */
  trap?: string;
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
  /** The arguments, where they stand apart from the name. */
  args?: ArgPath;
}

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
  /** Types of what the body gets, by index. */
  types?: readonly (TypeId | null)[];
  /** The body is a loss handler: it is called when the lock is found to be lost. */
  onLoss?: boolean;
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
  /** What is answered may have more than the argument has. */
  open?: boolean;
}

/** A call that answers what the receiver holds under a name: `row.get('until')`. */
export interface Picks {
  kind: 'picks';
  name: ArgPath;
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
  | Sql | Append | Build | Write | Pends | Read | Transaction | Disconnect
  | Calls | Wait | Fresh | Derives | External | Exit | Log | Promisifies | Passes | Picks | Joins;

/** How a value of a type is reached. */
export interface Obtain {
  type: TypeId;
  by:
    /** `new Name(…)`; `name` is an export, `default`, or `default.Member`. With `of`: `new` of a value of that type, `name` is `()`. */
    | 'new'
    /** `name(…)`. With `of`: a call of a value of that type, `name` is `()`. */
    | 'call'
    /** The export itself. */
    | 'value'
    /** A type annotation (also a generic's name), a constructor parameter's type, a base class. */
    | 'annotation'
    /** The same, but only of a constructor parameter or class property: what is injected once, not handed in at each call. */
    | 'member'
    /** A class that extends the export: the class itself, with its static methods (its instances are `annotation`). */
    | 'subclass'
    /** A method of a value of type `of`; of a value of unknown type, where that is `any`. */
    | 'method'
    /** A property of a value of type `of`. `*` is any property. */
    | 'property'
    /** A type that leaves these members of `of` out: `Omit<Client, '$transaction'>`. A list that has a name is called `<Name>`. */
    | 'without'
    /** A decorator on an injected constructor parameter or property: `@InjectRedis()`. */
    | 'decorator';
  name: string | readonly string[];
  of?: TypeId;
  /** Only when it is imported from one of these of the library's module specifiers. */
  from?: string | readonly string[];
  /** The name says enough, whatever module it is imported from: generated clients. */
  anywhere?: boolean;
  versions?: string;
  /** The constructed thing has these sub-values: `createLock({ adapter })`. */
  when?: readonly When[];
  /**
   * Scripts handed over at construction, an object of name → definition: each name becomes a method
   * that runs its script. The paths lead from a definition to its text and its number of keys; the
   * method takes keys and arguments one after another.
   */
  scripts?: { at: ArgPath; text: readonly string[]; numberOfKeys: readonly string[] };
}

/** What a call does. Of the rows of one library that fit a call, the first one counts: the particular stand before the general, the newest version before older ones. */
export interface Call {
  /** Receiver's type; `module` for an export called by name; `any` for call shapes that nothing else has. */
  on: TypeId | 'module' | 'any' | 'global';
  /** Method (or export) names; `()` for a call of the value itself, `` `` \` `` for a template tag. */
  name: string | readonly string[];
  /** Only when it is imported from one of these of the library's module specifiers; for `module`. */
  from?: string | readonly string[];
  versions?: string;
  when?: readonly When[];
  does: Effect | readonly Effect[];
  /** Type of the (awaited) result, when it has one and the effect does not say. */
  answers?: TypeId;
  /** Type of the result as long as it is not awaited: further calls on it add to the same statement. */
  chains?: TypeId;
  delivery?: Delivery;
  /** Sends the commands that this chain has queued; answers the list of their replies, or of `[error, reply]` pairs. */
  sends?: 'replies' | 'pairs';
  /** Keys whose change makes the next transaction of this connection fail: `watch(key)`. */
  watches?: ArgPath;
  /** Nothing is sent until the result is awaited, or its `then` called. */
  lazy?: boolean;
  /** It answers at once, without a promise, unlike the rest of its library. */
  isSync?: boolean;
  /** How long the session lives that the call makes: a lock that it keeps ends with it. */
  lasts?: readonly Lease[];
  /** How long the call may take at most, where that is set. */
  timeout?: readonly Lease[];
  /** A fact that a rule or the docs show. */
  note?: string;
}

/** A value that seems to order holders: a property of a type's values (the value itself with an empty path). */
export interface Token {
  of: TypeId;
  path: readonly string[];
  sound: boolean;
  why: string;
}

/** A decorator of a library that takes a lock around the method it stands on. */
export interface Decorator {
  name: string | readonly string[];
  /** Only when it is imported from one of these of the library's module specifiers. */
  from?: string | readonly string[];
  does: Acquire | Transaction;
}

/** A property by which the lock's state is told on the local clock: whether it is held, or until when. */
export interface State {
  of: TypeId;
  path: readonly string[];
  tells: 'held' | 'until';
}

/**
 * How an edit writes a call. In the templates `{name}` is a slot; texts in single quotes take the
 * quotes of the file that is edited.
 */
export interface CallForm {
  /** Receivers whose calls are written so; `any` for receivers that are known only by the shape of their calls. */
  on: TypeId | readonly TypeId[];
  /** Methods that it may take the place of; any, without it. */
  instead?: readonly string[];
  versions?: string;
  /** What must hold of the acquire that the same receiver makes: tells clients apart whose type is not known. */
  when?: readonly When[];
  method: string;
  arguments: string;
  /** Values go in as text only. */
  isText?: boolean;
}

/** Runs a script. Slots: `{script}`, `{count}` of keys, `{keys}` and `{args}`, each with commas between. */
export interface ScriptForm extends CallForm {
  /** The script is not handed over as text: how a value of the module is made of the `{text}`, and the export that it takes. */
  prepared?: { text: string; from: string; name: string };
}

/** Compares the owner value and deletes, by a command of the server. Slots: `{key}`, `{owner}`. */
export interface CommandForm extends CallForm {
  command: 'DELEX' | 'DELIFEQ';
}

/** Takes a key with its lease where there is none, in one step. Slots: `{key}`, `{owner}`, `{unit}` (`EX` or `PX`; `{lower}` in small letters), `{length}`. */
export interface GrantForm extends CallForm {
  /** What it answers when granted. */
  answers: string;
}

/** A write of one call with a filter and data, as an edit fences it. Slot: `{token}`. */
export interface FenceForm {
  on: TypeId | readonly TypeId[];
  name: string;
  versions?: string;
  /** The method that takes the filter with a fence in it, and tells the count. */
  becomes: string;
  /** Properties of argument 0 that hold the filter and the data; with any other one the write is not fenced so. */
  filter: string;
  data: string;
  /** The condition on the column: below the token, or not above it. */
  below: string;
  notAbove: string;
  /** The only operators that a value of the data, and of the filter, may be made with. */
  operators: readonly string[];
  conditions: readonly string[];
  /** How `becomes` tells what it touched. */
  count: Count;
}

/** How a column is compared by order in a filter: below a token, or not above it. Slots: `{column}`, `{token}`. */
export interface OrderForm {
  below: string;
  notAbove: string;
  /** Exports that the two are written with, imported where they are missing. */
  uses?: { from: string; below: string; notAbove: string };
}

/** A filter object that is an argument of its own, beside the data: the condition is the value of the column. */
export interface FilterForm extends OrderForm {
  on: readonly TypeId[];
  /** The operator under which data stands whose other parts are operators: `$set`. */
  set?: string;
}

/** A condition beside those that are there, joined with them by an export. Slot: `{table}`. */
export interface BesideForm extends OrderForm {
  join: string;
}

/** A statement that a chain of steps builds, as an edit fences it. */
export interface ChainForm {
  /** Types of the steps. */
  on: readonly TypeId[];
  /** Steps whose first argument is the data. */
  data: readonly string[];
  /** Steps that add a condition to the filter, all of which must hold. */
  filter: readonly string[];
  /** Steps beside which a further condition would not hold for the whole filter. */
  refuses?: readonly string[];
  /** The condition is a further step. */
  step?: OrderForm;
  /** The condition stands in the filter's argument. */
  beside?: BesideForm;
  /** How the column is called in the data: by its name, or by the property that stands for it. */
  names: 'column' | 'property';
}

/**
 * A write of one call whose options hold expressions as texts, with their values beside them; what is
 * refused is thrown. Slots: `{column}`, `{value}` (what stands for the value), and `{value}` itself in
 * the wraps.
 */
export interface ExpressionForm {
  on: TypeId | 'module';
  name: readonly string[];
  /** The option with what is stored: an update expression, or the whole item as an object. A deletion has neither. */
  update?: string;
  item?: string;
  /** The options with the condition, the values, and the names that stand for columns. */
  condition: string;
  values: string;
  names: string;
  below: string;
  notAbove: string;
  equals: string;
  /** How a number and a text are written among the values, where they are wrapped. */
  number?: string;
  text?: string;
  /** The name of the error that is thrown when the condition does not hold. */
  refused: string;
}

/** A write that takes, as a precondition, the version of the same thing as it was read before. A miss is thrown. */
export interface VersionForm {
  on: TypeId | 'module';
  name: readonly string[];
  /** The argument with the options, and where the precondition stands in them. */
  options: number;
  at: readonly string[];
  /** Where the version stands in what was read. */
  version: readonly string[];
  /** The reads that answer the version, together with the content or before it is read. */
  reads: readonly string[];
  /** What the reader of the edit should know. */
  note?: string;
}

/** How the token of a grant is read: in one step with who holds the lock, so that it is that of the own grant or none. */
export interface TokenForm {
  on: TypeId;
  method: string;
  /** With the slot `{key}`. */
  arguments: string;
  /** The property that names the session which holds the lock, and the one that is the token. */
  holder: string;
  token: string;
  /** What TypeScript is told of the answer, where its type lacks one of the two. */
  type?: string;
  refused: string;
}

/** How edits write calls of a library. */
export interface Edits {
  scripts?: readonly ScriptForm[];
  commands?: readonly CommandForm[];
  grants?: readonly GrantForm[];
  fences?: readonly FenceForm[];
  orders?: readonly FilterForm[];
  chains?: readonly ChainForm[];
  expressions?: readonly ExpressionForm[];
  versions?: readonly VersionForm[];
  tokens?: readonly TokenForm[];
  /** Exports that make a fresh owner value: called without arguments, they answer a text. The first one is the one to import. */
  makers?: readonly { from: string; name: string }[];
  /** The type argument with which the answer of a statement shows its count to TypeScript. */
  countType?: { on: readonly TypeId[]; name: string; from: string };
  /** To TypeScript the rows that a statement answers have no columns. */
  hidesColumns?: boolean;
  /** Statements answer at once, without a promise. */
  isSync?: boolean;
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
  /**
   * What the grant of a lock rests on: a consensus of several nodes that outlives the loss of one; the
   * timing of clocks and replication; the memory of one process; the file system of one machine.
   */
  coordinator?: 'consensus' | 'timing' | 'process' | 'machine';
  /** Where a fencing token for its locks comes from, in words: `fencepost explain` shows it. Begins with `none:` where nothing of the lock has an order. */
  token?: string;
  /** Words besides the package names whose presence in a file makes it worth a look. */
  mentions?: readonly string[];
  /** Functions, also as globals, that run what they are handed as a test. */
  tests?: readonly string[];
  obtain?: readonly Obtain[];
  calls: readonly Call[];
  decorators?: readonly Decorator[];
  /** Values by which later holders can be told from earlier ones, or seem to be. */
  tokens?: readonly Token[];
  states?: readonly State[];
  edits?: Edits;
  /** Exported constants that conditions and units of this library's rows speak of: `TimeUnit.Seconds`. */
  constants?: Readonly<Record<string, Constant>>;
  /** Properties under which a framework puts objects of the classes of a folder; `below` is the folder that holds it. */
  folders?: readonly { property: string; folder: string; below: string }[];
  /** How a framework's providers bind a value to an injection token: `{ provide: LOCK, useClass: RedisLock }`. The first binding that is there counts. */
  injections?: readonly { token: string; binds: readonly { property: string; how: 'itself' | 'answer' }[] }[];
  /** Options by which the store removes entries by their age: `expireAfterSeconds` of an index. */
  expiryOptions?: readonly string[];
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
export const constant = (value: Constant): ArgPath => ({ constant: value });
export const is = (value: Constant): Answer => ({ is: value });
/** Exports that are members of the default export too: `Pool` and `pg.Pool`. */
export const exported = (...names: string[]): string[] => names.flatMap((name) => [name, `default.${name}`]);
