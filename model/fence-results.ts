/** Fenced writes whose refusal nobody looks at. */
import { isAnswerUnread } from './answer-use.ts';
import type { RenewEvent, WriteEvent } from './events.ts';
import { type Condition, isPartOfRead, isRaisedByStore, isVersionColumn, sameColumn } from './fences.ts';
import type { CallExpr, Func } from './ir.ts';
import { conditionsOf } from './rows.ts';
import type { Model, SectionStory } from './story.ts';
import { fenceWords, timeWords } from './token-checks.ts';
import { letsNewerPass, ordersOf, storedBy } from './tokens.ts';
import { type Value, alternatives, contains, sameSite, sameValue } from './value.ts';

export interface IgnoredResult {
  call: CallExpr;
  event: WriteEvent | RenewEvent;
  /** By what the write refuses a stale holder, in words: `version`. */
  fence: string;
  /** Where the client tells how many rows were written, in words: `rowCount`. */
  teller: string;
  section?: SectionStory;
}

/** The fenced writes and conditional renewals of a file whose answer is dropped. */
export function ignoredResults(model: Model, functions: readonly Func[], sections: readonly SectionStory[]): IgnoredResult[] {
  const found: IgnoredResult[] = [];
  const add = (call: CallExpr, event: WriteEvent | RenewEvent, fence: string | undefined, section?: SectionStory): void => {
    if (fence === undefined || found.some((it) => sameSite(it.call, call)) || !isAnswerUnread(call, tellersOf(event), model)) return;
    found.push({ call, event, fence, teller: tellersOf(event)[0]!.join('.'), section });
  };
  for (const it of sections) {
    if (it.section.lock.kind !== 'lease' || it.isEfficiency) continue;
    for (const { event } of it.section.items) {
      if (event.kind !== 'write' || !functions.includes(event.call.func) || it.section.releases.some((release) => sameSite(release.site, event.call))) continue;
      add(event.call, event, fenceOf(event) ?? fenceInSection(event, it), it);
    }
  }
  for (const func of functions) {
    for (const it of model.summaries.of(func).known) {
      if (it.kind !== 'write' && it.kind !== 'renew') continue;
      const { event, at, via } = it;
      const fence = event.kind === 'write' ? fenceOf(event) : event.ownerChecked && event.row ? 'the owner' : undefined;
      if (via.length === 0) add(event.call, event, fence);
      // A helper that is given the text of the statement answers what the statement does.
      else if (fence && isPassedOn(at, event.call, model)) add(at, event, fence);
    }
  }
  return found;
}

function isPassedOn(at: CallExpr, statement: CallExpr, model: Model): boolean {
  return model.interpreter.meaning(statement).events.some((it) => it.kind === 'statement') && alternatives(model.evaluator.value(at)).some((it) => it.kind === 'result' && sameSite(it.site, statement));
}

/** Where an answer tells a refused write from one that was done; none where the client throws, or does not tell. */
function tellersOf(event: WriteEvent | RenewEvent): (readonly string[])[] {
  if (event.kind === 'write' && event.answerTells !== undefined) return event.answerTells ? [[]] : [];
  const { row } = event;
  if (!row || row.throwsOnMiss) return [];
  const counts = row.count ? [row.count.path, ...(row.count.also ?? [])] : [];
  // Where a read's rows stand, a write's result stands: that it is there says nothing.
  const isResult = (path: readonly string[]): boolean => counts.some((count) => count.length > path.length && path.every((name, i) => name === count[i]));
  // But how many of them there are tells, where the statement answers what it has written.
  return [...counts, ...[row.rows, row.row].flatMap((path) => (!path ? [] : isResult(path) ? [[...path, 'length'], [...path, '0']] : [path]))];
}

/** A fence that is one wherever the write stands. */
function fenceOf(event: WriteEvent): string | undefined {
  if (event.op === 'insert' || event.fenced !== 'yes' || isSweep(event) || isRegister(event)) return undefined;
  if (event.answerTells) return 'a value that the script compares';
  if (event.why === 'a precondition') return 'a precondition';
  const { row } = event;
  if (!row) return undefined;
  // Who takes the newest and drops the rest, by time or by an upsert, does not miss what was dropped.
  const order = ordersOf(event).find((it) => it.column !== undefined && letsNewerPass(it) && it.recorded && (fenceWords.test(it.column) || (event.op !== 'upsert' && event.op !== 'delete' && !timeWords.test(it.column))));
  if (order) return order.column;
  const equal = conditionsOf(row.filter).filter((it) => it.op === '=' && it.value !== undefined && it.value.kind !== 'const');
  return equal.find((it) => {
    const change = row.changes.find((each) => sameColumn(each.column, it.column));
    if (change?.relative) return true;
    // A `version` that the write leaves alone and that nobody has read is a part of the row's name, as a package's is.
    const isCounted = change !== undefined || isRaisedByStore(it.column) || (it.value !== undefined && isPartOfRead(it.value, it.column));
    return equal.length > 1 && isVersionColumn(it.column) && isCounted && !(change?.value && sameValue(change.value, it.value!));
  })?.column ?? (equal.length > 0 ? conditionsOf(row.filter).find((it) => isBound(it, row.changes))?.column : undefined);
}

/** The highest or lowest of what was ever sent: what is refused has been overtaken, and nothing else is lost with it. */
function isRegister(event: WriteEvent): boolean {
  const order = ordersOf(event).find((it) => it.recorded);
  if (!order || fenceWords.test(order.column ?? '') || (event.order && /fenc|token/i.test(event.target))) return false;
  const stored = storedBy(event);
  const isClock = (value: Value): boolean => contains(value, (it) => it.kind === 'fresh' && it.source === 'clock') || value.kind === 'unknown';
  return stored.length > 0 && stored.every(({ column, value }) => contains(order.value, (it) => sameValue(it, value)) || (column !== undefined && timeWords.test(column) && isClock(value)));
}

/** `stock = stock - $n WHERE stock >= $n` */
function isBound(it: Condition, changes: NonNullable<WriteEvent['row']>['changes']): boolean {
  const { value } = it;
  return value !== undefined && value.kind !== 'const' && (it.op === '>=' || it.op === '>') && changes.some((each) => each.relative === true && sameColumn(each.column, it.column) && each.value !== undefined && contains(each.value, (part) => sameValue(part, value)));
}

/** What makes a fence of the section's writes only: its owner value. That a state has ended already is often what is wanted. */
function fenceInSection(event: WriteEvent, { section }: SectionStory): string | undefined {
  const { row } = event;
  if (!row || event.op === 'insert' || isSweep(event)) return undefined;
  const conditions = conditionsOf(row.filter);
  const { owner } = section.lock;
  const isOwner = (value: Value): boolean => owner !== undefined && owner.kind !== 'const' && contains(value, (each) => sameValue(each, owner));
  return conditions.find((it) => it.op === '=' && it.value !== undefined && isOwner(it.value))?.column;
}

/** Whoever demands that a time has passed writes whatever is due, be it nothing. */
const isSweep = (event: WriteEvent): boolean =>
  conditionsOf(event.row?.filter ?? []).some((it) => (it.op === '<' || it.op === '<=') && it.value !== undefined && contains(it.value, (each) => each.kind === 'fresh' && each.source === 'clock') && !ordersOf(event).some((order) => order.recorded && order.value === it.value));
