/** What calls do besides: they run functions, wait, make values and hand them on. */
import type { ArgPath, TypeId, Unit } from './arguments.ts';

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
