/** Where things stand in a call, what it answers, and under which conditions a row holds. */

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
