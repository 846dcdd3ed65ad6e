/**
 * Work that a flag lets through: `if (this.isLeader) { … }`, where a granted acquire in another
 * function has set the flag. The flag stays when the lease ends, unless somebody looks: where the
 * renewal is owner-checked the election is done right, and its work is left alone.
 */
import type { CallExpr, ClassDef, Expr, Func, Module, Step, Variable } from './ir.ts';
import { isHeld } from './flow.ts';
import { comesFrom, questionsIn, sideOf } from './origins.ts';
import { sameKey } from './key-form.ts';
import { type Section } from './sections.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { sameSite } from './value.ts';

/** The sections that are let through by a flag, one for each function in which the flag is asked. */
export function leaderSections(model: Model, module: Module): Section[] {
  const flags = module.functions.flatMap((it) => flagsSetBy(it, model));
  if (flags.length === 0) return [];
  const deep = module.functions.flatMap((it) => model.summaries.of(it).known);
  return flags
    .filter(({ taken }) => isLeftAlone(taken, deep))
    .flatMap((flag) => module.functions.filter((it) => it !== flag.by && (flag.owner === undefined || classOf(it) === flag.owner)).flatMap((it) => sectionUnder(flag, it, model) ?? []));
}

/** A field of a class, or a variable of the module. */
interface Flag {
  field?: string;
  owner?: ClassDef;
  variable?: Variable;
  taken: Section;
  /** The function that sets it. */
  by: Func;
}

/** The class whose `this` a function sees. */
function classOf(func: Func): ClassDef | undefined {
  for (let at: Func | undefined = func; at; at = at.parent) if (at.owner) return at.owner;
  return undefined;
}

/** What says whether the lock which the function takes was granted, and outlives the function. */
function flagsSetBy(func: Func, model: Model): Flag[] {
  return model.summaries.of(func).followed.flatMap((taken) => {
    // Whoever gives the lock back in the function itself, or keeps it for no time, leads nothing.
    if (taken.isReleased || taken.lock.kind !== 'lease' || !taken.lock.lease || !taken.lock.key || !taken.flow) return [];
    return func.graph().steps.flatMap((step): Flag[] => {
      if (step.op.kind !== 'assign') return [];
      const { target, value } = step.op;
      const states = [...(taken.flow!.states.get(step) ?? [])];
      const isSaid = value.kind === 'const' ? value.value === true && states.length > 0 && states.every(isHeld) : isTest(value) && comesFrom(value, taken.at);
      if (!isSaid) return [];
      if (target.kind === 'field' && target.object.kind === 'this') return [{ field: target.name, owner: classOf(func), taken, by: func }];
      return target.kind === 'variable' && target.variable.owner?.kind === 'module' ? [{ variable: target.variable, taken, by: func }] : [];
    });
  });
}

/** A comparison, or its negation. */
const isTest = (value: Expr): boolean => value.kind === 'binary' || (value.kind === 'not' && (isTest(value.of) || value.of.kind === 'not'));

/** The file prolongs the lock or gives it back, so that it is no mark; and nothing that prolongs it is refused to a former holder. */
function isLeftAlone({ lock }: Section, deep: readonly Deep[]): boolean {
  const own = deep.filter((it) => (it.kind === 'renew' || it.kind === 'release') && it.event.key !== undefined && sameKey(it.event.key, lock.key!));
  return own.length > 0 && !own.some((it) => it.kind === 'renew' && it.event.ownerChecked);
}

/** What a function does only where the flag is set. */
function sectionUnder(flag: Flag, func: Func, model: Model): Section | undefined {
  const { taken } = flag;
  const asked = func.graph().steps.flatMap((step) => sidesOf(step, flag));
  if (asked.length === 0) return undefined;
  const isUnder = (call: CallExpr): boolean => asked.some(({ step, side }) => sideOf(step, call) === side);
  const items = model.summaries.of(func).deep.filter((it) => isUnder(it.at) && !sameSite(it.site, taken.acquire.call));
  if (!items.some(({ kind }) => kind === 'write' || kind === 'external')) return undefined;
  return { frame: func, lock: taken.lock, acquire: taken.acquire, at: taken.at, via: taken.via, items, releases: [], renewals: [], isReleased: true, form: 'body', flag: flag.field ?? flag.variable?.name };
}

/** The side of a branch on which the flag is set. */
function sidesOf(step: Step, flag: Flag): { step: Step; side: boolean }[] {
  if (step.op.kind !== 'branch') return [];
  const isFlag = (expr: Expr): boolean => (flag.field !== undefined ? expr.kind === 'member' && expr.name === flag.field && expr.object.kind === 'this' : expr.kind === 'var' && expr.variable === flag.variable);
  return questionsIn(step.op.test).filter(({ expr }) => isFlag(expr)).map(({ isNegated }) => ({ step, side: !isNegated }));
}
