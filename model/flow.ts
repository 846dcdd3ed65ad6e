/**
 * Follows one lock through one function: on which steps it is held, refused, given back. States are
 * kept apart, and what is known of variables is kept per state, so that `if (!ok) return` and
 * `if (held) release()` are seen for what they are.
 */
import type { Evaluator, Store } from './evaluator.ts';
import type { CallExpr, Expr, Func, Step, Variable } from './ir.ts';
import { type Value, alternatives, constant, either, truthiness, unknown } from './value.ts';

/** `shaken`: held, but something has thrown since the grant. */
export type LockState = 'before' | 'held' | 'shaken' | 'refused' | 'released';

export const isHeld = (state: LockState): boolean => state === 'held' || state === 'shaken';

/** How a grant tells its caller. */
export interface Outcomes {
  held: Value;
  /** Undefined when a refusal is never returned. */
  refused: Value | undefined;
  refusalThrows: boolean;
}

export interface Flow {
  states: Map<Step, Set<LockState>>;
  /** Values returned in each state. */
  returned: Map<LockState, Value[]>;
  /** States in which an uncaught throw leaves the function. */
  raised: Set<LockState>;
  /** Steps at which a held lock is given back. */
  releasing: Set<Step>;
  /** Tests of which it is not known how they come out, by state. */
  undecided: Map<Step, Set<LockState>>;
}

export interface Tracked {
  /** Calls that take the lock; a duplicated `finally` may hold more than one of the same. */
  isAcquire: (call: CallExpr) => boolean;
  outcomes: Outcomes;
  /** Calls after which the lock is given back, seen with what is known on the path. */
  releases: (call: CallExpr, store: Store) => boolean;
  /** Calls that never come back: the process ends, or they always throw. */
  ends?: (call: CallExpr) => 'exits' | 'throws' | undefined;
  /** A call that asks for the same lock in another way, once it was refused: what it answers when it is refused as well. */
  refusedAgain?: (call: CallExpr) => Value | 'throws' | undefined;
  /** Answers that are those of the function's own further call: they say nothing new. */
  isRetry?: (answer: Expr) => boolean;
  /** Disposing this variable gives the lock back. */
  disposes: (variable: Variable, store: Store) => boolean;
  /** The parameters that are told the answer, where the function is the acquire's callback. */
  answers?: { variable: Variable; held: Value; refused: Value | undefined }[];
  /** Sees every call, with what is known on the path. */
  observe?: (call: CallExpr, state: LockState, store: Store) => void;
  /** Whether control is followed from one step to the next, which it reaches in this state; the store is what is known before. Always, without it. */
  follows?: (from: Step, to: Step, state: LockState, store: Store) => boolean;
}

/** Steps are looked at again while what is known at them still changes, but not for ever. */
const maxVisits = 24;

export function follow(func: Func, tracked: Tracked, evaluator: Evaluator): Flow {
  const graph = func.graph();
  const flow: Flow = { states: new Map(), returned: new Map(), raised: new Set(), releasing: new Set(), undecided: new Map() };
  const stores = new Map<Step, Map<LockState, Store>>();
  const visits = new Map<Step, number>();
  const work: { step: Step; state: LockState; store: Store }[] = [];

  const send = (step: Step | undefined, state: LockState, store: Store): void => {
    if (!step) return;
    let at = stores.get(step);
    if (!at) stores.set(step, (at = new Map()));
    const known = at.get(state);
    const merged = known ? merge(known, store) : store;
    if (known && merged === known) return;
    const count = (visits.get(step) ?? 0) + 1;
    visits.set(step, count);
    if (count > 2 * maxVisits) return;
    // A loop that goes on teaching something new teaches nothing: only what calls have answered is kept.
    const kept = count > maxVisits ? { variables: new Map<Variable, Value>(), results: merged.results, fields: new Map<string, Value>() } : merged;
    at.set(state, kept);
    work.push({ step, state, store: kept });
  };

  const nothingKnown: Store = { variables: new Map(), results: new Map(), fields: new Map() };
  if (tracked.answers) {
    const told = (side: 'held' | 'refused'): Store => ({ ...nothingKnown, variables: new Map(tracked.answers!.flatMap((it) => (it[side] ? [[it.variable, it[side]!] as const] : []))) });
    send(graph.entry, 'held', told('held'));
    if (tracked.outcomes.refused) send(graph.entry, 'refused', told('refused'));
  } else send(graph.entry, 'before', nothingKnown);
  for (let it = work.pop(); it; it = work.pop()) {
    const { step, state } = it;
    // Only the newest knowledge of a step is worth following.
    const store = stores.get(step)!.get(state)!;
    let states = flow.states.get(step);
    if (!states) flow.states.set(step, (states = new Set()));
    states.add(state);
    if (step === graph.exit) continue;
    if (step === graph.raise) {
      flow.raised.add(state);
      continue;
    }
    const thrown: LockState = state === 'held' ? 'shaken' : state;
    const { op } = step;
    const go = (to: Step | undefined, next: LockState, known: Store): void => {
      if (to && tracked.follows?.(step, to, next, store) !== false) send(to, next, known);
    };
    switch (op.kind) {
      case 'call': {
        tracked.observe?.(op.call, state, store);
        if (tracked.isAcquire(op.call)) {
          const { outcomes } = tracked;
          go(step.next[0], 'held', withResult(store, op.call, outcomes.held));
          if (outcomes.refused) go(step.next[0], 'refused', withResult(store, op.call, outcomes.refused));
          go(step.fail, outcomes.refusalThrows ? 'refused' : state === 'held' ? 'shaken' : state, store);
          break;
        }
        const again = state === 'refused' ? tracked.refusedAgain?.(op.call) : undefined;
        if (again !== undefined) {
          // Granted this time, it is another way to the lock, which is followed by itself.
          if (again !== 'throws') go(step.next[0], state, withResult(store, op.call, again));
          go(step.fail, state, store);
          break;
        }
        const next: LockState = isHeld(state) && tracked.releases(op.call, store) ? 'released' : state;
        if (next !== state) flow.releasing.add(step);
        const end = tracked.ends?.(op.call);
        if (end === 'exits') break;
        if (!end) go(step.next[0], next, store);
        go(step.fail, next === 'released' ? 'released' : thrown, store);
        break;
      }
      case 'dispose': {
        const next: LockState = isHeld(state) && tracked.disposes(op.variable, store) ? 'released' : state;
        if (next !== state) flow.releasing.add(step);
        go(step.next[0], next, store);
        go(step.fail, next === 'released' ? next : thrown, store);
        break;
      }
      case 'await':
        go(step.next[0], state, store);
        // That the acquire itself threw has been told at its call.
        if (!isAcquired(op.expr, tracked)) go(step.fail, thrown, store);
        break;
      case 'assign':
        go(step.next[0], state, assigned(step, store, evaluator));
        break;
      case 'branch': {
        const truth = truthiness(evaluator.value(op.test, store));
        if (truth === undefined) flow.undecided.set(step, (flow.undecided.get(step) ?? new Set<LockState>()).add(state));
        if (truth !== false) go(step.next[0], state, assume(op.test, true, store, evaluator));
        if (truth !== true) go(step.next[1], state, assume(op.test, false, store, evaluator));
        break;
      }
      case 'return': {
        if (op.value && tracked.isRetry?.(op.value)) {
          go(step.next[0], state, store);
          break;
        }
        const value = op.value ? evaluator.value(op.value, store) : constant(undefined);
        const list = flow.returned.get(state);
        if (list) list.push(value);
        else flow.returned.set(state, [value]);
        go(step.next[0], state, store);
        break;
      }
      case 'throw':
        go(step.fail, thrown, store);
        break;
      default:
        for (const next of step.next) go(next, state, store);
    }
  }
  return flow;
}

const isAcquired = (expr: Expr, tracked: Tracked): boolean => expr.kind === 'await' && expr.of.kind === 'call' && tracked.isAcquire(expr.of);

function withResult(store: Store, call: CallExpr, value: Value): Store {
  return { ...store, results: new Map(store.results).set(call, value) };
}

function assigned(step: Step, store: Store, evaluator: Evaluator): Store {
  if (step.op.kind !== 'assign') return store;
  const { target, value } = step.op;
  if (target.kind === 'variable') {
    const { variable } = target;
    // A constant that does not depend on the path is the same everywhere.
    if (variable.kind === 'const' && store.results.size === 0 && variable.values.length === 1) return store;
    return { ...store, variables: new Map(store.variables).set(variable, evaluator.value(value, store)) };
  }
  if (target.kind === 'field' && target.object.kind === 'this') return { ...store, fields: new Map(store.fields).set(target.name, evaluator.value(value, store)) };
  return store;
}

/** Same knowledge: the same store. What is known on one way only is forgotten, but for results of calls. */
function merge(a: Store, b: Store): Store {
  if (a === b) return a;
  const variables = mergeMaps(a.variables, b.variables, false);
  const results = mergeMaps(a.results, b.results, true);
  const fields = mergeMaps(a.fields, b.fields, false);
  return variables === a.variables && results === a.results && fields === a.fields ? a : { variables, results, fields };
}

/** A number that is counted is no number in particular. */
function widened(value: Value): Value {
  return value.kind === 'either' && value.of.filter((it) => it.kind === 'const' && typeof it.value === 'number').length > 2 ? unknown('a counter') : value;
}

function mergeMaps<K>(a: Map<K, Value>, b: Map<K, Value>, keepOne: boolean): Map<K, Value> {
  let changed = false;
  const merged = new Map<K, Value>();
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined) {
      if (keepOne) merged.set(key, value);
      else changed = true;
      continue;
    }
    const joined = widened(either([value, other]));
    const same = joined === value || (joined.kind === 'unknown' && value.kind === 'unknown') || (joined.kind === value.kind && alternatives(joined).length === alternatives(value).length);
    merged.set(key, same ? value : joined);
    changed ||= !same;
  }
  if (keepOne) {
    for (const [key, value] of b) {
      if (a.has(key)) continue;
      merged.set(key, value);
      changed = true;
    }
  }
  return changed ? merged : a;
}

/** What a passed test tells about the variables in it. */
function assume(test: Expr, truth: boolean, store: Store, evaluator: Evaluator): Store {
  switch (test.kind) {
    case 'not':
      return assume(test.of, !truth, store, evaluator);
    case 'await':
      return assume(test.of, truth, store, evaluator);
    case 'logical':
      if (test.op === '&&' && truth) return assume(test.right, true, assume(test.left, true, store, evaluator), evaluator);
      if (test.op === '||' && !truth) return assume(test.right, false, assume(test.left, false, store, evaluator), evaluator);
      return store;
    case 'var':
      return narrow(test.variable, store, evaluator, (it) => truthiness(it) !== !truth);
    case 'binary': {
      const isEquality = test.op === '===' || test.op === '==' || test.op === '!==' || test.op === '!=';
      if (!isEquality || test.left.kind !== 'var') return store;
      const equal = (test.op === '===' || test.op === '==') === truth;
      const right = evaluator.value(test.right, store);
      if (right.kind !== 'const') return store;
      const loose = test.op === '==' || test.op === '!=';
      const matches = (it: Value): boolean | undefined => {
        if (it.kind === 'const') return loose && (right.value === null || right.value === undefined) ? it.value === null || it.value === undefined : it.value === right.value;
        if ((right.value === null || right.value === undefined || typeof right.value === 'boolean') && truthiness(it) === true) return false;
        return undefined;
      };
      return narrow(test.left.variable, store, evaluator, (it) => matches(it) !== !equal);
    }
    default:
      return store;
  }
}

function narrow(variable: Variable, store: Store, evaluator: Evaluator, keep: (it: Value) => boolean): Store {
  const value = store.variables.get(variable) ?? (variable.values.length > 1 ? evaluator.variable(variable) : undefined);
  if (value?.kind !== 'either') return store;
  const kept = value.of.filter(keep);
  if (kept.length === 0 || kept.length === value.of.length) return store;
  return { ...store, variables: new Map(store.variables).set(variable, either(kept)) };
}
