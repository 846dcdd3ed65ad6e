/** Conditions of a statement under construction: by objects, triples, SQL text, and functions that build them. */
import type { ArgPath, Build, Operators } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import { filterOfObject } from './documents.ts';
import type { Filter } from './fences.ts';
import { analyzeSql } from './sql/index.ts';
import { filterOf, sqlTextOf } from './statements.ts';
import { type Value, constant, printValue } from './value.ts';

type At = Pick<Matched, 'site' | 'row'>;

/** One step of a condition: `eb('id', '=', id)`, then `.and('token', '<', token)`. */
export interface Part {
  build: Build;
  at: At;
}

/** The condition that one step adds; `named` is what earlier steps have put down. */
export function builtFilter(given: NonNullable<Build['filter']>, operators: Operators | undefined, at: At, calls: Calls, named?: ReadonlyMap<string, Value>): Filter | undefined {
  const value = (path: ArgPath | undefined): Value | undefined => path && (('configured' in path ? named?.get(path.configured) : undefined) ?? calls.at(path, at.site, at.row));
  if (given.object) {
    const object = value(given.object);
    if (object?.kind === 'func') return [{ opaque: true }];
    if (object) return filterOfObject(object, operators) ?? [{ opaque: true }];
  }
  if (given.triple) {
    const column = value(given.triple.column);
    const compared = value(given.triple.value);
    if (!column) return undefined;
    const op = given.triple.op ? value(given.triple.op) : constant('=');
    const named = op?.kind === 'const' ? String(op.value).toLowerCase() : 'other';
    return [{ column: columnName(column), op: comparisons[operators?.[named] ?? named] ?? 'other', value: compared }];
  }
  if (given.expression) {
    const expression = value(given.expression);
    return expression ? conditionExpression(expression, operators, calls) : undefined;
  }
  if (given.sql) {
    const text = sqlTextOf(value(given.sql));
    const facts = text && analyzeSql({ parts: ['SELECT 1 FROM t WHERE ', ...text.sql.parts] });
    return facts?.[0] ? filterOf(facts[0].where, { site: at.site.call, holes: text!.holes, list: undefined, named: value(given.params)?.kind === 'object' ? (value(given.params) as Value & { kind: 'object' }) : undefined }) : [{ opaque: true }];
  }
  return undefined;
}

/** How a condition compares; what is not here says nothing that can be judged. */
const comparisons: Record<string, string> = { '=': '=', in: '=', is: '=', 'is not distinct from': '=', '<': '<', '<=': '<=', '>': '>', '>=': '>=', '<>': '<>', '!=': '<>', 'is not': '<>', 'is null': 'is null', 'is not null': 'is not null' };

const columnName = (value: Value): string => (value.kind === 'field' ? value.name : value.kind === 'const' ? String(value.value) : printValue(value));

/** `and(eq(t.id, id), lt(t.token, token))`, `eb('id', '=', id).and('token', '<', token)`, or a function that answers one. */
function conditionExpression(value: Value, operators: Operators | undefined, calls: Calls): Filter {
  const parts = value.kind === 'func' ? partsOfFunction(value, calls) : partsOf(value, calls);
  // What selects from a table is not a condition by itself.
  if (!parts || parts.some((it) => it.build.table ?? it.build.op)) return [{ opaque: true }];
  return filterOfParts(parts, operators, calls);
}

/** The steps of what a function answers that builds a condition; undefined when it does not answer one. */
export function partsOfFunction(value: Value | undefined, calls: Calls): Part[] | undefined {
  return value?.kind === 'func' ? partsOf(calls.evaluator.returns(value.func), calls) : undefined;
}

/** The steps of a condition, the first one first; undefined when it was not built in sight. */
function partsOf(value: Value, calls: Calls): Part[] | undefined {
  const parts: Part[] = [];
  for (let at: Value | undefined = value; at?.kind === 'typed' && at.site; at = at.base) {
    const matched: Matched | undefined = calls.match(calls.site(at.site))[0];
    const build: Build | undefined = matched?.effects.find((it): it is Build => it.kind === 'build');
    if (!matched || !build) break;
    // The condition's own arguments stand in the value, so that a caller's are seen.
    parts.unshift({ build, at: { site: { ...matched.site, args: at.args }, row: matched.row } });
  }
  return parts.length > 0 ? parts : undefined;
}

/** All steps together; what stands before an OR is an alternative to what stands after it. */
export function filterOfParts(parts: readonly Part[], operators: Operators | undefined, calls: Calls): Filter {
  const groups: Filter[] = [[]];
  for (const { build, at } of parts) {
    const added = build.combine ? combined(build.combine, operators, at, calls) : build.filter ? (builtFilter(build.filter, build.operators ?? operators, at, calls) ?? [{ opaque: true as const }]) : parts.length === 1 && !build.conflict ? [{ opaque: true as const }] : [];
    if (build.or && groups[0]!.length > 0) groups.push([...added]);
    else groups[groups.length - 1]!.push(...added);
  }
  return groups.length === 1 ? groups[0]! : [{ any: groups }];
}

function combined({ how, items: path }: NonNullable<Build['combine']>, operators: Operators | undefined, at: At, calls: Calls): Filter {
  const items = calls.at(path, at.site, at.row);
  const each = (items?.kind === 'array' ? items.items : items ? [items] : []).map((it) => conditionExpression(it, operators, calls));
  if (how === 'and') return each.flat();
  return how === 'or' ? [{ any: each }] : [{ opaque: true }];
}
