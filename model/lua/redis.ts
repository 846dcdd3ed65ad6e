// Owns one `redis.call` on a path: the command it sends, the paths on which the command does and does not take effect.

import { isConditional, keysOf, optionsOf, shapeOf, valuesWritten } from './commands.ts';
import { assume } from './conditions.ts';
import { operandOf, type Outcome, type Values } from './evaluate.ts';
import type { LuaCondition, LuaOperand, LuaReply } from './facts.ts';
import { operandId } from './operands.ts';
import { fork, type Event, type Presence, type Run, type State, type Value } from './state.ts';
import { newTable, statusTable } from './tables.ts';

/** Sends a command. Where it carries its own condition (`NX`), there is a path for either answer. */
export function callRedis(values: Values, at: number, state: State, run: Run): Outcome[] {
  const operands = withRest(values, at);
  const name = operands[0];
  const command = name?.kind === 'const' ? String(name.value).toUpperCase() : '';
  const args = operands.slice(1);
  const keys = keysOf(command, args);
  const options = optionsOf(command, args);
  const reply: LuaReply = { kind: 'reply', command, of: args[0], args: args.slice(1), at };
  const event: Event = {
    at, command, effect: shapeOf(command).effect, args, keys, options, reply, outcome: 'open', conditions: state.conditions,
    before: keys.map((key) => state.presence.get(operandId(key))),
  };
  if (isConditional(command, options)) return conditional(event, state, run);
  const known = event.effect === 'read' ? knownAnswer(event, state) : undefined;
  record(state, event);
  if (known) return [{ value: known, state }];
  const status = shapeOf(command).reply === 'status' && command !== 'TYPE' && !options.get;
  return [{ value: status ? newTable(state, run, statusTable('OK')) : reply, state }];
}

/** `unpack(KEYS)` names every key; `unpack(ARGV)` stands for arguments nobody can tell apart. */
function withRest({ values, rest }: Values, at: number): LuaOperand[] {
  const operands = values.map((value) => (value.kind === 'index' ? ({ kind: 'other', at } as const) : operandOf(value, at)));
  if (!rest) return operands;
  return [...operands, rest.of === 'keys' ? { kind: 'key', index: 'each' } : { kind: 'other', at }];
}

function conditional(event: Event, state: State, run: Run): Outcome[] {
  const refused = fork(state);
  const outcomes: Outcome[] = [];
  const possible = possibleOutcomes(event);
  const { done, failed } = conditionsOf(event);
  if (possible !== 'refused') {
    for (const condition of done) assume(state, condition);
    record(state, { ...event, outcome: 'done' });
    outcomes.push({ value: answer(event, true, state, run), state });
  }
  if (possible !== 'done') {
    for (const condition of failed) assume(refused, condition);
    refused.events = [...refused.events, { ...event, outcome: 'refused' }];
    if (event.options.nx || event.command === 'SETNX') markPresence(refused, event, 'present');
    outcomes.push({ value: answer(event, false, refused, run), state: refused });
  }
  return outcomes;
}

/** A test that the script made before may settle the command's own. */
function possibleOutcomes(event: Event): 'done' | 'refused' | 'either' {
  const before = event.before[0];
  if (event.keys.length !== 1 || event.options.equals || before === undefined || before === 'free') return 'either';
  const wantsAbsence = event.options.nx || event.command === 'SETNX' || event.command === 'HSETNX';
  if (event.command === 'HSETNX' && before === 'present') return 'either';
  return wantsAbsence === (before === 'absent') ? 'done' : 'refused';
}

function conditionsOf(event: Event): { done: LuaCondition[]; failed: LuaCondition[] } {
  const { command, reply, options } = event;
  const status = command === 'SET' && !options.get;
  const yes: LuaCondition = status ? { operator: 'truthy', left: reply } : { operator: '==', left: reply, right: { kind: 'const', value: 1 } };
  const no: LuaCondition = status ? { operator: 'falsy', left: reply } : { operator: '==', left: reply, right: { kind: 'const', value: 0 } };
  if (command === 'SET' && options.get) return { done: [], failed: [] };
  return { done: [yes], failed: [no] };
}

function answer(event: Event, done: boolean, state: State, run: Run): Value {
  if (event.command !== 'SET') return { kind: 'const', value: done ? 1 : 0 };
  if (event.options.get) return done === event.options.nx ? { kind: 'const', value: false } : event.reply;
  return done ? newTable(state, run, statusTable('OK')) : { kind: 'const', value: false };
}

/** The answer to a read that this script already knows, because it asked before or wrote the value itself. */
function knownAnswer(event: Event, state: State): LuaOperand | undefined {
  const key = event.args[0];
  if (!key) return undefined;
  const own = event.command === 'GET' ? state.contents.get(operandId(key)) : event.command === 'HGET' ? state.contents.get(fieldId(event.args)) : undefined;
  if (own) return own;
  const asked = signature(event);
  for (const earlier of [...state.events].reverse()) {
    if (signature(earlier) === asked) return earlier.reply;
    const touches = earlier.effect !== 'read' && earlier.effect !== 'none' && earlier.outcome !== 'refused';
    if (touches && earlier.keys.some((k) => event.keys.some((other) => operandId(k) === operandId(other)))) return undefined;
  }
  return undefined;
}

function signature(event: Event): string {
  return [event.command, ...event.args.map(operandId)].join(' ');
}

function fieldId(args: readonly LuaOperand[]): string {
  return args.slice(0, 2).map(operandId).join(' ');
}

function record(state: State, event: Event): void {
  state.events = [...state.events, event];
  switch (event.effect) {
    case 'create':
    case 'count':
    case 'write':
      forget(state, event);
      remember(state, event);
      if (takesMembers(event.command)) for (const key of event.keys) state.presence.delete(operandId(key));
      else markPresence(state, event, 'present');
      return;
    case 'delete':
      forget(state, event);
      markPresence(state, event, 'absent');
      return;
    case 'expire':
      if (isZero(event.options.lease?.value)) markPresence(state, event, 'absent');
      return;
    default:
      return;
  }
}

/** Commands after which the key may be empty, which is to say gone. */
function takesMembers(command: string): boolean {
  return ['REM', 'POP', 'DEL', 'TRIM', 'MOVE', 'RENAME'].some((part) => command.includes(part));
}

/** Whether a lease of this length ends the key at once. */
export function isZero(length: LuaOperand | undefined): boolean {
  return length?.kind === 'const' && length.value !== '' && Number(length.value) <= 0;
}

function markPresence(state: State, event: Event, presence: Presence): void {
  for (const key of event.keys) state.presence.set(operandId(key), presence);
}

function forget(state: State, event: Event): void {
  const touched = new Set(event.keys.map(operandId));
  for (const known of [...state.contents.keys()]) {
    if (touched.has(known) || event.args[0] === undefined || known.startsWith(`${operandId(event.args[0])} `)) state.contents.delete(known);
  }
}

function remember(state: State, event: Event): void {
  const { command, args, reply } = event;
  const key = args[0];
  if (!key || event.keys.length !== 1) return;
  const written = valuesWritten(command, args)[0];
  if (command === 'INCR' || command === 'INCRBY') state.contents.set(operandId(key), reply);
  else if (command === 'HINCRBY') state.contents.set(fieldId(args), reply);
  else if (event.effect === 'create' && written && !written.field) state.contents.set(operandId(key), written.value);
}

