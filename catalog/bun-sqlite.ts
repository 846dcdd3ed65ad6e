/**
 * `bun:sqlite`, the SQLite of the Bun runtime. Facts from its documentation and `bun-types` 1.4.
 * Synchronous, one connection; `query` keeps the statements that it has compiled, `prepare` does not.
 */
import { arg, constant, ctor, exported, library, rest, type Call, type Sql } from './schema.ts';

const DATABASE = 'bun-sqlite:Database';
const STATEMENT = 'bun-sqlite:Statement';
const TRANSACTION = 'bun-sqlite:Transaction';

const common = { connection: 'single', dialect: 'sqlite' } as const;
const count = { path: ['changes'], miss: 0 } as const;

const sent = (answer: Partial<Sql>): Sql => ({ kind: 'sql', text: ctor(0), params: rest(0), paramStyle: 'spread', ...common, ...answer });

const statements: readonly Call[] = [
  { on: STATEMENT, name: 'run', does: sent({ count }) },
  { on: STATEMENT, name: 'get', does: sent({ row: [] }) },
  { on: STATEMENT, name: ['all', 'iterate'], does: sent({ rows: [] }) },
  { on: STATEMENT, name: 'values', does: sent({}) },
  { on: STATEMENT, name: 'as', does: { kind: 'passes', value: { self: true } }, answers: STATEMENT },
];

export default library({
  key: 'bun-sqlite',
  packages: ['bun:sqlite'],
  title: 'bun:sqlite',
  family: 'store',
  coordinator: 'machine',
  obtain: [
    { type: DATABASE, by: 'new', name: ['default', ...exported('Database')] },
    { type: DATABASE, by: 'annotation', name: ['default', 'Database'] },
    { type: STATEMENT, by: 'method', name: ['query', 'prepare'], of: DATABASE },
    { type: STATEMENT, by: 'annotation', name: 'Statement' },
  ],
  calls: [
    { on: DATABASE, name: ['query', 'prepare'], does: { kind: 'sql', text: arg(0), prepares: STATEMENT, ...common } },
    { on: DATABASE, name: ['run', 'exec'], does: { kind: 'sql', text: arg(0), params: rest(1), paramStyle: 'spread', ...common, count } },
    { on: DATABASE, name: 'transaction', does: { kind: 'transaction', body: arg(0), wraps: true, isolation: constant('serializable') }, answers: TRANSACTION },
    { on: DATABASE, name: 'close', does: { kind: 'disconnect', how: 'end' } },
    ...statements,
    { on: TRANSACTION, name: ['()', 'deferred'], does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable') } },
    { on: TRANSACTION, name: 'immediate', does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable'), locks: 'BEGIN IMMEDIATE' } },
    { on: TRANSACTION, name: 'exclusive', does: { kind: 'transaction', body: ctor(0), isolation: constant('serializable'), locks: 'BEGIN EXCLUSIVE' } },
  ],
  edits: { isSync: true },
  facts: [
    'Synchronous: `.run(…).changes` tells how many rows were touched, of the database as of a statement.',
    'Parameters are given one by one or as a list.',
    '`db.transaction(fn)` makes a function; the transaction runs when that function is called.',
    'The file is the coordinator: every instance must open that same file.',
  ],
});
