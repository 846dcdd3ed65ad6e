/** What commands of a key-value store do to a key. */
import type { Answer, ArgPath, Lease, When } from './arguments.ts';

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
