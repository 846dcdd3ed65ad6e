/**
 * `query` of node-postgres, which other clients of PostgreSQL copy. Facts from `@types/pg`; counts and
 * misses were measured on 8.23 against PostgreSQL 15.
 */
import { arg, ctor, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const answer = {
  dialect: 'postgresql',
  count: { path: ['rowCount'], miss: 0, note: 'a statement that touches no row resolves like any other' },
  rows: ['rows'],
} as const;

/** The rows of `query(text, params)`, `query({ text, values })` and their callback forms. */
export function pgQueries(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (text: Sql['text'], params: Sql['params']): Sql => ({ kind: 'sql', text, params, connection, ...answer });
  const timeout = [
    { at: arg(0, 'query_timeout'), unit: 'ms' },
    { at: ctor(0, 'query_timeout'), unit: 'ms' },
    { at: ctor(0, 'statement_timeout'), unit: 'ms' },
  ] as const;
  const delivery = { callback: 'last' } as const;
  return [
    { on, name: 'query', when: [{ sort: arg(0, 'text'), of: 'string' }, { has: arg(0, 'values') }], does: sql(arg(0, 'text'), arg(0, 'values')), delivery, timeout },
    { on, name: 'query', when: [{ sort: arg(0, 'text'), of: 'string' }], does: sql(arg(0, 'text'), arg(1)), delivery, timeout },
    { on, name: 'query', does: sql(arg(0), arg(1)), delivery, timeout },
  ];
}
