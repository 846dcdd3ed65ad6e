/** How often a loop is gone through, and for how long, as far as constants say so. */
import type { Expr, Step } from './ir.ts';
import type { Model } from './story.ts';
import type { Value } from './value.ts';

type Bind = (value: Value) => Value;
type Comparison = Expr & { kind: 'binary' };

/** The number of turns of a loop that counts, or that goes through a list that is written down; undefined when it cannot be told. */
export function turnsOf(loop: ReadonlySet<Step>, model: Model, bind: Bind): number | undefined {
  const found: number[] = [];
  for (const step of loop) {
    if (step.op.kind === 'assign' && step.op.value.kind === 'element') {
      const list = bind(model.evaluator.value(step.op.value.of));
      if (list.kind === 'array' && !list.open) found.push(list.items.length);
    }
    for (const test of exitTests(step, loop)) {
      const turns = counted(test, loop, model, bind);
      if (turns !== undefined && turns > 0) found.push(turns);
    }
  }
  return found.length > 0 ? Math.min(...found) : undefined;
}

/** For how many milliseconds a loop goes on by the clock: `while (Date.now() < deadline)`. */
export function ticksOf(loop: ReadonlySet<Step>, model: Model, bind: Bind): number | undefined {
  for (const step of loop) {
    for (const test of exitTests(step, loop)) {
      const [a, b] = [timeOf(test.left, model, bind), timeOf(test.right, model, bind)];
      if (!a || !b || a.clocks !== b.clocks || a.readings + b.readings === 0) continue;
      const ms = Math.abs(b.ms - a.ms);
      if (ms > 0) return ms;
    }
  }
  return undefined;
}

/** Comparisons of a test by which the loop is left. */
function exitTests(step: Step, loop: ReadonlySet<Step>): Comparison[] {
  if (step.op.kind !== 'branch' || step.next.every((it) => it && loop.has(it))) return [];
  const found: Comparison[] = [];
  const visit = (it: Expr): void => {
    if (it.kind === 'logical') [it.left, it.right].forEach(visit);
    else if (it.kind === 'not') visit(it.of);
    else if (it.kind === 'binary' && /^[<>]=?$/.test(it.op)) found.push(it);
  };
  visit(step.op.test);
  return found;
}

/** `i < 6` of a counter that begins with a constant and is raised or lowered in the loop. */
function counted(test: Comparison, loop: ReadonlySet<Step>, model: Model, bind: Bind): number | undefined {
  const numberOf = (expr: Expr): number | undefined => {
    const value = bind(model.evaluator.value(expr));
    return value.kind === 'const' && typeof value.value === 'number' ? value.value : undefined;
  };
  const isCounter = (it: Expr): it is Expr & { kind: 'var' } => it.kind === 'var' && it.variable.values.length > 0 && stepOf(it, loop, numberOf) !== undefined;
  const counter = isCounter(test.left) ? test.left : isCounter(test.right) ? test.right : undefined;
  if (!counter) return undefined;
  const bound = numberOf(counter === test.left ? test.right : test.left);
  const begin = numberOf(counter.variable.values[0]!);
  if (bound === undefined || begin === undefined) return undefined;
  const by = stepOf(counter, loop, numberOf)!;
  return Math.ceil((Math.abs(bound - begin) + (test.op.length === 2 ? 1 : 0)) / by);
}

/** By how much the loop moves a counter; undefined when it does not, or by something unknown. */
function stepOf(counter: Expr & { kind: 'var' }, loop: ReadonlySet<Step>, numberOf: (expr: Expr) => number | undefined): number | undefined {
  for (const { op } of loop) {
    if (op.kind !== 'assign' || op.target.kind !== 'variable' || op.target.variable !== counter.variable) continue;
    // `i++` is lowered to a value that nothing is known of.
    if (op.value.kind === 'opaque') return 1;
    const by = op.value.kind === 'binary' && (op.value.op === '+' || op.value.op === '-') ? numberOf(op.value.right) : undefined;
    return by !== undefined && by !== 0 ? Math.abs(by) : undefined;
  }
  return undefined;
}

/** A point in time or a length, as a sum of readings of the clock and milliseconds. */
interface Time {
  clocks: number;
  readings: number;
  ms: number;
}

function timeOf(expr: Expr, model: Model, bind: Bind, depth = 0): Time | undefined {
  if (depth > 6) return undefined;
  const inner = (it: Expr): Time | undefined => timeOf(it, model, bind, depth + 1);
  if (expr.kind === 'binary' && (expr.op === '+' || expr.op === '-')) {
    const [a, b] = [inner(expr.left), inner(expr.right)];
    if (!a || !b) return undefined;
    const sign = expr.op === '+' ? 1 : -1;
    return { clocks: a.clocks + sign * b.clocks, readings: a.readings + b.readings, ms: a.ms + sign * b.ms };
  }
  if (expr.kind === 'var' && expr.variable.values.length === 1) {
    const found = inner(expr.variable.values[0]!);
    if (found) return found;
  }
  const value = bind(model.evaluator.value(expr));
  if (value.kind === 'const' && typeof value.value === 'number') return { clocks: 0, readings: 0, ms: value.value };
  return expr.kind === 'call' && value.kind === 'fresh' && value.source === 'clock' ? { clocks: 1, readings: 1, ms: 0 } : undefined;
}
