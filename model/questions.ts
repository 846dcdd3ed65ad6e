/** Questions whether the lock is still held, asked in the section before an unfenced write that depends on the answer. */
import type { State } from '../catalog/schema.ts';
import { encloses } from './binding.ts';
import type { CallExpr, Expr, Func, Step, Variable } from './ir.ts';
import { type Origins, originsOf, sideOf } from './origins.ts';
import type { Place } from './place.ts';
import { sameKey } from './key-form.ts';
import { type Section } from './sections.ts';
import { type Model, type SectionStory, type Story, type UnfencedWrite, placeOf } from './story.ts';
import { hasClock } from './takeovers.ts';
import { type Value, alternatives, contains, sameSite, sameValue } from './value.ts';

export interface Question {
  story: SectionStory;
  /** The write that runs or does not by the answer. */
  write: UnfencedWrite;
  place: Place;
  /** `service`: the lock service is asked. `signal`: an abort signal. `flag`: what the renewal has found. `time`: how much of the lease is left. */
  asks: 'service' | 'signal' | 'flag' | 'time';
}

/** Every question of the file's sections on which an unfenced write depends, once. */
export function questionsOf({ model, module, sections }: Story): Question[] {
  const found: Question[] = [];
  for (const story of sections) {
    if (story.isEfficiency) continue;
    for (const write of story.unfenced) {
      if (write.event.op === 'insert') continue;
      const { func } = write.call;
      for (const step of func.graph().steps) {
        const asked = step.op.kind === 'branch' ? askedBy(step, write, story.section, model) : step.op.kind === 'call' ? thrownBy(step.op.call, write, story.section) : undefined;
        if (!asked) continue;
        const place = placeOf(func.module, asked.expr.span);
        if (func.module === module && !found.some((it) => it.place.start === place.start)) found.push({ story, write, place, asks: asked.asks });
      }
    }
  }
  return found;
}

type Asked = { expr: Expr; asks: Question['asks'] } | undefined;

/** A branch that decides whether the write runs, by what is known of the lock. */
function askedBy(branch: Step, write: UnfencedWrite, section: Section, model: Model): Asked {
  if (branch.op.kind !== 'branch' || !isHeldAt(branch, section) || sideOf(branch, write.call) === undefined) return undefined;
  const { test } = branch.op;
  // What is asked outside does not answer with its arguments.
  const origins = originsOf(test, (call) => deepAt(call, model).some((it) => it.kind === 'get' || it.kind === 'read' || it.kind === 'acquire' || it.kind === 'renew'));
  const service = origins.calls.find((call) => isAskedOfService(call, section, model));
  if (service) return { expr: service, asks: 'service' };
  if (origins.exprs.some((it) => isSignalMember(it, 'aborted', section))) return { expr: test, asks: 'signal' };
  if (origins.exprs.some((it) => isState(it, 'held', section, model))) return { expr: test, asks: 'service' };
  if (asksTimeLeft(origins, section, model)) return { expr: test, asks: 'time' };
  if (readsFlag(origins, section)) return { expr: test, asks: 'flag' };
  return undefined;
}

/** `signal.throwIfAborted()`, before the write. */
function thrownBy(call: CallExpr, write: UnfencedWrite, section: Section): Asked {
  if (call.callee.kind !== 'member' || !isSignalMember(call.callee, 'throwIfAborted', section)) return undefined;
  return call.span.start < write.call.span.start ? { expr: call, asks: 'signal' } : undefined;
}

const deepAt = (call: CallExpr, model: Model): ReturnType<Model['summaries']['atCall']>['deep'] => model.summaries.atCall(call, call.func).deep;

/** In a body everything runs while the lock is held; a branch after which it is released or refused alone is none of the section's. */
function isHeldAt(step: Step, section: Section): boolean {
  const states = section.flow?.states.get(step);
  if (states) return states.has('held') || states.has('shaken');
  return section.form === 'body' || !section.flow?.states.has(step);
}

/** The key's content, or a library's own question. Taking and prolonging the lock are no questions. */
function isAskedOfService(call: CallExpr, section: Section, model: Model): boolean {
  if (sameSite(call, section.at)) return false;
  const deep = deepAt(call, model);
  if (deep.some((it) => it.kind === 'acquire' || it.kind === 'renew' || it.kind === 'release')) return false;
  return deep.some(({ event }) => {
    if (event.kind === 'get') return section.lock.key !== undefined && sameKey(event.key, section.lock.key);
    if (event.kind === 'exists') return event.value !== undefined && section.lock.key !== undefined && sameKey(event.value, section.lock.key);
    if (event.kind === 'read') return section.lock.space === 'row' && event.value?.kind === 'const' && event.value.value === section.lock.table;
    return event.kind === 'holds' && event.value !== undefined && isHandle(event.value, section);
  });
}

/** The handle that the acquire answers, or the object whose method takes the lock. */
const isHandle = (value: Value, section: Section): boolean =>
  contains(value, (it) => (it.kind === 'typed' && sameSite(it.site, section.acquire.call)) || (section.lock.holder !== undefined && sameValue(it, section.lock.holder)));

/** A member of the abort signal that the body gets, or of one that the renewal aborts. */
function isSignalMember(expr: Expr, name: string, section: Section): boolean {
  if (expr.kind !== 'member' || expr.name !== name) return false;
  const { signal } = section.acquire;
  const object = expr.object;
  const isGiven = (it: Expr): boolean => it.kind === 'param' && signal !== undefined && it.index === signal && section.acquire.body !== undefined && alternatives(section.acquire.body).some((body) => body.kind === 'func' && body.func === it.func);
  const origins = originsOf(object, () => false);
  if (origins.exprs.some(isGiven)) return true;
  // The controller's `abort` is called where the renewal fails.
  const controllers = origins.exprs.flatMap((it) => (it.kind === 'var' ? [it.variable] : []));
  return renewingFunctions(section).some((func) => func.graph().steps.some(({ op }) => op.kind === 'call' && op.call.callee.kind === 'member' && op.call.callee.name === 'abort' && op.call.callee.object.kind === 'var' && controllers.includes(op.call.callee.object.variable)));
}

/** A property of the handle that tells from the local clock whether the lock is held, or until when. */
function isState(expr: Expr, tells: State['tells'], section: Section, model: Model): boolean {
  if (expr.kind !== 'member' || typeof expr.name !== 'string') return false;
  const { name, object } = expr;
  const value = model.evaluator.value(object);
  const type = model.identities.of(value)?.type;
  const row = type === undefined ? undefined : model.calls.catalog.libraries.flatMap((it) => it.states ?? []).find((it) => it.of === type && it.path.length === 1 && it.path[0] === name && it.tells === tells);
  return row !== undefined && isHandle(value, section);
}

/** What is left of the lease by the local clock: the handle's own end, or a time that the lease's length was added to. */
function asksTimeLeft(origins: Origins, section: Section, model: Model): boolean {
  if (!hasClock(origins, model)) return false;
  if (origins.exprs.some((it) => isState(it, 'until', section, model))) return true;
  const length = section.lock.lease?.value;
  // The 60 of `(now - then) / (1000 * 60)` turns a unit into another, however long the lease is.
  const factors = new Set<Expr>(origins.exprs.flatMap((it) => (it.kind === 'binary' && (it.op === '*' || it.op === '/') ? [it.left, it.right].filter((side) => side.kind === 'const') : [])));
  return length !== undefined && length.kind !== 'unknown' && origins.exprs.some((it) => it.kind !== 'call' && !factors.has(it) && sameValue(model.evaluator.value(it), length));
}

/** A variable or property that is set where the lock is renewed. */
function readsFlag(origins: Origins, section: Section): boolean {
  const funcs = renewingFunctions(section);
  if (funcs.length === 0) return false;
  const variables = new Set<Variable>();
  const fields = new Set<string>();
  for (const func of funcs) {
    for (const { op } of func.graph().steps) {
      if (op.kind !== 'assign' || op.declares) continue;
      if (op.target.kind === 'variable' && op.target.variable.owner !== func) variables.add(op.target.variable);
      if (op.target.kind === 'field') fields.add(op.target.name);
    }
  }
  return origins.exprs.some((it) => (it.kind === 'var' && variables.has(it.variable)) || (it.kind === 'member' && typeof it.name === 'string' && fields.has(it.name)));
}

/** The functions in which the renewal is sent and its answer looked at: not the section's own. */
function renewingFunctions(section: Section): Func[] {
  const found = new Set<Func>();
  for (const it of section.renewals) {
    for (const call of [...it.via, it.site]) {
      for (let func: Func | undefined = call.func; func && func !== section.frame && !encloses(func, section.frame); func = func.parent) found.add(func);
    }
    // Callbacks of the answer: `.then((kept) => …, (error) => …)`.
    for (const func of [...found]) for (const { op } of func.graph().steps) if (op.kind === 'call') for (const arg of op.call.args) if (arg.kind === 'function') found.add(arg.func);
    for (const arg of it.at.args) if (arg.kind === 'function') found.add(arg.func);
  }
  if (section.acquire.onLost) for (const it of alternatives(section.acquire.onLost)) if (it.kind === 'func') found.add(it.func);
  return [...found].filter((it) => it !== section.frame);
}
