/** Does anybody look at what a call answers, where the answer tells it? */
import { usesIn } from './expression-uses.ts';
import type { CallExpr, Expr, Func, Variable } from './ir.ts';
import type { Model } from './story.ts';

/** A place in the answer: property names and indexes from the answer on. Empty: the answer itself. */
type Path = readonly string[];

/**
 * Whether it is certain that nobody looks at these places of a call's answer. What is returned or
 * handed on may be looked at by somebody else.
 */
export function isAnswerUnread(call: CallExpr, paths: readonly Path[], model: Model): boolean {
  if (paths.length === 0 || isToldByCallback(call, model)) return false;
  return isUnread(call, call.func, paths, model, 0);
}

function isToldByCallback(call: CallExpr, model: Model): boolean {
  const site = model.calls.site(call);
  const last = site.args[site.args.length - 1];
  return last?.kind === 'func' && model.calls.match(site).some((it) => it.row.delivery?.callback !== undefined);
}

function isUnread(expr: Expr, func: Func, paths: readonly Path[], model: Model, depth: number): boolean {
  if (paths.length === 0) return true;
  if (depth > 12) return false;
  const uses = usesIn(func).get(expr);
  if (!uses) return false;
  const inner = (it: Expr, rest: readonly Path[]): boolean => isUnread(it, func, rest, model, depth + 1);
  const property = (it: Expr, name: string): boolean => {
    const rest = paths.filter((path) => path.length === 0 || path[0] === name).map((path) => path.slice(1));
    return !paths.some((path) => path.length <= 1 && (path.length === 0 || path[0] === name)) && inner(it, rest);
  };
  // An object that is there either way: that it is there says nothing.
  const isThere = paths.every((path) => path.length > 0);
  const hasOneUse = uses.steps.every((op) => {
    if (op.kind === 'call' || op.kind === 'await') return true;
    if (op.kind === 'branch' && op.test === expr) return isThere;
    return op.kind === 'assign' && op.target.kind === 'variable' && op.value === expr && isVariableUnread(op.target.variable, paths, model, depth);
  });
  return hasOneUse && uses.parents.every((parent) => {
    switch (parent.kind) {
      case 'not':
        return isThere;
      case 'await':
      case 'logical':
      case 'conditional':
        return inner(parent, paths);
      case 'assign':
        return parent.target.kind === 'variable' && isVariableUnread(parent.target.variable, paths, model, depth) && inner(parent, paths);
      case 'part':
        return property(parent, String(parent.name));
      case 'member': {
        if (parent.object !== expr || typeof parent.name !== 'string') return false;
        const step = usesIn(func).get(parent)?.parents.find((it): it is CallExpr => it.kind === 'call' && it.callee === parent);
        if (!step) return property(parent, parent.name);
        const further = model.calls.match(model.calls.site(step)).find((it) => model.calls.isChainStep(it));
        if (further) return !further.effects.some((it) => it.kind === 'build' && it.throwsOnMiss) && inner(step, paths);
        // The answer of `catch` and `finally` is that of the call itself; `then` looks at it unless its callback takes nothing.
        if (parent.name === 'catch' || parent.name === 'finally') return inner(step, paths);
        return parent.name === 'then' && step.args.length === 1 && step.args[0]?.kind === 'function' && step.args[0].func.params.length === 0;
      }
      case 'array': {
        const joined = usesIn(func).get(parent)?.parents.find((it): it is CallExpr => it.kind === 'call' && isPromiseAll(it));
        return joined !== undefined && inner(joined, paths.map((path) => [String(parent.items.indexOf(expr)), ...path]));
      }
      default:
        return false;
    }
  });
}

const isPromiseAll = ({ callee }: CallExpr): boolean => callee.kind === 'member' && callee.name === 'all' && callee.object.kind === 'var' && callee.object.variable.kind === 'global' && callee.object.variable.name === 'Promise';

/** What the module itself keeps may be read by others. */
function isVariableUnread(variable: Variable, paths: readonly Path[], model: Model, depth: number): boolean {
  const { owner } = variable;
  if (!owner || owner.kind === 'module') return false;
  return owner.module.functions.every((func) => {
    for (const expr of usesIn(func).keys()) if (expr.kind === 'var' && expr.variable === variable && !isUnread(expr, func, paths, model, depth + 1)) return false;
    return true;
  });
}
