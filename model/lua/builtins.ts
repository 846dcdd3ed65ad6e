// Owns the functions that Redis gives to a script: which pass a value on, which derive one, which end the script.

import type { Expression } from 'luaparse';
import { truthOf } from './conditions.ts';
import { applyTo, branch, list, operandOf, valueAt, type Outcome, type Values } from './evaluate.ts';
import type { LuaOperand } from './facts.ts';
import { callRedis } from './redis.ts';
import { fork, isOperand, type Run, type State, type Value } from './state.ts';
import { append, encoded, itemsOf, newTable, statusTable, tableWith } from './tables.ts';

/** Their result stands for their first argument. */
const transparent = new Set(['tonumber', 'tostring', 'math.floor', 'math.ceil', 'math.abs']);
/** Their result is made of their first argument; the others only say how. */
const madeOfFirst = new Set([
  'string.sub', 'string.match', 'string.gmatch', 'string.gsub', 'string.find', 'string.lower', 'string.upper', 'string.rep', 'string.reverse', 'string.byte',
  'redis.sha1hex', 'server.sha1hex', 'struct.pack', 'struct.unpack', 'bit.tohex', 'math.fmod',
]);
const madeOfAll = new Set(['math.max', 'math.min', 'string.format', 'string.char']);
const decoders = new Set(['cjson.decode', 'cmsgpack.unpack', 'cjson.new.decode']);
const encoders = new Set(['cjson.encode', 'cmsgpack.pack']);

/** The values of a call to a function that the script did not define. */
export function callBuiltin(name: string, args: Values, node: Expression, state: State, run: Run): Outcome<Values>[] {
  const at = run.at(node);
  const first = valueAt(args, 0, at);
  const one = (value: Value): Outcome<Values>[] => [{ value: list(value), state }];
  if (transparent.has(name)) return one(number(name, first));
  if (decoders.has(name)) return one(decode(first, at, state, run));
  if (encoders.has(name)) return one(encoded(first, state));
  if (madeOfFirst.has(name)) return one({ kind: 'derived', by: name, from: [operandOf(first, at)] });
  if (madeOfAll.has(name)) return one({ kind: 'derived', by: name, from: args.values.map((value) => operandOf(value, at)) });
  switch (name) {
    case 'redis.call':
    case 'server.call':
    case 'redis.pcall':
    case 'server.pcall':
      return callRedis(args, at, state, run).map(({ value, state: s }) => ({ value: list(value), state: s }));
    case 'pcall':
    case 'xpcall':
      return protectedCall(first, { ...args, values: args.values.slice(name === 'pcall' ? 1 : 2) }, node, state, run);
    case 'unpack':
    case 'table.unpack':
      return [{ value: unpack(args, at, state), state }];
    case 'assert':
      return branch(first, state).map((outcome) => ({ value: args, state: outcome.value ? outcome.state : halt(outcome.state, textOf(args.values[1])) }));
    case 'error':
      return [{ value: list(), state: halt(state, textOf(first)) }];
    case 'redis.error_reply':
    case 'server.error_reply':
      return one({ kind: 'error', message: textOf(first) });
    case 'redis.status_reply':
    case 'server.status_reply':
      return one(newTable(state, run, statusTable(textOf(first) ?? '')));
    case 'table.insert':
      append(first, args.values.at(-1) ?? first, state);
      return one({ kind: 'const', value: null });
    case 'table.concat':
      return one(joinTexts(first, args.values[1], at, state));
    case 'type':
      return one(typeOf(first, at));
    case 'ipairs':
    case 'pairs':
      return one(first);
    case 'redis.log':
    case 'redis.breakpoint':
    case 'redis.debug':
    case 'redis.set_repl':
    case 'redis.setresp':
      return one({ kind: 'const', value: null });
    default:
      return one({ kind: 'other', at });
  }
}

function typeOf(value: Value, at: number): Value {
  switch (value.kind) {
    case 'const':
      return { kind: 'const', value: value.value === null ? 'nil' : typeof value.value };
    case 'table':
    case 'inputs':
      return { kind: 'const', value: 'table' };
    case 'key':
    case 'concat':
    case 'encoded':
      return { kind: 'const', value: 'string' };
    default:
      return { kind: 'other', at };
  }
}

function number(name: string, value: Value): Value {
  if (value.kind !== 'const') return value;
  if (name === 'tostring') return { kind: 'const', value: String(value.value) };
  const parsed = typeof value.value === 'string' && value.value.trim() !== '' ? Number(value.value) : value.value;
  if (typeof parsed !== 'number' || Number.isNaN(parsed)) return { kind: 'const', value: null };
  if (name === 'math.floor') return { kind: 'const', value: Math.floor(parsed) };
  if (name === 'math.ceil') return { kind: 'const', value: Math.ceil(parsed) };
  return { kind: 'const', value: name === 'math.abs' ? Math.abs(parsed) : parsed };
}

/** A decoded value keeps its origin, so that its fields can be traced; a literal such as `'{}'` has no fields. */
function decode(value: Value, at: number, state: State, run: Run): Value {
  if (value.kind === 'const') return newTable(state, run, tableWith(new Map(), typeof value.value !== 'string' || value.value.length > 2));
  return newTable(state, run, tableWith(new Map(), false, operandOf(value, at)));
}

function protectedCall(callee: Value, args: Values, node: Expression, state: State, run: Run): Outcome<Values>[] {
  const at = run.at(node);
  const failed: Outcome<Values>[] = [];
  // Decoding fails on bad data, and scripts have a branch for it; what a failing Redis command does is not followed.
  if (callee.kind === 'builtin' && decoders.has(callee.name)) {
    failed.push({ value: list({ kind: 'const', value: false }, { kind: 'other', at }), state: fork(state) });
  }
  const passed = applyTo(callee, args, node, state, run).map(({ value, state: s }) => ({
    value: { ...value, values: [{ kind: 'const', value: true } as const, ...value.values] }, state: s,
  }));
  return [...passed, ...failed];
}

function unpack(args: Values, at: number, state: State): Values {
  const value = valueAt(args, 0, at);
  const start = args.values[1];
  const from = start?.kind === 'const' && typeof start.value === 'number' ? start.value - 1 : 0;
  if (value.kind === 'inputs') return { values: [], rest: start && start.kind !== 'const' ? { of: 'unknown', from: 0 } : { of: value.of, from } };
  const items = itemsOf(value, state);
  return items && (!start || start.kind === 'const') ? list(...items.slice(from)) : { values: [], rest: { of: 'unknown', from: 0 } };
}

function joinTexts(table: Value, separator: Value | undefined, at: number, state: State): Value {
  const items = itemsOf(table, state);
  if (!items || items.some((item) => !isOperand(item))) return { kind: 'other', at };
  const between: LuaOperand[] = separator && isOperand(separator) ? [separator] : [];
  const parts = items.flatMap((item, index) => (index === 0 ? [item as LuaOperand] : [...between, item as LuaOperand]));
  return { kind: 'concat', parts };
}

/** Ends the script with an error: neither the functions around nor the rest of the script go on. */
function halt(state: State, message: string | undefined): State {
  state.flow = 'halt';
  state.returned = [{ kind: 'error', message }];
  return state;
}

function textOf(value: Value | undefined): string | undefined {
  if (value?.kind !== 'const') return undefined;
  return truthOf(value) ? String(value.value) : undefined;
}
