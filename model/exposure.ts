/** Whether a module hands locks on: one of its functions takes, gives back or prolongs one, or it deals in objects of a library for locks. */
import type { Deep } from './deep.ts';
import type { Func, Module } from './ir.ts';
import type { Model } from './story.ts';
import { dealsInLocks } from './touching.ts';

/** By which names whoever imports a module may come to a lock: those of its functions and methods; or `any`, where none is needed. */
export type Exposure = ReadonlySet<string> | 'any';

const known = new WeakMap<Module, Exposure>();
const nothing: Exposure = new Set();

/** What imports such a module may have a lock in its hands. Nothing is said of locks that the module itself takes and gives back. */
export function exposureOf(model: Model, module: Module): Exposure {
  let answer = known.get(module);
  if (answer === undefined) {
    // A module that is asked while it is being looked at, by a circle, adds nothing to itself.
    known.set(module, nothing);
    known.set(module, (answer = dealsInLocks(model, module) ? 'any' : model.project.mayLock(module) ? namesOf(model, module) : nothing));
  }
  return answer;
}

function namesOf(model: Model, module: Module): Exposure {
  const names = new Set<string>();
  for (const func of module.functions) {
    const how = handsOn(model, func);
    if (how === undefined) continue;
    const isMethod = func.kind !== 'constructor' && (func.owner !== undefined || (func.parent !== undefined && func.parent.kind !== 'module'));
    // A function may be imported under another name, and what a framework runs around others is not called by one.
    if (how === 'around' || !isMethod) return 'any';
    if (func.name !== '') names.add(func.name);
    // What stands in a function that hands on the same is reached through that one.
    else if (!func.parent || handsOn(model, func.parent) === undefined) return 'any';
  }
  return names;
}

function handsOn(model: Model, func: Func): 'called' | 'around' | undefined {
  const { grants, told, known } = model.summaries.of(func);
  if (known.some((it) => it.kind === 'runs' && (it.bodyOf?.length ?? 0) > 0)) return 'around';
  return grants.length > 0 || told.length > 0 || known.some(isOfLock) ? 'called' : undefined;
}

/** A key that is only removed may be any key: whose lock it is, is told by who takes it. */
const isOfLock = (it: Deep): boolean => it.kind === 'acquire' || it.kind === 'renew' || (it.kind === 'release' && (it.event.ownerChecked || !(it.event.form === 'del' || it.event.form === 'getdel' || it.event.form === 'expire')));
