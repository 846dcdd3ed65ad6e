/** The rows themselves: how a value of a type is reached, and what a call on it does. */
import type { ArgPath, Delivery, Lease, TypeId, When } from './arguments.ts';
import type { Calls, Derives, Exit, External, Fresh, Joins, Log, Passes, Picks, Promisifies, Wait } from './flow-effects.ts';
import type { Command, Data, DefineScript, Exists, Expire, Get, Increment, Put, Remove, Script } from './key-effects.ts';
import type { Acquire, Holds, Release, Renew } from './lock-effects.ts';
import type { Append, Build, Disconnect, Pends, Read, Sql, Transaction, Write } from './store-effects.ts';

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
