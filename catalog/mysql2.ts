/**
 * mysql2, with promises and with callbacks. Facts from the types of 2.3 and 3; counts and flags were
 * measured against MariaDB 10.11.
 */
import { arg, exported, last, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const POOL = 'mysql2:Pool';
const CONNECTION = 'mysql2:Connection';
const CALLBACK_POOL = 'mysql2:CallbackPool';
const CALLBACK_CONNECTION = 'mysql2:CallbackConnection';

const PROMISED = ['mysql2/promise', 'mysql2/promise.js'];
const PLAIN = 'mysql2';

const matched = 'connected with FOUND_ROWS: `affectedRows` counts the rows that matched, `changedRows` those that changed';
const promised = { count: { path: ['0', 'affectedRows'], miss: 0, note: matched }, rows: ['0'] } as const;
const calledBack = { count: { path: ['affectedRows'], miss: 0, note: matched }, rows: [] } as const;
const timeout = [{ at: arg(0, 'timeout'), unit: 'ms' }] as const;

function queries(on: TypeId, connection: Connection): readonly Call[] {
  const callbacks = on === CALLBACK_POOL || on === CALLBACK_CONNECTION;
  const answer = callbacks ? calledBack : promised;
  const delivery = callbacks ? ({ callback: 'last', returns: { of: 'object' } } as const) : undefined;
  const sql = (text: Sql['text'], params: Sql['params']): Sql => ({ kind: 'sql', text, params, connection, dialect: 'mysql', ...answer });
  return [
    { on, name: ['query', 'execute'], when: [{ sort: arg(0, 'sql'), of: 'string' }, { has: arg(0, 'values') }], does: sql(arg(0, 'sql'), arg(0, 'values')), delivery, timeout },
    { on, name: ['query', 'execute'], when: [{ sort: arg(0, 'sql'), of: 'string' }], does: sql(arg(0, 'sql'), arg(1)), delivery, timeout },
    { on, name: ['query', 'execute'], does: sql(arg(0), arg(1)), delivery },
  ];
}

function steps(on: TypeId): readonly Call[] {
  const delivery = on === CALLBACK_CONNECTION ? ({ callback: 'last' } as const) : undefined;
  return [
    { on, name: 'beginTransaction', does: { kind: 'transaction', step: 'begin' }, delivery },
    { on, name: 'commit', does: { kind: 'transaction', step: 'commit' }, delivery },
    { on, name: 'rollback', does: { kind: 'transaction', step: 'rollback' }, delivery },
    { on, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on, name: ['end', 'destroy'], does: { kind: 'disconnect', how: 'end' }, delivery },
  ];
}

export default library({
  key: 'mysql2',
  packages: [PLAIN, ...PROMISED, 'mysql2/*'],
  title: 'mysql2',
  family: 'store',
  obtain: [
    { type: CONNECTION, by: 'call', name: exported('createPool'), from: PROMISED, when: [{ is: arg(0, 'connectionLimit'), value: 1 }] },
    { type: CALLBACK_CONNECTION, by: 'call', name: exported('createPool'), from: PLAIN, when: [{ is: arg(0, 'connectionLimit'), value: 1 }] },
    { type: POOL, by: 'call', name: exported('createPool'), from: PROMISED },
    { type: CALLBACK_POOL, by: 'call', name: exported('createPool'), from: PLAIN },
    { type: CONNECTION, by: 'call', name: exported('createConnection'), from: PROMISED },
    { type: CALLBACK_CONNECTION, by: 'call', name: exported('createConnection'), from: PLAIN },
    { type: POOL, by: 'method', name: 'promise', of: CALLBACK_POOL },
    { type: CONNECTION, by: 'method', name: 'promise', of: CALLBACK_CONNECTION },
    { type: CONNECTION, by: 'method', name: 'getConnection', of: POOL },
    { type: CONNECTION, by: 'method', name: 'getConnection', of: CONNECTION },
    { type: POOL, by: 'annotation', name: exported('Pool'), from: PROMISED },
    { type: CALLBACK_POOL, by: 'annotation', name: exported('Pool'), from: PLAIN },
    { type: CONNECTION, by: 'annotation', name: exported('Connection', 'PoolConnection'), from: PROMISED },
    { type: CALLBACK_CONNECTION, by: 'annotation', name: exported('Connection', 'PoolConnection'), from: PLAIN },
  ],
  calls: [
    ...queries(POOL, 'pool'),
    ...queries(CONNECTION, 'single'),
    ...queries(CALLBACK_POOL, 'pool'),
    ...queries(CALLBACK_CONNECTION, 'single'),
    ...steps(CONNECTION),
    ...steps(CALLBACK_CONNECTION),
    {
      on: CALLBACK_POOL,
      name: 'getConnection',
      does: { kind: 'calls', body: last, when: 'now', passes: ['error', 'value'], types: [null, CALLBACK_CONNECTION], answers: 'other' },
    },
    { on: POOL, name: 'end', does: { kind: 'disconnect', how: 'end' } },
    { on: CALLBACK_POOL, name: 'end', does: { kind: 'disconnect', how: 'end' }, delivery: { callback: 'last' } },
  ],
  edits: { countType: { on: [POOL, CONNECTION], name: 'ResultSetHeader', from: 'mysql2/promise' } },
  facts: [
    'The promise answers a tuple `[header, fields]`: `const [r] = await pool.execute(…)`, then `r.affectedRows`. On the tuple itself it is undefined.',
    'FOUND_ROWS is on by default: `affectedRows` counts the rows that the `WHERE` matched, so 0 means that the fence refused.',
    '`GET_LOCK` belongs to a connection: through the pool, lock, work and unlock may go to three different ones.',
    'A pool with `connectionLimit: 1` behaves like a single connection.',
  ],
});
