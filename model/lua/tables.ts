// Owns Lua tables on a path: what a field reads, what an assignment stores, what an encoded table holds.

import { shapeOf } from './commands.ts';
import type { LuaField, LuaOperand } from './facts.ts';
import { isOperand, type Run, type State, type Table, type Value } from './state.ts';

/** String functions that can be called as methods. */
export const stringMethods: ReadonlySet<string> = new Set(['sub', 'match', 'gmatch', 'find', 'gsub', 'lower', 'upper', 'len', 'rep', 'reverse', 'byte', 'format']);

/** A table with these fields. */
export function tableWith(fields: ReadonlyMap<string, Value>, open = false, base?: LuaOperand): Table {
  return { base, fields, open };
}

/** A status reply as Lua sees it. */
export function statusTable(text: string): Table {
  return tableWith(new Map([['ok', { kind: 'const', value: text }]]));
}

/** Puts a table on the heap. */
export function newTable(state: State, run: Run, table: Table): Value {
  const id = run.fresh();
  state.heap.set(id, table);
  return { kind: 'table', id };
}

/** What `base[key]` is. */
export function readField(base: Value, key: Value, state: State, at: number): Value {
  const unknown: LuaOperand = { kind: 'other', at };
  const name = key.kind === 'const' && (typeof key.value === 'string' || typeof key.value === 'number') ? key.value : undefined;
  switch (base.kind) {
    case 'inputs': {
      const index = typeof name === 'number' ? name - 1 : 'each';
      return base.of === 'keys' ? { kind: 'key', index } : { kind: 'arg', index };
    }
    case 'builtin':
      return name === undefined ? unknown : { kind: 'builtin', name: `${base.name}.${name}` };
    case 'table': {
      const table = state.heap.get(base.id);
      if (!table || name === undefined) return unknown;
      const own = table.fields.get(String(name));
      if (own) return own;
      if (table.base) return fieldOf(table.base, String(name));
      return table.open ? unknown : { kind: 'const', value: null };
    }
    case 'reply':
      if (name === 'err') return { kind: 'const', value: null };
      if (name === 'ok' && shapeOf(base.command).reply === 'status') return base;
      return name === undefined ? fieldOf(base, '*') : fieldOf(base, replyField(base, name));
    case 'const':
      return { kind: 'const', value: null };
    default:
      return isOperand(base) ? fieldOf(base, String(name ?? '*')) : unknown;
  }
}

function fieldOf(of: LuaOperand, name: string): LuaOperand {
  return { kind: 'field', of, name };
}

/** `HMGET` answers in the order of the fields that it was asked for. */
function replyField(reply: Extract<LuaOperand, { kind: 'reply' }>, name: string | number): string {
  const asked = reply.command === 'HMGET' && typeof name === 'number' ? reply.args[name - 1] : undefined;
  return asked?.kind === 'const' ? String(asked.value) : String(name);
}

/** Does `base[key] = value`. */
export function writeField(base: Value, key: Value, value: Value, state: State): void {
  const table = base.kind === 'table' ? state.heap.get(base.id) : undefined;
  if (base.kind !== 'table' || !table) return;
  if (key.kind !== 'const') {
    state.heap.set(base.id, { ...table, open: true });
    return;
  }
  const fields = new Map(table.fields);
  fields.set(String(key.value), value);
  state.heap.set(base.id, { ...table, fields });
}

/** Does `table.insert(base, value)`. */
export function append(base: Value, value: Value, state: State): void {
  const table = base.kind === 'table' ? state.heap.get(base.id) : undefined;
  if (table && !table.open && !table.base) writeField(base, { kind: 'const', value: table.fields.size + 1 }, value, state);
}

/** The items `1..n` of a table, where they are all known. */
export function itemsOf(value: Value, state: State): Value[] | undefined {
  const table = value.kind === 'table' ? state.heap.get(value.id) : undefined;
  if (!table || table.open || table.base) return undefined;
  const items: Value[] = [];
  for (let item = table.fields.get('1'); item; item = table.fields.get(String(items.length + 1))) items.push(item);
  return items;
}

/** What a table is when it is encoded as text. */
export function encoded(value: Value, state: State): LuaOperand {
  if (value.kind !== 'table') return { kind: 'encoded', of: isOperand(value) ? value : undefined, fields: [] };
  const table = state.heap.get(value.id);
  const fields: LuaField[] = [];
  for (const [name, field] of table?.fields ?? []) {
    if (isOperand(field)) fields.push({ name, value: field });
    else if (field.kind === 'table') fields.push({ name, value: encoded(field, state) });
  }
  return { kind: 'encoded', of: table?.base, fields };
}
