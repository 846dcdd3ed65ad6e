/** Locks that a crash leaves for ever: taken without an expiry, or given one in a step of its own. */
import type { AcquireEvent, Lock, WriteEvent } from './events.ts';
import { sameColumn } from './fences.ts';
import type { CallExpr, Module } from './ir.ts';
import { giveWords, nameOf, strictLockWords } from './lock-words.ts';
import { conditionsOf } from './rows.ts';
import { sameKey } from './key-form.ts';
import type { Model, Story } from './story.ts';
import type { Deep } from './deep.ts';
import { type Taken, callIn, locksTaken } from './taken.ts';
import { type Value, alternatives, constant, contains, sameSite, sameValue } from './value.ts';

/** A lock without an end. */
export interface UnboundedLock {
  lock: Lock;
  /** What is reported: the acquire, or the call that leads to it from this file. */
  call: CallExpr;
  acquire: CallExpr;
  /** The step that gives it an expiry afterwards. */
  expiry: CallExpr | undefined;
}

/** Every lock of the file that nothing ends when its holder dies. */
export function unboundedLocks(story: Story): UnboundedLock[] {
  const found: UnboundedLock[] = [];
  for (const it of locksTaken(story)) {
    if (it.lock.kind !== 'lease' || !hasNoLease(it.acquire, story.model)) continue;
    const call = callIn(story.module, it.chain);
    if (!call || found.some((known) => sameSite(known.call, call))) continue;
    if (it.acquire.call.func.module !== story.module && isReportedThere(it.acquire, story.model)) continue;
    const expiry = expiryAfter(it, story.model);
    if (expiry && isOneTransaction(it.acquire.call, expiry, story.model)) continue;
    found.push({ lock: it.lock, call, acquire: it.acquire.call, expiry });
  }
  return [...found, ...lockRows(story)];
}

/** Whether the acquire says that there is no length, rather than one that is not known. */
function hasNoLease(acquire: AcquireEvent, model: Model): boolean {
  if (acquire.lock.lease) return false;
  const site = model.calls.site(acquire.call);
  // What is spread into the call may hold a length.
  if (acquire.form === 'put') return !site.open && !site.args.some((it) => (it.kind === 'object' || it.kind === 'array') && it.open);
  // Nought may be one of the lengths that a caller chooses.
  if (acquire.form === 'script') return acquire.lock.key !== undefined && !site.args.some((it) => it.kind === 'either');
  if (acquire.form === 'library') return acquire.lock.isEndless === true;
  // An object that is there or not: what it holds may say until when.
  return acquire.lock.space === 'kv' && acquire.lock.owner !== undefined && isPlainOwner(acquire.lock.owner);
}

/** A value that cannot say when the lock ends. */
const isPlainOwner = (value: Value): boolean => alternatives(value).every((it) => it.kind === 'const' || (it.kind === 'fresh' && it.source !== 'clock'));

/** A module that gives the lock back itself is told of it where it is linted. */
const isReportedThere = (acquire: AcquireEvent, model: Model): boolean =>
  acquire.call.func.module.functions.some((func) => model.summaries.of(func).known.some((it) => it.kind === 'release' && it.via.length === 0));

/** The step that gives the key its expiry: in the section, or in the acquiring function. */
function expiryAfter({ acquire, lock, section }: Taken, model: Model): CallExpr | undefined {
  const isIt = (it: Deep, key: Value | undefined): boolean => it.kind === 'renew' && !it.event.ownerChecked && it.timing === 'now' && !!it.event.key && !!key && sameKey(it.event.key, key);
  const own = model.summaries.of(acquire.call.func).known;
  const first = own.find((it) => it.kind === 'acquire' && sameSite(it.site, acquire.call))?.event as AcquireEvent | undefined;
  const beside = own.find((it) => isIt(it, first?.lock.key) && it.at.span.start >= acquire.call.span.start);
  if (beside) return beside.site;
  const { frame, at } = section?.section ?? {};
  return frame && at ? model.summaries.of(frame).known.find((it) => isIt(it, lock.key) && it.at.span.start > at.span.start)?.at : undefined;
}

/** `multi().setnx(…).expire(…)`: the server runs both or neither. */
function isOneTransaction(acquire: CallExpr, expiry: CallExpr, model: Model): boolean {
  const [a, b] = [model.calls.site(acquire), model.calls.site(expiry)];
  const isQueued = model.calls.match(a).some((it) => it.row.answers !== undefined);
  const isChained = expiry.span.start <= acquire.span.start && acquire.span.end <= expiry.span.end;
  return isQueued && (isChained || (!!a.receiver && !!b.receiver && sameValue(a.receiver, b.receiver)));
}

/** Rows and documents that are made to take a lock and deleted to give it back, and that nothing else ends. */
function lockRows(story: Story): UnboundedLock[] {
  const { model, module } = story;
  const writes = module.functions.flatMap((func) => model.summaries.of(func).known.filter((it): it is Deep & { event: WriteEvent } => it.kind === 'write' && it.via.length === 0 && it.event.row !== undefined));
  return writes.flatMap((taking) => {
    const { event } = taking;
    if (event.op !== 'insert' && !(event.op === 'replace' && event.fenced === 'yes') && !(event.op === 'upsert' && event.fenced === 'yes')) return [];
    const changes = event.row!.inserted ?? event.row!.changes;
    if (changes.length === 0 || changes.some((it) => it.value === undefined || mayTellTime(it.value) || timeWords.test(it.column))) return [];
    const others = writes.filter((it) => it.event.target === event.target && !sameSite(it.site, event.call));
    if (others.some((it) => conditionsOf(it.event.row!.filter).some((each) => order.has(each.op)))) return [];
    const giving = others.find((it) => it.event.op === 'delete' && changes.some((change) => conditionsOf(it.event.row!.filter).some((each) => each.op === '=' && sameColumn(each.column, change.column))));
    if (!giving || !isLock(taking, giving) || inOneTransaction(taking, giving, model) || endsByItself(event, model)) return [];
    const keys = changes.filter((change) => conditionsOf(giving.event.row!.filter).some((each) => sameColumn(each.column, change.column)) && change.value?.kind !== 'fresh');
    const lock: Lock = { space: 'row', kind: 'lease', key: keys[0]?.value ?? constant(event.target), isCertain: false, title: event.library?.title ?? 'the database', table: event.target };
    return [{ lock, call: event.call, acquire: event.call, expiry: undefined }];
  });
}

const order = new Set(['<', '<=', '>', '>=']);

/** A time, or something that is not in sight and may be one. */
const mayTellTime = (value: Value): boolean => contains(value, (it) => (it.kind === 'fresh' && it.source === 'clock') || it.kind === 'unknown' || it.kind === 'result');
const timeWords = /expir|until|ttl|valid|deadline|timeout/i;

/** Only words tell a lock from any other row that is made and deleted: of the table, or of both functions. */
function isLock(taking: Deep, giving: Deep): boolean {
  const { target } = taking.event as WriteEvent;
  if (strictLockWords.test(target)) return taking.at.func === giving.at.func || giveWords.test(nameOf(giving.at.func)) || strictLockWords.test(nameOf(taking.at.func));
  // An account that is locked is no lock of the program; a fresh owner value is.
  const { inserted, changes } = (taking.event as WriteEvent).row!;
  const hasOwner = (inserted ?? changes).some((it) => it.value !== undefined && contains(it.value, (each) => each.kind === 'fresh' && each.source === 'random'));
  return hasOwner && taking.at.func !== giving.at.func && strictLockWords.test(nameOf(taking.at.func)) && giveWords.test(nameOf(giving.at.func));
}


/** What one transaction makes and removes is gone with it when it fails. */
function inOneTransaction(taking: Deep, giving: Deep, model: Model): boolean {
  if (taking.at.func !== giving.at.func && !(taking.inTransaction && giving.inTransaction)) return false;
  if (taking.inTransaction && sameSite(taking.inTransaction, giving.inTransaction)) return true;
  const of = (it: Deep): Value | undefined => (it.kind === 'write' ? it.event.connection : undefined);
  const [a, b] = [of(taking), of(giving)];
  if (!a || !b || !sameValue(a, b)) return false;
  const steps = model.summaries.of(taking.at.func).deep;
  const before = steps.filter((it) => (it.kind === 'begin' || it.kind === 'commit') && it.at.span.start < giving.at.span.start);
  return (before.at(-1)?.event.kind === 'begin' && before.at(-1)!.at.span.start < taking.at.span.start) || contains(a, (it) => it.kind === 'typed' && it.type.includes('Transaction'));
}

/** The store removes its entries by age: an option of the model's schema, or of an index that is made here. */
function endsByItself(event: WriteEvent, model: Model): boolean {
  const options = event.library?.expiryOptions ?? [];
  if (options.length === 0) return false;
  const names = new RegExp(`\\b(?:${options.join('|')})\\b`);
  const modules = new Set<Module>([event.call.func.module]);
  const receiver = model.calls.site(event.call).receiver;
  // The schema stands where the model is made.
  if (receiver) contains(receiver, (it) => { if (it.kind === 'typed' && it.site) modules.add(it.site.func.module); return false; });
  return [...modules].some((module) => names.test(module.text));
}
