/**
 * Locks that are taken around a method by a class which a decorator names: an interceptor. It runs the
 * method by a parameter of its own, `next.handle()`, and may do so only where the method carries the
 * metadata that it reads.
 */
import { milliseconds } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';
import type { CallExpr, ClassDef, Expr, Func } from './ir.ts';
import type { Deep, HeldLock } from './deep.ts';
import type { Summaries } from './summaries.ts';
import { type Value, alternatives, sameSite, sameValue, text } from './value.ts';

export interface Intercepted {
  held: HeldLock;
  /** The decorator of the method that names the interceptor; where the class's does, the one that it reads, or the first. */
  at: CallExpr;
}

/** What the decorators of a method say, decorators that are put together of others included. */
interface Said {
  classes: { def: ClassDef; at: CallExpr }[];
  metadata: { key: Value; value: Value | undefined; at: CallExpr }[];
}

/** The locks that interceptors hold while they run the method. */
export function intercepting(func: Func, evaluator: Evaluator, summaries: Summaries): Intercepted[] {
  // What is named on the class is for the methods that are called from outside: those have a decorator.
  if (!func.owner || func.decorators.length === 0) return [];
  const said: Said = { classes: [], metadata: [] };
  const own = func.decorators.filter((it) => it.kind === 'call');
  for (const it of [...own, ...func.owner.decorators]) if (it.kind === 'call') gather(it, said, evaluator);
  return said.classes.flatMap(({ def, at }) =>
    [...def.methods.values()].flatMap((method) => {
      if (summaries.isBusy(method)) return [];
      const runs = summaries.of(method).known.filter((it) => it.kind === 'runs' && isOfParameter(it.event.body, method));
      const locked = runs.filter((it) => it.bodyOf?.length && it.kind === 'runs');
      const isLocked = ({ event }: Deep): boolean => event.kind === 'runs' && locked.some((it) => it.kind === 'runs' && sameValue(it.event.body, event.body));
      const place = own.includes(at) ? at : (said.metadata.find((it) => own.includes(it.at))?.at ?? own[0]);
      if (locked.length === 0 || !place) return [];
      const read = readBy(method, said, evaluator);
      // Somewhere it lets the method run without a lock: then what it has read decides.
      if (read === undefined && runs.filter(isLocked).length > locked.length) return [];
      return locked.flatMap((it) => it.bodyOf!.map((held) => ({ held: read ? filled(held, read, evaluator) : held, at: place })));
    }),
  );
}

/** The classes and metadata that a decorator names: those of its arguments, and of what a decorator of the project answers. */
function gather(it: Expr & { kind: 'call' }, said: Said, evaluator: Evaluator): void {
  const visit = (value: Value, depth: number): void => {
    for (const each of alternatives(value)) {
      if (each.kind === 'class' || each.kind === 'instance') said.classes.push({ def: each.def, at: it });
      if (each.kind !== 'result' || depth > 4) continue;
      const [key, content] = each.args;
      if (key && each.args.length <= 2 && !isClass(key)) said.metadata.push({ key, value: content, at: it });
      for (const arg of each.args) visit(arg, depth + 1);
    }
  };
  visit(evaluator.value(it), 0);
}

const isClass = (value: Value): boolean => value.kind === 'class' || value.kind === 'instance' || value.kind === 'result';

const isOfParameter = (value: Value, method: Func): boolean => value.kind === 'field' && value.of.kind === 'param' && value.of.func === method;

/** The metadata of the method that the interceptor asks for, and the call by which it does. */
function readBy(method: Func, said: Said, evaluator: Evaluator): { call: CallExpr; value: Value | undefined } | undefined {
  for (const { op } of method.graph().steps) {
    if (op.kind !== 'call') continue;
    for (const arg of op.call.args) {
      const asked = arg.kind === 'function' ? undefined : evaluator.value(arg);
      const found = asked && said.metadata.find(({ key }) => sameValue(key, asked));
      if (found) return { call: op.call, value: found.value };
    }
  }
  return undefined;
}

/** The lock with what the method's metadata says in the place of what was read. */
function filled(held: HeldLock, read: { call: CallExpr; value: Value | undefined }, evaluator: Evaluator): HeldLock {
  const fill = (value: Value): Value => {
    switch (value.kind) {
      case 'result':
        return sameSite(value.site, read.call) && read.value ? read.value : value;
      case 'field': {
        const of = fill(value.of);
        return of === value.of ? value : evaluator.member(of, value.name);
      }
      case 'text':
        return text(value.parts.map(fill));
      default:
        return value;
    }
  };
  const { lock } = held;
  const length = lock.lease && fill(lock.lease.value);
  return { ...held, lock: { ...lock, key: lock.key && fill(lock.key), lease: lock.lease && { ...lock.lease, value: length!, ms: lock.lease.ms ?? milliseconds(length!, lock.lease.unit) } } };
}
