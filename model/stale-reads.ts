/** Values that are read before a lock is taken and written back in its section: as old as the read. */
import type { WriteEvent } from './events.ts';
import type { CallExpr, Expr, Func, Step } from './ir.ts';
import { isHeld } from './flow.ts';
import { originsOf } from './origins.ts';
import type { Model, SectionStory, Story, UnfencedWrite } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, printValue, sameSite, sameValue } from './value.ts';

export interface StaleRead {
  story: SectionStory;
  read: CallExpr;
  write: UnfencedWrite;
}

/** The reads of a file whose values are written back under a lock that was taken after them, each once. */
export function staleReadsOf({ model, module, sections }: Story): StaleRead[] {
  const found: StaleRead[] = [];
  for (const story of sections) {
    const { section } = story;
    if (story.isEfficiency || section.at.func.module !== module) continue;
    for (const write of story.unfenced) {
      if (write.event.op === 'insert' || write.event.op === 'delete') continue;
      const reads = readsOf(write, model);
      // Something of it is read again while the lock is held.
      if (section.items.some((it) => isAbout(it, write.event))) continue;
      for (const { call } of reads) {
        // Another lock, which is held all the while, has kept it as it was read.
        if (sections.some((other) => other !== story && isHeldAt(call, other) && isHeldAt(write.call, other))) continue;
        if (call.func !== section.frame || !isBefore(call, story) || found.some((it) => sameSite(it.read, call))) continue;
        found.push({ story, read: call, write });
      }
    }
  }
  return found;
}

function isHeldAt(call: CallExpr, { section: { flow } }: SectionStory): boolean {
  const states = [...(flow?.states ?? [])].flatMap(([step, at]) => (step.op.kind === 'call' && sameSite(step.op.call, call) ? [...at] : []));
  return states.length > 0 && states.every(isHeld);
}

/** The read runs before the lock is taken, and the acquire follows it. */
function isBefore(read: CallExpr, { section }: SectionStory): boolean {
  const start = section.frame.graph().steps.find((each) => each.op.kind === 'call' && sameSite(each.op.call, read));
  if (!start || sameSite(read, section.at)) return false;
  const states = section.flow?.states.get(start);
  if (section.form === 'pair' ? !states || [...states].some((state) => state !== 'before') : reaches(section.at, read, section.frame)) return false;
  return reaches(read, section.at, section.frame);
}

/** Whether one call of a function may follow another. */
function reaches(from: CallExpr, to: CallExpr, func: Func): boolean {
  const seen = new Set<Step>();
  const open = func.graph().steps.filter((it) => it.op.kind === 'call' && sameSite(it.op.call, from)).flatMap((it) => it.next.flatMap((next) => next ?? []));
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (at.op.kind === 'call' && sameSite(at.op.call, to)) return true;
    for (const next of at.next) if (next) open.push(next);
  }
  return false;
}

/** Reads of what the write changes, whose answers are in what it writes. */
export function readsOf(write: UnfencedWrite, model: Model): { call: CallExpr }[] {
  const asksOutside = (call: CallExpr): boolean => deepAt(call, model).some((it) => it.kind === 'read' || it.kind === 'get' || it.kind === 'write' || it.kind === 'acquire');
  const chain = [write.call, ...write.via];
  let exprs = writtenBy(write, model);
  for (let i = chain.findIndex((it) => sameSite(it, write.event.call)); i >= 0 && exprs.length > 0; i--) {
    const origins = exprs.map((it) => originsOf(it, asksOutside));
    if (i === 0) {
      const isSave = write.event.op === 'save';
      return origins.flatMap((it) => it.calls.map((call) => ({ call, ids: it.exprs }))).filter(({ call, ids }) => deepAt(call, model).some((deep) => (isSave ? deep.kind === 'read' : isAbout(deep, write.event))) && !isIdOnly(ids, call));
    }
    // What stands in the helper for its parameters is what its caller hands over.
    const { func } = chain[i]!;
    const outer = chain[i - 1]!;
    if (outer.args.some((it) => it.kind === 'spread')) return [];
    // What a helper reads itself is as new as that, whoever's id it was found by.
    exprs = origins.flatMap((it) => (it.calls.length > 0 ? [] : it.params).filter((param) => param.func === func).flatMap((param) => outer.args[param.index] ?? []));
  }
  return [];
}

/** The expressions of the statement's own call that stand for what it writes. */
function writtenBy({ event }: UnfencedWrite, model: Model): Expr[] {
  const { call } = event;
  const own = model.interpreter.meaning(call).events.find((it) => it.kind === 'put' || it.kind === 'write');
  if (!own) return [];
  const receiver = call.callee.kind === 'member' ? [call.callee.object] : [];
  // An entity is saved as a whole: by its repository, or by itself.
  if (event.op === 'save') return call.args.length > 0 && call.args[0]!.kind !== 'object' ? [call.args[0]!] : receiver;
  const values: Value[] = own.kind === 'put' ? [own.value] : [...(own as WriteEvent).row?.changes ?? []].flatMap((it) => (it.value && !it.relative ? [it.value] : []));
  const all = call.args.flatMap((it) => originsOf(it, () => true).exprs);
  return all.filter((it) => it.kind !== 'const' && values.includes(model.evaluator.value(it)));
}

/** Only the id of what was read goes on: it does not change. */
function isIdOnly(exprs: readonly Expr[], read: CallExpr): boolean {
  const members = exprs.filter((it): it is Expr & { kind: 'member' } => it.kind === 'member' && originsOf(it.object, (call) => sameSite(call, read)).calls.some((call) => sameSite(call, read)));
  return members.length > 0 && members.every((it) => typeof it.name === 'string' && /^(?:_?id|uuid)$/i.test(it.name));
}

const deepAt = (call: CallExpr, model: Model): readonly Deep[] => model.summaries.atCall(call, call.func).deep;

/** A read of the table, model or key that the write changes. */
export function isAbout({ event }: Deep, write: WriteEvent): boolean {
  if (event.kind === 'get') return write.key !== undefined && sameValue(event.key, write.key);
  return event.kind === 'read' && event.value?.kind === 'const' && printValue(event.value) === write.target;
}
