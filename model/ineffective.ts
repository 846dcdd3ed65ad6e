/** Acquires that take no lock: the client ignores what was asked for, the library does not work on this client, or the key is set whether or not it is there. */
import type { PutEvent } from './events.ts';
import type { CallExpr, Func } from './ir.ts';
import { AnswerFlow } from './expressions.ts';
import { constantsOf, strictLockWords } from './lock-words.ts';
import { sameKey } from './key-form.ts';
import type { Model, Story } from './story.ts';
import type { Deep } from './deep.ts';
import { racyTakeoversOf } from './takeovers.ts';
import { type Value, alternatives, contains, sameSite } from './value.ts';

export interface Ineffective {
  call: CallExpr;
  key: Value | undefined;
  /** `trap`: the client or library does something else. `looked`: it was looked before whether the key is there. `plain`: the key is simply set. */
  how: 'trap' | 'looked' | 'plain';
  why?: string;
  /** Where it was looked. */
  look?: CallExpr;
  /** Where the key is given back. */
  release?: CallExpr;
}

/** The acquires of a file that exclude nobody. */
export function ineffectiveAcquires(story: Story): Ineffective[] {
  const { model, module } = story;
  const found: Ineffective[] = [];
  const stolen = racyTakeoversOf(story);
  for (const func of module.functions) {
    const { known: deep } = model.summaries.of(func);
    for (const it of deep) {
      if (it.at.func.module !== module || found.some((known) => sameSite(known.call, it.site))) continue;
      if (it.kind === 'acquire' && it.event.trap && it.via.length === 0) found.push({ call: it.at, key: it.event.lock.key, how: 'trap', why: it.event.trap });
      if (it.kind !== 'put' || it.event.onlyIfPresent || it.event.isUnsure || it.site.func.module !== module || stolen.some((each) => sameSite(each.call, it.site))) continue;
      const plain = plainSet(it.event, it, func, deep, model);
      if (plain) found.push(plain);
    }
  }
  return found;
}

/** A key that is set without a condition, and removed when the work is done. */
function plainSet(event: PutEvent, it: Deep, func: Func, deep: readonly Deep[], model: Model): Ineffective | undefined {
  // What is stored for others to read is data; an owner value or a mark is read by nobody else.
  if (!isOwnerOrMark(event.value) || deep.some((other) => other.kind === 'acquire' && other.event.lock.key && sameKey(other.event.lock.key, event.key))) return undefined;
  const release = deep.find((other) => other.kind === 'release' && other.timing === 'now' && other.event.key && sameKey(other.event.key, event.key) && other.at.span.start > it.at.span.start);
  if (release?.event.kind !== 'release' || !isReachedAfter(func, it.at, release.at)) return undefined;
  // Kept where all goes well, it is a mark of something done.
  if (!isCalledLock(event, it, model) && leavesWithout(func, it.at, release.at)) return undefined;
  const base = { call: event.call, key: event.key, release: release.at };
  const look = deep.find((other) => other.at.span.start < it.at.span.start && isLook(other, event.key) && decides(func, other.at, it.at));
  if (look) return { ...base, how: 'looked', look: look.at };
  const compares = release.event.ownerChecked && release.event.comparedWith !== undefined && alternatives(release.event.comparedWith).some((value) => alternatives(event.value).some((each) => contains(value, (inner) => inner === each) || value === each));
  return compares || isCalledLock(event, it, model) ? { ...base, how: 'plain' } : undefined;
}

const isOwnerOrMark = (value: Value): boolean => alternatives(value).every((it) => it.kind === 'const' || it.kind === 'fresh' || it.kind === 'text' || it.kind === 'derived' || it.kind === 'param' || it.kind === 'field');

const isLook = (it: Deep, key: Value): boolean => (it.kind === 'get' && sameKey(it.event.key, key)) || (it.kind === 'exists' && it.event.value !== undefined && sameKey(it.event.value, key));

/** A test of what was found keeps the key from being set. */
function decides(func: Func, look: CallExpr, set: CallExpr): boolean {
  const answer = new AnswerFlow(func, look);
  return func.graph().steps.some((step) => step.op.kind === 'branch' && answer.mentions(step.op.test) && step.next.some((side) => side && !reaches(side, set)));
}

/** Some way on which nothing throws leads from the set to the end past every release. */
function leavesWithout(func: Func, set: CallExpr, release: CallExpr): boolean {
  const { steps, exit } = func.graph();
  const from = steps.find((step) => step.op.kind === 'call' && sameSite(step.op.call, set));
  const seen = new Set<typeof exit>();
  const open = [...(from?.next ?? [])].filter((it) => it !== undefined);
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step) || (step.op.kind === 'call' && sameSite(step.op.call, release))) continue;
    if (step === exit) return true;
    seen.add(step);
    open.push(...step.next.filter((it) => it !== undefined));
  }
  return false;
}

function isReachedAfter(func: Func, from: CallExpr, to: CallExpr): boolean {
  return func.graph().steps.some((step) => step.op.kind === 'call' && sameSite(step.op.call, from) && step.next.some((next) => next && reaches(next, to)));
}

function reaches(from: ReturnType<Func['graph']>['entry'], call: CallExpr): boolean {
  const seen = new Set<typeof from>();
  const open = [from];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (step.op.kind === 'call' && sameSite(step.op.call, call)) return true;
    open.push(...step.next.filter((it) => it !== undefined));
  }
  return false;
}

/** Nothing but a word tells a lock from a mark that is taken away again: the key says it, or the variable that holds it. */
function isCalledLock(event: PutEvent, it: Deep, model: Model): boolean {
  const [key] = it.at.args;
  const words = [...constantsOf(event.key), key?.kind === 'var' ? key.variable.name : '', model.evaluator.value(it.at.callee).kind === 'func' ? it.site.func.name : ''];
  return words.some((word) => strictLockWords.test(word));
}


