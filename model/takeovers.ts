/** Takeovers of expired locks in two steps: the end is read and compared with the time, and the lock is then taken or removed without a condition. */
import type { ModelEvent, WriteEvent } from './events.ts';
import { sameColumn } from './fences.ts';
import type { CallExpr, Expr, Func, Step } from './ir.ts';
import { attemptWords, formOf, rowWords } from './lock-words.ts';
import { type Origins, comparisonsIn, originsOf, questionsIn, sideOf } from './origins.ts';
import { isWatched } from './releases.ts';
import { sameKey } from './key-form.ts';
import type { Model, Story } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, alternatives, contains, isNothing, sameSite } from './value.ts';

export interface RacyTakeover {
  /** The step that takes or removes. */
  call: CallExpr;
  key: Value | undefined;
  /** For lock rows: the table. */
  table: string | undefined;
  /** Where the lock's end is read. */
  read: CallExpr;
  /** What the step does. */
  how: 'removes' | 'overwrites';
}

/** The takeovers of a file whose check and step are apart. */
export function racyTakeoversOf({ model, module }: Story): RacyTakeover[] {
  const found: RacyTakeover[] = [];
  for (const func of module.functions) {
    const tests = func.graph().steps.filter((step) => step.op.kind === 'branch');
    if (!tests.some((test) => asksTime(test, model))) continue;
    const { deep } = model.summaries.of(func);
    const steps = deep.filter((it) => it.at.func === func && it.via.length <= 1 && isStep(it.event) && !isHeldAt(it.at, func, model));
    if (steps.length === 0) continue;
    for (const step of steps) {
      if (found.some((it) => sameSite(it.call, step.at)) || ('key' in step.event && isWatched(model, step.event as never))) continue;
      const read = deep.find((it) => it.at.span.start < step.at.span.start && isReadOf(it, step) && tests.some((test) => asksWhetherEnded(test, it.at, step, model)));
      // Taken by a call between the two, it is its holder's.
      const isTaken = read && deep.some(({ kind, at }) => kind === 'acquire' && !sameSite(at, step.at) && at.span.start > read.at.span.start && at.span.start < step.at.span.start);
      if (read && !isTaken && !isUnderDatabaseLock(read, deep) && (isKnownLock(step, func, deep, model) || (seemsLock(step, func) && !hasOtherReason(step, read, tests)))) found.push(takeover(step, read));
    }
  }
  return found;
}

function takeover(step: Deep, read: Deep): RacyTakeover {
  const write = writeOf(step.event);
  const how = write ? (write.op === 'delete' ? 'removes' : 'overwrites') : step.kind === 'put' ? 'overwrites' : 'removes';
  return { call: step.at, key: 'key' in step.event ? (step.event.key as Value | undefined) : undefined, table: write?.target, read: read.at, how };
}

/** The statement of a lock row's event, or a write that no lock table is known for. */
const writeOf = (event: ModelEvent): WriteEvent | undefined => (event.kind === 'write' ? event : event.kind === 'acquire' || event.kind === 'release' ? event.statement : undefined);

/** A step that changes the lock without a condition of its own. An insert has the key's uniqueness. */
function isStep(event: ModelEvent): boolean {
  const write = writeOf(event);
  if (write) return write.row !== undefined && write.op !== 'insert' && write.fenced === 'no' && !(event.kind === 'release' && event.ownerChecked);
  return (event.kind === 'put' && !event.onlyIfPresent) || (event.kind === 'release' && !event.ownerChecked && event.form !== 'library' && event.key !== undefined);
}

/** What reads the lock that the step changes, without holding it until the step. */
function isReadOf(read: Deep, step: Deep): boolean {
  const write = writeOf(step.event);
  if (!write) return read.kind === 'get' && 'key' in step.event && step.event.key !== undefined && sameKey(read.event.key, step.event.key as Value);
  if (read.kind !== 'read' || ('locksOn' in read.event && read.event.locksOn !== undefined) || step.isSerializable) return false;
  // Inside a transaction of a store that knows no statements, the loser fails at its commit.
  if (step.inTransaction && !write.sql) return false;
  const about = read.event.value;
  if (about?.kind === 'const' && about.value === write.target) return true;
  return write.op === 'save' && [...step.at.args, ...(step.at.callee.kind === 'member' ? [step.at.callee.object] : [])].some((it) => originsOf(it, () => false).calls.some((call) => sameSite(call, read.at)));
}

/** Some question of the branch compares something with the time, or leaves that to a function. */
const asksTime = ({ op }: Step, model: Model): boolean =>
  op.kind === 'branch' && questionsIn(op.test).some(({ expr }) => (expr.kind === 'call' ? [expr] : expr.kind === 'binary' ? [expr.left, expr.right] : []).some((it) => hasClock(originsOf(it, () => false), model)));

/** A branch on whose one side alone the step stands, that side being the one on which the lock has ended. */
function asksWhetherEnded(branch: Step, read: CallExpr, step: Deep, model: Model): boolean {
  if (branch.op.kind !== 'branch' || branch.span.start > step.at.span.start) return false;
  const questions = questionsIn(branch.op.test).filter(({ expr }) => saysEnded(expr, read, model) !== undefined && speaksOfEnd(expr, step.event, model));
  if (questions.length === 0) return false;
  const side = sideOf(branch, step.at);
  return side !== undefined && questions.some(({ expr, isNegated }) => {
    const ended = saysEnded(expr, read, model);
    return ended === 'maybe' || (ended === 'yes') === (side !== isNegated);
  });
}

/** Of a row, the time that is compared is the lock's own end, or what the step sets it to; a question that a function answers is taken to be about it. */
function speaksOfEnd(expr: Expr, event: ModelEvent, model: Model): boolean {
  const write = writeOf(event);
  if (!write || expr.kind === 'call') return true;
  const endsAt = (event.kind === 'acquire' || event.kind === 'release') && event.endsAt !== undefined ? [event.endsAt] : write.row!.changes.flatMap((it) => (it.value && contains(it.value, isClock) ? [it.column] : []));
  const { exprs, calls } = originsOf(expr, () => false);
  const picked = calls.flatMap((it) => { const value = model.evaluator.value(it); return value.kind === 'field' ? [value.name] : []; });
  return [...exprs.flatMap((it) => ((it.kind === 'member' || it.kind === 'part') && typeof it.name === 'string' ? [it.name] : [])), ...picked].some((name) => endsAt.some((column) => sameColumn(column, name)));
}

/** A row or advisory lock of the database keeps others out while the end is read and the lock is taken. */
const isUnderDatabaseLock = (read: Deep, deep: readonly Deep[]): boolean => deep.some((it) => it.kind === 'database-lock' && it.event.step === 'acquire' && it.at.span.start <= read.at.span.start);

/** Whoever holds the lock gives it back, and takes nothing over. */
function isHeldAt(call: CallExpr, func: Func, model: Model): boolean {
  return model.summaries.of(func).sections.some(({ flow }) => [...(flow?.states ?? [])].some(([step, states]) => step.op.kind === 'call' && sameSite(step.op.call, call) && (states.has('held') || states.has('shaken'))));
}

/** Whether a question, answered yes, says that the time is over: `maybe` where its form does not tell; undefined when it is not about the time. */
function saysEnded(expr: Expr, read: CallExpr, model: Model): 'yes' | 'no' | 'maybe' | undefined {
  if (expr.kind === 'binary' && /^[<>]=?$/.test(expr.op)) {
    const [left, right] = [of(expr.left, read, model), of(expr.right, read, model)];
    if (!(left.isRead || right.isRead) || !(left.isClock || right.isClock)) return undefined;
    const isLess = expr.op.startsWith('<');
    if (left.isRead && right.isClock && !left.isClock) return isLess ? 'yes' : 'no';
    if (right.isRead && left.isClock && !right.isClock) return isLess ? 'no' : 'yes';
    const both = left.isRead && left.isClock ? expr.left : expr.right;
    const age = isAge(both, read, model);
    return age === undefined ? 'maybe' : (both === expr.left) === age ? (isLess ? 'no' : 'yes') : isLess ? 'yes' : 'no';
  }
  if (expr.kind === 'call') {
    const { isRead, isClock } = of(expr, read, model);
    return isRead && isClock && !sameSite(expr, read) ? 'maybe' : undefined;
  }
  return undefined;
}

/** `now - since` grows with time; `until - now` shrinks. */
function isAge(expr: Expr, read: CallExpr, model: Model): boolean | undefined {
  const inner = originsOf(expr, () => false).exprs.find((it) => it.kind === 'binary' && it.op === '-');
  return inner?.kind === 'binary' ? of(inner.left, read, model).isClock : undefined;
}

interface Parts {
  isRead: boolean;
  isClock: boolean;
}

function of(expr: Expr, read: CallExpr, model: Model): Parts {
  const origins = originsOf(expr, (call) => sameSite(call, read));
  return { isRead: origins.calls.some((it) => sameSite(it, read)), isClock: hasClock(origins, model) };
}

/** The time is asked in the expression, or in a function of the project that it calls. */
export function hasClock(origins: Origins, model: Model): boolean {
  return origins.calls.some((it) => {
    const value = model.evaluator.value(it);
    if (value.kind === 'fresh') return value.source === 'clock';
    const callee = model.evaluator.value(it.callee);
    return callee.kind === 'func' && returnsComparisonWithClock(callee.func, model);
  });
}

/** `isExpired(lock)`: what it answers is a comparison with the time. */
function returnsComparisonWithClock(func: Func, model: Model): boolean {
  return func.graph().steps.some(({ op }) => op.kind === 'return' && op.value !== undefined && comparisonsIn(op.value).some(({ left, right }) => [left, right].some((it) => originsOf(it, () => false).calls.some((call) => { const value = model.evaluator.value(call); return value.kind === 'fresh' && value.source === 'clock'; }))));
}

/** What is taken over is taken elsewhere by an acquire. */
function isKnownLock(step: Deep, func: Func, deep: readonly Deep[], model: Model): boolean {
  if (writeOf(step.event)) return step.kind !== 'write';
  const { key } = step.event as { key: Value };
  if (deep.some((it) => it.kind === 'acquire' && it.event.lock.key !== undefined && sameKey(it.event.lock.key, key))) return true;
  const form = formOf(key);
  return form !== undefined && form !== '◦' && func.module.functions.some((other) => model.summaries.of(other).known.some((it) => it.via.length === 0 && it.kind === 'acquire' && it.event.lock.key !== undefined && formOf(it.event.lock.key) === form));
}

/** Without any acquire in sight, words and an end in the future tell a lock. An end that may as well be none is set when something else has happened. */
function seemsLock(step: Deep, func: Func): boolean {
  const write = writeOf(step.event);
  if (write) {
    // Whoever has tried too often is kept out for a while: nobody holds anything.
    if (write.row!.changes.some((it) => attemptWords.test(it.column))) return false;
    const isNamed = rowWords.test(write.target) || write.row!.changes.some((it) => rowWords.test(it.column) && it.value !== undefined && !isNothing(it.value));
    return isNamed && write.row!.changes.some((it) => it.value !== undefined && alternatives(it.value).every((each) => contains(each, isClock))) && write.row!.changes.length > 1;
  }
  // A value that says until when, under a key that is called a lock.
  const { key } = step.event as { key: Value };
  return step.kind === 'put' && contains(step.event.value, isClock) && (rowWords.test(func.name) || rowWords.test(formOf(key) ?? ''));
}

/** A test of something else decides as well: an account is locked because of too many attempts, not because it can be taken. */
function hasOtherReason(step: Deep, read: Deep, tests: readonly Step[]): boolean {
  return tests.some((test) => {
    const { op, span } = test;
    if (op.kind !== 'branch' || span.start < read.at.span.start || span.start > step.at.span.start) return false;
    const isAbout = originsOf(op.test, (call) => sameSite(call, read.at)).calls.some((it) => sameSite(it, read.at));
    return !isAbout && sideOf(test, step.at) !== undefined;
  });
}

const isClock = (it: Value): boolean => it.kind === 'fresh' && it.source === 'clock';
