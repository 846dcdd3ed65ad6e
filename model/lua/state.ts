// Owns what is known at one point of one path through a script: variables, tables, tests passed, commands sent.

import type { LuaCondition, LuaOperand, LuaReply } from './facts.ts';
import type { CommandOptions, Effect } from './commands.ts';
import { conditionId, eitherOf, operandId } from './operands.ts';
import type { Scope } from './scope.ts';
import type { FunctionDeclaration, Node } from 'luaparse';

/** A value while a script runs: an operand, or something that only lives inside the interpreter. */
export type Value =
  | LuaOperand
  | { readonly kind: 'table'; readonly id: number }
  | { readonly kind: 'function'; readonly node: FunctionDeclaration; readonly scope: Scope }
  | { readonly kind: 'builtin'; readonly name: string }
  /** KEYS or ARGV itself. */
  | { readonly kind: 'inputs'; readonly of: 'keys' | 'args' }
  /** A loop's running number, which picks each key in turn. */
  | { readonly kind: 'index' }
  /** A comparison that no test has decided yet. */
  | { readonly kind: 'comparison'; readonly condition: LuaCondition }
  | { readonly kind: 'error'; readonly message: string | undefined };

/** A Lua table. `base` is what it was decoded from: fields that nobody set are read from there. */
export interface Table {
  readonly base: LuaOperand | undefined;
  readonly fields: ReadonlyMap<string, Value>;
  /** Something was stored under a key that is not known. */
  readonly open: boolean;
}

/** `free`: the hash field that was asked for is missing, the key may exist all the same. */
export type Presence = 'absent' | 'free' | 'present';

/** A Redis command sent on a path. */
export interface Event {
  readonly at: number;
  readonly command: string;
  readonly effect: Effect;
  readonly args: readonly LuaOperand[];
  readonly keys: readonly LuaOperand[];
  readonly options: CommandOptions;
  readonly reply: LuaReply;
  /** `done` and `refused` are said of commands that carry their own condition. */
  readonly outcome: 'done' | 'refused' | 'open';
  readonly conditions: readonly LuaCondition[];
  /** What was known of each key just before. */
  readonly before: readonly (Presence | undefined)[];
}

/** One path, up to here. */
export interface State {
  readonly cells: Map<number, Value>;
  readonly heap: Map<number, Table>;
  conditions: readonly LuaCondition[];
  conditionIds: Set<string>;
  events: readonly Event[];
  readonly presence: Map<string, Presence>;
  /** Plain values that this script itself stored, by key. */
  readonly contents: Map<string, LuaOperand>;
  flow: 'next' | 'break' | 'return' | 'halt';
  returned: readonly Value[];
}

/** What all paths of one analysis share. */
export interface Run {
  complete: boolean;
  readonly globals: Map<string, number>;
  /** The number of a place: a syntax node as reached through these calls. */
  at(node: Node): number;
  readonly calls: number[];
  fresh(): number;
  /** Counts the work; throws `BudgetSpent` when there was too much. */
  step(): void;
  /** Runs a block in a scope of its own. */
  readonly block: (body: readonly Node[], scope: Scope, states: State[], run: Run) => State[];
}

/** Thrown inside the interpreter only. */
export class BudgetSpent extends Error {}

/** The state before the first statement. */
export function startState(): State {
  return {
    cells: new Map(), heap: new Map(), conditions: [], conditionIds: new Set(), events: [], presence: new Map(), contents: new Map(), flow: 'next', returned: [],
  };
}

/** A copy that can go its own way. */
export function fork(state: State): State {
  return {
    ...state,
    cells: new Map(state.cells),
    heap: new Map(state.heap),
    conditionIds: new Set(state.conditionIds),
    presence: new Map(state.presence),
    contents: new Map(state.contents),
  };
}

const manyPaths = 64;

/**
 * Joins paths that sent the same commands when there are too many to follow. What they differ in is then known only as
 * "one of these"; no command loses a condition, because each keeps those it was sent under.
 */
export function join(states: State[], run: Run): State[] {
  if (states.length <= manyPaths) return states;
  const groups = new Map<string, State[]>();
  const names = new Map<Event, number>();
  for (const state of states) {
    const signature = [state.flow, ...state.events.map((event) => nameOf(event, names)), ...state.returned.map(valueId)].join(' ');
    const group = groups.get(signature);
    if (group) group.push(state);
    else groups.set(signature, [state]);
  }
  const joined = [...groups.values()].map((group) => group.reduce((a, b) => joinTwo(a, b, run)));
  if (joined.length <= manyPaths) return joined;
  run.complete = false;
  return joined.slice(0, manyPaths);
}

function nameOf(event: Event, names: Map<Event, number>): number {
  const known = names.get(event);
  if (known !== undefined) return known;
  names.set(event, names.size);
  return names.size - 1;
}

function joinTwo(a: State, b: State, run: Run): State {
  const conditions = a.conditions.filter((condition) => b.conditionIds.has(conditionId(condition)));
  const joined: State = {
    ...a,
    cells: joinMaps(a.cells, b.cells, (x, y) => joinValues(x, y, run)),
    heap: joinMaps(a.heap, b.heap, (x, y) => joinTables(x, y, run)),
    conditions,
    conditionIds: new Set(conditions.map(conditionId)),
    presence: joinMaps(a.presence, b.presence, (x, y) => (x === y ? x : undefined)),
    contents: joinMaps(a.contents, b.contents, (x, y) => (operandId(x) === operandId(y) ? x : undefined)),
  };
  return joined;
}

function joinMaps<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>, joinEntry: (x: V, y: V) => V | undefined): Map<K, V> {
  const result = new Map<K, V>();
  for (const [key, x] of a) {
    const y = b.get(key);
    const joined = y === undefined ? undefined : joinEntry(x, y);
    if (joined !== undefined) result.set(key, joined);
  }
  return result;
}

function joinValues(a: Value, b: Value, run: Run): Value {
  if (valueId(a) === valueId(b)) return a;
  return isOperand(a) && isOperand(b) ? eitherOf([a, b]) : { kind: 'other', at: -run.fresh() };
}

function joinTables(a: Table, b: Table, run: Run): Table {
  if (a === b) return a;
  const sameBase = a.base && b.base && operandId(a.base) === operandId(b.base);
  return {
    base: sameBase ? a.base : undefined,
    fields: joinMaps(a.fields, b.fields, (x, y) => joinValues(x, y, run)),
    open: true,
  };
}

/** Whether the value can be spoken of outside the interpreter. */
export function isOperand(value: Value): value is LuaOperand {
  switch (value.kind) {
    case 'table':
    case 'function':
    case 'builtin':
    case 'inputs':
    case 'index':
    case 'comparison':
    case 'error':
      return false;
    default:
      return true;
  }
}

function valueId(value: Value): string {
  switch (value.kind) {
    case 'table':
      return `table${value.id}`;
    case 'builtin':
      return `builtin ${value.name}`;
    case 'inputs':
      return value.of;
    case 'comparison':
      return conditionId(value.condition);
    case 'error':
      return `error ${value.message}`;
    case 'function':
    case 'index':
      return value.kind;
    default:
      return operandId(value);
  }
}
