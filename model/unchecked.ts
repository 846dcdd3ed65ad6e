/** Acquires that can be refused without a throw, and whose answer guards nothing. */
import type { ModelEvent } from './events.ts';
import { type Unguarded, Guards, canTell } from './guards.ts';
import { sameKey } from './key-form.ts';
import { formOf } from './lock-words.ts';
import { type Section } from './sections.ts';
import type { Story } from './story.ts';
import { type Value, alternatives, sameSite } from './value.ts';

/** The unguarded acquires that stand in this file; one in a helper stands where the answer is lost. */
export function uncheckedAcquires(story: Story): Unguarded[] {
  const { model, module } = story;
  const found: Unguarded[] = [];
  for (const func of module.functions) {
    for (const section of model.summaries.of(func).followed) {
      if (section.at.func.module !== module || found.some((it) => sameSite(it.section.at, section.at))) continue;
      const it = unguarded(section, story);
      if (it) found.push(it);
    }
  }
  return found;
}

function unguarded(section: Section, story: Story): Unguarded | undefined {
  const outcomes = section.tracked?.outcomes;
  if (!outcomes?.refused) return undefined;
  // The helper has lost the answer: it is reported there.
  if (section.via.length > 0 && (!canTell(outcomes) || isDoneInside(section, story))) return undefined;
  const { evaluator, interpreter } = story.model;
  const guards = new Guards(section, evaluator, interpreter);
  if (!isLock(section, story) || isAskedByCallback(section, story) || isTriedAgain(section, story)) return undefined;
  const test = guards.constantTest();
  const reached = guards.unguarded();
  // The default of `answer ?? 0` is a test as well; what is handed on decides.
  if (test && (section.isReleased || guards.tellsNobody())) return { section, how: 'constant', test, reached };
  if (reached) return { section, how: guards.isTested ? 'passed' : 'ignored', reached };
  return !section.isReleased && guards.tellsNobody() ? { section, how: guards.isTested ? 'passed' : 'ignored' } : undefined;
}

/** The function that takes the lock does the work as well: its caller has no reason to ask. */
const isDoneInside = ({ at, acquire }: Section, { model }: Story): boolean =>
  model.interpreter.meaning(at).entered.some(({ callee }) =>
    model.summaries.of(callee.func).followed.some((inner) => sameSite(inner.acquire.call, acquire.call) && inner.items.some(({ event, timing }) => timing === 'now' && isWork(event, acquire.lock.key))),
  );

/** It concerns something else than the lock. */
const isWork = (event: ModelEvent, lockKey: Value | undefined): boolean =>
  event.kind === 'write' || event.kind === 'external' || event.kind === 'read' || ((event.kind === 'put' || event.kind === 'get') && !(lockKey && sameKey(event.key, lockKey)));

/** The answer goes to a function that is handed over, which no row tells of: it may well ask. */
const isAskedByCallback = ({ acquire }: Section, { model }: Story): boolean => acquire.form === 'put' && acquire.callback === undefined && acquire.call.args.some((it) => alternatives(model.evaluator.value(it)).some((each) => each.kind === 'func'));

/** A refusal leads to another step that takes the same lock: a row that is not there to be changed is inserted. */
function isTriedAgain({ frame, acquire, lock, at }: Section, { model }: Story): boolean {
  return model.summaries.of(frame).known.some((other) => {
    if (other.kind !== 'acquire' || sameSite(other.site, acquire.call) || other.at.span.start < at.span.end) return false;
    const { event } = other;
    return lock.space === 'row' ? event.lock.table !== undefined && event.lock.table === lock.table : event.lock.key !== undefined && lock.key !== undefined && sameKey(event.lock.key, lock.key);
  });
}

/** A lock, and no mark or throttle: it is given back, or taken by a call that can only take a lock. */
export const isLock = (section: Section, story: Story): boolean => section.isReleased || section.lock.isCertain || isGivenBack(section, story);

/** Somewhere else: by the caller of a helper, or on a way that is never gone. One helper takes locks and marks alike: the key tells which it is. */
function isGivenBack(section: Section, story: Story): boolean {
  const form = formOf(section.lock.key);
  const isSameLock = (key: Value | undefined): boolean => form === undefined || formOf(key) === undefined || formOf(key) === form;
  return (
    story.releases.some((it) => sameSite(it.acquire?.call, section.acquire.call) && isSameLock(it.acquire?.lock.key)) ||
    story.sections.some(({ section: it }) => sameSite(it.acquire.call, section.acquire.call) && isSameLock(it.lock.key))
  );
}
