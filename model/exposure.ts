/** Whether a module hands locks on: one of its functions takes, gives back or prolongs one, or it deals in objects of a library for locks. */
import type { Module } from './ir.ts';
import type { Model } from './story.ts';

const known = new WeakMap<Module, boolean>();

/** What imports such a module may have a lock in its hands. Nothing is said of locks that the module itself takes and gives back. */
export function exposesLocks(model: Model, module: Module): boolean {
  let answer = known.get(module);
  if (answer === undefined) {
    // A module that is asked while it is being looked at, by a circle, adds nothing to itself.
    known.set(module, false);
    known.set(module, (answer = dealsInLocks(model, module) || module.functions.some((func) => touchesLocks(model, func))));
  }
  return answer;
}

const dealsInLocks = (model: Model, module: Module): boolean => module.specifiers.some((it) => model.project.catalog.librariesOf(it).some(({ family }) => family === 'lock'));

function touchesLocks(model: Model, func: Module['functions'][number]): boolean {
  const { deep, grants, told } = model.summaries.of(func);
  return grants.length > 0 || told.length > 0 || deep.some((it) => it.kind === 'acquire' || it.kind === 'release' || it.kind === 'renew' || (it.kind === 'runs' && (it.bodyOf?.length ?? 0) > 0));
}
