/** Modules that are tests: they take locks to see what becomes of them, and what is wrong there is meant. */
import type { Expr, Module } from './ir.ts';
import type { Project } from './project.ts';

/** A function is handed to a test runner where the module begins. */
export const isTest = (module: Module, project: Project): boolean =>
  module.body.graph().steps.some(({ op }) => op.kind === 'call' && op.call.args.some((it) => it.kind === 'function') && isRunner(op.call.callee, project));

/** `test`, `test.only`, `it.each(…)`, and what was made of one. */
function isRunner(expr: Expr, project: Project, depth = 6): boolean {
  if (depth === 0) return false;
  if (expr.kind === 'member') return isRunner(expr.object, project, depth - 1);
  if (expr.kind === 'call') return isRunner(expr.callee, project, depth - 1);
  if (expr.kind !== 'var') return false;
  const { kind, name, values, import: imported } = expr.variable;
  if (imported) return project.catalog.librariesOf(imported.specifier).some((it) => it.tests !== undefined);
  if (kind === 'global') return project.catalog.isTestRunner(name);
  return kind === 'const' && values.length === 1 && isRunner(values[0]!, project, depth - 1);
}
