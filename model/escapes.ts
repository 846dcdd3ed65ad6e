/** Work of a critical section that goes on after the release: nothing waits for it. */
import { encloses } from './binding.ts';
import { isHeld } from './flow.ts';
import type { CallExpr, Expr, Func, Step } from './ir.ts';
import { isPromise } from './promises.ts';
import { sameKey } from './key-form.ts';
import { isReleaseOf, type Section } from './sections.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { alternatives, printValue, sameSite } from './value.ts';

export interface Escape {
  /** The expression that is reported. */
  call: CallExpr;
  how: 'dropped' | 'each' | 'returned' | 'raced' | 'later';
  /** The durable write in it; undefined where the function that a wrapper was handed is not waited for. */
  write: Deep | undefined;
}

/** A call of the section, and whether a release follows it. */
interface Work {
  call: CallExpr;
  deep: readonly Deep[];
  /** The call stands in a function that the section runs: what it returns is that function's caller's to wait for. */
  isInner: boolean;
}

/** What escapes from a section, in the order of the source. */
export function escapesOf(model: Model, section: Section): Escape[] {
  if (section.lock.kind === 'local') return [];
  const found: Escape[] = [];
  const seen = new Set<Func>();
  const look = (work: Work): void => {
    const escape = escapeOf(model, section, work);
    if (escape) {
      if (!found.some((it) => sameSite(it.call, escape.call))) found.push(escape);
      return;
    }
    for (const func of functionsRunBy(model, work.call)) {
      if (seen.has(func)) continue;
      seen.add(func);
      for (const call of callsOf(func)) look({ call, deep: model.summaries.atCall(call, func).deep, isInner: true });
    }
  };
  for (const it of workOf(model, section)) look(it);
  return found.sort((a, b) => a.call.span.start - b.call.span.start);
}

/** The calls of a section after which the lock is given back. */
function workOf(model: Model, section: Section): Work[] {
  const { flow, perCall, frame } = section;
  if (section.form === 'pair') {
    if (!flow || !perCall || !section.isReleased || section.isTold) return [];
    return [...flow.states].flatMap(([step, states]): Work[] => {
      if (step.op.kind !== 'call' || ![...states].some(isHeld) || sameSite(step.op.call, section.at) || !isReleaseAhead(section, step)) return [];
      return [{ call: step.op.call, deep: perCall.get(step.op.call)?.deep ?? [], isInner: false }];
    });
  }
  const isDecorated = frame.decorators.includes(section.at);
  const bodies = isDecorated ? [frame] : bodiesAt(model, section);
  return bodies.flatMap((func) => callsOf(func).map((call): Work => ({ call, deep: model.summaries.atCall(call, func).deep, isInner: true })));
}

/** The functions written at the call that runs them under the lock. */
const bodiesAt = (model: Model, section: Section): Func[] => section.at.args.flatMap((it) => (it.kind === 'function' ? [it.func] : alternatives(model.evaluator.value(it)).flatMap((each) => (each.kind === 'func' && encloses(section.frame, each.func) ? [each.func] : []))));

const callsOf = (func: Func): CallExpr[] => func.graph().steps.flatMap((it) => (it.op.kind === 'call' ? [it.op.call] : []));

/** Functions that stand in the arguments of a call and run before it is done: elements' callbacks, transactions, functions called in place. */
function functionsRunBy(model: Model, call: CallExpr): Func[] {
  const { events, entered } = model.interpreter.meaning(call);
  const run = events.flatMap((it) => (it.kind === 'runs' && it.when === 'now' ? alternatives(it.body) : [])).flatMap((it) => (it.kind === 'func' ? [it.func] : []));
  return [...run, ...entered.map((it) => it.callee.func)].filter((it) => it.name === '' && encloses(call.func, it) && it !== call.func);
}

function isReleaseAhead(section: Section, from: Step): boolean {
  const { releasing } = section.flow!;
  const seen = new Set<Step>();
  const open = [...from.next];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (releasing.has(step)) return true;
    // The lock of another round is another one.
    if (step.op.kind === 'call' && sameSite(step.op.call, section.at)) continue;
    open.push(...step.next.filter((it) => it !== undefined));
  }
  return false;
}

function escapeOf(model: Model, section: Section, work: Work): Escape | undefined {
  const { call, deep } = work;
  if (call.use === 'chained') return undefined;
  const all = [...deep, ...chainOf(call).flatMap((it) => (section.perCall?.get(it) ?? model.summaries.atCall(it, it.func)).deep)];
  // What gives the lock back itself is no work that outlives it.
  if (all.some((it) => it.kind === 'release' && isReleaseOf(it.event, section))) return undefined;
  const put = all.find((it) => it.timing === 'later' && isDurable(it, section));
  if (put && startsLater(model, call)) return isInExecutor(model, call) ? undefined : { call, how: 'later', write: put };
  const raced = racedWork(model, section, call);
  if (raced && (call.use === 'await' || !work.isInner)) return { call, how: 'raced', write: raced.write };
  const write = all.find((it) => it.timing === 'now' && isDurable(it, section));
  const isGiven = !work.isInner && isHandedIn(model, section, call);
  if (!write && !isGiven) return undefined;
  if (write && isEach(model, call)) return { call, how: 'each', write };
  if (!isPromise(model, call)) return undefined;
  const isDropped = call.use === 'drop' || call.use === 'void';
  // An insert that is let go on purpose is a record of what was done.
  if (isDropped && write?.event.kind === 'write' && write.event.op === 'insert' && all.filter((it) => isDurable(it, section)).every((it) => it.kind === 'write' && it.event.op === 'insert') && (isLetGo(call) || isCaught(write))) return undefined;
  if (isDropped) return { call, how: 'dropped', write };
  if (call.use === 'return' && !work.isInner) return { call, how: 'returned', write };
  return undefined;
}

/** The calls on whose promise this one goes on: `save()` of `save().catch(report)`. */
function chainOf(call: CallExpr): CallExpr[] {
  const { callee } = call;
  if (callee.kind !== 'member' || !['then', 'catch', 'finally'].includes(callee.name as string) || callee.object.kind !== 'call') return [];
  return [callee.object, ...chainOf(callee.object)];
}

const isLetGo = (call: CallExpr): boolean => call.use === 'void' || chainOf(call).length > 0;

/** The function that is called takes care of its own failures: it is meant to be let go. */
function isCaught({ event, at }: Deep): boolean {
  const { func } = event.call;
  return !sameSite(at, event.call) && func.graph().steps.some(({ op, fail }) => (op.kind === 'call' ? sameSite(op.call, event.call) : op.kind === 'await' && op.expr.kind === 'await' && op.expr.of.kind === 'call' && op.expr.of.span.end === event.call.span.end) && fail?.op.kind === 'catch');
}

/** A write that outlives the lock does harm: not a cache entry, nor what the lock itself is made of. */
function isDurable({ event }: Deep, section: Section): boolean {
  if (event.kind === 'put') return !event.hasExpiry && event.key.kind !== 'unknown' && !(section.lock.key && sameKey(event.key, section.lock.key));
  return event.kind === 'write' && event.op !== 'other';
}

export const targetOf = ({ event }: Deep): string => (event.kind === 'write' ? event.target : event.kind === 'put' ? `\`${printValue(event.key)}\`` : 'data');

/** The call is of the function that the frame was handed. */
function isHandedIn(model: Model, section: Section, call: CallExpr): boolean {
  const base = chainOf(call).pop() ?? call;
  const callee = model.evaluator.value(base.callee);
  return callee.kind === 'param' && encloses(callee.func, section.frame) && model.interpreter.meaning(base).events.some((it) => it.kind === 'runs');
}

/** A call that keeps a function for later. */
const startsLater = (model: Model, call: CallExpr): boolean => model.interpreter.meaning(call).events.some((it) => it.kind === 'runs' && it.when === 'later');

/** Inside `new Promise((resolve) => …)` something waits for what is put off. */
function isInExecutor(model: Model, call: CallExpr): boolean {
  for (let func: Func | undefined = call.func; func?.parent; func = func.parent) {
    const inner = func;
    if (callsOf(func.parent).some((it) => it.isNew && model.interpreter.meaning(it).events.some((event) => event.kind === 'runs' && event.body.kind === 'func' && event.body.func === inner))) return true;
  }
  return false;
}

/** The call runs an asynchronous function for each element, and waits for none. */
function isEach(model: Model, call: CallExpr): boolean {
  const drops = model.calls.match(model.calls.site(call)).some((it) => it.effects.some((effect) => effect.kind === 'calls' && effect.when === 'now' && effect.answers === 'other'));
  if (!drops || call.isNew) return false;
  return model.interpreter.meaning(call).events.some((it) => it.kind === 'runs' && alternatives(it.body).some((body) => body.kind === 'func' && (body.func.isAsync || handsOn(model, body.func))));
}

/** An arrow function that answers the promise of its only call. */
const handsOn = (model: Model, func: Func): boolean => func.kind === 'arrow' && callsOf(func).some((it) => it.use === 'return' && isPromise(model, it));

/** The work that a race with a timer leaves behind, where the call is such a race or a helper that has one. */
function racedWork(model: Model, section: Section, call: CallExpr): { write: Deep | undefined } | undefined {
  if (call.use === 'drop' && !call.dropped) return undefined;
  const entrants = entrantsOf(model, call);
  if (!entrants) return undefined;
  for (const it of entrants) {
    if (isTimer(model, it)) continue;
    for (const started of startedBy(it)) {
      if (isWaitedFor(model, section, it)) continue;
      const write = model.summaries.atCall(started, started.func).deep.find((each) => each.timing === 'now' && isDurable(each, section));
      if (write) return { write };
      if (started.func === section.frame && isHandedIn(model, section, started)) return { write: undefined };
    }
  }
  return undefined;
}

/** Those that run against a timer in a race: its own elements, or the arguments of a helper that races them. */
function entrantsOf(model: Model, call: CallExpr): Expr[] | undefined {
  const [first] = call.args;
  if (isRace(model, call) && first?.kind === 'array') return first.items.some((it) => isTimer(model, it)) ? first.items : undefined;
  const { entered } = model.interpreter.meaning(call);
  for (const { callee } of entered) {
    for (const inner of callsOf(callee.func)) {
      const [list] = inner.args;
      if (!isRace(model, inner) || list?.kind !== 'array' || !list.items.some((it) => isTimer(model, it))) continue;
      const raced = list.items.flatMap((it) => parameterIn(model, it, callee.func));
      const given = raced.flatMap((index) => (call.args[index] ? [call.args[index]] : []));
      if (given.length) return given;
    }
  }
  return undefined;
}

/** The parameters that an entrant is, or is the call of. */
function parameterIn(model: Model, it: Expr, func: Func): number[] {
  const value = model.evaluator.value(it.kind === 'call' ? it.callee : it);
  return value.kind === 'param' && value.func === func ? [value.index] : [];
}

const isRace = (model: Model, call: CallExpr): boolean => model.calls.match(model.calls.site(call)).some((it) => it.effects.some((effect) => effect.kind === 'joins' && (effect.how === 'race' || effect.how === 'any')));

/** Calls whose promise an entrant is: written there, kept in a variable, or made by the function handed over. */
function startedBy(it: Expr): CallExpr[] {
  if (it.kind === 'call') return [it, ...chainOf(it)];
  if (it.kind === 'var') return it.variable.values.flatMap(startedBy);
  if (it.kind === 'function') return callsOf(it.func).filter((call) => call.use === 'return' || call.use === 'await');
  return [];
}

/** Something that is done after a time, whatever the work does. */
function isTimer(model: Model, it: Expr, depth = 0): boolean {
  if (depth > 4) return false;
  if (it.kind === 'var') return it.variable.values.length > 0 && it.variable.values.every((each) => isTimer(model, each, depth + 1));
  if (it.kind !== 'call') return false;
  if (chainOf(it).some((each) => isTimer(model, each, depth + 1))) return true;
  const { events, entered } = model.interpreter.meaning(it);
  if (events.some((event) => event.kind === 'wait')) return true;
  const bodies = it.isNew ? events.flatMap((event) => (event.kind === 'runs' && event.body.kind === 'func' ? [event.body.func] : [])) : [];
  if (bodies.some((body) => callsOf(body).some((call) => startsLater(model, call)))) return true;
  return entered.some(({ callee }) => callee.func.params.length <= 2 && callsOf(callee.func).some((call) => (call.use === 'return' || call.use === 'await') && isTimer(model, call, depth + 1)));
}

/** The loser is waited for before the release, whatever the race came to. */
function isWaitedFor(model: Model, section: Section, it: Expr): boolean {
  if (it.kind !== 'var') return false;
  const isOf = (expr: Expr): boolean => {
    if (expr.kind === 'var') return expr.variable === it.variable;
    if (expr.kind === 'array') return expr.items.some(isOf);
    if (expr.kind !== 'call' || isRace(model, expr)) return false;
    return (expr.callee.kind === 'member' && isOf(expr.callee.object)) || expr.args.some((arg) => arg.kind === 'array' && isOf(arg));
  };
  return section.frame.graph().steps.some((step) => step.op.kind === 'await' && step.op.expr.kind === 'await' && isOf(step.op.expr.of));
}
