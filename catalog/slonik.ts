/** Slonik. Facts from the types of 49. */
import { arg, exported, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const POOL = 'slonik:Pool';
const EITHER = 'slonik:Either';
const CONNECTION = 'slonik:Connection';
const TRANSACTION = 'slonik:Transaction';
const TAG = 'slonik:SqlTag';
const SQL = 'slonik:Sql';

function calls(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (answer: Partial<Sql>): Sql => ({ kind: 'sql', text: arg(0), connection, dialect: 'postgresql', ...answer });
  return [
    { on, name: 'query', does: sql({ count: { path: ['rowCount'], miss: 0 }, rows: ['rows'] }) },
    { on, name: ['one', 'oneFirst'], does: sql({ row: [], throwsOnMiss: true }), note: 'throws NotFoundError without a row' },
    { on, name: ['many', 'manyFirst'], does: sql({ rows: [], throwsOnMiss: true }) },
    { on, name: ['maybeOne', 'maybeOneFirst'], does: sql({ row: [], count: { path: [], miss: null } }) },
    { on, name: ['any', 'anyFirst'], does: sql({ rows: [], count: { path: ['length'], miss: 0 } }) },
    { on, name: 'exists', does: sql({ count: { path: [], miss: false } }) },
    { on, name: 'transaction', does: { kind: 'transaction', body: arg(0), passes: TRANSACTION } },
  ];
}

export default library({
  key: 'slonik',
  packages: ['slonik'],
  title: 'Slonik',
  family: 'store',
  obtain: [
    { type: POOL, by: 'call', name: exported('createPool') },
    { type: POOL, by: 'annotation', name: ['DatabasePool', 'DatabasePoolType'] },
    { type: EITHER, by: 'annotation', name: 'CommonQueryMethods' },
    { type: CONNECTION, by: 'annotation', name: ['DatabasePoolConnection', 'DatabaseConnection'] },
    { type: TRANSACTION, by: 'annotation', name: 'DatabaseTransactionConnection' },
    { type: TAG, by: 'value', name: exported('sql') },
    { type: TAG, by: 'call', name: exported('createSqlTag') },
    { type: TAG, by: 'method', name: ['type', 'typeAlias'], of: TAG },
  ],
  calls: [
    ...calls(POOL, 'pool'),
    ...calls(EITHER, 'receiver'),
    ...calls(CONNECTION, 'single'),
    ...calls(TRANSACTION, 'transaction'),
    { on: TAG, name: ['`', 'unsafe', 'fragment'], does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver', dialect: 'postgresql' }, answers: SQL },
    { on: POOL, name: 'connect', does: { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [CONNECTION], answers: 'body' } },
    { on: POOL, name: 'end', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: [
    '`one` throws NotFoundError without a row: a fenced update with RETURNING through it needs no other check.',
    '`query` answers `rowCount`.',
    'The pool gives one connection by `connect(connection => …)` and a transaction by `transaction(connection => …)`.',
  ],
});
