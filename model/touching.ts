/** Whether something in a module itself is done to a lock: by one of its calls, whoever calls it. */
import { statement } from './entering.ts';
import type { ModelEvent } from './events.ts';
import type { CallExpr, Expr, Module } from './ir.ts';
import type { Project } from './project.ts';
import type { Model } from './story.ts';
import { isTest } from './tests.ts';
import { type Value, contains } from './value.ts';

/** What is done to locks in a module. */
export interface Touches {
  /** Anything that may concern one. */
  any: boolean;
  /** What takes one, or needs to hold it: a key that is only removed or prolonged may be any key. */
  taking: boolean;
  /** Data of a store is read or written, which may be fenced without any lock; or a statement is handed to a function. */
  data: boolean;
}

const known = new WeakMap<Module, Touches>();

/** Kinds of events that are about locks or may be for a caller, and no other: a key that is put where there is none is an acquire. */
export const isAboutLocks = ({ kind }: ModelEvent): boolean => kind === 'acquire' || kind === 'release' || kind === 'renew' || kind === 'database-lock' || kind === 'holds' || kind === 'watch' || kind === 'open';

/** Of decorators that take locks, and of code that makes objects of a library for locks, all is true. */
export function touchesOf(model: Model, module: Module): Touches {
  let answer = known.get(module);
  if (!answer) known.set(module, (answer = find(model, module)));
  return answer;
}

function find(model: Model, module: Module): Touches {
  if (isTest(module, model.project)) return { any: false, taking: false, data: false };
  const decorates = module.functions.some((func) => func.decorators.some((it) => it.kind === 'call' && model.interpreter.decorated(it) !== undefined));
  // What a script does that is in sight is often told elsewhere, where it is run under a name of its own.
  if (decorates || dealsInLocks(model, module) || module.text.includes('redis.call')) return { any: true, taking: true, data: true };
  let [any, data] = [false, false];
  for (const func of module.functions) {
    for (const { op } of func.graph().steps) {
      if (op.kind !== 'call' || !mayBeOfStore(op.call, model.project)) continue;
      const { events, entered } = model.interpreter.meaning(op.call);
      const ofLocks = events.filter(isAboutLocks);
      any ||= ofLocks.length > 0;
      data ||= events.some(isData) || entered.some(({ args }) => args.some((it) => contains(it, isStatement)));
      if (ofLocks.some((it) => !isOfAnyKey(it))) return { any, taking: true, data: true };
    }
  }
  return { any, taking: false, data };
}

/** By what it is called with and on, before any of it is evaluated: most calls are of functions of the project, or of methods that no store has. */
function mayBeOfStore({ callee, args }: CallExpr, project: Project): boolean {
  if (args.some(holdsStatement)) return true;
  if (callee.kind === 'member') return typeof callee.name !== 'string' || project.catalog.isOfStore(callee.name);
  if (callee.kind !== 'var') return true;
  const { kind, values, import: imported } = callee.variable;
  // What an own module hands out is asked about there.
  if (imported) return project.catalog.librariesOf(imported.specifier).length > 0;
  return kind !== 'global' && !(values.length === 1 && (values[0]!.kind === 'function' || values[0]!.kind === 'class'));
}

/** A statement that stands in the call, as a text or as what an object or a list holds. */
function holdsStatement(expr: Expr): boolean {
  switch (expr.kind) {
    case 'const':
      return typeof expr.value === 'string' && statement.test(expr.value);
    case 'template':
      return expr.parts.some((it) => typeof it === 'string' && statement.test(it));
    case 'object':
      return expr.props.some((it) => holdsStatement(it.value));
    case 'array':
      return expr.items.some(holdsStatement);
    default:
      // Kept under a name.
      return expr.kind === 'var' && expr.variable.kind === 'const' && expr.variable.values.length === 1 && expr.variable.values[0]!.kind !== 'var' && holdsStatement(expr.variable.values[0]!);
  }
}

const isStatement = (it: Value): boolean => it.kind === 'const' && typeof it.value === 'string' && statement.test(it.value);

const isData = ({ kind }: ModelEvent): boolean => kind !== 'runs' && kind !== 'log' && kind !== 'wait' && kind !== 'exit' && kind !== 'external';

/** Whether a module does anything to data, itself or by functions of modules that do; however far away those are, where a lock can be taken is asked elsewhere. */
export const worksOnData = (model: Model, module: Module): boolean =>
  touchesOf(model, module).data || module.functions.some((func) => func.graph().steps.some(({ op }) => op.kind === 'call' && model.interpreter.meaning(op.call).entered.some(({ callee }) => touchesOf(model, callee.func.module).data)));

/** A key that is removed or prolonged, whoever holds it. */
export const isOfAnyKey = (it: ModelEvent): boolean => (it.kind === 'release' && !it.ownerChecked && (it.form === 'del' || it.form === 'getdel' || it.form === 'expire')) || (it.kind === 'renew' && !it.ownerChecked && it.key !== undefined && it.table === undefined);

/** It names a library for locks. */
export const dealsInLocks = (model: Model, module: Module): boolean => module.specifiers.some((it) => model.project.catalog.librariesOf(it).some(({ family }) => family === 'lock'));
