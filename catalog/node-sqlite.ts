/**
 * `node:sqlite` of Node 22.5 and newer. Facts from the Node documentation and `@types/node`.
 * Synchronous, one connection.
 */
import { arg, ctor, exported, library, rest, type Call, type Sql } from './schema.ts';

const DATABASE = 'node-sqlite:Database';
const STATEMENT = 'node-sqlite:Statement';
const STORE = 'node-sqlite:TagStore';

const common = { connection: 'single', dialect: 'sqlite' } as const;
const count = { path: ['changes'], miss: 0, note: '`changes` is a bigint where `setReadBigInts(true)` was called' } as const;

const sent = (answer: Partial<Sql>): Sql => ({ kind: 'sql', text: ctor(0), params: rest(0), paramStyle: 'spread', ...common, ...answer });
const tagged = (answer: Partial<Sql>): Sql => ({ kind: 'sql', text: { template: true }, ...common, ...answer });

const statements: readonly Call[] = [
  { on: STATEMENT, name: 'run', does: sent({ count }) },
  { on: STATEMENT, name: 'get', does: sent({ row: [] }) },
  { on: STATEMENT, name: ['all', 'iterate'], does: sent({ rows: [] }) },
  { on: STORE, name: 'run', does: tagged({ count }) },
  { on: STORE, name: 'get', does: tagged({ row: [] }) },
  { on: STORE, name: ['all', 'iterate'], does: tagged({ rows: [] }) },
];

export default library({
  key: 'node-sqlite',
  packages: ['node:sqlite'],
  title: 'node:sqlite',
  family: 'store',
  coordinator: 'machine',
  obtain: [
    { type: DATABASE, by: 'new', name: exported('DatabaseSync') },
    { type: DATABASE, by: 'annotation', name: 'DatabaseSync' },
    { type: STATEMENT, by: 'method', name: 'prepare', of: DATABASE },
    { type: STATEMENT, by: 'annotation', name: 'StatementSync' },
    { type: STORE, by: 'method', name: ['createTagStore', 'createSQLTagStore'], of: DATABASE },
  ],
  calls: [
    { on: DATABASE, name: 'prepare', does: { kind: 'sql', text: arg(0), prepares: STATEMENT, ...common } },
    { on: DATABASE, name: 'exec', does: { kind: 'sql', text: arg(0), ...common }, note: '`exec` does not tell how many rows it touched' },
    { on: DATABASE, name: 'close', does: { kind: 'disconnect', how: 'end' } },
    ...statements,
  ],
  edits: { isSync: true },
  facts: [
    'Synchronous: `.run(…).changes` tells how many rows were touched; it is a bigint where big integers are read.',
    'A transaction is written in text: `BEGIN IMMEDIATE`, `COMMIT`.',
    'The file is the coordinator: every instance must open that same file.',
  ],
});
