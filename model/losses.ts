/** Where the loss of a lock is told, and nobody listens: answers of renewals, signals of bodies, loss handlers. */
import type { RenewEvent, WriteEvent } from './events.ts';
import type { CallExpr, Func, Step } from './ir.ts';
import type { Place } from './place.ts';
import { type Model, type SectionStory, type Story, placeOf } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, alternatives, sameSite } from './value.ts';

export interface IgnoredLoss {
  story: SectionStory;
  place: Place;
  /** `answer`: of a renewal. `signal`: the body takes none. `handler`: it neither aborts nor throws. */
  what: 'answer' | 'signal' | 'handler';
}

/** Losses that are told to nobody, in sections whose writes the resource does not protect, each once. */
export function ignoredLossesOf(story: Story): IgnoredLoss[] {
  const { model, module } = story;
  const found: IgnoredLoss[] = [];
  const add = (it: IgnoredLoss): void => {
    if (it.place.file === module.file && !found.some((known) => known.place.start === it.place.start)) found.push(it);
  };
  for (const it of story.sections) {
    const { section } = it;
    if (it.isEfficiency || section.lock.kind !== 'lease') continue;
    const hasUnfenced = it.unfenced.some((write) => write.event.op !== 'insert');
    if (!hasUnfenced && !hasUnseenWork(it, model)) continue;
    // Around unfenced writes the renewal itself is the finding.
    if (!hasUnfenced) {
      for (const renewal of section.renewals) if (isAnswerDropped(renewal, model)) add({ story: it, place: placeOf(renewal.site.func.module, renewal.site.span), what: 'answer' });
      if (isSignalDropped(section)) add({ story: it, place: placeOf(section.acquire.call.func.module, section.acquire.call.span), what: 'signal' });
    }
    // Who listens for the loss of a session does so before the lock is taken under it.
    const handlers = [section.acquire.onLost, ...[...section.items, ...model.summaries.of(section.at.func).deep].flatMap((it) => (it.kind === 'runs' && it.event.onLoss ? [it.event.body] : []))];
    for (const handler of handlers.flatMap((value) => (value ? alternatives(value) : []))) {
      if (handler.kind === 'func' && doesNothing(handler.func, model)) add({ story: it, place: placeOf(handler.func.module, handler.func.span), what: 'handler' });
    }
  }
  return found;
}

/** Whether with these writes fenced every one in sight is, and a loss would still stay unheard that matters: there is work that cannot be seen. */
export function isLossUnheardAfter(it: SectionStory, fenced: readonly WriteEvent[], model: Model): boolean {
  const isLast = it.unfenced.every(({ event }) => event.op === 'insert' || fenced.some((each) => sameSite(each.call, event.call)));
  return isLast && hasUnseenWork(it, model) && (isSignalDropped(it.section) || it.section.renewals.some((renewal) => isAnswerDropped(renewal, model)));
}

/** The body takes no signal, though the library would hand it one. */
function isSignalDropped({ acquire }: SectionStory['section']): boolean {
  const body = acquire.signal === undefined || acquire.form !== 'library' ? undefined : acquire.body;
  return body?.kind === 'func' && isWrittenAt(body.func, acquire.call) && !takes(body.func, acquire.signal!);
}

/** The function is an argument of the call: one that is handed over by name is somebody else's. */
const isWrittenAt = (func: Func, call: CallExpr): boolean => call.args.some((it) => it.kind === 'function' && it.func === func);

const takes = (func: Func, index: number): boolean => func.params.length > index || func.params.some((it) => it.rest);

/** Work of which nothing can be seen: a function that was handed in, or a package's. It may write. */
function hasUnseenWork({ section }: SectionStory, model: Model): boolean {
  const isUnseen = (call: CallExpr): boolean => {
    if (call.use !== 'await' && call.use !== 'drop' && call.use !== 'return') return false;
    const { unknown } = model.interpreter.meaning(call);
    const callee = model.evaluator.value(call.callee);
    return (unknown !== undefined && comesFromOutside(callee)) || (isHandedIn(callee) && model.interpreter.meaning(call).events.some((event) => event.kind === 'runs'));
  };
  if (section.flow && section.form === 'pair') {
    return [...section.flow.states].some(([step, states]) => states.has('held') && step.op.kind === 'call' && !sameSite(step.op.call, section.at) && isUnseen(step.op.call));
  }
  const bodies = section.acquire.body ? alternatives(section.acquire.body) : [];
  return bodies.some((it) => it.kind === 'func' && it.func.graph().steps.some(({ op }) => op.kind === 'call' && isUnseen(op.call)));
}

/** What is called is a package's, or was handed in. */
function comesFromOutside(value: Value): boolean {
  if (value.kind === 'field') return comesFromOutside(value.of);
  return value.kind === 'param' || value.kind === 'export' || value.kind === 'this';
}

const isHandedIn = (value: Value): boolean => value.kind === 'param' || (value.kind === 'field' && isHandedIn(value.of));

/** A renewal that answers whether the lock was still held, and is not listened to by anybody on the way. */
function isAnswerDropped(it: Deep, model: Model): boolean {
  const event = it.event as RenewEvent;
  // What does not ask whose the lock is cannot tell that it was lost.
  if (!event.ownerChecked || (event.loss === undefined && event.handle !== undefined)) return false;
  const throws = event.loss === 'throws';
  const chain = [it.at, ...it.via].filter((call, i, all) => all.findIndex((other) => sameSite(other, call)) === i);
  for (let i = chain.findIndex((call) => sameSite(call, event.call)); i >= 0; i--) {
    const heard = hearing(chain[i]!, throws, model);
    if (heard !== 'returned') return heard === 'nobody';
    // What a timer's function answers, nobody hears.
    const outer = i === 0 ? undefined : chain[i - 1];
    if (!outer || outer.args.some((arg) => arg.kind === 'function') || model.interpreter.meaning(outer).entered.length === 0) return it.timing === 'repeatedly' || it.timing === 'later' ? !throws : false;
  }
  return false;
}

/** Who hears what a call answers: somebody, nobody, or the caller of its function. */
function hearing(call: CallExpr, throws: boolean, model: Model): 'somebody' | 'nobody' | 'returned' {
  const { steps } = call.func.graph();
  if (call.use === 'chained') {
    const next = steps.flatMap(({ op }) => (op.kind === 'call' && op.call.callee.kind === 'member' && op.call.callee.object === call ? [op.call] : []))[0];
    if (!next || next.callee.kind !== 'member') return 'somebody';
    const { name } = next.callee;
    const [first, second] = next.args.map((arg) => model.evaluator.value(arg));
    if (throws) {
      const handler = name === 'catch' ? first : name === 'then' ? second : undefined;
      if (handler) return handler.kind === 'func' && doesNothing(handler.func, model) ? 'nobody' : 'somebody';
      return name === 'then' || name === 'finally' ? hearing(next, throws, model) : 'somebody';
    }
    if (name === 'then') return first?.kind === 'func' && first.func.params.length === 0 ? hearing(next, throws, model) : 'somebody';
    return name === 'catch' || name === 'finally' ? hearing(next, throws, model) : 'somebody';
  }
  if (throws) {
    // Not caught here it is thrown on, and somebody hears it.
    const step = steps.find(({ op }) => op.kind === 'await' && op.expr.kind === 'await' && op.expr.of === call) ?? steps.find(({ op }) => op.kind === 'call' && op.call === call);
    return step?.fail?.op.kind === 'catch' && isSwallowed(step.fail, call.func, model) ? 'nobody' : 'somebody';
  }
  if (call.use === 'return') return 'returned';
  return call.use === 'drop' || call.use === 'void' || (call.use === 'await' && call.dropped) ? 'nobody' : 'somebody';
}

/** From the `catch` on, the function only logs and ends. */
function isSwallowed(from: Step, func: Func, model: Model): boolean {
  const seen = new Set<Step>();
  const open: Step[] = [from];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (isDeed(at, func, model)) return false;
    for (const next of at.next) if (next) open.push(next);
  }
  return true;
}

/** Something that could stop the work: a throw, an assignment to what others see, a call that is no log line. */
function isDeed({ op }: Step, func: Func, model: Model): boolean {
  if (op.kind === 'throw') return true;
  // `(error) => log(error)` answers nothing; its call is a step of its own.
  if (op.kind === 'return') return op.value !== undefined && op.value.kind !== 'const' && op.value.kind !== 'call';
  if (op.kind === 'assign') return op.target.kind !== 'variable' || op.target.variable.owner !== func;
  if (op.kind !== 'call') return false;
  const { events, entered } = model.interpreter.meaning(op.call);
  if (events.length > 0 && events.every((event) => event.kind === 'log')) return false;
  if (entered.length > 0) return entered.some((it) => it.callee.func.graph().steps.some((step) => isDeed(step, it.callee.func, model)));
  const callee = model.evaluator.value(op.call.callee);
  // `String(error)`, `new Date().toISOString()`: only makes a text.
  return !(callee.kind === 'global' && op.call.use === 'value') && !(op.call.callee.kind === 'member' && op.call.use === 'value');
}

/** A function that only logs. */
function doesNothing(func: Func, model: Model): boolean {
  return !func.graph().steps.some((step) => isDeed(step, func, model));
}
