/** The `@databases/*` family (PostgreSQL, MySQL, SQLite). Facts from the types of @databases/pg 6. */
import { arg, library, type Call, type Connection, type TypeId } from './schema.ts';

const POOL = 'databases:Pool';
const EITHER = 'databases:Either';
const TASK = 'databases:Task';
const TRANSACTION = 'databases:Transaction';
const TAG = 'databases:SqlTag';
const SQL = 'databases:Sql';

const calls = (on: TypeId, connection: Connection): readonly Call[] => [
  {
    on,
    name: ['query', 'queryStream'],
    does: { kind: 'sql', text: arg(0), connection, rows: [], count: { path: ['length'], miss: 0, note: 'rows only: an UPDATE needs RETURNING to be checked' } },
  },
  { on, name: 'tx', does: { kind: 'transaction', body: arg(0), passes: TRANSACTION, isolation: arg(1, 'isolationLevel') } },
  { on, name: 'task', does: { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [TASK], answers: 'body' } },
];

export default library({
  key: 'databases',
  packages: ['@databases/pg', '@databases/mysql', '@databases/sqlite', '@databases/sqlite-sync'],
  title: '@databases',
  family: 'store',
  obtain: [
    { type: POOL, by: 'call', name: ['default', 'default.default', 'createConnectionPool'] },
    { type: POOL, by: 'annotation', name: ['ConnectionPool', 'DatabaseConnection'] },
    { type: EITHER, by: 'annotation', name: 'Queryable' },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
    { type: TAG, by: 'value', name: ['sql', 'default.sql'] },
  ],
  calls: [
    ...calls(POOL, 'pool'),
    ...calls(EITHER, 'receiver'),
    ...calls(TASK, 'single'),
    ...calls(TRANSACTION, 'transaction'),
    { on: TAG, name: '`', does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver' }, answers: SQL },
    { on: POOL, name: 'dispose', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: ['`query` answers the rows and no count: a fenced UPDATE needs RETURNING, and a look at the length.'],
});
