/** Which calls of a file prolong a lock, and of which: those that a section reaches, those of helpers that share a key with an acquire, and those that ask first whose the key is. */
import type { AcquireEvent, Lock, RenewEvent } from './events.ts';
import type { CallExpr, Expr, Func, Module } from './ir.ts';
import { heartbeatsOf } from './heartbeats.ts';
import { comesFrom, comparisonsIn } from './origins.ts';
import { isCheckedInTransaction } from './owner-checks.ts';
import { sameKey } from './key-form.ts';
import { comparedBefore, isWatched, pairOf, saysKey, seenAlong } from './releases.ts';
import type { Model, SectionStory, Story } from './story.ts';
import { type Deep, reached } from './deep.ts';
import { type Value, alternatives, sameSite, sameValue } from './value.ts';

/** A call that prolongs something that is known to be a lock. */
export interface LockRenewal {
  event: RenewEvent;
  /** The expression that is reported: the renewal's own call, or the call of a generic helper. */
  call: CallExpr;
  lock: Lock | undefined;
  acquire: AcquireEvent | undefined;
  acquireCall: CallExpr | undefined;
  /** The key's content is read before it, in a step of its own. */
  comparedBefore: CallExpr | undefined;
}

/** Renewals of locks, each once, wherever it is reached from. */
export function renewalsOf(story: Story): LockRenewal[] {
  const { model, module } = story;
  const found: LockRenewal[] = [];
  const add = (event: RenewEvent, call: CallExpr, of?: { lock: Lock; acquire: AcquireEvent; at: CallExpr }, read?: CallExpr): void => {
    if (call.func.module !== module || found.some((it) => sameSite(it.call, call)) || isWatched(model, event) || (!event.ownerChecked && isCheckedInTransaction(event, model))) return;
    if (of && (isFirstLease(event, of.acquire) || isNewContent(event, of.lock))) return;
    found.push({ event, call, lock: of?.lock, acquire: of?.acquire, acquireCall: of?.at, comparedBefore: read ?? comparedBefore(model, event, call) });
  };
  for (const { section } of story.sections) {
    for (const it of [...section.renewals, ...setAgain(section)]) {
      const event = it.event as RenewEvent;
      const own = event.call.func.module === module;
      if (!own && belongsElsewhere(model, it, module)) continue;
      add(event, own ? event.call : (innermost(it, module) ?? it.at), section);
    }
    // What a leader does is told apart from what keeps it leader.
    if (section.flag === undefined || !section.lock.key) continue;
    for (const it of module.functions.flatMap((each) => model.summaries.of(each).known)) {
      if (it.kind !== 'renew' || it.via.length > 0) continue;
      const { event } = it;
      if (!event.ownerChecked && event.key && sameKey(event.key, section.lock.key)) add(event, event.call, section);
    }
  }
  for (const func of module.functions) {
    for (const { event, pair, read } of heartbeatsOf(func, model)) add(event, event.call, { lock: pair.lock, acquire: pair, at: pair.call }, read);
    for (const it of model.summaries.of(func).known) {
      if (it.kind !== 'renew' || !saysKey(model, it) || it.event.handle || isFirstLeaseHere(it.event, func, model)) continue;
      const seen = { ...it.event, call: it.at };
      const pair = it.event.table === undefined ? (pairOf(model, seen) ?? comparedPair(model, seen)) : undefined;
      if (pair) add(it.event, it.at, { lock: pair.lock, acquire: pair, at: pair.call });
      else if (it.event.table !== undefined) add(it.event, it.site);
    }
  }
  return found;
}

const innermost = (it: Deep, module: Module): CallExpr | undefined => [it.at, ...it.via].findLast((call) => call.func.module === module);

/** `SETNX` and the `EXPIRE` beside it are one acquire in two steps. */
const isFirstLease = (event: RenewEvent, acquire: AcquireEvent): boolean => acquire.form === 'put' && !acquire.lock.lease && (event.call.func === acquire.call.func || sameSite(event.call.func.handedTo, acquire.call));

/** Other functions of the file may take the same key: the step still belongs to the acquire beside it. */
const isFirstLeaseHere = (event: RenewEvent, func: Func, model: Model): boolean =>
  [...model.summaries.of(func).known, ...(func.handedTo ? model.summaries.atCall(func.handedTo, func.handedTo.func).deep : [])].some((it) => it.kind === 'acquire' && it.via.length === 0 && isFirstLease(event, it.event) && !!event.key && !!it.event.lock.key && sameKey(event.key, it.event.lock.key));

/** The key gets another content than the owner value: a mark that becomes a result. */
const isNewContent = (event: RenewEvent, lock: Lock): boolean =>
  event.value !== undefined && lock.owner !== undefined && event.value.kind !== 'unknown' && lock.owner.kind !== 'unknown' && !isSameOwner(event.value, lock.owner);

const isSameOwner = (a: Value, b: Value): boolean => alternatives(a).some((x) => alternatives(b).some((y) => sameValue(x, y)));

/** A plain `SET` of the lock's own value with a new expiry prolongs it, whoever has it by now. */
function setAgain(section: SectionStory['section']): Deep[] {
  const { key, owner } = section.lock;
  if (!key || !owner) return [];
  return section.items.flatMap((it): Deep[] => {
    const { event } = it;
    if (event.kind !== 'put' || event.onlyIfPresent || !event.hasExpiry || !sameKey(event.key, key) || !isSameOwner(event.value, owner)) return [];
    return [reached({ kind: 'renew', call: event.call, library: event.library, key: event.key, ownerChecked: false, how: 'SET', value: event.value }, it, it.under, it.bodyOf)];
  });
}

/** Whether another file reports the renewal: that of the helper that has both. */
function belongsElsewhere(model: Model, it: Deep, module: Module): boolean {
  const isPaired = (event: RenewEvent): boolean => pairOf(model, event) !== undefined || comparedPair(model, event) !== undefined;
  if ((it.event as RenewEvent).table !== undefined) return true;
  const seen = seenAlong(model, it);
  if (seen.some((each) => each.kind === 'renew' && each.at.func.module !== module && saysKey(model, each) && isPaired({ ...each.event, call: each.at }))) return true;
  return !seen.some((each) => each.via.length === 0) && isPaired(it.event as RenewEvent);
}

/**
 * The acquire of the same function whose owner value is what the key was compared with before it is
 * prolonged: a leader that stays one. Nothing but a lock is asked whose it is.
 */
function comparedPair(model: Model, event: RenewEvent): AcquireEvent | undefined {
  const { func } = event.call;
  const get = comparedBefore(model, event, event.call);
  if (!get || !event.key) return undefined;
  for (const it of model.summaries.of(func).known) {
    if (it.kind !== 'acquire' || it.via.length > 0 || !it.event.lock.key || !it.event.lock.owner || !sameKey(it.event.lock.key, event.key)) continue;
    const { owner } = it.event.lock;
    if (owner.kind !== 'const' && isComparedWith(model, get, owner)) return it.event;
  }
  return undefined;
}

/** A test of the function compares what the call answers with the value. */
function isComparedWith(model: Model, get: CallExpr, value: Value): boolean {
  const isOwner = (it: Expr): boolean => isSameOwner(model.evaluator.value(it), value);
  return get.func.graph().steps.some(({ op }) => op.kind === 'branch' && comparisonsIn(op.test).some(({ left, right }) => (comesFrom(left, get) && isOwner(right)) || (comesFrom(right, get) && isOwner(left))));
}
