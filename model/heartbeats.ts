/** Plain writes by which a holder keeps a lock: it looks whose the lock is, and sets its own content once more, with a new expiry. */
import type { AcquireEvent, RenewEvent } from './events.ts';
import type { CallExpr, Func } from './ir.ts';
import { comesFrom, questionsIn, sideOf } from './origins.ts';
import { isMadeAlike } from './owners.ts';
import { pairOf } from './releases.ts';
import { sameKey } from './key-form.ts';
import type { Model } from './story.ts';

export interface Heartbeat {
  event: RenewEvent;
  pair: AcquireEvent;
  /** Where it is asked whose the lock is. */
  read: CallExpr;
}

/** The heartbeats of a function: each would be a renewal if it compared in the same step. */
export function heartbeatsOf(func: Func, model: Model): Heartbeat[] {
  const { known } = model.summaries.of(func);
  return known.flatMap((it) => {
    if (it.kind !== 'put' || it.via.length > 0) return [];
    const { event, at } = it;
    if (!event.hasExpiry || event.onlyIfPresent) return [];
    const pair = pairOf(model, { key: event.key, call: event.call });
    if (!pair?.lock.owner || !isMadeAlike(event.value, pair.lock.owner)) return [];
    const read = known.find((each) => each.kind === 'get' && each.at.span.end <= at.span.start && sameKey(each.event.key, event.key) && isAskedFor(each.at, at, func));
    if (!read) return [];
    return [{ event: { kind: 'renew', call: event.call, library: event.library, key: event.key, ownerChecked: false, how: 'SET' }, pair, read: read.at }];
  });
}

/** The step is reached only where what was read equals something, and for no other reason. */
function isAskedFor(read: CallExpr, step: CallExpr, func: Func): boolean {
  return func.graph().steps.some((branch) => {
    if (branch.op.kind !== 'branch' || branch.span.start < read.span.start || branch.span.start > step.span.start) return false;
    const side = sideOf(branch, step);
    const questions = questionsIn(branch.op.test);
    if (side === undefined || !questions.every(({ expr }) => comesFrom(expr, read))) return false;
    return questions.some(({ expr, isNegated }) => expr.kind === 'binary' && /^[!=]==?$/.test(expr.op) && expr.left.kind !== 'const' && expr.right.kind !== 'const' && expr.op.startsWith('=') === (side !== isNegated));
  });
}
