/** Tokens that do not order the holders: without an order, minted apart from the grant, or of a counter that ends. */
import type { AcquireEvent, WriteEvent } from './events.ts';
import { expressionOf } from './expression-uses.ts';
import type { CallExpr, Func } from './ir.ts';
import type { Span } from './place.ts';
import { type Section } from './sections.ts';
import type { Model, SectionStory } from './story.ts';
import type { Deep } from './deep.ts';
import { type TokenOrigin, isOneStep, letsNewerPass, ordersOf, originOf, partsOf, storedBy } from './tokens.ts';
import { type Value, contains, sameSite, sameValue } from './value.ts';
import { keyForm, sameKey } from './key-form.ts';

export interface UnsoundToken {
  /** The expression that makes the token, or reads it from the library's object. */
  at: CallExpr | { kind?: undefined; func: Func; span: Span };
  why: { kind: 'random' | 'clock' } | { kind: 'identity'; name: string; says: string } | { kind: 'late' } | { kind: 'ends'; ended: CallExpr } | { kind: 'counter' };
  /** The write that compares it; undefined where it is only handed on with the lock. */
  write?: WriteEvent;
  acquire?: AcquireEvent;
}

/** Every token of a file's functions that does not order the holders. */
export function unsoundTokens(model: Model, functions: readonly Func[], sections: readonly SectionStory[]): UnsoundToken[] {
  const found: UnsoundToken[] = [];
  for (const { section, isEfficiency } of sections) {
    if (section.lock.kind !== 'lease' || isEfficiency) continue;
    for (const { event } of section.items) {
      if (event.kind === 'write') found.push(...comparedIn(event, section, model), ...storedIn(event, section, model));
      // A wrapper that hands a number to what it runs under its lock hands over a token.
      if (event.kind === 'runs' && event.body.kind !== 'func') for (const arg of event.args) found.push(...ofCounters(arg, section, undefined, model));
    }
  }
  for (const func of functions) {
    for (const grant of model.summaries.of(func).grants) {
      if (grant.lock.kind !== 'lease') continue;
      const section = { at: grant.at, via: grant.via, acquire: grant.acquire };
      found.push(...ofCounters(grant.outcomes.held, section, undefined, model));
    }
    for (const step of func.graph().steps) {
      if (step.op.kind !== 'call') continue;
      for (const event of model.interpreter.meaning(step.op.call).events) if (event.kind === 'write') found.push(...withoutOrder(event, model));
    }
  }
  return found;
}

/** Values that a write of the section compares by order. */
function comparedIn(event: WriteEvent, section: Section, model: Model): UnsoundToken[] {
  const known = { write: event, acquire: section.acquire };
  return ordersOf(event).filter(letsNewerPass).flatMap((it): UnsoundToken[] => {
    const origin = originOf(it.value, model);
    if (origin?.kind === 'fresh' && !sameSite(origin.call, event.call)) return origin.source === 'random' || it.recorded ? [{ ...known, at: origin.call, why: { kind: origin.source } }] : [];
    if (origin?.kind === 'library' && !origin.sound) return [{ ...known, at: readOf(origin, event, model), why: { kind: 'identity', name: origin.name, says: origin.why } }];
    return ofCounters(it.value, section, event, model);
  });
}

/** Tokens of the grant that are only stored: they must come from a counter that stays all the same. */
function storedIn(event: WriteEvent, section: Section, model: Model): UnsoundToken[] {
  return storedBy(event).flatMap((it) => ofCounters(it.value, section, event, model).filter((each) => each.why.kind !== 'late'));
}

/** Values without an order that a write compares by order, wherever it stands. */
function withoutOrder(event: WriteEvent, model: Model): UnsoundToken[] {
  return ordersOf(event).filter((it) => it.recorded && letsNewerPass(it)).flatMap((it): UnsoundToken[] => {
    const origin = originOf(it.value, model);
    if (origin?.kind === 'fresh' && origin.source === 'random') return [{ write: event, at: origin.call, why: { kind: 'random' } }];
    if (origin?.kind === 'library' && !origin.sound) return [{ write: event, at: readOf(origin, event, model), why: { kind: 'identity', name: origin.name, says: origin.why } }];
    return [];
  });
}

type Taken = Pick<Section, 'at' | 'via' | 'acquire'>;

/** Numbers in a value that are counted apart from the grant, or by a counter that ends. */
function ofCounters(value: Value, section: Taken, write: WriteEvent | undefined, model: Model): UnsoundToken[] {
  const known = { write, acquire: section.acquire };
  return partsOf(value).flatMap((part): UnsoundToken[] => {
    const origin = originOf(part, model);
    if (origin?.kind !== 'counter' || (part.kind !== 'field' && part.kind !== 'result' && part.kind !== 'some')) return [];
    const { key } = section.acquire.lock;
    // A number that is kept under the lock's own key was set there, not counted for holders.
    if (origin.key && key && sameKey(origin.key, key)) return [];
    const isMinted = isOneStep(origin.call, section.acquire.call);
    if (!isMinted && isAfter(origin.call, section, model)) return [{ ...known, at: origin.call, why: { kind: 'late' } }];
    const ended = origin.expires ? origin.call : endOf(origin, model);
    // A number that was counted before is a token only where it is compared.
    if (ended && (isMinted || (write !== undefined && ordersOf(write).some((it) => contains(it.value, (each) => each === part || sameValue(each, part)))))) return [{ ...known, at: origin.call, why: { kind: 'ends', ended } }];
    return isMinted && isKeyValue(section) ? [{ ...known, at: origin.call, why: { kind: 'counter' } }] : [];
  });
}

const isKeyValue = ({ acquire }: Taken): boolean => acquire.lock.space === 'kv' && (acquire.form === 'script' || acquire.form === 'put') && acquire.library?.family !== 'lock';

/** Counted when the lock was held already, in a step of its own. */
function isAfter(mint: CallExpr, { at, via, acquire }: Taken, model: Model): boolean {
  for (const taken of [at, ...via, acquire.call]) {
    const counted = reachedAt(mint, taken.func, model);
    if (!counted) continue;
    // Both in the same helper: its own steps tell.
    if (sameSite(counted, taken)) continue;
    return counted.span.start > taken.span.start && !isOneTransaction(counted, taken, model);
  }
  return false;
}

/** The call of a function by which it counts. */
function reachedAt(mint: CallExpr, func: Func, model: Model): CallExpr | undefined {
  if (mint.func === func) return mint;
  return model.summaries.of(func).deep.find((it: Deep) => sameSite(it.site, mint))?.at;
}

/** Statements of one transaction are one step: what is taken and counted in it is seen together. */
function isOneTransaction(a: CallExpr, b: CallExpr, model: Model): boolean {
  const [one, other] = [model.calls.site(a), model.calls.site(b)];
  if (!one.receiver || !other.receiver || !sameValue(one.receiver, other.receiver)) return false;
  const { deep } = model.summaries.of(a.func);
  if (one.receiver.kind === 'typed' && /(?:Tx|Transaction|EntityManager)$/.test(one.receiver.type)) return true;
  return deep.some((it) => it.kind === 'begin' && it.event.value !== undefined && sameValue(it.event.value, one.receiver!) && it.at.span.start < Math.min(a.span.start, b.span.start));
}

/** Where the counter's own key is given an expiry or removed, in the file that counts. */
function endOf(origin: TokenOrigin & { kind: 'counter' }, model: Model): CallExpr | undefined {
  const { key, call } = origin;
  const form = key && keyForm(key);
  if (!key || !form?.includes('"')) return undefined;
  for (const func of call.func.module.functions) {
    for (const step of func.graph().steps) {
      if (step.op.kind !== 'call') continue;
      const ends = model.interpreter.meaning(step.op.call).events.find((it) => (it.kind === 'renew' || it.kind === 'release') && it.key !== undefined && (sameValue(it.key, key) || keyForm(it.key) === form));
      if (ends) return ends.call;
    }
  }
  return undefined;
}

/** Where the library's value is read: the property, the method's call, or the argument that hands it on. */
function readOf(origin: TokenOrigin & { kind: 'library' }, event: WriteEvent, model: Model): UnsoundToken['at'] {
  const span = expressionOf(event.call.func, (it) => (it.kind === 'member' || (it.kind === 'call' && !sameSite(it, event.call))) && sameValue(model.evaluator.value(it), origin.value)) ?? expressionOf(event.call.func, (it) => (it.kind === 'member' || it.kind === 'var') && sameValue(model.evaluator.value(it), origin.value));
  return span ? { func: event.call.func, span: span.span } : event.call;
}
