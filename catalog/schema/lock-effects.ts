/** What calls of libraries that know locks do to them. */
import type { Answer, ArgPath, Lease, TypeId } from './arguments.ts';

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
