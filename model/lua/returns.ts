// Owns what a client receives: Lua values turned into replies, and replies into the numbers that a path has settled.

import { shapeOf } from './commands.ts';
import { settledReply } from './conditions.ts';
import type { LuaOperand, LuaOutcomes, LuaReply, LuaReturn } from './facts.ts';
import { operandId, sameOperand } from './operands.ts';
import { isOperand, type State, type Value } from './state.ts';
import { itemsOf } from './tables.ts';

/** Looks at a path on the assumption that one reply said "it was there" (or was not). */
export interface View {
  readonly reply: LuaReply;
  readonly there: boolean;
}

/** What a client receives at the end of a path. */
export function returnOf(path: State, view?: View): LuaReturn {
  return received(path.returned[0], path, view);
}

function received(value: Value | undefined, path: State, view: View | undefined): LuaReturn {
  if (!value) return { kind: 'const', value: null };
  switch (value.kind) {
    case 'const':
      return constant(value.value);
    case 'error':
      return { kind: 'error', message: value.message };
    case 'table':
      return receivedTable(value, path, view);
    case 'arg':
      return { kind: 'arg', index: value.index };
    case 'count':
      return { kind: 'count', of: value.of };
    case 'reply':
      return receivedReply(value, path, view);
    default:
      return { kind: 'other' };
  }
}

function constant(value: string | number | boolean | null): LuaReturn {
  if (value === true) return { kind: 'const', value: 1 };
  if (value === false) return { kind: 'const', value: null };
  return { kind: 'const', value: typeof value === 'number' ? Math.trunc(value) : value };
}

function receivedTable(value: Extract<Value, { kind: 'table' }>, path: State, view: View | undefined): LuaReturn {
  const table = path.heap.get(value.id);
  const status = table?.fields.get('ok');
  if (status) return received(status, path, view);
  const error = table?.fields.get('err');
  if (error) return { kind: 'error', message: error.kind === 'const' && error.value !== null ? String(error.value) : undefined };
  const items = itemsOf(value, path);
  if (!items) return { kind: 'other' };
  const upToNil = items.findIndex((item) => item.kind === 'const' && item.value === null);
  return { kind: 'array', items: (upToNil < 0 ? items : items.slice(0, upToNil)).map((item) => received(item, path, view)) };
}

function receivedReply(reply: LuaReply, path: State, view: View | undefined): LuaReturn {
  if (isMinting(reply)) return { kind: 'token' };
  const id = operandId(reply);
  for (const condition of path.conditions) {
    if (operandId(condition.left) !== id) continue;
    if (condition.operator === 'falsy') return { kind: 'const', value: null };
    if (condition.operator === '==' && condition.right.kind === 'const') return constant(condition.right.value);
    if (condition.operator === '==' && condition.right.kind === 'arg') return { kind: 'arg', index: condition.right.index };
  }
  const there = wasThere(reply, path) ?? (view && sameOperand(view.reply, reply) ? view.there : undefined);
  if (there !== undefined && answersOneOrZero(reply)) return { kind: 'const', value: there ? 1 : 0 };
  // A command that answers the value it takes away answers nothing where there is none.
  if (there === false && shapeOf(reply.command).reply === 'bulk') return { kind: 'const', value: null };
  return { kind: 'reply', command: reply.command, of: reply.of };
}

/** Whether the key of a reply was there, as far as the path has settled it. */
export function wasThere(reply: LuaReply, path: State): boolean | undefined {
  const settled = settledReply(path.conditions, reply);
  if (settled !== undefined) return settled;
  const event = path.events.find((candidate) => sameOperand(candidate.reply, reply));
  if (!event || event.keys.length !== 1) return undefined;
  const [before] = event.before;
  return before === 'present' ? true : before === 'absent' ? false : undefined;
}

/** Whether a reply says how many keys were affected, and there was one. */
function answersOneOrZero(reply: LuaReply): boolean {
  const { effect, keys } = shapeOf(reply.command);
  const one = keys === 'first' || reply.args.length === 0;
  return one && (reply.command === 'EXISTS' || ((effect === 'delete' || effect === 'expire') && shapeOf(reply.command).reply === 'integer'));
}

/** Whether a reply is a number that grows with every call. */
export function isMinting(reply: LuaReply): boolean {
  if (reply.command === 'INCR') return true;
  const step = reply.command === 'INCRBY' ? reply.args[0] : reply.command === 'HINCRBY' ? reply.args[1] : undefined;
  return step !== undefined && (step.kind !== 'const' || Number(step.value) > 0);
}

/** The operands that make up what a path returns. */
export function returnedOperands(path: State): LuaOperand[] {
  const seen = new Set<number>();
  const open = (value: Value | undefined): LuaOperand[] => {
    if (!value) return [];
    if (isOperand(value)) return [value];
    if (value.kind !== 'table' || seen.has(value.id)) return [];
    seen.add(value.id);
    const table = path.heap.get(value.id);
    return [...(table?.base ? [table.base] : []), ...[...(table?.fields.values() ?? [])].flatMap(open)];
  };
  return path.returned.flatMap(open);
}

/** Returns without repetition. */
export function distinct(returns: readonly LuaReturn[]): LuaReturn[] {
  return [...new Map(returns.map((item) => [JSON.stringify(item), item])).values()];
}

/** The two sides of a step, given what became of it on each path and the view to take there. */
export function outcomesOf(paths: readonly State[], became: (path: State) => readonly ('done' | 'refused')[], reply?: (path: State) => LuaReply | undefined): LuaOutcomes {
  const done: LuaReturn[] = [];
  const refused: LuaReturn[] = [];
  for (const path of paths) {
    for (const side of became(path)) {
      const seen = reply?.(path);
      (side === 'done' ? done : refused).push(returnOf(path, seen && { reply: seen, there: side === 'done' }));
    }
  }
  return { done: distinct(done), refused: distinct(refused) };
}
