/** Objects that a framework puts in reach by the folder of their class: `ctx.service.lock` is what `app/service/lock.js` exports. */
import type { Evaluator } from './evaluator.ts';
import { specifiersOf } from './folder-specifiers.ts';
import type { ClassDef, Module } from './ir.ts';
import { type Value, alternatives } from './value.ts';

/** The class behind property `name` of `of`, where a folder of the project is what it is found by. */
export function classByFolder(of: Value, name: string, evaluator: Evaluator): ClassDef | undefined {
  const names = [name];
  for (let at = of; at.kind === 'field'; at = at.of) {
    const { catalog } = evaluator.project;
    const row = catalog.folders.find(({ property }) => property === (at as Value & { kind: 'field' }).name);
    if (!row) {
      names.unshift(at.name);
      continue;
    }
    const from = moduleOf(at.of);
    return from && specifiersOf(from.file, row, names).map((it) => classIn(evaluator.project.imported(from, it), evaluator)).find((it) => it !== undefined);
  }
  return undefined;
}

/** The module of the function or class that a path of properties begins in. */
function moduleOf(value: Value): Module | undefined {
  let at = value;
  while (at.kind === 'field') at = at.of;
  return at.kind === 'this' ? at.cls.module : at.kind === 'param' ? at.func.module : at.kind === 'instance' ? at.def.module : undefined;
}

/** The class that a module is, or that its function answers: `module.exports = (app) => class extends app.Service {}`. */
function classIn(module: Module | undefined, evaluator: Evaluator): ClassDef | undefined {
  const found = module && evaluator.project.exported(module, 'default');
  if (!found) return undefined;
  const value = evaluator.resolved(found);
  for (const it of alternatives(value.kind === 'func' ? evaluator.returns(value.func) : value)) if (it.kind === 'class') return it.def;
  return undefined;
}
