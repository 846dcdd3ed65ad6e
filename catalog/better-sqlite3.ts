/**
 * better-sqlite3. Facts from its documentation and `@types/better-sqlite3`; counts were measured on
 * 12 and 13. Everything is synchronous and on one connection.
 */
import { arg, constant, ctor, library, rest, type Call, type Sql } from './schema.ts';

const DATABASE = 'better-sqlite3:Database';
const STATEMENT = 'better-sqlite3:Statement';
const TRANSACTION = 'better-sqlite3:Transaction';

const sent = (answer: Partial<Sql>): Sql => ({
  kind: 'sql',
  text: ctor(0),
  params: rest(0),
  paramStyle: 'spread',
  connection: 'single',
  dialect: 'sqlite',
  ...answer,
});

const statements: readonly Call[] = [
  { on: STATEMENT, name: 'run', does: sent({ count: { path: ['changes'], miss: 0 } }) },
  { on: STATEMENT, name: 'get', does: sent({ row: [] }) },
  { on: STATEMENT, name: ['all', 'iterate'], does: sent({ rows: [] }) },
  { on: STATEMENT, name: ['bind', 'pluck', 'raw', 'expand', 'safeIntegers'], does: { kind: 'passes', value: { self: true } }, answers: STATEMENT },
];

export default library({
  key: 'better-sqlite3',
  packages: ['better-sqlite3', 'better-sqlite3-multiple-ciphers'],
  title: 'better-sqlite3',
  family: 'store',
  coordinator: 'machine',
  obtain: [
    { type: DATABASE, by: 'new', name: 'default' },
    { type: DATABASE, by: 'call', name: 'default' },
    { type: DATABASE, by: 'annotation', name: ['default', 'Database', 'default.Database'] },
    { type: STATEMENT, by: 'method', name: 'prepare', of: DATABASE },
    { type: STATEMENT, by: 'annotation', name: ['Statement', 'default.Statement'] },
  ],
  calls: [
    { on: DATABASE, name: 'prepare', does: { kind: 'sql', text: arg(0), prepares: STATEMENT, connection: 'single', dialect: 'sqlite' } },
    { on: DATABASE, name: 'exec', does: { kind: 'sql', text: arg(0), connection: 'single', dialect: 'sqlite' }, note: '`exec` does not tell how many rows it touched' },
    { on: DATABASE, name: 'transaction', does: { kind: 'transaction', body: arg(0), wraps: true, isolation: constant('serializable') }, answers: TRANSACTION },
    { on: DATABASE, name: 'close', does: { kind: 'disconnect', how: 'end' } },
    ...statements,
    { on: TRANSACTION, name: ['()', 'deferred'], does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable') } },
    { on: TRANSACTION, name: 'immediate', does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable'), locks: 'BEGIN IMMEDIATE' } },
    { on: TRANSACTION, name: 'exclusive', does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable'), locks: 'BEGIN EXCLUSIVE' } },
  ],
  edits: { isSync: true },
  facts: [
    'Synchronous: nothing is awaited, and `.run(…).changes` tells at once how many rows were touched.',
    '`db.exec` gives no count: a fenced write goes through `prepare(…).run(…)`.',
    '`db.transaction(fn)` makes a function; the transaction runs when that function is called.',
    'The file is the coordinator: every instance must open that same file.',
  ],
});
