/**
 * postgres.js (`postgres`). Facts from the types and source of 3.4; counts and array lengths were
 * measured against PostgreSQL 15.
 */
import { arg, last, library, type Call, type Connection, type TypeId } from './schema.ts';

const SQL = 'postgres:Sql';
const SINGLE = 'postgres:Single';
const RESERVED = 'postgres:Reserved';
const EITHER = 'postgres:Either';
const TRANSACTION = 'postgres:Transaction';

const answer = {
  dialect: 'postgresql',
  count: { path: ['count'], miss: 0, note: '`length` is 0 for every `UPDATE` without `RETURNING`, hit or miss' },
  rows: [],
} as const;

const queries = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: '`', does: { kind: 'sql', text: { template: true }, connection, ...answer }, lazy: true },
  { on, name: 'unsafe', does: { kind: 'sql', text: arg(0), params: arg(1), connection, ...answer }, lazy: true },
];

const begins = (on: TypeId): readonly Call[] => [
  {
    on,
    name: 'begin',
    when: [{ sort: arg(0), of: 'string' }],
    does: { kind: 'transaction', body: last, passes: TRANSACTION, isolation: arg(0) },
  },
  { on, name: 'begin', does: { kind: 'transaction', body: last, passes: TRANSACTION } },
];

export default library({
  key: 'postgres',
  packages: ['postgres'],
  title: 'postgres.js',
  family: 'store',
  obtain: [
    { type: SINGLE, by: 'call', name: 'default', when: [{ is: arg(1, 'max'), value: 1 }] },
    { type: SINGLE, by: 'call', name: 'default', when: [{ is: arg(0, 'max'), value: 1 }] },
    { type: SQL, by: 'call', name: 'default' },
    { type: RESERVED, by: 'method', name: 'reserve', of: SQL },
    { type: RESERVED, by: 'method', name: 'reserve', of: SINGLE },
    { type: SQL, by: 'annotation', name: ['Sql', 'default.Sql'] },
    { type: EITHER, by: 'annotation', name: ['ISql', 'default.ISql'] },
    { type: RESERVED, by: 'annotation', name: ['ReservedSql', 'default.ReservedSql'] },
    { type: TRANSACTION, by: 'annotation', name: ['TransactionSql', 'default.TransactionSql'] },
  ],
  calls: [
    ...queries(SQL, 'pool'),
    ...queries(SINGLE, 'single'),
    ...queries(RESERVED, 'single'),
    ...queries(EITHER, 'receiver'),
    ...queries(TRANSACTION, 'transaction'),
    ...begins(SQL),
    ...begins(SINGLE),
    ...begins(RESERVED),
    { on: TRANSACTION, name: 'savepoint', does: { kind: 'transaction', body: last, passes: TRANSACTION } },
    { on: RESERVED, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on: SQL, name: 'end', does: { kind: 'disconnect', how: 'end' } },
    { on: SINGLE, name: 'end', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: [
    'The client itself is a pool: each tagged template may use another connection. `sql.reserve()` and `sql.begin()` give one connection.',
    'Only `.count` tells how many rows an `UPDATE` touched: the result is an array that is empty for a hit and for a miss, and `rowCount` does not exist.',
    'A statement is sent when it is awaited; inside another template it is a part of that statement.',
  ],
});
