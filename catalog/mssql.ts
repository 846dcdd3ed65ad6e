/**
 * mssql (SQL Server). Facts from `@types/mssql` 12 and the source of mssql 12.7. Parameters are bound
 * by `input` before the statement is sent.
 */
import { arg, configured, ctor, exported, last, library, type Call, type Connection, type Count, type Obtain, type Sql, type TypeId } from './schema.ts';

const POOL = 'mssql:Pool';
const REQUEST = 'mssql:Request';
const TX_REQUEST = 'mssql:TxRequest';
const TRANSACTION = 'mssql:Transaction';
const PREPARED = 'mssql:PreparedStatement';
const TX_PREPARED = 'mssql:TxPreparedStatement';

const count: Count = { path: ['rowsAffected', '0'], miss: 0, note: '`rowsAffected` is an array: compared with 0 it never equals, and it is always truthy' };
const delivery = { callback: 'last' } as const;

const sql = (connection: Connection, text: Sql['text'], more: Partial<Sql> = {}): Sql => ({
  kind: 'sql',
  text,
  paramStyle: 'named',
  connection,
  dialect: 'mssql',
  count,
  rows: ['recordset'],
  ...more,
});

const requests = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: ['input', 'replaceInput'], does: { kind: 'build', bind: { name: arg(0), value: last } }, answers: on },
  { on, name: ['output', 'replaceOutput'], does: { kind: 'build' }, answers: on },
  { on, name: ['query', 'batch'], does: sql(connection, { template: true }) },
  { on, name: ['query', 'batch'], does: sql(connection, arg(0), { binds: 'input' }), delivery, timeout: [{ at: ctor(0, 'requestTimeout'), unit: 'ms' }] },
  { on, name: 'execute', does: sql(connection, arg(0), { procedure: true }), delivery },
  { on, name: 'bulk', does: { kind: 'write', op: 'insert', target: { arg: 0, built: 0 }, connection, count: { path: ['rowsAffected'], miss: 0 } }, delivery },
];

const prepared = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: ['input', 'output'], does: { kind: 'build' }, answers: on },
  { on, name: 'prepare', does: { kind: 'build', configure: { text: arg(0) } }, delivery },
  { on, name: 'execute', does: sql(connection, configured('text'), { params: arg(0) }), delivery },
];

const obtain: readonly Obtain[] = [
  { type: POOL, by: 'new', name: exported('ConnectionPool') },
  { type: POOL, by: 'call', name: exported('connect') },
  { type: POOL, by: 'method', name: 'connect', of: POOL },
  { type: POOL, by: 'annotation', name: exported('ConnectionPool') },
  { type: TX_REQUEST, by: 'new', name: exported('Request'), when: [{ typed: arg(0), as: [TRANSACTION] }] },
  { type: REQUEST, by: 'new', name: exported('Request'), when: [{ typed: arg(0), as: [POOL] }] },
  { type: REQUEST, by: 'new', name: exported('Request'), when: [{ count: 0 }] },
  { type: 'mssql:AnyRequest', by: 'new', name: exported('Request') },
  { type: 'mssql:AnyRequest', by: 'annotation', name: exported('Request') },
  { type: REQUEST, by: 'method', name: 'request', of: POOL },
  { type: TX_REQUEST, by: 'method', name: 'request', of: TRANSACTION },
  { type: TRANSACTION, by: 'new', name: exported('Transaction') },
  { type: TRANSACTION, by: 'method', name: 'transaction', of: POOL },
  { type: TRANSACTION, by: 'annotation', name: exported('Transaction') },
  { type: TX_PREPARED, by: 'new', name: exported('PreparedStatement'), when: [{ typed: arg(0), as: [TRANSACTION] }] },
  { type: PREPARED, by: 'new', name: exported('PreparedStatement') },
];

export default library({
  key: 'mssql',
  packages: ['mssql', 'mssql/*'],
  title: 'mssql (SQL Server)',
  family: 'store',
  obtain,
  calls: [
    ...requests(REQUEST, 'pool'),
    ...requests(TX_REQUEST, 'transaction'),
    ...requests('mssql:AnyRequest', 'receiver'),
    ...prepared(PREPARED, 'pool'),
    ...prepared(TX_PREPARED, 'transaction'),
    { on: POOL, name: ['query', 'batch'], does: sql('pool', { template: true }) },
    { on: POOL, name: ['query', 'batch'], does: sql('pool', arg(0)), delivery },
    { on: 'module', name: exported('query', 'batch'), does: sql('pool', { template: true }) },
    { on: 'module', name: exported('query', 'batch'), does: sql('pool', arg(0)), delivery },
    { on: TRANSACTION, name: 'begin', does: { kind: 'transaction', step: 'begin', isolation: arg(0) }, delivery },
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' }, delivery },
    { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' }, delivery },
    { on: POOL, name: 'close', does: { kind: 'disconnect', how: 'end' }, delivery },
  ],
  constants: {
    'ISOLATION_LEVEL.SERIALIZABLE': 'serializable',
    'ISOLATION_LEVEL.REPEATABLE_READ': 'repeatable read',
    'ISOLATION_LEVEL.SNAPSHOT': 'snapshot',
    'default.ISOLATION_LEVEL.SERIALIZABLE': 'serializable',
  },
  facts: [
    '`rowsAffected` is an array, one number per statement: `rowsAffected[0] === 0` is the refusal. `if (result.rowsAffected)` always holds.',
    'A request of the pool runs on any connection: `sp_getapplock` with the session as its owner is not where the next request is. A request of a `Transaction` keeps its connection.',
    '`@LockOwner = \'Transaction\'` needs the request to belong to a `Transaction`.',
  ],
});
