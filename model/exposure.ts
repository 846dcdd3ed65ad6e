/** Whether a module hands locks to one that imports it: a function of it that the other can come to takes, gives back or prolongs one, or it deals in objects of a library for locks. */
import type { Deep } from './deep.ts';
import type { Func, Module } from './ir.ts';
import type { Model } from './story.ts';
import { dealsInLocks } from './touching.ts';

/** Whether whoever imports a module can come to a method of this name; `owner` names its class, where it has one. */
export type Names = (method: string, owner: string | undefined) => boolean;

const busy = new Set<Module>();

/** Nothing is said of locks that the module itself takes and gives back. */
export function exposesLocks(model: Model, module: Module, names: Names): boolean {
  if (dealsInLocks(model, module)) return true;
  // A module that is asked while it is being looked at, by a circle, adds nothing to itself.
  if (busy.has(module) || !model.project.mayTake(module)) return false;
  busy.add(module);
  const found = module.functions.some((func) => isWithin(func, names) && handsOn(model, func));
  busy.delete(module);
  return found;
}

/** A function may be imported under another name; a method is called by its own. What has no name in a method is that method's. */
function isWithin(func: Func, names: Names): boolean {
  let at = func;
  while (at.name === '' && at.parent && at.parent.kind !== 'module') at = at.parent;
  const isMethod = at.kind !== 'constructor' && (at.owner !== undefined || (at.parent !== undefined && at.parent.kind !== 'module'));
  return !isMethod || at.name === '' || names(at.name, at.owner?.name);
}

function handsOn(model: Model, func: Func): boolean {
  const { grants, told, known } = model.summaries.of(func);
  return grants.length > 0 || told.length > 0 || known.some(isOfLock);
}

/** A key that is only removed may be any key: whose lock it is, is told by who takes it. */
const isOfLock = (it: Deep): boolean => it.kind === 'acquire' || it.kind === 'renew' || (it.kind === 'runs' && (it.bodyOf?.length ?? 0) > 0) || (it.kind === 'release' && (it.event.ownerChecked || !(it.event.form === 'del' || it.event.form === 'getdel' || it.event.form === 'expire')));
