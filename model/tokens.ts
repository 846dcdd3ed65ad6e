/**
 * Where a value that is compared or stored comes from: is it a number that the grant has counted up,
 * one of a library that orders holders (or seems to), or something that has no order?
 */
import type { AcquireEvent, WriteEvent } from './events.ts';
import { type Condition, sameColumn } from './fences.ts';
import type { CallExpr } from './ir.ts';
import { conditionsOf } from './rows.ts';
import type { Section } from './sections.ts';
import type { Model } from './story.ts';
import { type Value, alternatives, sameSite, sameValue } from './value.ts';

export type TokenOrigin =
  /** A number that the store raises and answers in one step; `call` does so. */
  | { kind: 'counter'; call: CallExpr; key?: Value; expires: boolean }
  /** A value of a library, by the catalog's word sound or not. */
  | { kind: 'library'; value: Value; of: Value; name: string; sound: boolean; why: string }
  | { kind: 'fresh'; source: 'random' | 'clock'; call: CallExpr };

/** Where a value comes from, as it is or turned into another type. */
export function originOf(value: Value, model: Model): TokenOrigin | undefined {
  switch (value.kind) {
    case 'fresh':
      return value.source === 'process' ? undefined : { kind: 'fresh', source: value.source, call: value.site };
    case 'either':
      return first(value.of, model);
    case 'text':
      return first(value.parts, model);
    case 'derived':
      return first(value.from, model);
    default:
      return ofPath(value, model);
  }
}

const first = (values: readonly Value[], model: Model): TokenOrigin | undefined => {
  for (const it of values) {
    const found = originOf(it, model);
    if (found) return found;
  }
  return undefined;
};

/** A property of what a call has answered, or of a library's object. */
function ofPath(value: Value, model: Model): TokenOrigin | undefined {
  const path: string[] = [];
  let at = value;
  for (;;) {
    const found = libraryToken(at, path, value, model);
    if (found) return found;
    if (at.kind === 'field') path.unshift(at.name);
    else if (at.kind !== 'item') break;
    at = at.of;
  }
  const site = at.kind === 'result' || at.kind === 'some' || at.kind === 'typed' ? at.site : undefined;
  return site && counterAt(site, path, model);
}

function libraryToken(of: Value, path: readonly string[], value: Value, model: Model): TokenOrigin | undefined {
  const type = of.kind === 'typed' ? of.type : of.kind === 'param' || of.kind === 'field' ? model.identities.of(of)?.type : undefined;
  const token = type === undefined ? undefined : model.project.catalog.tokens.get(type)?.find((it) => it.path.length === path.length && it.path.every((name, i) => name === path[i]));
  return token && { kind: 'library', value, of, name: path[path.length - 1] ?? type!.slice(type!.indexOf(':') + 1), sound: token.sound, why: token.why };
}

/** The number that a call has counted up, at this place of its answer. */
function counterAt(call: CallExpr, path: readonly string[], model: Model): TokenOrigin | undefined {
  const queued = queuedCommand(call, path);
  if (queued) return counterAt(queued, [], model);
  const last = path.findLast((it) => !/^\d+$/.test(it));
  for (const it of model.interpreter.meaning(call).events) {
    if (it.kind === 'mint' && (it.column === undefined ? last === undefined : last !== undefined && sameColumn(it.column, last))) return { kind: 'counter', call, key: it.key, expires: it.expires ?? false };
    const row = it.kind === 'acquire' ? it.statement?.row : it.kind === 'write' ? it.row : undefined;
    const raised = row?.changes.filter((each) => each.relative && each.value?.kind !== 'param').map((each) => each.column);
    if (last !== undefined && raised?.some((column) => sameColumn(column, last))) return { kind: 'counter', call, expires: false };
  }
  return undefined;
}

/** The command of `multi().set(…).incr(…).exec()` whose reply stands at this place of the answer. */
function queuedCommand(sent: CallExpr, path: readonly string[]): CallExpr | undefined {
  const index = Number(path[0]);
  if (path.length === 0 || path.length > 2 || !Number.isInteger(index)) return undefined;
  const commands: CallExpr[] = [];
  for (let at = previous(sent); at; at = previous(at)) commands.unshift(at);
  // What opens the chain is no command.
  return commands[index + 1];
}

const previous = (call: CallExpr): CallExpr | undefined => (call.callee.kind === 'member' && call.callee.object.kind === 'call' ? call.callee.object : undefined);

/** Two calls that one chain sends together. */
export function isOneStep(a: CallExpr, b: CallExpr): boolean {
  if (sameSite(a, b)) return true;
  const reaches = (from: CallExpr, to: CallExpr): boolean => {
    for (let at = previous(from); at; at = previous(at)) if (sameSite(at, to)) return true;
    return false;
  };
  return reaches(a, b) || reaches(b, a);
}

/** Whether a value orders the holders of this section's lock: its grant has minted it, or the library tells it of the grant. */
export function isTokenOf(value: Value, acquire: AcquireEvent, model: Model): boolean {
  const origin = originOf(value, model);
  if (origin?.kind === 'counter') return isOneStep(origin.call, acquire.call);
  return origin?.kind === 'library' && origin.sound && isOfGrant(origin.of, acquire);
}

/** An object that the acquire has answered, or that was read of the lock's own key. */
function isOfGrant(of: Value, { call, lock }: AcquireEvent): boolean {
  if (of.kind !== 'typed' && of.kind !== 'result') return false;
  const { key } = lock;
  return sameSite(of.site, call) || (key !== undefined && of.args.some((it) => sameValue(it, key)));
}

/** A comparison of something stored with a value that is sent, turned so that the stored stands left. */
export interface Order {
  column?: string;
  op: '<' | '<=' | '>' | '>=';
  value: Value;
  /** The write keeps the value, so that the next comparison sees it. */
  recorded: boolean;
}

/** The comparisons by order in a write, against values that are sent. */
export function ordersOf(event: WriteEvent): Order[] {
  if (event.order) return [event.order];
  const { row } = event;
  if (!row) return [];
  return conditionsOf(row.filter).flatMap((it) => {
    const value = it.value ?? row.inserted?.find((each) => sameColumn(each.column, it.column))?.value;
    if (!isOrder(it) || !value || value.kind === 'const') return [];
    const stored = row.changes.find((each) => sameColumn(each.column, it.column)) ?? row.inserted?.find((each) => sameColumn(each.column, it.column));
    return [{ column: it.column, op: it.op, value, recorded: stored?.value !== undefined && sameValue(stored.value, value) }];
  });
}

const isOrder = (it: Condition): it is Condition & { op: Order['op'] } => it.op === '<' || it.op === '<=' || it.op === '>' || it.op === '>=';

/** The newer one passes: the stored value lies below the one that is sent. */
export const letsNewerPass = (it: Order): boolean => it.op === '<' || it.op === '<=';

/** The values that a write stores or sends, with their columns where they have one. */
export function storedBy(event: WriteEvent): { column?: string; value: Value }[] {
  const columns = [...(event.row?.changes ?? []), ...(event.row?.inserted ?? [])].flatMap((it) => (it.value && !it.relative ? [{ column: it.column, value: it.value }] : []));
  return [...columns, ...(event.sends ?? []).map((value) => ({ value }))];
}

/** A value and what it is made of: fields of an object, elements, the parts of a text. */
export function partsOf(value: Value, depth = 0): Value[] {
  if (depth > 5) return [];
  const inner = (list: readonly Value[]): Value[] => list.flatMap((it) => partsOf(it, depth + 1));
  switch (value.kind) {
    case 'object':
      return [value, ...inner([...value.props.values()])];
    case 'array':
      return [value, ...inner(value.items)];
    case 'text':
      return [value, ...inner(value.parts)];
    case 'derived':
      return [value, ...inner(value.from)];
    case 'either':
      return [value, ...inner(value.of)];
    default:
      return [value];
  }
}

/** The writes that a section sees. */
export const writesOfSection = (section: Section): WriteEvent[] => section.items.flatMap((it) => (it.kind === 'write' ? [it.event] : []));

/** Whether two values are the same, as they are or turned into another type. */
export const sameToken = (a: Value, b: Value): boolean => alternatives(plain(a)).some((x) => alternatives(plain(b)).some((y) => sameValue(x, y)));

function plain(value: Value): Value {
  let at = value;
  while ((at.kind === 'derived' && at.from.length === 1) || (at.kind === 'text' && at.parts.length === 1)) at = at.kind === 'derived' ? at.from[0]! : at.parts[0]!;
  return at;
}
