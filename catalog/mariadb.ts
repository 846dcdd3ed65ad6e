/** The MariaDB connector (`mariadb`). Facts from the types of 3.5; counts were measured against MariaDB 10.11. */
import { arg, exported, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const POOL = 'mariadb:Pool';
const CONNECTION = 'mariadb:Connection';

function queries(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (text: Sql['text'], params: Sql['params']): Sql => ({
    kind: 'sql',
    text,
    params,
    connection,
    dialect: 'mysql',
    count: { path: ['affectedRows'], miss: 0, note: '`foundRows` is on by default: the rows that matched' },
    rows: [],
  });
  const delivery = { callback: 'last' } as const;
  const timeout = [{ at: arg(0, 'timeout'), unit: 'ms' }] as const;
  return [
    { on, name: ['query', 'execute', 'batch'], when: [{ sort: arg(0, 'sql'), of: 'string' }], does: sql(arg(0, 'sql'), arg(1)), delivery, timeout },
    { on, name: ['query', 'execute', 'batch'], does: sql(arg(0), arg(1)), delivery },
  ];
}

export default library({
  key: 'mariadb',
  packages: ['mariadb', 'mariadb/*'],
  title: 'MariaDB connector',
  family: 'store',
  obtain: [
    { type: CONNECTION, by: 'call', name: exported('createPool'), when: [{ is: arg(0, 'connectionLimit'), value: 1 }] },
    { type: POOL, by: 'call', name: exported('createPool', 'createPoolCluster') },
    { type: CONNECTION, by: 'call', name: exported('createConnection') },
    { type: CONNECTION, by: 'method', name: 'getConnection', of: POOL },
    { type: POOL, by: 'annotation', name: exported('Pool') },
    { type: CONNECTION, by: 'annotation', name: exported('Connection', 'PoolConnection') },
  ],
  calls: [
    ...queries(POOL, 'pool'),
    ...queries(CONNECTION, 'single'),
    { on: CONNECTION, name: 'beginTransaction', does: { kind: 'transaction', step: 'begin' } },
    { on: CONNECTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: CONNECTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on: CONNECTION, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on: CONNECTION, name: ['end', 'destroy'], does: { kind: 'disconnect', how: 'end' } },
    { on: POOL, name: 'end', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: [
    'The promise answers the header itself, not a tuple as mysql2 does: `result.affectedRows === 0` is the refusal.',
    '`GET_LOCK` belongs to a connection: through the pool, lock, work and unlock may go to three different ones.',
  ],
});
