/** Statements that are built step by step → write events. */
import type { Build } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import { builtFilter, filterOfParts, partsOfFunction } from './condition-expressions.ts';
import { lockOfChain } from './database-locks.ts';
import { changesOfObject } from './documents.ts';
import type { ModelEvent, WriteEvent } from './events.ts';
import { type Change, type Filter, judge } from './fences.ts';
import type { CallExpr, Expr, Variable } from './ir.ts';
import { type Value, constant, printValue, unknown } from './value.ts';

/** The statement that a chain has built, when its last step is reached. */
export function chainEvents(matched: Matched, calls: Calls): ModelEvent[] {
  const steps: { effect: Build; matched: Matched }[] = [];
  let isOpen = false;
  for (let at: Matched | undefined = matched; at; ) {
    const build: Build | undefined = at.effects.find((it): it is Build => it.kind === 'build');
    if (build) steps.unshift({ effect: build, matched: at });
    const callee: Expr = at.site.call.callee;
    const previous: Expr = callee.kind === 'member' ? callee.object : callee;
    const made: CallExpr | undefined = previous.kind === 'call' ? previous : begunBy(at.site.receiver);
    const before: Matched | undefined = made && calls.match(calls.site(made))[0];
    // What was asked of a query before it came here is not known.
    isOpen ||= previous.kind !== 'call' && at.row.on === at.row.answers && (!before || isAddedTo(previous, at.site.call));
    at = before;
  }
  const op = steps.findLast((it) => it.effect.op !== undefined)?.effect.op;
  const isLocking = (op === 'select' || op === undefined) && steps.some((it) => it.effect.lock);
  if ((!op || op === 'select') && !isLocking) return readOf(steps, matched, calls);
  // What stands before an OR, and what after it.
  const groups: Filter[] = [[]];
  let changes: Change[] = [];
  let open = false;
  let target = 'a table';
  let conflict: 'nothing' | 'update' | undefined;
  const named = new Map<string, Value>();
  for (const { effect, matched: { site, row } } of steps) {
    if (effect.table) {
      const value = calls.at(effect.table, site, row);
      if (value) target = tableName(value);
    }
    if (effect.conflict) conflict = effect.conflict;
    if (effect.set) {
      const found = changesOfObject(calls.at(effect.set, site, row), effect.operators);
      changes = [...changes, ...found.changes];
      open ||= found.open;
    }
    for (const [name, path] of Object.entries(effect.configure ?? {})) named.set(name, calls.at(path, site, row) ?? unknown('a column'));
    const said = effect.conflict && effect.filter?.expression ? partsOfFunction(calls.at(effect.filter.expression, site, row), calls) : undefined;
    if (said) {
      conflict = said.findLast((it) => it.build.conflict)?.build.conflict ?? conflict;
      for (const it of said) if (it.build.set) changes = [...changes, ...changesOfObject(calls.at(it.build.set, it.at.site, it.at.row), it.build.operators).changes];
      groups[groups.length - 1]!.push(...filterOfParts(said, undefined, calls));
      continue;
    }
    const added = effect.filter && builtFilter(effect.filter, effect.operators, { site, row }, calls, named);
    if (added && effect.or && groups[0]!.length > 0) groups.push([...added]);
    else if (added) groups[groups.length - 1]!.push(...added);
  }
  const filter: Filter = [...(groups.length === 1 ? groups[0]! : [{ any: groups }]), ...(isOpen ? [{ opaque: true as const }] : [])];
  if (isLocking || !op || op === 'select') {
    const transaction = steps.map((it) => it.effect.transaction && calls.at(it.effect.transaction, it.matched.site, it.matched.row)).find((it) => it !== undefined);
    return [{ kind: 'read', call: matched.site.call, library: matched.library, locksOn: transaction ?? matched.site.receiver, filter }, ...lockOfChain(steps, calls)];
  }
  const last = <K extends 'count' | 'rows' | 'row' | 'throwsOnMiss'>(name: K): Build[K] => steps.findLast((it) => it.effect[name] !== undefined)?.effect[name];
  const row: WriteEvent['row'] = { filter, changes, count: last('count'), rows: last('rows'), row: last('row'), throwsOnMiss: last('throwsOnMiss') };
  const base = { kind: 'write', call: matched.site.call, library: matched.library, target, connection: matched.site.receiver, row } as const;
  if (op === 'insert' && conflict === undefined) return [{ ...base, op: 'insert', fenced: 'no', compared: [] }];
  if (conflict === 'nothing') return [{ ...base, op: 'insert', fenced: 'yes', compared: [] }];
  if (op === 'insert' || op === 'upsert') return [{ ...base, row: { ...row, inserted: changes }, op: 'upsert', ...(filter.length ? judge(filter, changes, open) : { fenced: 'no' as const, compared: [] }) }];
  return [{ ...base, op, ...judge(filter, changes, open) }];
}

/** What is only read: the table, where the chain names it. */
function readOf(steps: readonly { effect: Build; matched: Matched }[], matched: Matched, calls: Calls): ModelEvent[] {
  const table = steps.map((it) => it.effect.table && calls.at(it.effect.table, it.matched.site, it.matched.row)).find((it) => it !== undefined);
  return table ? [{ kind: 'read', call: matched.site.call, library: matched.library, value: constant(tableName(table)) }] : [];
}

/** The call that began a statement which a variable holds. */
const begunBy = (receiver: Value | undefined): CallExpr | undefined => (receiver?.kind === 'typed' ? receiver.site : undefined);

/** A statement in a variable gets conditions elsewhere: builders that change themselves. */
function isAddedTo(holder: Expr, { func }: CallExpr): boolean {
  if (holder.kind !== 'var' || holder.variable.owner !== func) return true;
  return func.graph().steps.some(({ op }) => op.kind === 'call' && op.call.use === 'drop' && rootOf(op.call) === holder.variable);
}

function rootOf(call: CallExpr): Variable | undefined {
  let at: Expr = call;
  while (at.kind === 'call' || at.kind === 'member') at = at.kind === 'call' ? at.callee : at.object;
  return at.kind === 'var' ? at.variable : undefined;
}

/** What a table, model or entity is called. */
export function tableName(value: Value): string {
  if (value.kind === 'typed' && (value.args[0]?.kind === 'class' || value.args[0]?.kind === 'export')) return printValue(value.args[0]);
  // A model that is bound to a connection is that model.
  if (value.kind === 'typed' && value.base?.kind === 'class') return printValue(value.base);
  if (value.kind === 'typed' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  if (value.kind === 'result' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  return printValue(value);
}
