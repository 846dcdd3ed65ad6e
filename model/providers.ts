/**
 * What stands behind something injected: the class, factory or value that a provider in sight binds
 * to its token, or the only class that implements the interface it is injected under.
 */
import type { Evaluator } from './evaluator.ts';
import type { ClassDef, Expr, Module, TypeRef } from './ir.ts';
import { type Value, sameValue } from './value.ts';

/** The value that a provider binds to what the decorators of a parameter or field name, or to the class that it is annotated with. */
export function provided(decorators: readonly Expr[], annotation: TypeRef | undefined, module: Module, evaluator: Evaluator): Value | undefined {
  const named = decorators.flatMap((it) => (it.kind === 'call' && it.args.length === 1 ? [it.args[0]!] : []));
  const asked = named.length > 0 ? named : annotation?.kind === 'name' && annotation.variable?.kind !== 'type' && annotation.variable ? [variableExpr(annotation.variable)] : [];
  for (const it of asked) {
    const token = evaluator.value(it);
    if (!isToken(token)) continue;
    const found = inSight(it, module, evaluator).flatMap((each) => [...each.objects.values()]).flatMap((provider) => boundBy(provider, token, evaluator) ?? []);
    // Tests and features bind the same token to different things: then it is not known which.
    if (found.length > 0) return found.every((each) => sameBound(each, found[0]!)) ? found[0] : undefined;
  }
  return undefined;
}

const variableExpr = (variable: NonNullable<(TypeRef & { kind: 'name' })['variable']>): Expr => ({ kind: 'var', variable, span: variable.span });

/** A text, a symbol, which is like no other that is made elsewhere, or a class. */
const isToken = (value: Value): boolean =>
  (value.kind === 'const' && typeof value.value === 'string') || value.kind === 'class' || value.kind === 'fresh' || (value.kind === 'result' && value.callee.kind === 'global' && value.args.length > 0);

/** The module that injects, the one where the token is from, and those beside and above them that name it. */
function inSight(token: Expr, module: Module, evaluator: Evaluator): Module[] {
  const { project } = evaluator;
  const root = token.kind === 'member' ? token.object : token;
  const home = root.kind === 'var' && root.variable.import && root.variable.module ? project.imported(root.variable.module, root.variable.import.specifier) : undefined;
  const name = root.kind === 'var' ? root.variable.name : root.kind === 'const' && typeof root.value === 'string' ? root.value : undefined;
  const found = new Set<Module>([module]);
  if (home) found.add(home);
  if (name !== undefined) for (const it of [module, home]) for (const each of it ? [...project.beside(it, name), ...project.above(it, name)] : []) found.add(each);
  return [...found];
}

function boundBy(provider: Expr & { kind: 'object' }, token: Value, evaluator: Evaluator): Value | undefined {
  const prop = (name: string): Value | undefined => {
    const found = provider.props.find((it) => it.name === name);
    return found && evaluator.value(found.value);
  };
  for (const row of evaluator.project.catalog.injections) {
    const named = prop(row.token);
    if (!named || !sameValue(named, token)) continue;
    for (const { property, how } of row.binds) {
      const value = prop(property);
      const bound = how === 'itself' ? value : value?.kind === 'func' ? evaluator.applied(value, []) : undefined;
      if (bound) return bound;
    }
  }
  return undefined;
}

const sameBound = (a: Value, b: Value): boolean => sameValue(a, b) || (a.kind === 'instance' && b.kind === 'instance' && a.def === b.def);

/** The one class in sight, or beside the interface's own file, that implements an interface. */
export function implementing(name: string, home: Module, module: Module, evaluator: Evaluator): ClassDef | undefined {
  const { project } = evaluator;
  const among = (modules: readonly Module[], isIt: (ref: TypeRef & { kind: 'name' }) => boolean): ClassDef[] =>
    [...new Set(modules)].flatMap((it) => it.classes).filter((cls) => cls.implements.some((ref) => ref.kind === 'name' && ref.name === name && isIt(ref)));
  const near = among([home, module], () => true);
  if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  if (!hasMethods(home.types.get(name))) return undefined;
  const found = among(project.beside(home, name), ({ variable }) => variable?.import !== undefined && variable.module !== undefined && project.imported(variable.module, variable.import.specifier) === home);
  return found.length === 1 ? found[0] : undefined;
}

const hasMethods = (type: TypeRef | undefined): boolean => type?.kind === 'object' ? [...type.members.values()].some((it) => it.kind === 'function') : type?.kind === 'union' && type.of.some(hasMethods);
