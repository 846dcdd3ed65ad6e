/**
 * Which steps throw in earnest. The graph gives every call and await an edge for the throw; here a log
 * line, a pause or a promise whose failure is handled throws nothing, and a function of the project
 * throws only when something in it does.
 */
import type { Interpreter } from './interpret.ts';
import type { CallExpr, Expr, Func, Step } from './ir.ts';
import type { Model } from './story.ts';

/** Of each function, whether a throw can leave it; the same for every file, for it depends on the function alone. */
const known = new WeakMap<Func, boolean>();

/** Whether control may leave a step by its throw: a `throw`, an await of work, a function of the project that throws. */
export function mayThrow(model: Model, { op }: Step): boolean {
  switch (op.kind) {
    case 'throw':
      return true;
    case 'await':
      return op.expr.kind === 'await' && mayReject(model, op.expr.of);
    case 'call':
      return throwsAtOnce(model, op.call);
    default:
      return false;
  }
}

/** A call that throws before it answers: a synchronous function that throws, a statement of a synchronous database. */
function throwsAtOnce(model: Model, call: CallExpr): boolean {
  const { entered } = model.interpreter.meaning(call);
  if (entered.some(({ callee }) => !callee.func.isAsync && canFail(model, callee.func))) return true;
  return model.calls.match(model.calls.site(call)).some((it) => it.library.edits?.isSync === true && it.effects.some((effect) => effect.kind === 'sql'));
}

function mayReject(model: Model, of: Expr): boolean {
  if (of.kind === 'conditional') return mayReject(model, of.yes) || mayReject(model, of.no);
  if (of.kind !== 'call') return of.kind !== 'const';
  if (isHandled(of)) return false;
  const { events, entered } = model.interpreter.meaning(of);
  if (entered.length > 0) return entered.some(({ callee }) => canFail(model, callee.func) || (!callee.func.isAsync && answersFailing(model, callee.func)));
  if (of.isNew) return rejects(model.interpreter, of);
  // A client or connection that is only made or handed out.
  if (events.length === 0 && model.evaluator.value(of).kind === 'typed') return false;
  return !events.some((it) => it.kind === 'log' || it.kind === 'wait');
}

/** `p.catch(handler)`: what fails is handled. */
const isHandled = (call: CallExpr): boolean => call.callee.kind === 'member' && call.callee.name === 'catch' && call.args.length > 0;

/** `new Promise((resolve) => …)` is never rejected. */
const rejects = (interpreter: Interpreter, call: CallExpr): boolean => {
  const bodies = interpreter.meaning(call).events.flatMap((it) => (it.kind === 'runs' && it.body.kind === 'func' ? [it.body.func] : []));
  return bodies.length === 0 || bodies.some((it) => it.params.length > 1);
};

/** Whether something that fails in the function leaves it. */
function canFail(model: Model, func: Func): boolean {
  const before = known.get(func);
  if (before !== undefined) return before;
  // A function that calls itself fails by something else in it, or not at all.
  known.set(func, false);
  const graph = func.graph();
  const seen = new Set<Step>();
  const open = [graph.entry];
  for (let step = open.pop(); step; step = open.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    open.push(...step.next.filter((it) => it !== undefined));
    if (step.fail && mayThrow(model, step)) open.push(step.fail);
  }
  const fails = seen.has(graph.raise);
  known.set(func, fails);
  return fails;
}

/** A function that hands on the promise of something that can fail. */
const answersFailing = (model: Model, func: Func): boolean =>
  func.graph().steps.some((it) => it.op.kind === 'return' && it.op.value !== undefined && it.op.value.kind === 'call' && mayReject(model, it.op.value));
