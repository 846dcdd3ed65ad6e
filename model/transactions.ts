/** What is known of open transactions along the steps of a function: begun and ended by statements, by callbacks, by a decorator. */
import { areDifferentConnections, comesFrom, isSameConnection } from './connections.ts';
import type { ModelEvent, PlainEvent, RunsEvent } from './events.ts';
import type { CallExpr, Func, Step } from './ir.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, contains } from './value.ts';

/** `written`: begun, and something has been written since. */
export type TransactionState = 'outside' | 'begun' | 'written';

/** An event of a function, at its place among the others, with the states in which it is reached. */
export interface Timed {
  deep: Deep;
  step: Step;
  states: Set<TransactionState>;
  /** Without a throw, a commit of the same transaction follows; which. */
  commit: Deep | undefined;
}

/** Events of a function in the order in which they happen, and whether a transaction on `connection` is open; any connection's, without one. */
export function followTransactions(func: Func, connection: Value | undefined, model: Model): Timed[] {
  const graph = func.graph();
  const perStep = new Map<Step, Timed[]>();
  for (const step of graph.steps) {
    if (step.op.kind !== 'call') continue;
    perStep.set(step, model.summaries.atCall(step.op.call, func).deep.map((deep) => ({ deep, step, states: new Set<TransactionState>(), commit: undefined })));
  }
  const isOther = (event: PlainEvent): boolean => connection !== undefined && areDifferentConnections(event.value, connection, model);
  const after = (state: TransactionState, it: Deep): TransactionState => {
    if (it.timing !== 'now') return state;
    if (it.kind === 'begin' || it.kind === 'commit') return isOther(it.event) ? state : it.kind === 'begin' ? 'begun' : 'outside';
    return it.kind === 'write' && state === 'begun' && it.event.op !== 'put' && it.event.op !== 'data' ? 'written' : state;
  };
  const seen = new Map<Step, Set<TransactionState>>();
  const work: [Step, TransactionState][] = [[graph.entry, 'outside']];
  for (let it = work.pop(); it; it = work.pop()) {
    const [step, entered] = it;
    let states = seen.get(step);
    if (!states) seen.set(step, (states = new Set()));
    if (states.has(entered)) continue;
    states.add(entered);
    let state = entered;
    for (const timed of perStep.get(step) ?? []) {
      timed.states.add(state);
      state = after(state, timed.deep);
    }
    for (const next of step.next) if (next) work.push([next, state]);
    if (step.fail) for (const each of new Set([entered, state])) work.push([step.fail, each]);
  }
  const all = [...perStep.values()].flat();
  for (const timed of all) if (timed.states.has('written') || (timed.states.has('begun') && timed.deep.kind === 'write')) timed.commit = commitAfter(timed, perStep, isOther);
  return all;
}

function commitAfter(from: Timed, perStep: Map<Step, Timed[]>, isOther: (event: PlainEvent) => boolean): Deep | undefined {
  const list = perStep.get(from.step)!;
  const seen = new Set<Step>();
  const open: [Step, readonly Timed[]][] = [[from.step, list.slice(list.indexOf(from) + 1)]];
  for (let it = open.pop(); it; it = open.pop()) {
    const [step, rest] = it;
    const end = rest.find(({ deep }) => deep.timing === 'now' && (deep.kind === 'begin' || deep.kind === 'commit') && !isOther(deep.event));
    if (end) {
      if (end.deep.kind === 'commit' && !end.deep.event.isRollback) return end.deep;
      continue;
    }
    for (const next of step.next) {
      if (!next || seen.has(next)) continue;
      seen.add(next);
      open.push([next, perStep.get(next) ?? []]);
    }
  }
  return undefined;
}

/** The transaction's own event: what it hands to its body, and whether calls belong to it without naming it. */
export function transactionAt(call: CallExpr, model: Model): RunsEvent | undefined {
  return model.interpreter.meaning(call).events.find((it): it is RunsEvent => it.kind === 'runs' && it.inTransaction === true);
}

/** Calls in its body belong to it without naming it: by its library, or because its body is told nothing by which it could be named. */
export function isAmbient(call: CallExpr, model: Model): boolean {
  const found = transactionAt(call, model);
  if (!found) return false;
  return found.isAmbient === true || (found.body.kind === 'func' && found.body.func.params.length === 0);
}

/** The decorator by which a method runs in a transaction as a whole. */
export function transactionalDecorator(func: Func, model: Model): CallExpr | undefined {
  for (let at: Func | undefined = func; at; at = at.parent) {
    const found = at.decorators.find((it): it is CallExpr => it.kind === 'call' && model.interpreter.opensTransaction(it));
    if (found) return found;
  }
  return undefined;
}

/** Whether something that is sent through `value` belongs to the transaction that `call` runs. */
export function belongsTo(value: Value | undefined, call: CallExpr, model: Model): boolean {
  if (comesFrom(value, call, model)) return true;
  const receiver = model.calls.site(call).receiver;
  return receiver !== undefined && isSameConnection(value, receiver, model);
}

/** Whether a function that is not in sight is handed the transaction. */
export const isHanded = (event: ModelEvent, call: CallExpr, model: Model): boolean =>
  event.kind === 'runs' && event.body.kind !== 'func' && event.args.some((it) => contains(it, (each) => each.kind === 'typed' && comesFrom(each, call, model)));
