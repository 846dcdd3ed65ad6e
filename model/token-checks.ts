/** Tokens that a write stores, sends or has tested before, and that nothing compares in the write itself. */
import type { WriteEvent } from './events.ts';
import { type Filter, sameColumn } from './fences.ts';
import type { CallExpr, Expr, Func } from './ir.ts';
import type { Span } from './place.ts';
import { conditionsOf } from './rows.ts';
import type { Section } from './sections.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { isTokenOf, letsNewerPass, ordersOf, originOf, partsOf, sameToken, storedBy, writesOfSection } from './tokens.ts';
import { type Value, contains, sameSite } from './value.ts';

/** A write whose token nothing compares in the same step. */
export interface UncheckedToken {
  event: WriteEvent;
  how: 'stored' | 'earlier' | 'inverted';
  /** The column that holds the token. */
  column?: string;
  /** Where it is compared, in a step of its own. */
  earlier?: { func: Func; span: Span };
}

/** How an unfenced write of a section deals with a token that it has or has tested; undefined where there is none. */
export function uncheckedToken(it: Deep, event: WriteEvent, section: Section, model: Model): UncheckedToken | undefined {
  if (event.op === 'insert') return undefined;
  const isToken = tokenTest(section, model);
  // A number counted up in a step of its own is a token where it is compared by order, or kept as one.
  const isCounted = (value: Value): boolean => isToken(value) || originOf(value, model)?.kind === 'counter';
  const earlier = comparedBefore(it, event, section, isCounted, model);
  const stored = storedBy(event).find((each) => partsOf(each.value).some(each.column !== undefined && fenceWords.test(each.column) ? isCounted : isToken));
  if (!stored && !earlier) return undefined;
  return { event, how: earlier ? 'earlier' : 'stored', column: stored?.column, earlier };
}

/** A write that lets the older token pass. */
export function invertedToken(event: WriteEvent, section: Section, model: Model): UncheckedToken | undefined {
  const isToken = tokenTest(section, model);
  const orders = ordersOf(event).filter((it) => isToken(it.value));
  const wrong = orders.find((it) => !letsNewerPass(it));
  return wrong && !orders.some(letsNewerPass) ? { event, how: 'inverted', column: wrong.column } : undefined;
}

/** What tells the section's token: the grant has minted it, or a write of the section compares it by order. */
function tokenTest(section: Section, model: Model): (value: Value) => boolean {
  const compared = writesOfSection(section).flatMap(ordersOf).filter((it) => it.recorded && letsNewerPass(it));
  return (value) => isTokenOf(value, section.acquire, model) || compared.some((it) => sameToken(it.value, value));
}

/** A comparison with what is stored, in an earlier statement or in the application. */
function comparedBefore(it: Deep, event: WriteEvent, section: Section, isToken: (value: Value) => boolean, model: Model): UncheckedToken['earlier'] {
  const read = section.items.find(({ event: other }) => other.kind === 'read' && 'filter' in other && isBefore(other.call, event.call) && hasOrder(other.filter, isToken));
  if (read) return { func: read.site.func, span: read.site.span };
  const { func } = event.call;
  const entered = model.interpreter.meaning(it.at).entered.find((each) => each.callee.func === func);
  const seen = (value: Value): Value => (entered ? model.evaluator.bind(value, { func, args: entered.args, self: entered.callee.self }) : value);
  for (const test of testsOf(func)) {
    if (test.span.start > event.call.span.start || (sameSite(it.at, event.call) && test.span.start < section.at.span.start && func === section.at.func)) continue;
    for (const [one, other] of [[test.left, test.right], [test.right, test.left]] as const) {
      if (isToken(seen(model.evaluator.value(one))) && isStored(seen(model.evaluator.value(other)), section)) return { func, span: test.span };
    }
  }
  return undefined;
}

const isBefore = (a: CallExpr, b: CallExpr): boolean => a.func.module === b.func.module && a.span.start < b.span.start;

const hasOrder = (filter: Filter | undefined, isToken: (value: Value) => boolean): boolean =>
  conditionsOf(filter ?? []).some((it) => order.has(it.op) && it.value !== undefined && isToken(it.value));

/** Something that a call has answered, other than the grant itself. */
const isStored = (value: Value, section: Section): boolean =>
  contains(value, (it) => (it.kind === 'result' || it.kind === 'typed') && it.site !== undefined && !sameSite(it.site, section.acquire.call) && !sameSite(it.site, section.at));

const order = new Set(['<', '<=', '>', '>=']);
const tests = new WeakMap<Func, (Expr & { kind: 'binary' })[]>();

/** The comparisons by order on which a function branches. */
function testsOf(func: Func): (Expr & { kind: 'binary' })[] {
  const known = tests.get(func);
  if (known) return known;
  const found = func.graph().steps.flatMap((step) => (step.op.kind === 'branch' ? comparisonsIn(step.op.test) : []));
  tests.set(func, found);
  return found;
}

function comparisonsIn(test: Expr): (Expr & { kind: 'binary' })[] {
  if (test.kind === 'not' || test.kind === 'await') return comparisonsIn(test.of);
  if (test.kind === 'logical') return [...comparisonsIn(test.left), ...comparisonsIn(test.right)];
  return test.kind === 'binary' && order.has(test.op) ? [test] : [];
}

/**
 * Writes of helpers whose lock is not in sight: a parameter goes into the column that a write beside
 * them compares, or into one that is called a fence.
 */
export function uncheckedInHelpers(model: Model, functions: readonly Func[]): UncheckedToken[] {
  const writes = functions.flatMap((func) => func.graph().steps.flatMap((step) => (step.op.kind === 'call' ? model.interpreter.meaning(step.op.call).events.filter((it) => it.kind === 'write') : [])));
  const fences = writes.flatMap((event) => ordersOf(event).filter((it) => it.recorded && letsNewerPass(it) && it.column !== undefined && !timeWords.test(it.column)).map((it) => ({ target: event.target, column: it.column! })));
  const isFence = (event: WriteEvent, column: string): boolean => fenceWords.test(column) || fences.some((it) => it.target === event.target && sameColumn(it.column, column));
  return writes.flatMap((event): UncheckedToken[] => {
    const wrong = ordersOf(event).find((it) => it.recorded && !letsNewerPass(it) && it.column !== undefined && isFence(event, it.column));
    if (wrong) return [{ event, how: 'inverted', column: wrong.column }];
    if (event.op === 'insert' || event.op === 'delete' || event.fenced !== 'no') return [];
    const stored = storedBy(event).find((it) => it.column !== undefined && isFence(event, it.column) && isHandedIn(it.value));
    return stored ? [{ event, how: 'stored', column: stored.column }] : [];
  });
}

function isHandedIn(value: Value): boolean {
  let at = value;
  while (at.kind === 'field' || (at.kind === 'derived' && at.from.length === 1)) at = at.kind === 'field' ? at.of : at.from[0]!;
  return at.kind === 'param';
}

/** What nothing else tells in a file that neither takes the lock nor compares the column. */
export const fenceWords = /^(?:last_?|max_?|highest_?)?(?:fence|fencing)(?:_?(?:token|number|no|seq))?$/i;
/** Columns of times: whoever keeps the newest drops the rest on purpose. */
export const timeWords = /(?:_at|At|time|date|_on)$/i;
