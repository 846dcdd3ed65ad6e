/** Calls that never come back to the function that makes them: the process ends there, or they always throw. */
import type { Interpreter } from './interpret.ts';
import type { CallExpr, Func, Step } from './ir.ts';

export type Ending = 'exits' | 'throws';

export class Endings {
  private readonly known = new WeakMap<Func, Ending | undefined>();

  constructor(private readonly interpreter: Interpreter) {}

  /** How a call ends the path that it stands on; undefined when it may come back. */
  of(call: CallExpr): Ending | undefined {
    const { events, entered } = this.interpreter.meaning(call);
    if (events.some((it) => it.kind === 'exit')) return 'exits';
    if (entered.length === 0 || call.isNew) return undefined;
    const endings = entered.map(({ callee }) => {
      // What an asynchronous function does to its caller is known only where it is waited for.
      const isWaited = !callee.func.isAsync || call.use === 'await' || call.use === 'return';
      return callee.func.isGenerator || !isWaited ? undefined : this.ofFunction(callee.func);
    });
    if (endings.some((it) => it === undefined)) return undefined;
    return endings.every((it) => it === 'exits') ? 'exits' : 'throws';
  }

  private ofFunction(func: Func): Ending | undefined {
    if (this.known.has(func)) return this.known.get(func);
    // While it is looked at, a function that calls itself may come back.
    this.known.set(func, undefined);
    const graph = func.graph();
    const seen = new Set<Step>();
    const open = [graph.entry];
    let exits = false;
    for (let step = open.pop(); step; step = open.pop()) {
      if (seen.has(step)) continue;
      seen.add(step);
      const end = step.op.kind === 'call' ? this.of(step.op.call) : undefined;
      exits ||= end === 'exits';
      if (!end) open.push(...step.next.filter((it) => it !== undefined));
      // A call that ends the process is not taken to fail, and what is thrown nowhere is not expected.
      if (step.fail && (step.op.kind === 'throw' || end === 'throws' || step.fail !== graph.raise)) open.push(step.fail);
    }
    // A method that only throws is there for a subclass to take its place.
    const throws = func.owner && !func.isStatic ? undefined : 'throws';
    const ending = seen.has(graph.exit) ? undefined : seen.has(graph.raise) ? throws : exits ? 'exits' : undefined;
    this.known.set(func, ending);
    return ending;
  }
}
