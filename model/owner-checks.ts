/** Lock rows that are given back or prolonged after their owner was compared in the same transaction: nobody can take them over between the two. */
import type { ReleaseEvent, RenewEvent } from './events.ts';
import type { Step } from './ir.ts';
import { comesFrom, questionsIn, sideOf } from './origins.ts';
import { sameKey } from './key-form.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { transactionalDecorator } from './transactions.ts';
import { sameSite } from './value.ts';

/** Whether the row is read before the step in one transaction with it, and the step runs only where what was read equals something. */
export function isCheckedInTransaction(event: ReleaseEvent | RenewEvent, model: Model): boolean {
  if (event.table === undefined) return false;
  const { func } = event.call;
  const { deep } = model.summaries.of(func);
  const reads = deep.filter((it) => it.via.length === 0 && it.kind === 'read' && it.at.span.start < event.call.span.start && isOfRow(it, event));
  if (reads.length === 0) return false;
  const branches = func.graph().steps.filter((it) => it.op.kind === 'branch' && it.span.start < event.call.span.start);
  return reads.some((read) => isInTransaction(read, event, model) && branches.some((branch) => demandsEqual(branch, read, event)));
}

const isOfRow = ({ event }: Deep, step: ReleaseEvent | RenewEvent): boolean => event.kind === 'read' && event.value !== undefined && ((event.value.kind === 'const' && event.value.value === step.table) || (step.key !== undefined && sameKey(event.value, step.key)));

/** The read locks the row, or both stand in the body of a transaction, in a method that is one, or after its begin. */
function isInTransaction(read: Deep, event: ReleaseEvent | RenewEvent, model: Model): boolean {
  if (read.kind === 'read' && read.event.locksOn !== undefined) return true;
  const { func } = event.call;
  if (transactionalDecorator(func, model) || model.summaries.of(func).deep.some((it) => it.kind === 'begin' && it.at.span.start < read.at.span.start)) return true;
  return func.parent !== undefined && model.summaries.of(func.parent).deep.some((it) => it.inTransaction !== undefined && sameSite(it.site, event.call));
}

/** On the one side of the branch on which alone the step stands, something of what was read is equal to something else. */
function demandsEqual(branch: Step, read: Deep, event: ReleaseEvent | RenewEvent): boolean {
  if (branch.op.kind !== 'branch') return false;
  const side = sideOf(branch, event.call);
  if (side === undefined) return false;
  return questionsIn(branch.op.test).some(({ expr, isNegated }) => {
    if (expr.kind !== 'binary' || !/^[=!]==?$/.test(expr.op) || isNothing(expr.left) || isNothing(expr.right)) return false;
    const isEqual = expr.op.startsWith('=') === (side !== isNegated);
    return isEqual && comesFrom(expr.left, read.at) !== comesFrom(expr.right, read.at);
  });
}

const isNothing = (expr: { kind: string; value?: unknown }): boolean => expr.kind === 'const' && (expr.value === null || expr.value === undefined || typeof expr.value === 'boolean' || typeof expr.value === 'number');
