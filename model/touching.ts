/** Whether something in a module itself is done to a lock: by one of its calls, whoever calls it. */
import type { ModelEvent } from './events.ts';
import type { Module } from './ir.ts';
import type { Model } from './story.ts';

const known = new WeakMap<Module, boolean>();

/** Kinds of events that are about locks or may be for a caller, and no other: a key that is put where there is none is an acquire. */
export const isAboutLocks = ({ kind }: ModelEvent): boolean => kind === 'acquire' || kind === 'release' || kind === 'renew' || kind === 'database-lock' || kind === 'holds' || kind === 'watch' || kind === 'open';

/** True as well for decorators that take locks, and for code that makes objects of a library for locks. */
export function touchesLocks(model: Model, module: Module): boolean {
  let answer = known.get(module);
  if (answer === undefined) known.set(module, (answer = dealsInLocks(model, module) || module.functions.some((func) => func.decorators.some((it) => it.kind === 'call' && model.interpreter.decorated(it) !== undefined) || func.graph().steps.some(({ op }) => op.kind === 'call' && model.interpreter.meaning(op.call).events.some(isAboutLocks)))));
  return answer;
}

/** It names a library for locks. */
export const dealsInLocks = (model: Model, module: Module): boolean => module.specifiers.some((it) => model.project.catalog.librariesOf(it).some(({ family }) => family === 'lock'));
