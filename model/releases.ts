/** Which releases of a file are releases of locks, and of which: by the section that reaches them, or by the key that an acquire elsewhere in the file shares. */
import { encloses } from './binding.ts';
import type { AcquireEvent, Lock, ReleaseEvent } from './events.ts';
import type { CallExpr, Module } from './ir.ts';
import { constantsOf, formOf, nameOf, speakOfLock } from './lock-words.ts';
import type { Deep } from './deep.ts';
import { comesFrom, comparisonsIn } from './origins.ts';
import { isCheckedInTransaction } from './owner-checks.ts';
import { isMadeAlike, ownerValue } from './owners.ts';
import { sameKey } from './key-form.ts';
import type { LockRelease, Model, SectionStory } from './story.ts';
import { type Value, alternatives, contains, sameSite } from './value.ts';

/** Releases of locks: those that a section reaches, and those of helpers that belong to an acquire by their key. */
export function findReleases(model: Model, module: Module, sections: readonly SectionStory[]): LockRelease[] {
  const found: LockRelease[] = [];
  const add = (event: ReleaseEvent, call: CallExpr, lock: Lock | undefined, acquire: AcquireEvent | undefined, acquireCall: CallExpr | undefined): void => {
    if (isWatched(model, event) || (!event.ownerChecked && isCheckedInTransaction(event, model))) return;
    if (call.func.module !== module || found.some((it) => sameSite(it.call, call) && it.event.ownerChecked === event.ownerChecked)) return;
    found.push({ event, call, lock, acquire, acquireCall, comparedBefore: comparedBefore(model, event, call), owner: ownerValue(lock?.owner) });
  };
  for (const { section } of sections) {
    if (section.form === 'body') continue;
    for (const it of section.releases) {
      const event = it.event as ReleaseEvent;
      const own = event.call.func.module === module;
      if (!own && belongsToPair(model, it, module)) continue;
      add(event, own ? event.call : ([it.at, ...it.via].findLast((call) => call.func.module === module) ?? it.at), section.lock, section.acquire, section.at);
    }
  }
  for (const func of module.functions) {
    for (const it of model.summaries.of(func).known) {
      if (it.kind !== 'release' || !saysKey(model, it) || it.timing !== 'now' || it.event.form === 'library') continue;
      const seen = { ...it.event, call: it.at };
      const pair = isForced(model, module, seen) ? undefined : pairOf(model, seen);
      if (pair) add(it.event, it.at, pair.lock, pair, pair.call);
    }
  }
  return found;
}

/** What gives back or prolongs the lock of a key. */
type KeyEvent = Pick<ReleaseEvent, 'key' | 'call'> & { table?: string };

/** Beside a function that compares before it releases, one that does not is for people to call: it is meant to free whoever's lock it is. */
function isForced(model: Model, module: Module, event: ReleaseEvent): boolean {
  const form = event.key && formOf(event.key);
  // Whoever removes all that a pattern finds means no lock in particular.
  // One that compares first means its own lock.
  if (event.ownerChecked || form === undefined || event.several || comparedBefore(model, event, event.call) || (event.key && contains(event.key, (it) => it.kind === 'item'))) return false;
  return module.functions.some((func) => !encloses(func, event.call.func) && func.owner === event.call.func.owner && model.summaries.of(func).known.some((it) => it.kind === 'release' && it.via.length === 0 && it.event.ownerChecked && it.event.form === 'script' && it.event.key !== undefined && formOf(it.event.key) === form));
}

/** `WATCH` on the key makes the transaction that removes it fail when the key has changed. */
export function isWatched(model: Model, event: KeyEvent): boolean {
  return model.summaries.of(event.call.func).known.some((it) => it.kind === 'watch' && it.site.span.start < event.call.span.start && !!event.key && !!it.event.value && (it.event.value.kind === 'array' ? it.event.value.items : [it.event.value]).some((key) => sameForm(key, event.key!)));
}

/** The event may hold the caller's values: its own function's are compared by form. */
const sameForm = (a: Value, b: Value): boolean => sameKey(a, b) || formOf(a) === '◦' || (formOf(a) !== undefined && formOf(a) === formOf(b));

/**
 * The function says which key is meant: it sends the command itself, or hands the key to a primitive of
 * a store, which knows nothing of it and has no acquire beside it. One that takes the lock as well is
 * its user, whose section is asked.
 */
export function saysKey(model: Model, it: Deep): boolean {
  if (it.via.length === 0) return true;
  const inner = seenAlong(model, it).slice(1);
  const form = formOf((it.event as ReleaseEvent).key);
  if (model.summaries.of(it.at.func).known.some((each) => each.kind === 'acquire' && formOf(each.event.lock.key) === form)) return false;
  return isNamed(it.event) && inner.length === it.via.length && inner.every((each) => !isNamed(each.event) && !pairOf(model, { ...(each.event as ReleaseEvent), call: each.at }));
}

const isNamed = (event: Deep['event']): boolean => 'key' in event && event.key !== undefined && formOf(event.key)?.includes('"') === true;

/** The calls that lead to an event, each with the event as its own function sees it, outermost first. */
export function seenAlong(model: Model, it: Deep): Deep[] {
  return [it.at, ...it.via].flatMap((call) => {
    const seen = model.summaries.of(call.func).known.find((each) => each.kind === it.kind && sameSite(each.at, call) && sameSite(each.site, it.site));
    return seen ? [seen] : [];
  });
}

/** Whether another file reports the release: that of the helper that has both. */
function belongsToPair(model: Model, it: Deep, module: Module): boolean {
  const seen = seenAlong(model, it);
  if (seen.some((each) => each.kind === 'release' && each.at.func.module !== module && saysKey(model, each) && pairOf(model, { ...each.event, call: each.at }))) return true;
  return !seen.some((each) => each.via.length === 0) && pairOf(model, it.event as ReleaseEvent) !== undefined;
}

/**
 * The acquire of the same module, in another function, whose key has the same form: a helper that
 * takes and a helper that gives back or prolongs. Without a section in sight the words of the code must say that
 * it is a lock, for nothing else tells it from a one-time value or a mark.
 */
export function pairOf(model: Model, event: KeyEvent): AcquireEvent | undefined {
  const module = event.call.func.module;
  const form = event.key && formOf(event.key);
  const taken = event.table === undefined ? undefined : takenByClass(model, event);
  if (taken) return taken;
  if (!form) return undefined;
  for (const func of module.functions) {
    for (const it of model.summaries.of(func).known) {
      if (it.kind !== 'acquire' || it.event.form === 'library' || !it.event.lock.key) continue;
      // A key that says what it is for is the same lock wherever its helper stands; a bare parameter is not.
      if (it.via.length > 0 && !form.includes('"')) continue;
      if (it.site.func === event.call.func || it.at.func === event.call.func) continue;
      if (formOf(it.event.lock.key) !== form) continue;
      // Rows of a lock table are told by their columns.
      if (it.event.lock.space === 'row') {
        if (it.event.lock.table === event.table) return it.event;
        continue;
      }
      // Both key and value are the caller's: a primitive of a store, whose callers say what it is for.
      if (isHandedIn(it.event.lock.key) && it.event.lock.owner && alternatives(it.event.lock.owner).every((each) => each.kind === 'param')) continue;
      if (isRewritten(model, module, form, it.event.lock.owner)) continue;
      const words = [nameOf(it.site.func), nameOf(event.call.func), ...constantsOf(it.event.lock.key)];
      if (!speakOfLock(words)) continue;
      return it.event;
    }
  }
  return undefined;
}

/** A lock that is a document is taken by one method of a class and given back by another; the document itself is what both name. */
function takenByClass(model: Model, event: KeyEvent): AcquireEvent | undefined {
  const cls = event.call.func.owner;
  if (!cls || event.key?.kind !== 'field') return undefined;
  for (const func of [...cls.statics.values(), ...cls.methods.values()]) {
    const found = model.summaries.of(func).known.find((it) => it.kind === 'acquire' && it.event.lock.table === event.table);
    if (found) return found.event as AcquireEvent;
  }
  return undefined;
}

/** The key is the caller's, but for separators and a prefix that the object was given. */
const isHandedIn = (key: Value): boolean => contains(key, (it) => it.kind === 'param') && !contains(key, (it) => it.kind === 'const' && /[a-z]/i.test(String(it.value)));


/** The key is later given a value that is not an owner: a mark that becomes a result. */
function isRewritten(model: Model, module: Module, form: string, owner: Value | undefined): boolean {
  return module.functions.some((func) => model.summaries.of(func).known.some((it) => it.kind === 'put' && !it.event.onlyIfPresent && formOf(it.event.key) === form && !(owner && isMadeAlike(it.event.value, owner))));
}

/** A `GET` of the same key earlier in the function whose answer decides whether the release or renewal runs. */
export function comparedBefore(model: Model, event: KeyEvent & { ownerChecked: boolean }, call: CallExpr): CallExpr | undefined {
  const { known } = model.summaries.of(call.func);
  const seen = known.find((it) => (it.kind === 'release' || it.kind === 'renew') && sameSite(it.at, call) && sameSite(it.site, event.call))?.event as ReleaseEvent | undefined;
  const key = seen?.key ?? event.key;
  if (event.ownerChecked || !key) return undefined;
  for (const it of known) {
    if (it.kind === 'get' && it.at.span.start < call.span.start && sameKey(it.event.key, key) && (it.via.length === 0 || isCompared(it.at))) return it.at;
  }
  return undefined;
}

/** A test of the function compares what the call answers. */
const isCompared = (get: CallExpr): boolean => get.func.graph().steps.some(({ op }) => op.kind === 'branch' && comparisonsIn(op.test).some(({ left, right }) => comesFrom(left, get) || comesFrom(right, get)));
