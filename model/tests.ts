/** Modules that are tests: they take locks to see what becomes of them, and what is wrong there is meant. */
import type { Expr, Module } from './ir.ts';
import type { Project } from './project.ts';

/** A function is handed to a test runner where the module begins. */
export const isTest = (module: Module, project: Project): boolean =>
  module.body.graph().steps.some(({ op }) => op.kind === 'call' && op.call.args.some((it) => it.kind === 'function') && isRunner(op.call.callee, project));

/** `test`, `test.only`, `it.each(…)`, and what was made of one or calls one, also in another module. */
function isRunner(expr: Expr, project: Project, depth = 9): boolean {
  if (depth <= 0) return false;
  const isOne = (it: Expr | undefined): boolean => it !== undefined && isRunner(it, project, depth - 1);
  if (expr.kind === 'member') return isOne(expr.object);
  if (expr.kind === 'part') return isOne(expr.of);
  if (expr.kind === 'call') return isOne(expr.callee) || isOne(expr.args[0]);
  if (expr.kind === 'conditional') return isOne(expr.yes) || isOne(expr.no);
  if (expr.kind === 'function') return expr.func.graph().steps.some(({ op }) => op.kind === 'call' && isRunner(op.call.callee, project, depth - 4));
  if (expr.kind !== 'var') return false;
  const { kind, name, values, import: imported, module } = expr.variable;
  if (kind === 'global') return project.catalog.isTestRunner(name);
  if (!imported) return kind === 'const' && values.length === 1 && isRunner(values[0]!, project, depth - 1);
  if (isOfRunner(imported.specifier, project)) return true;
  const found = module && project.resolve(module, imported.specifier, imported.name);
  if (found?.kind === 'value') return isRunner(found.expr, project, depth - 1);
  return found?.kind === 'package' && (isOfRunner(found.specifier, project) || plainNames.has(found.name));
}

const isOfRunner = (specifier: string, project: Project): boolean => project.catalog.librariesOf(specifier).some((it) => it.tests !== undefined);

/** What runs tests is called so in runners that nobody has described, too. */
const plainNames: ReadonlySet<string> = new Set(['describe', 'it', 'test']);
