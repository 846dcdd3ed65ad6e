/** The fencing token at a write: a name, or a property, whose value the grant of the section's lock minted. */
import type { Sql } from '../../../catalog/schema.ts';
import type { AcquireEvent } from '../../../model/events.ts';
import type { Func } from '../../../model/ir.ts';
import type { Section } from '../../../model/sections.ts';
import { analyzeSql } from '../../../model/sql/index.ts';
import { sqlTextOf, taggedText } from '../../../model/statements.ts';
import type { Model } from '../../../model/story.ts';
import { type Value, alternatives, contains, sameSite } from '../../../model/value.ts';
import { isPresent } from '../source/presence.ts';
import { type Binding, assignmentsTo } from '../source/scopes.ts';
import { type Node, type Tree } from '../source/tree.ts';
import { type Sighted, funcAt, sightings } from '../source/values.ts';
import { matchedRow } from './client-calls.ts';

/** How the token is written at a node; undefined where none is in sight. */
export function tokenInSight(at: Node, section: Section, tree: Tree, model: Model): string | undefined {
  const { acquire } = section;
  const seen = (binding: Binding): Value | undefined => argumentFor(binding, section, tree, model);
  const usable = (it: Sighted): boolean => assignmentsTo(it.binding, tree).length === 0 && (!it.mayBeNothing || isPresent(it.text, at, tree) || isPresent(it.binding.name, at, tree));
  const test = tokenTest(acquire, model);
  const found = test && sightings(at, tree, model, test, seen).find(usable);
  if (found) return found.text;
  const column = mintedColumn(acquire, model);
  const row = column === undefined ? undefined : sightings(at, tree, model, (value) => isRow(value, acquire, model), seen).find(usable);
  if (row) return `${row.text}.${column!}`;
  const handle = handleToken(acquire, model);
  const held = handle && sightings(at, tree, model, (value) => value.kind === 'typed' && sameSite(value.site, acquire.call), seen).find(usable);
  if (held) return [held.text, ...handle].join('.');
  const [part, ...path] = partToken(acquire, model) ?? [];
  const whole = part === undefined ? undefined : sightings(at, tree, model, (value) => isAnswerWith(value, part, acquire), seen).find(usable);
  return whole && [whole.text, part, ...path].join('.');
}

/** What the acquire answers may have a part whose order is sound: the header of a transaction. */
function partToken({ granted }: AcquireEvent, model: Model): string[] | undefined {
  for (const it of alternatives(granted)) {
    if (it.kind !== 'object') continue;
    for (const [name, value] of it.props) {
      const token = value.kind === 'typed' ? model.project.catalog.tokens.get(value.type)?.find((each) => each.sound && each.path.length > 0) : undefined;
      if (token) return [name, ...token.path];
    }
  }
  return undefined;
}

function isAnswerWith(value: Value, part: string, { call }: AcquireEvent): boolean {
  const inner = value.kind === 'object' ? value.props.get(part) : undefined;
  return inner?.kind === 'typed' && sameSite(inner.site, call);
}

/** What tells a value that the grant minted. */
function tokenTest(acquire: AcquireEvent, model: Model): ((value: Value) => boolean) | undefined {
  const column = mintedColumn(acquire, model);
  if (column !== undefined) return (value) => isColumn(value, acquire, column);
  const path = mintedAt(acquire);
  return path === undefined ? undefined : (value) => isToken(value, acquire, path);
}

/** The parameter with which a wrapper hands its token to a function, when the function does not take it yet. */
export function untakenToken(func: Func, section: Section, model: Model): boolean {
  const test = tokenTest(section.acquire, model);
  return test !== undefined && argumentsOf(func, section, model)?.findIndex((it) => alternatives(it).some(test)) === func.params.length;
}

/** Whether the call by which a section takes its lock answers the token itself. */
export const answersToken = ({ acquire, at }: Section, model: Model): boolean =>
  acquire.mints === true && at !== acquire.call && mintedAt(acquire) === '' && alternatives(model.evaluator.value(at)).some((it) => isToken(it, acquire, ''));

/** Where the answer of a granting script holds the token: the answer itself, or an element of it. */
function mintedAt(acquire: AcquireEvent): string | undefined {
  if (!acquire.mints) return undefined;
  for (const it of alternatives(acquire.granted)) {
    if (isMinted(it, acquire)) return '';
    if (it.kind === 'array') {
      const index = it.items.findIndex((each) => isMinted(each, acquire));
      if (index >= 0) return String(index);
    }
  }
  return undefined;
}

const isMinted = (value: Value, acquire: AcquireEvent): boolean => value.kind === 'some' && value.sort === 'number' && sameSite(value.site, acquire.call);

/** The answer's token, as it is or turned into another type: `Number(await …)`. */
function isToken(value: Value, acquire: AcquireEvent, path: string): boolean {
  let it = value;
  while (it.kind === 'derived' && it.from.length === 1) it = it.from[0]!;
  if (path === '') return isMinted(it, acquire) || (it.kind === 'result' && sameSite(it.site, acquire.call));
  return isMinted(it, acquire) || (it.kind === 'field' && it.name === path && it.of.kind === 'result' && sameSite(it.of.site, acquire.call));
}

/** The column of the acquiring statement's answer that counts the grants. */
function mintedColumn(acquire: AcquireEvent, model: Model): string | undefined {
  const row = acquire.form === 'statement' ? matchedRow(acquire.call, model) : undefined;
  const effect = row?.effects.find((it): it is Sql => it.kind === 'sql');
  if (!row || !effect) return undefined;
  const text = 'template' in effect.text ? taggedText(acquire.call.args[0], model.calls) : sqlTextOf(model.calls.at(effect.text, row.site, row.row));
  const mint = (text && analyzeSql(text.sql, effect.dialect))?.flatMap((it) => it.mints).find((it) => it.expression === 'increment-returning');
  return mint?.alias ?? mint?.column;
}

/** The column of a row of the answer. */
function isColumn(value: Value, acquire: AcquireEvent, column: string): boolean {
  let it = value;
  while (it.kind === 'derived' && it.from.length === 1) it = it.from[0]!;
  return it.kind === 'field' && it.name === column && contains(it.of, (each) => each.kind === 'result' && sameSite(each.site, acquire.call));
}

/** The row that the acquiring statement answers. */
function isRow(value: Value, acquire: AcquireEvent, model: Model): boolean {
  const effect = matchedRow(acquire.call, model)?.effects.find((it): it is Sql => it.kind === 'sql');
  const path = effect?.rows ?? effect?.row;
  const isFirst = value.kind === 'item' || (value.kind === 'field' && value.name === '0');
  if (!path || (effect!.rows && !isFirst)) return false;
  let of = effect!.rows ? (value as Value & { of: Value }).of : value;
  for (const name of [...path].reverse()) {
    if (of.kind !== 'field' || of.name !== name) return false;
    of = of.of;
  }
  return of.kind === 'result' && sameSite(of.site, acquire.call);
}

/** A library's handle may carry a token whose order is sound. */
function handleToken(acquire: AcquireEvent, model: Model): readonly string[] | undefined {
  for (const effect of matchedRow(acquire.call, model)?.effects ?? []) if (effect.kind === 'acquire' && effect.token) return effect.token.path;
  const type = acquire.granted.kind === 'typed' ? acquire.granted.type : undefined;
  const token = type === undefined ? undefined : model.project.catalog.tokens.get(type)?.find((it) => it.sound && it.path.length > 0);
  return token?.path;
}

/** What a wrapper hands to the function that runs under its lock. */
function argumentFor(binding: Binding, section: Section, tree: Tree, model: Model): Value | undefined {
  const func = binding.kind === 'param' ? funcAt(binding.scope, tree) : undefined;
  const index = func?.params.findIndex((it) => it.variable?.span.start === binding.id.range[0]) ?? -1;
  return func && index >= 0 ? argumentsOf(func, section, model)?.[index] : undefined;
}

function argumentsOf(func: Func, section: Section, model: Model): readonly Value[] | undefined {
  for (const { event } of [...section.items, ...model.summaries.of(section.frame).deep]) {
    if (event.kind === 'runs' && alternatives(event.body).some((it) => it.kind === 'func' && it.func === func)) return event.args;
  }
  return undefined;
}
