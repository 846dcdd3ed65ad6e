/** pg-promise. Facts from the types of 12.7; what `none` and `result` answer on a miss was measured against PostgreSQL 15. */
import { arg, last, library, type Call, type Connection, type Sql, type TypeId } from './schema.ts';

const MAIN = 'pg-promise:Main';
const DB = 'pg-promise:Database';
const EITHER = 'pg-promise:Either';
const TASK = 'pg-promise:Task';
const TRANSACTION = 'pg-promise:Transaction';
const CONNECTED = 'pg-promise:Connected';

function calls(on: TypeId, connection: Connection): readonly Call[] {
  const sql = (answer: Partial<Sql>, text = arg(0), params = arg(1)): Sql => ({ kind: 'sql', text, params, connection, dialect: 'postgresql', ...answer });
  const forms = (name: string | readonly string[], answer: Partial<Sql>, note?: string): readonly Call[] => [
    { on, name, when: [{ sort: arg(0, 'text'), of: 'string' }], does: sql(answer, arg(0, 'text'), arg(0, 'values')), note },
    { on, name, does: sql(answer), note },
  ];
  return [
    ...forms('result', { count: { path: ['rowCount'], also: [[]], miss: 0 }, rows: ['rows'] }),
    ...forms('none', {}, 'answers null for a hit and for a miss: it cannot be checked'),
    ...forms('one', { row: [], throwsOnMiss: true }, 'with RETURNING a miss throws QueryResultError'),
    ...forms('oneOrNone', { row: [], count: { path: [], miss: null } }),
    ...forms('many', { rows: [], throwsOnMiss: true }),
    ...forms(['any', 'manyOrNone', 'query', 'map', 'each', 'func'], { rows: [], count: { path: ['length'], miss: 0 } }),
    ...forms(['multi', 'multiResult'], {}),
    { on, name: ['tx', 'txIf'], does: { kind: 'transaction', body: last, passes: TRANSACTION, isolation: arg(0, 'mode') } },
    { on, name: ['task', 'taskIf'], does: { kind: 'calls', body: last, when: 'now', passes: ['value'], types: [on === TRANSACTION ? TRANSACTION : TASK], answers: 'body' } },
    // A task has it; a database and what both have in common have not.
    ...(connection === 'pool' ? [] : [{ on, name: 'batch', does: { kind: 'joins', items: arg(0), how: 'all' } } as const]),
  ];
}

export default library({
  key: 'pg-promise',
  packages: ['pg-promise'],
  title: 'pg-promise',
  family: 'store',
  obtain: [
    { type: MAIN, by: 'call', name: 'default' },
    { type: MAIN, by: 'annotation', name: ['IMain', 'default.IMain'] },
    { type: DB, by: 'call', name: '()', of: MAIN },
    { type: DB, by: 'member', name: ['IDatabase', 'default.IDatabase'] },
    { type: DB, by: 'annotation', name: ['IDatabase', 'default.IDatabase'] },
    { type: EITHER, by: 'annotation', name: ['IBaseProtocol', 'default.IBaseProtocol', 'ITask', 'default.ITask'] },
    { type: CONNECTED, by: 'method', name: 'connect', of: DB },
    { type: CONNECTED, by: 'annotation', name: ['IConnected', 'default.IConnected'] },
  ],
  calls: [
    ...calls(DB, 'pool'),
    ...calls(EITHER, 'receiver'),
    ...calls(TASK, 'single'),
    ...calls(CONNECTED, 'single'),
    ...calls(TRANSACTION, 'transaction'),
    { on: CONNECTED, name: 'done', does: { kind: 'disconnect', how: 'release' } },
  ],
  facts: [
    '`db.none(update)` answers null for a hit and for a miss: a fenced write through it cannot be checked.',
    '`db.one(… RETURNING id)` throws QueryResultError on a miss; `db.result(…)` answers `rowCount`.',
    '`db` is a pool; `task` gives one connection, `tx` a transaction.',
  ],
});
