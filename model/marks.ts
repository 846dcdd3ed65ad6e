/** Keys that are taken and given back like a lock and are none: marks that something was done, answers, probes. */
import type { Effects } from './deep.ts';
import type { Lock } from './events.ts';
import type { Flow } from './flow.ts';
import type { CallExpr, Func, Step } from './ir.ts';
import { sameKey } from './key-form.ts';
import { lockoutWords } from './lock-words.ts';
import { isMadeAlike } from './owners.ts';
import { reachedFrom } from './reach.ts';
import type { Section } from './sections.ts';
import { alternatives, sameSite } from './value.ts';

/** Whether what looks like a critical section only says what has been done. */
export const isMark = (section: Section, flow: Flow, perCall: Map<CallExpr, Effects>): boolean =>
  isProbe(section.lock) || isAnswered(section) || isKeptOnSuccess(flow, section, perCall) || isUndoneOnFailure(section.frame, flow, section);

/** No write can be followed by a release: the key is taken back before the work begins or where it fails, and kept otherwise. */
function isKeptOnSuccess(flow: Flow, section: Section, perCall: Map<CallExpr, Effects>): boolean {
  const isRelease = ({ op }: Step): boolean =>
    op.kind === 'dispose' || (op.kind === 'call' && section.releases.some((it) => sameSite(it.at, op.call) || perCall.get(op.call)?.known.some((each) => sameSite(each.site, it.site))));
  if (section.releases.length === 0) return false;
  const writes = [...flow.states].filter(([step, states]) => states.has('held') && step.op.kind === 'call' && (perCall.get(step.op.call)?.deep ?? []).some((it) => it.kind === 'write' || it.kind === 'external'));
  return writes.length > 0 && writes.every(([step]) => !isRelease(step) && !reaches(step, isRelease));
}

/**
 * The way on which the work has answered well leaves with the key in place, the other one takes it back:
 * a mark that something is done, undone where it was not.
 */
function isUndoneOnFailure(func: Func, flow: Flow, section: Section): boolean {
  const isRelease = ({ op }: Step): boolean => op.kind === 'call' && section.releases.some((it) => sameSite(it.at, op.call));
  const { steps, exit } = func.graph();
  return steps.some((step) => {
    if (step.op.kind !== 'branch' || !flow.states.get(step)?.has('held')) return false;
    const { test } = step.op;
    const [isNegated, tested] = test.kind === 'not' ? [true, test.of] : [false, test];
    // `sent`, or `answer.success`.
    const asked = tested.kind === 'member' ? tested.object : tested;
    if (asked.kind !== 'var' || asked.variable.values.length !== 1) return false;
    const [answer] = asked.variable.values;
    const call = answer?.kind === 'await' ? answer.of : answer;
    // The work has been done under the lock, and its answer is a plain yes or no.
    if (call?.kind !== 'call' || !sameOrder(section.at, call) || !flow.states.get(stepOf(func, call) ?? step)?.has('held')) return false;
    const [good, bad] = isNegated ? [step.next[1], step.next[0]] : [step.next[0], step.next[1]];
    // A way that only throws has not gone well, and what a `finally` does on it is not looked at here.
    return good !== undefined && bad !== undefined && reaches(good, (it) => it === exit) && !isRelease(good) && !reaches(good, isRelease) && (isRelease(bad) || reaches(bad, isRelease));
  });
}

/** Its value says how the work has ended: what is found under the key by whoever comes next is an answer. */
const isAnswered = ({ items, lock }: Section): boolean =>
  items.some((it) => it.kind === 'put' && it.timing === 'now' && !it.event.onlyIfPresent && lock.key !== undefined && sameKey(it.event.key, lock.key) && !(lock.owner && isMadeAlike(it.event.value, lock.owner)));

const sameOrder = (first: CallExpr, second: CallExpr): boolean => first.func === second.func && first.span.end <= second.span.start;
const stepOf = (func: Func, call: CallExpr): Step | undefined => func.graph().steps.find(({ op }) => op.kind === 'call' && op.call === call);

/** The trial call of a circuit breaker is taken and given back like a lock, and so is a mark that keeps somebody out; only the key's words tell. */
function isProbe({ key }: Lock): boolean {
  const words = key ? alternatives(key).flatMap((it) => (it.kind === 'text' ? it.parts : [it])).flatMap((it) => (it.kind === 'const' ? [String(it.value)] : [])).join(' ') : '';
  return lockoutWords.test(words) || (/circuit|probe|half.?open|cool.?down/i.test(words) && !/lock|mutex|lease/i.test(words));
}

/** Only what goes well counts: a release after a failure is a mark that is undone. */
const reaches = (from: Step, test: (step: Step) => boolean): boolean => from.next.some((next) => next !== undefined && [...reachedFrom(next, false)].some(test));
