/** mysql, and promise-mysql over it. Facts from `@types/mysql` and mysql 2.18; counts were measured against MariaDB 10.11. */
import { arg, exported, last, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const POOL = 'mysql:Pool';
const CONNECTION = 'mysql:Connection';
const delivery = { callback: 'last' } as const;

function queries(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (text: Sql['text'], params: Sql['params']): Sql => ({
    kind: 'sql',
    text,
    params,
    connection,
    dialect: 'mysql',
    count: { path: ['affectedRows'], miss: 0, note: 'connected with FOUND_ROWS: the rows that matched' },
    rows: [],
  });
  const timeout = [{ at: arg(0, 'timeout'), unit: 'ms' }] as const;
  return [
    { on, name: 'query', when: [{ sort: arg(0, 'sql'), of: 'string' }, { has: arg(0, 'values') }], does: sql(arg(0, 'sql'), arg(0, 'values')), delivery, timeout },
    { on, name: 'query', when: [{ sort: arg(0, 'sql'), of: 'string' }], does: sql(arg(0, 'sql'), arg(1)), delivery, timeout },
    { on, name: 'query', does: sql(arg(0), arg(1)), delivery },
  ];
}

export default library({
  key: 'mysql',
  packages: ['mysql', 'promise-mysql'],
  title: 'mysql',
  family: 'store',
  obtain: [
    { type: CONNECTION, by: 'call', name: exported('createPool'), when: [{ is: arg(0, 'connectionLimit'), value: 1 }] },
    { type: POOL, by: 'call', name: exported('createPool', 'createPoolCluster') },
    { type: CONNECTION, by: 'call', name: exported('createConnection') },
    { type: CONNECTION, by: 'method', name: 'getConnection', of: POOL },
    { type: POOL, by: 'annotation', name: exported('Pool', 'PoolCluster') },
    { type: CONNECTION, by: 'annotation', name: exported('Connection', 'PoolConnection') },
  ],
  calls: [
    ...queries(POOL, 'pool'),
    ...queries(CONNECTION, 'single'),
    {
      on: POOL,
      name: 'getConnection',
      when: [{ sort: last, of: 'function' }],
      does: { kind: 'calls', body: last, when: 'now', passes: ['error', 'value'], types: [null, CONNECTION], answers: 'other' },
    },
    { on: CONNECTION, name: 'beginTransaction', does: { kind: 'transaction', step: 'begin' }, delivery },
    { on: CONNECTION, name: 'commit', does: { kind: 'transaction', step: 'commit' }, delivery },
    { on: CONNECTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' }, delivery },
    { on: CONNECTION, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on: CONNECTION, name: ['end', 'destroy'], does: { kind: 'disconnect', how: 'end' }, delivery },
    { on: POOL, name: 'end', does: { kind: 'disconnect', how: 'end' }, delivery },
  ],
  facts: [
    'The callback gets the header: `result.affectedRows === 0` is the refusal; FOUND_ROWS is on, so it counts matched rows.',
    '`GET_LOCK` belongs to a connection: through the pool, lock, work and unlock may go to three different ones.',
  ],
});
