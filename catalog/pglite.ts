/**
 * PGlite (`@electric-sql/pglite`): PostgreSQL in the process. Facts from its types. One connection;
 * the calls queue up behind each other.
 */
import { arg, library, type Call, type Connection, type TypeId } from './schema.ts';

const DATABASE = 'pglite:Database';
const TRANSACTION = 'pglite:Transaction';

const count = { path: ['affectedRows'], miss: 0, note: '`affectedRows` may be left out of a result' } as const;

const queries = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: 'query', does: { kind: 'sql', text: arg(0), params: arg(1), connection, dialect: 'postgresql', count, rows: ['rows'] } },
  { on, name: 'sql', does: { kind: 'sql', text: { template: true }, connection, dialect: 'postgresql', count, rows: ['rows'] } },
  { on, name: 'exec', does: { kind: 'sql', text: arg(0), connection, dialect: 'postgresql', count: { path: ['0', 'affectedRows'], miss: 0 }, rows: ['0', 'rows'] } },
];

export default library({
  key: 'pglite',
  packages: ['@electric-sql/pglite', '@electric-sql/pglite/*'],
  title: 'PGlite',
  family: 'store',
  obtain: [
    { type: DATABASE, by: 'new', name: ['PGlite', 'PGliteWorker'] },
    { type: DATABASE, by: 'call', name: ['PGlite.create', 'PGliteWorker.create'] },
    { type: DATABASE, by: 'annotation', name: ['PGlite', 'PGliteInterface', 'PGliteWorker'] },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
  ],
  calls: [
    ...queries(DATABASE, 'single'),
    ...queries(TRANSACTION, 'transaction'),
    { on: DATABASE, name: 'transaction', does: { kind: 'transaction', body: arg(0), passes: TRANSACTION } },
    { on: DATABASE, name: 'runExclusive', does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body' } },
    { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on: DATABASE, name: 'close', does: { kind: 'disconnect', how: 'end' } },
  ],
  edits: { hidesColumns: true },
  facts: [
    'One connection in one process: a session lock holds, but nothing outside the process can see it.',
    '`exec` answers an array of results, `query` one; `affectedRows` tells a miss.',
  ],
});
