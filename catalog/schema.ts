/**
 * The form in which Fencepost knows libraries. The types are in `schema/`, the typed builders
 * here; every other file in this folder is data in this form. A team's own helpers are described by the
 * same rows, through settings.
 *
 * A library is described by *obtain* rows (how a value of one of its types is reached: by
 * construction, annotation, factory, method) and *call* rows (what a call on such a value does).
 * Versions stand inside the data: a row with `versions` holds only where the project's
 * package.json names a matching range.
 */
import type { Answer, ArgPath, Constant } from './schema/arguments.ts';
import type { Edits } from './schema/edits.ts';
import type { Call, Decorator, Obtain, State, Token } from './schema/rows.ts';

export type * from './schema/arguments.ts';
export type * from './schema/edits.ts';
export type * from './schema/flow-effects.ts';
export type * from './schema/key-effects.ts';
export type * from './schema/lock-effects.ts';
export type * from './schema/rows.ts';
export type * from './schema/store-effects.ts';

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
