/**
 * The steps of Knex's query builder, which Objection shares. Facts from the types and source of Knex
 * 0.95 and 3.3; counts, with and without `returning`, were measured on 3.3.
 */
import { arg, constant, type ArgPath, type Build, type Call, type Count, type TypeId } from './schema.ts';

const number: Count = { path: [], miss: 0 };
const returned: Count = { path: ['length'], miss: 0, note: 'with `returning` a miss is an empty array, which is truthy' };

/** The steps that Objection does not have. They stand before those that both have. */
export function knexOnly(on: TypeId): readonly Call[] {
  const step = { on, answers: on, lazy: true } as const;
  return [
    { ...step, name: 'update', when: [{ sort: arg(0), of: 'string' }], does: { kind: 'build', op: 'update', set: arg(1), count: number } },
    { ...step, name: 'update', when: [{ has: arg(1) }], does: { kind: 'build', op: 'update', set: arg(0), count: returned } },
    { ...step, name: ['del', 'delete'], when: [{ has: arg(0) }], does: { kind: 'build', op: 'delete', count: returned } },
    { ...step, name: 'del', does: { kind: 'build', op: 'delete', count: number } },
    { ...step, name: 'upsert', does: { kind: 'build', op: 'upsert', set: arg(0) } },
    { ...step, name: 'connection', does: { kind: 'build', connection: 'single' } },
  ];
}

/** The rows of a chain of type `on`. */
export function knexSteps(on: TypeId): readonly Call[] {
  const step = { on, answers: on, lazy: true } as const;

  function wheres(name: string | readonly string[], more: Partial<Build>): readonly Call[] {
    return [
      { ...step, name, when: [{ count: 3 }], does: { kind: 'build', filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } }, ...more } },
      { ...step, name, when: [{ count: 2 }], does: { kind: 'build', filter: { triple: { column: arg(0), value: arg(1) } }, ...more } },
      {
        ...step,
        name,
        when: [{ sort: arg(0), of: 'function' }],
        does: [
          { kind: 'build', filter: { expression: arg(0) }, ...more },
          { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [on], answers: 'other' },
        ],
      },
      { ...step, name, when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', filter: { object: arg(0) }, ...more } },
      { ...step, name, does: { kind: 'build', filter: { expression: arg(0) }, ...more } },
    ];
  }

  const fixed = (name: string | readonly string[], op: string, value: ArgPath, more: Partial<Build> = {}): Call => ({
    ...step,
    name,
    does: { kind: 'build', filter: { triple: { column: arg(0), op: constant(op), value } }, ...more },
  });

  const conditions: readonly Call[] = [
    ...wheres(['where', 'andWhere'], {}),
    ...wheres('orWhere', { or: true }),
    fixed('whereNull', '=', constant(null)),
    fixed('orWhereNull', '=', constant(null), { or: true }),
    fixed('whereNotNull', '<>', constant(null)),
    fixed('orWhereNotNull', '<>', constant(null), { or: true }),
    fixed('whereIn', 'in', arg(1)),
    fixed('orWhereIn', 'in', arg(1), { or: true }),
    { ...step, name: ['whereRaw', 'andWhereRaw'], does: { kind: 'build', filter: { sql: arg(0), params: arg(1) } } },
    { ...step, name: 'orWhereRaw', does: { kind: 'build', or: true, filter: { sql: arg(0), params: arg(1) } } },
    { ...step, name: ['whereNot', 'whereNotIn', 'whereBetween', 'whereExists', 'whereNotExists', 'whereLike', 'whereILike', 'whereColumn', 'andWhereNot', 'having'], does: { kind: 'build' } },
  ];

  const operations: readonly Call[] = [
    { ...step, name: 'update', does: { kind: 'build', op: 'update', set: arg(0), count: number } },
    { ...step, name: ['increment', 'decrement'], does: { kind: 'build', op: 'update', relative: true, count: number } },
    { ...step, name: 'delete', does: { kind: 'build', op: 'delete', count: number } },
    { ...step, name: 'truncate', does: { kind: 'build', op: 'delete' } },
    { ...step, name: 'insert', does: { kind: 'build', op: 'insert', set: arg(0) } },
    { ...step, name: 'onConflict', does: { kind: 'build' } },
    { ...step, name: 'ignore', does: { kind: 'build', conflict: 'nothing' } },
    { ...step, name: 'merge', does: { kind: 'build', conflict: 'update', set: arg(0) } },
    { ...step, name: 'returning', does: { kind: 'build', count: returned, rows: [] } },
  ];

  const others: readonly Call[] = [
    { ...step, name: ['from', 'into', 'table'], does: { kind: 'build', table: arg(0) } },
    { ...step, name: ['forUpdate', 'forNoKeyUpdate'], does: { kind: 'build', lock: 'update' } },
    { ...step, name: ['forShare', 'forKeyShare'], does: { kind: 'build', lock: 'share' } },
    { ...step, name: 'transacting', does: { kind: 'build', transaction: arg(0) } },
    { ...step, name: 'first', does: { kind: 'build', row: [] } },
    { ...step, name: 'timeout', does: { kind: 'build' }, timeout: [{ at: arg(0), unit: 'ms' }] },
    {
      ...step,
      name: ['select', 'columns', 'column', 'pluck', 'count', 'max', 'min', 'sum', 'distinct', 'skipLocked', 'noWait', 'orderBy', 'limit', 'offset', 'groupBy', 'join', 'leftJoin', 'innerJoin', 'with', 'as', 'clone', 'modify', 'withSchema', 'debug', 'options', 'queryContext'],
      does: { kind: 'build' },
    },
  ];

  return [...conditions, ...operations, ...others];
}
