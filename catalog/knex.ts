/**
 * Knex. Facts from the types and source of 0.95 and 3.3; counts, with and without `returning`, were
 * measured on 3.3 against PostgreSQL 15 and MariaDB 10.11.
 */
import { arg, exported, library, self, type Call, type Connection, type Count, type Obtain, type TypeId } from './schema.ts';
import { knexOnly, knexSteps } from './knex-steps.ts';

const KNEX = 'knex:Knex';
const SINGLE = 'knex:Single';
const EITHER = 'knex:Either';
const TRANSACTION = 'knex:Transaction';
const QUERY = 'knex:Query';
const FUNCTIONS = 'knex:Functions';

const raw: Count = { path: ['rowCount'], also: [['0', 'affectedRows'], ['affectedRows'], ['changes']], miss: 0, note: 'PostgreSQL: `rowCount`; mysql2: `[0].affectedRows`' };

const roots = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: ['()', 'from', 'table', 'into'], does: { kind: 'build', table: arg(0), connection }, answers: QUERY, lazy: true },
  { on, name: ['select', 'queryBuilder', 'withSchema', 'with', 'first', 'distinct', 'count', 'max', 'min'], does: { kind: 'build', connection }, answers: QUERY, lazy: true },
  { on, name: 'insert', does: { kind: 'build', op: 'insert', set: arg(0), connection }, answers: QUERY, lazy: true },
  { on, name: 'raw', does: { kind: 'sql', text: arg(0), params: arg(1), connection, count: raw, rows: ['rows'] }, lazy: true },
  { on, name: 'batchInsert', does: { kind: 'write', op: 'insert', target: arg(0), data: arg(1), connection } },
  {
    on,
    name: 'transaction',
    when: [{ sort: arg(0), of: 'function' }],
    does: { kind: 'transaction', body: arg(0), passes: TRANSACTION, isolation: arg(1, 'isolationLevel') },
  },
  { on, name: 'transaction', does: { kind: 'transaction', step: 'begin', passes: TRANSACTION, isolation: arg(0, 'isolationLevel') } },
];

const clients = ['knex', 'default', 'default.knex', 'default.default'];
const obtain: readonly Obtain[] = [
  { type: SINGLE, by: 'call', name: clients, when: [{ is: arg(0, 'pool', 'max'), value: 1 }] },
  { type: KNEX, by: 'call', name: clients },
  { type: KNEX, by: 'decorator', name: ['InjectKnex', 'InjectConnection', 'InjectModel'] },
  { type: KNEX, by: 'member', name: exported('Knex') },
  { type: EITHER, by: 'annotation', name: exported('Knex') },
  { type: TRANSACTION, by: 'annotation', name: [...exported('Knex.Transaction'), 'Transaction'] },
  ...[KNEX, SINGLE, EITHER, TRANSACTION].map((of): Obtain => ({ type: FUNCTIONS, by: 'property', name: 'fn', of })),
  { type: QUERY, by: 'annotation', name: [...exported('Knex.QueryBuilder'), 'QueryBuilder'] },
];

export default library({
  key: 'knex',
  packages: ['knex', 'knex/*', 'nestjs-knex', 'nest-knexjs', '@mithleshjs/knex-nest'],
  title: 'Knex',
  family: 'store',
  obtain,
  calls: [
    ...roots(KNEX, 'pool'),
    ...roots(SINGLE, 'single'),
    ...roots(EITHER, 'receiver'),
    ...roots(TRANSACTION, 'transaction'),
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on: TRANSACTION, name: 'savepoint', does: { kind: 'transaction', body: arg(0), passes: TRANSACTION } },
    { on: FUNCTIONS, name: 'now', does: { kind: 'fresh', source: 'clock' }, note: 'the time of the database' },
    ...knexOnly(QUERY),
    ...knexSteps(QUERY),
    { on: KNEX, name: 'destroy', does: { kind: 'disconnect', how: 'end' } },
    { on: QUERY, name: ['toSQL', 'toString', 'toQuery'], does: { kind: 'derives', from: self() } },
  ],
  edits: {
    chains: [{ on: [QUERY], data: ['update'], filter: ['where', 'andWhere', 'whereIn', 'whereNull', 'whereNotNull', 'whereRaw'], refuses: ['orWhere', 'orWhereIn', 'orWhereNull', 'orWhereNotNull', 'orWhereRaw', 'insert'], step: { below: ".where('{column}', '<', {token})", notAbove: ".where('{column}', '<=', {token})" }, names: 'column' }],
  },
  facts: [
    '`update`, `del` and `increment` answer the number of rows; with `returning`, or a second argument, an array, which is truthy when it is empty.',
    '`where` may stand before or after `update`: the statement is sent when the chain is awaited.',
    '`knex.raw` answers what the driver answers: `rowCount` on PostgreSQL, `[0].affectedRows` on mysql2.',
    'The client is a pool: a session lock by `knex.raw` belongs to whichever connection ran it. `knex.transaction` gives one connection.',
    '`forUpdate()` without `transacting(trx)`, or outside of `trx(…)`, ends with its statement.',
  ],
});
