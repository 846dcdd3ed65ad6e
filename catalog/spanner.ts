/** Google Cloud Spanner. Facts from the types of @google-cloud/spanner 9. Transactions are serializable. */
import { arg, constant, exported, last, library } from './schema.ts';

const SPANNER = 'spanner:Spanner';
const INSTANCE = 'spanner:Instance';
const DATABASE = 'spanner:Database';
const TRANSACTION = 'spanner:Transaction';
const TABLE = 'spanner:Table';

const serializable = constant('serializable');

export default library({
  key: 'spanner',
  packages: ['@google-cloud/spanner'],
  title: 'Google Cloud Spanner',
  family: 'store',
  obtain: [
    { type: SPANNER, by: 'new', name: exported('Spanner') },
    { type: INSTANCE, by: 'method', name: 'instance', of: SPANNER },
    { type: DATABASE, by: 'method', name: 'database', of: INSTANCE },
    { type: DATABASE, by: 'annotation', name: 'Database' },
    { type: TABLE, by: 'method', name: 'table', of: DATABASE },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
  ],
  calls: [
    { on: DATABASE, name: ['runTransaction', 'runTransactionAsync'], does: { kind: 'transaction', body: last, passes: TRANSACTION, isolation: serializable } },
    { on: DATABASE, name: 'run', does: { kind: 'sql', text: arg(0, 'sql'), params: arg(0, 'params'), paramStyle: 'named', connection: 'pool', rows: ['0'] } },
    {
      on: TRANSACTION,
      name: ['runUpdate', 'run'],
      when: [{ sort: arg(0, 'sql'), of: 'string' }],
      does: { kind: 'sql', text: arg(0, 'sql'), params: arg(0, 'params'), paramStyle: 'named', connection: 'transaction', count: { path: ['0'], miss: 0 }, rows: ['0'] },
    },
    { on: TRANSACTION, name: ['runUpdate', 'run'], does: { kind: 'sql', text: arg(0), connection: 'transaction', count: { path: ['0'], miss: 0 }, rows: ['0'] } },
    ...(['update', 'insert', 'upsert', 'replace'] as const).map((op) => ({ on: TRANSACTION, name: op, does: { kind: 'write', op, target: arg(0), data: arg(1), connection: 'transaction' } }) as const),
    { on: TRANSACTION, name: 'deleteRows', does: { kind: 'write', op: 'delete', target: arg(0), connection: 'transaction' } },
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on: TABLE, name: ['update', 'upsert', 'replace'], does: { kind: 'write', op: 'update', target: { receiver: true }, data: arg(0) } },
    { on: TABLE, name: 'insert', does: { kind: 'write', op: 'insert', target: { receiver: true }, data: arg(0), throwsOnMiss: true } },
    { on: TABLE, name: 'deleteRows', does: { kind: 'write', op: 'delete', target: { receiver: true } } },
  ],
  facts: [
    'A transaction is serializable: a row that was read in it and changed meanwhile makes it run again.',
    'Mutations outside of a transaction (`table.update`) take no condition; `runUpdate` answers `[rowCount]`.',
  ],
});
