/**
 * Locks that are rows, documents or items: which writes take them, give them back, prolong them. A
 * table holds locks when one statement takes a row over whose time has ended, or makes a row with an
 * owner and an end; its other statements are then read in that light.
 */
import type { LeaseLength } from './arguments.ts';
import type { AcquireEvent, Lock, ModelEvent, ReleaseEvent, RenewEvent, WriteEvent } from './events.ts';
import type { Change, Condition, Filter } from './fences.ts';
import { sameColumn } from './fences.ts';
import type { Evaluator } from './evaluator.ts';
import type { ClassDef, Expr, Func } from './ir.ts';
import { nameOf, rowWords } from './lock-words.ts';
import { type Value, alternatives, constant, contains, isNothing, nothing, sameSite, sameValue } from './value.ts';

/** What is known of a lock table. */
export interface LockTable {
  name: string;
  /** The column that says when a lock ends, and the one that says whose it is. */
  expiry: string | undefined;
  owner: string | undefined;
  /** The column says since when it is held, or when its holder was last heard of: setting it to now prolongs. */
  isSince: boolean;
  /** Rows are taken over by an update that demands that their time has ended. */
  isTakenOver: boolean;
  /** The check that their time has ended stands in the code; the class whose method does so, if any: a document that its objects keep is the lock. */
  checked?: { keeper: ClassDef | undefined };
}

/** Finds the lock tables among what a module reads and writes. */
export function lockTables(events: readonly ModelEvent[], evaluator: Evaluator): Map<string, LockTable> {
  const tables = new Map<string, LockTable>();
  const writes = events.filter((it): it is WriteEvent => it.kind === 'write');
  for (const it of writes) {
    if (!it.row) continue;
    const { filter, changes } = it.row;
    const takeover = takeoverColumn(filter, changes);
    const isSince = takeover !== undefined && changes.some((change) => sameColumn(change.column, takeover) && change.value !== undefined && isClock(change.value));
    if (takeover) {
      const owner = ownerColumn(changes, takeover, filter);
      // A lock may name no owner at all; then it must be given back somewhere to be one.
      if (owner || writes.some((other) => other !== it && other.target === it.target && other.row && gives(other, takeover, isSince))) tables.set(it.target, { name: it.target, expiry: takeover, owner, isSince, isTakenOver: true });
    } else if (tables.get(it.target)?.isTakenOver !== true && isClaimed(it, events)) {
      const expiry = endOf(changes)!;
      tables.set(it.target, { name: it.target, expiry, owner: ownerColumn(changes, expiry, filter), isSince: false, isTakenOver: true, checked: { keeper: undefined } });
    } else if (tables.get(it.target)?.isTakenOver !== true && isTakenWhereEnded(it, evaluator)) {
      const expiry = endOf(changes) ?? beginOf(it)!;
      tables.set(it.target, { name: it.target, expiry, owner: changes.find((change) => change.value && isRandom(change.value))?.column, isSince: endOf(changes) === undefined, isTakenOver: true, checked: { keeper: keeperOf(it.call.func) } });
    } else if ((it.op === 'insert' || it.op === 'upsert') && !tables.has(it.target)) {
      // A session or an invitation has a random value and an end as well; only words tell them apart.
      if (!rowWords.test(it.target) && !rowWords.test(nameOf(it.call.func))) continue;
      const expiry = endOf(changes);
      const owner = changes.find((change) => change.value && isRandom(change.value) && !isKeyColumn(change.column))?.column ?? ownerByRelease(it, expiry, writes);
      // Without an owner it must at least be made only where there is none: what has ended is removed before.
      if (!expiry || (!owner && it.fenced !== 'yes' && !writes.some((other) => isSweepOf(it, other, expiry)))) continue;
      // A row with a random value and an end is also a session or a one-time code: it must be deleted by what it was made with.
      const key = changes.filter((change) => change.column !== expiry && change.column !== owner);
      const isFreed = writes.some((other) => other !== it && other.target === it.target && other.row && other.op === 'delete' && (isSameDocument(it, other) || key.some((each) => conditionsOf(other.row!.filter).some((condition) => sameColumn(condition.column, each.column)))));
      if (isFreed) tables.set(it.target, { name: it.target, expiry, owner, isSince: false, isTakenOver: false });
    }
  }
  return tables;
}

/** The write as what it is to a lock table: an acquire, a release or a renewal; undefined when it is none of these. */
export function asLockEvent(event: WriteEvent, table: LockTable): ModelEvent | undefined {
  const { row } = event;
  if (!row) return undefined;
  const { filter, changes } = row;
  const conditions = conditionsOf(filter);
  const takeover = takeoverColumn(filter, changes);
  const ownerNamed = conditions.some((it) => (table.owner !== undefined && sameColumn(it.column, table.owner)) || it.column === '#expression');
  const key = filter.length === 0 && row.by ? row.by : keyOf(filter.filter((it): it is Condition => 'column' in it), row.inserted ?? changes, table);
  const source = { call: event.call, library: event.library };
  const setsExpiry = changes.find((it) => table.expiry !== undefined && sameColumn(it.column, table.expiry));
  const setsOwner = changes.find((it) => table.owner !== undefined && sameColumn(it.column, table.owner));
  if (takeover || (table.checked && setsExpiry?.value && isFuture(setsExpiry.value) && !ownerNamed && (setsOwner !== undefined || table.owner === undefined || event.op !== 'update')) || ((event.op === 'insert' || event.op === 'upsert') && (setsOwner ?? (table.owner === undefined ? setsExpiry : undefined)))) {
    const lock: Lock = { space: 'row', kind: 'lease', key, owner: setsOwner?.value, lease: lengthOf(setsExpiry?.value), isCertain: false, title: event.library?.title ?? 'the database', table: table.name };
    return { kind: 'acquire', ...source, lock, form: 'statement', statement: event, endsAt: table.expiry, ...(table.checked && !takeover && event.op !== 'insert' ? isTaken : answers(event)) } satisfies AcquireEvent;
  }
  const ends = event.op === 'delete' || (setsExpiry?.value && endsHold(setsExpiry.value, table.isSince)) || (setsOwner?.value && isNothing(setsOwner.value));
  if (ends) {
    // Whoever demands that the time has ended frees nobody's lock.
    if (conditions.some((it) => table.expiry !== undefined && sameColumn(it.column, table.expiry) && (it.op === '<' || it.op === '<='))) return undefined;
    return { kind: 'release', ...source, key, ownerChecked: ownerNamed || event.fenced === 'yes', comparedWith: setsOwner?.value, connection: event.connection, how: event.op === 'delete' ? 'DELETE' : 'UPDATE', form: 'statement', statement: event, endsAt: table.expiry, table: table.name } satisfies ReleaseEvent;
  }
  if (setsExpiry && setsOwner && !ownerNamed) {
    const lock: Lock = { space: 'row', kind: 'lease', key, owner: setsOwner.value, lease: lengthOf(setsExpiry.value), isCertain: false, title: event.library?.title ?? 'the database', table: event.target };
    return { kind: 'acquire', ...source, lock, form: 'statement', statement: event, endsAt: table.expiry, granted: { kind: 'unknown', why: 'the answer' }, refused: 'waits' } satisfies AcquireEvent;
  }
  if (setsExpiry) return { kind: 'renew', ...source, key, ownerChecked: ownerNamed || isBoundToState(event, table), how: 'UPDATE', table: table.name, row } satisfies RenewEvent;
  return undefined;
}

/** What is added to the clock, where both count milliseconds. */
function lengthOf(end: Value | undefined): LeaseLength | undefined {
  let length: Value | undefined;
  if (end) contains(end, (it) => (length ??= it.kind === 'derived' && it.how === '+' && it.from.length === 2 && isClock(it.from[0]!) ? it.from[1] : undefined) !== undefined);
  return length?.kind === 'const' && typeof length.value === 'number' ? { value: length, unit: 'ms', ms: length.value, site: undefined } : undefined;
}

/** A version, or the end that was read, is compared: another holder's grant makes that false. That the time is not over yet holds for any holder. */
function isBoundToState(event: WriteEvent, table: LockTable): boolean {
  return event.fenced === 'yes' && conditionsOf(event.row!.filter).every((it) => it.op === '=' || table.expiry === undefined || !sameColumn(it.column, table.expiry));
}

/** Removes the rows whose time has ended, so that the next one can be made. A row with an id of its own is told from the next one by that. */
const isSweepOf = (made: WriteEvent, other: WriteEvent, expiry: string): boolean =>
  !made.row!.changes.some((it) => it.value && isRandom(it.value)) && other.target === made.target && other.op === 'delete' && conditionsOf(other.row?.filter ?? []).some((it) => (it.op === '<' || it.op === '<=') && sameColumn(it.column, expiry) && it.value !== undefined && contains(it.value, isClock));

const isSameDocument = (a: WriteEvent, b: WriteEvent): boolean => a.row?.by !== undefined && b.row?.by !== undefined && sameValue(a.row.by, b.row.by);

const endOf = (changes: readonly Change[]): string | undefined => changes.find((change) => change.value && isFuture(change.value))?.column;

/** Of a table that is called after locks: since when the lock is held. */
const beginOf = (write: WriteEvent): string | undefined => (rowWords.test(write.target) ? write.row!.changes.find((change) => change.value && isClock(change.value))?.column : undefined);

/** The function reads the same column, compares it with the clock, and gives it a new end: a takeover whose check stands in the code, as in a transaction of documents. */
function isTakenWhereEnded(write: WriteEvent, evaluator: Evaluator): boolean {
  const end = write.row && (write.op === 'update' || write.op === 'upsert' || write.op === 'replace' || write.op === 'save') ? (endOf(write.row.changes) ?? beginOf(write)) : undefined;
  if (end === undefined || !(rowWords.test(write.target) || rowWords.test(nameOf(write.call.func)))) return false;
  return write.call.func.graph().steps.some((step) => step.op.kind === 'branch' && comparisonsIn(step.op.test).some((it) => {
    const sides = [evaluator.value(it.left), evaluator.value(it.right)];
    return sides.some((side) => contains(side, isClock)) && sides.some((side) => contains(side, (each) => each.kind === 'field' && sameColumn(each.name, end)));
  }));
}

/** The row was found, and locked until the transaction ends, by a query that demands that its time has ended: a job that is claimed in two statements. */
function isClaimed(write: WriteEvent, events: readonly ModelEvent[]): boolean {
  const { row, call } = write;
  const end = row && write.op === 'update' ? endOf(row.changes) : undefined;
  if (end === undefined) return false;
  const chosenBy = [row!.by, ...conditionsOf(row!.filter).map((it) => it.value)].filter((it) => it !== undefined);
  return events.some((it) => it.kind === 'read' && it.call.func === call.func && it.call.span.end <= call.span.start && it.locksOn !== undefined
    && conditionsOf(it.filter ?? []).some((each) => (each.op === '<' || each.op === '<=') && sameColumn(each.column, end) && each.value !== undefined && contains(each.value, isClock))
    && chosenBy.some((value) => contains(value, (each) => (each.kind === 'result' || each.kind === 'typed') && sameSite(each.site, it.call))));
}

function comparisonsIn(test: Expr): (Expr & { kind: 'binary' })[] {
  switch (test.kind) {
    case 'binary':
      return ['<', '<=', '>', '>='].includes(test.op) ? [test] : [];
    case 'logical':
      return [...comparisonsIn(test.left), ...comparisonsIn(test.right)];
    case 'not':
      return comparisonsIn(test.of);
    default:
      return [];
  }
}

function keeperOf(func: Func): ClassDef | undefined {
  return func.owner ?? (func.parent && keeperOf(func.parent));
}

/** The lock table of a document that is removed by its own method: the one that its class takes. */
export function tableOfDocument(write: WriteEvent, tables: ReadonlyMap<string, LockTable>): LockTable | undefined {
  const keeper = keeperOf(write.call.func);
  if (!keeper || !write.row?.by || write.row.filter.length > 0) return undefined;
  return [...tables.values()].find((it) => it.checked?.keeper === keeper);
}

/** The column that a delete demands beside the key: whose row it is. */
function ownerByRelease(made: WriteEvent, expiry: string | undefined, writes: readonly WriteEvent[]): string | undefined {
  const columns = made.row!.changes.map((it) => it.column).filter((it) => !isKeyColumn(it) && !(expiry && sameColumn(it, expiry)));
  return writes.filter((it) => it.target === made.target && it.op === 'delete' && it.row).flatMap((it) => {
    const asked = conditionsOf(it.row!.filter).filter((each) => each.op === '=' && each.value !== undefined && each.value.kind !== 'const');
    return asked.some((each) => isKeyColumn(each.column)) ? asked.flatMap((each) => columns.filter((column) => sameColumn(column, each.column))) : [];
  })[0];
}

/** Whether a write ends what the column says. */
function gives(write: WriteEvent, expiry: string, isSince: boolean): boolean {
  if (write.op === 'delete') return !conditionsOf(write.row!.filter).some((it) => sameColumn(it.column, expiry));
  return write.row!.changes.some((it) => sameColumn(it.column, expiry) && it.value !== undefined && endsHold(it.value, isSince));
}

/** A column that must have ended, and is given a new end. */
function takeoverColumn(filter: Filter, changes: readonly Change[]): string | undefined {
  for (const it of conditionsOf(filter)) {
    if ((it.op !== '<' && it.op !== '<=') || !it.value || !contains(it.value, isClock)) continue;
    const change = changes.find((each) => sameColumn(each.column, it.column));
    // Held since, not held until: the time that is compared lies back, and the new one is now.
    const isSince = change?.value !== undefined && isClock(change.value) && contains(it.value, (each) => each.kind === 'derived' && each.how === '-');
    if (change?.value && !sameValue(change.value, it.value) && (isSince || !isPast(change.value))) return it.column;
  }
  return undefined;
}

/** Of what a takeover sets, the value that says whose the lock is. */
function ownerColumn(changes: readonly Change[], expiry: string, filter: Filter): string | undefined {
  const others = changes.filter((it) => !sameColumn(it.column, expiry) && !it.relative && it.value && !conditionsOf(filter).some((each) => sameColumn(each.column, it.column) && each.op === '=' && each.value && sameValue(each.value, it.value!)));
  const random = others.find((it) => isRandom(it.value!));
  return (random ?? others.find((it) => it.value!.kind === 'param' || it.value!.kind === 'field'))?.column;
}

/** All column conditions, those of alternatives included. */
export function conditionsOf(filter: Filter): Condition[] {
  return filter.flatMap((it) => ('column' in it ? [it] : 'any' in it ? it.any.flatMap(conditionsOf) : []));
}

/** What names the lock: the compared values that are neither its owner nor its end. */
function keyOf(conditions: readonly Condition[], changes: readonly Change[], table: LockTable): Value | undefined {
  const isOther = (column: string): boolean => (table.owner !== undefined && sameColumn(column, table.owner)) || (table.expiry !== undefined && sameColumn(column, table.expiry)) || column === '#expression';
  const chosen = conditions.filter((it) => it.op === '=' && it.value && !isOther(it.column)).map((it) => it.value!);
  if (chosen.length) return chosen.length === 1 ? chosen[0] : { kind: 'array', items: chosen, open: false };
  const made = changes.filter((it) => it.value && !isOther(it.column) && !it.relative).map((it) => it.value!);
  return made[0];
}

const isKeyColumn = (column: string): boolean => /^_?(?:id|key|name|pk|resource)$/i.test(column);

/** Whoever comes here has found the lock ended: the step itself refuses nobody. */
const isTaken: Pick<AcquireEvent, 'granted' | 'refused'> = { granted: { kind: 'unknown', why: 'the answer' }, refused: 'waits' };

/** What the statement's answer tells: the count, the row, or a throw. */
function answers(event: WriteEvent): Pick<AcquireEvent, 'granted' | 'refused'> {
  const { count, rows, row, throwsOnMiss } = event.row!;
  if (throwsOnMiss || (event.op === 'insert' && (event.fenced !== 'yes' || (!count && !rows && !row)))) return { granted: { kind: 'some', sort: 'object', site: event.call }, refused: 'throws' };
  let granted: Value = { kind: 'object', props: new Map(), open: true };
  let refused: Value = { kind: 'object', props: new Map(), open: true };
  const some: Value = { kind: 'some', sort: 'object', site: event.call };
  let told = false;
  for (const path of count ? [count.path, ...(count.also ?? [])] : []) {
    const miss: Value = count!.miss === 'bigint-zero' ? constant(0n) : count!.miss === 'empty-array' ? { kind: 'array', items: [], open: false } : count!.miss === 'array-of-zero' ? { kind: 'array', items: [constant(0)], open: false } : constant(count!.miss);
    const hit: Value = count!.miss === 'bigint-zero' ? constant(1n) : count!.miss === 'empty-array' ? { kind: 'array', items: [some], open: false } : count!.miss === 'array-of-zero' ? { kind: 'array', items: [constant(1)], open: false } : count!.miss === false ? constant(true) : count!.miss === null ? some : constant(1);
    granted = withPath(granted, path, hit);
    refused = withPath(refused, path, miss);
    told = true;
  }
  // Where a read's rows stand, the count of a write stands: `[0]` and `[0].affectedRows`.
  const isOfCount = (path: readonly string[]): boolean => (count ? [count.path, ...(count.also ?? [])] : []).some((it) => it.length > path.length && path.every((name, i) => name === it[i]));
  if (rows && (rows.length === 0 || !isOfCount(rows))) {
    granted = withPath(granted, rows, { kind: 'array', items: [some], open: false });
    refused = withPath(refused, rows, { kind: 'array', items: [], open: false });
    told = true;
  }
  if (row) {
    granted = withPath(granted, row, some);
    refused = withPath(refused, row, constant(null));
    told = true;
  }
  // Where no document matches, an upsert makes one, and its key is taken: that throws.
  if (event.op === 'upsert' && !event.row!.inserted) return { granted, refused: 'throws' };
  if (!told) return { granted: { kind: 'unknown', why: 'the answer' }, refused: { kind: 'unknown', why: 'the answer' } };
  return { granted, refused };
}

function withPath(of: Value, path: readonly string[], value: Value): Value {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (/^\d+$/.test(name)) {
    const items = of.kind === 'array' ? [...of.items] : [];
    items[Number(name)] = withPath(items[Number(name)] ?? { kind: 'object', props: new Map(), open: true }, rest, value);
    return { kind: 'array', items: Array.from(items, (it) => it ?? nothing), open: true };
  }
  const props = of.kind === 'object' ? new Map(of.props) : new Map<string, Value>();
  props.set(name, withPath(props.get(name) ?? { kind: 'object', props: new Map(), open: true }, rest, value));
  return { kind: 'object', props, open: true };
}

const isClock = (value: Value): boolean => value.kind === 'fresh' && value.source === 'clock';
const isRandom = (value: Value): boolean => contains(value, (it) => it.kind === 'fresh' && it.source === 'random');

/** A time from now on, or a time that is handed in. */
function isFuture(value: Value): boolean {
  return contains(value, isClock) && contains(value, (it) => it.kind === 'derived' && it.how === '+');
}

/** Whether a lock whose time is set to this is held no more: now is an end, but no beginning. */
const endsHold = (value: Value, isSince: boolean): boolean => isPast(value) && !(isSince && isClock(value));

/** Nothing, the epoch, or now. */
function isPast(value: Value): boolean {
  if (isNothing(value)) return true;
  if (alternatives(value).every((it) => it.kind === 'const')) return alternatives(value).every((it) => it.kind === 'const' && (it.value === 0 || it.value === '' || it.value === false));
  if (value.kind === 'derived') return value.how !== '+' && value.from.length > 0 && value.from.every(isPast);
  return isClock(value) || (contains(value, isClock) && contains(value, (it) => it.kind === 'derived' && it.how === '-'));
}

