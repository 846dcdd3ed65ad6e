/** libSQL and Turso (`@libsql/client`). Facts from the types of 0.18; counts were measured on a local file. */
import { arg, exported, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const CLIENT = 'libsql:Client';
const TRANSACTION = 'libsql:Transaction';

function queries(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (text: Sql['text'], params: Sql['params']): Sql => ({
    kind: 'sql',
    text,
    params,
    connection,
    dialect: 'sqlite',
    count: { path: ['rowsAffected'], miss: 0 },
    rows: ['rows'],
  });
  return [
    { on, name: 'execute', when: [{ sort: arg(0, 'sql'), of: 'string' }], does: sql(arg(0, 'sql'), arg(0, 'args')) },
    { on, name: 'execute', does: sql(arg(0), arg(1)) },
    { on, name: 'executeMultiple', does: { kind: 'sql', text: arg(0), connection, dialect: 'sqlite' } },
    {
      on,
      name: ['batch', 'migrate'],
      does: [
        { kind: 'transaction', statements: arg(0), isolation: { constant: 'serializable' } },
        // The answers are a list as well: which of them tells the count is not said here.
        { ...sql({ arg: 0, each: ['sql'] }, { arg: 0, each: ['args'] }), count: undefined, rows: undefined },
      ],
    },
  ];
}

export default library({
  key: 'libsql',
  packages: ['@libsql/client', '@libsql/client/*'],
  title: 'libSQL',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'call', name: exported('createClient') },
    { type: CLIENT, by: 'annotation', name: 'Client' },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
  ],
  calls: [
    ...queries(CLIENT, 'pool'),
    ...queries(TRANSACTION, 'transaction'),
    { on: CLIENT, name: 'transaction', does: { kind: 'transaction', step: 'begin', passes: TRANSACTION, isolation: { constant: 'serializable' } } },
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: TRANSACTION, name: ['rollback', 'close'], does: { kind: 'transaction', step: 'rollback' } },
    { on: CLIENT, name: 'close', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: ['`rowsAffected === 0` is the refusal of a fenced write.', '`batch` runs its statements in one transaction.'],
});
