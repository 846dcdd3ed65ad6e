/** The steps of a chain of calls: `new Builder().title('a').version('1')`. */
import type { CallExpr, Expr } from './ir.ts';
import type { Value } from './value.ts';

/** Shorter chains are not deeper than other expressions. */
const long = 4;

/** The call whose answer a call is a method of. */
export const stepBefore = (call: CallExpr): CallExpr | undefined => (call.callee.kind === 'member' && call.callee.object.kind === 'call' ? call.callee.object : undefined);

/**
 * What the steps of long chains are, while a later step is looked at. Each is asked for several times by the
 * next one, and a chain is longer than anything else is deep: found from the first one on, each is found
 * once, also where a circle keeps it from being kept for good.
 */
export class CallSteps {
  private readonly found = new Map<Expr, Value>();

  constructor(private readonly value: (step: CallExpr) => Value, private readonly isAtHand: (step: CallExpr) => boolean) {}

  get(step: Expr): Value | undefined {
    return this.found.get(step);
  }

  /** Finds the steps before `last`, and answers which: `end` forgets them. */
  begin(last: CallExpr): readonly CallExpr[] {
    const steps: CallExpr[] = [];
    for (let at = stepBefore(last); at && !this.found.has(at) && !this.isAtHand(at); at = stepBefore(at)) steps.push(at);
    if (steps.length < long) return [];
    for (const it of steps.reverse()) this.found.set(it, this.value(it));
    return steps;
  }

  end(steps: readonly CallExpr[]): void {
    for (const it of steps) this.found.delete(it);
  }
}
