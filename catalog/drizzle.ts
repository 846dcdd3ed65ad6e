/**
 * Drizzle ORM. Facts from the types and source of 0.45; counts were measured with node-postgres,
 * postgres.js, mysql2 and libsql.
 */
import { arg, constant, library, rest, type Build, type Call, type Connection, type Count, type Obtain, type TypeId } from './schema.ts';

const QUERY = 'drizzle:Query';
const CONDITION = 'drizzle:Condition';
const TABLES = 'drizzle:Tables';
const TABLE = 'drizzle:Table';
const TAG = 'drizzle:SqlTag';
const SQL = 'drizzle:Sql';

/** Drivers by the way in which their results tell how many rows were touched. */
interface Driver {
  key: string;
  from: readonly string[];
  databases: readonly string[];
  count: Count;
  rows: readonly string[];
  /** Where one connection is all there is. */
  only?: Connection;
  /** The names of the calls that send SQL: databases of SQLite have other ones than those of PostgreSQL and MySQL. */
  dialects: readonly ('sqlite' | 'other')[];
  /** It can be made over one connection of a pool. */
  overOne?: boolean;
}

const of = (...names: string[]): string[] => names.map((name) => `drizzle-orm/${name}`);

const drivers: readonly Driver[] = [
  {
    key: 'Pg',
    from: of('node-postgres', 'neon-serverless', 'neon-http', 'vercel-postgres', 'netlify-db'),
    databases: ['NodePgDatabase', 'NeonDatabase', 'NeonHttpDatabase', 'VercelPgDatabase'],
    count: { path: ['rowCount'], miss: 0 },
    rows: ['rows'],
    dialects: ['other'],
    overOne: true,
  },
  { key: 'PostgresJs', from: of('postgres-js', 'bun-sql'), databases: ['PostgresJsDatabase', 'BunSQLDatabase'], count: { path: ['count'], miss: 0 }, rows: [], dialects: ['other'], overOne: true },
  { key: 'Pglite', from: of('pglite'), databases: ['PgliteDatabase'], count: { path: ['affectedRows'], miss: 0 }, rows: ['rows'], only: 'single', dialects: ['other'] },
  { key: 'MySql', from: of('mysql2', 'singlestore'), databases: ['MySql2Database', 'SingleStoreDriverDatabase'], count: { path: ['0', 'affectedRows'], miss: 0 }, rows: ['0'], dialects: ['other'], overOne: true },
  {
    key: 'Serverless',
    from: of('planetscale-serverless', 'tidb-serverless', 'libsql'),
    databases: ['PlanetScaleDatabase', 'TiDBServerlessDatabase', 'LibSQLDatabase'],
    count: { path: ['rowsAffected'], miss: 0 },
    rows: ['rows'],
    dialects: ['sqlite', 'other'],
  },
  {
    key: 'Sqlite',
    from: of('better-sqlite3', 'bun-sqlite', 'expo-sqlite', 'op-sqlite', 'durable-sqlite', 'sql-js'),
    databases: ['BetterSQLite3Database', 'BunSQLiteDatabase', 'ExpoSQLiteDatabase'],
    count: { path: ['changes'], miss: 0 },
    rows: [],
    only: 'single',
    dialects: ['sqlite'],
  },
  { key: 'D1', from: of('d1'), databases: ['DrizzleD1Database'], count: { path: ['meta', 'changes'], miss: 0 }, rows: ['results'], dialects: ['sqlite'] },
  {
    key: 'Any',
    from: of('pg-core', 'mysql-core', 'sqlite-core', 'pg-proxy', 'mysql-proxy', 'sqlite-proxy', 'aws-data-api', 'xata-http', 'gel', 'supabase'),
    databases: ['PgDatabase', 'MySqlDatabase', 'BaseSQLiteDatabase', 'PgRemoteDatabase', 'AwsDataApiPgDatabase', 'PostgresDatabase'],
    count: { path: ['rowCount'], also: [['count'], ['affectedRows'], ['0', 'affectedRows'], ['changes'], ['rowsAffected']], miss: 0 },
    rows: ['rows'],
    dialects: ['sqlite', 'other'],
  },
];

const database = (driver: Driver): TypeId => `drizzle:${driver.key}`;
const single = (driver: Driver): TypeId => `drizzle:${driver.key}Single`;
const either = (driver: Driver): TypeId => `drizzle:${driver.key}Either`;
const transaction = (driver: Driver): TypeId => `drizzle:${driver.key}Transaction`;

const batched = ['Pg', 'Serverless', 'D1'];
const oneConnection = ['pg:Client', 'pg:PoolClient', 'mysql2:Connection', 'mysql2:CallbackConnection', 'postgres:Single', 'postgres:Reserved'];
const transactions = ['PgTransaction', 'MySqlTransaction', 'SQLiteTransaction', 'NodePgTransaction', 'PostgresJsTransaction', 'MySql2Transaction', 'SQLiteTransactionAsync'];

const obtain: readonly Obtain[] = [
  ...drivers.flatMap((driver): readonly Obtain[] => [
    ...(driver.overOne
      ? [arg(0), arg(0, 'client')].map((typed): Obtain => ({ type: single(driver), by: 'call', name: 'drizzle', from: driver.from, when: [{ typed, as: oneConnection }] }))
      : []),
    { type: database(driver), by: 'call', name: ['drizzle', 'default.drizzle'], from: driver.from },
    { type: database(driver), by: 'member', name: driver.databases },
    { type: either(driver), by: 'annotation', name: driver.databases },
  ]),
  ...drivers.filter((it) => it.overOne).map((driver): Obtain => ({ type: transaction(driver), by: 'without', name: ['transaction', '$client'], of: database(driver) })),
  { type: 'drizzle:AnyTransaction', by: 'annotation', name: transactions },
  ...drivers.flatMap((driver) =>
    [database, ...(driver.overOne ? [single] : []), either, transaction].map((world): Obtain => ({ type: TABLES, by: 'property', name: 'query', of: world(driver) })),
  ),
  { type: TABLE, by: 'property', name: '*', of: TABLES },
  { type: TAG, by: 'value', name: 'sql' },
];

const roots = (on: TypeId, driver: Driver, connection: Connection): readonly Call[] => [
  { on, name: 'update', does: { kind: 'build', op: 'update', table: arg(0), count: driver.count, connection }, answers: QUERY, lazy: true },
  { on, name: 'insert', does: { kind: 'build', op: 'insert', table: arg(0), count: driver.count, connection }, answers: QUERY, lazy: true },
  { on, name: 'delete', does: { kind: 'build', op: 'delete', table: arg(0), count: driver.count, connection }, answers: QUERY, lazy: true },
  { on, name: ['select', 'selectDistinct', 'selectDistinctOn'], does: { kind: 'build', op: 'select', rows: [], connection }, answers: QUERY, lazy: true },
  ...(driver.dialects.includes('other')
    ? [{ on, name: 'execute', does: { kind: 'sql', text: arg(0), connection, count: driver.count, rows: driver.rows }, lazy: true } as const]
    : []),
  ...(driver.dialects.includes('sqlite')
    ? ([
        { on, name: 'run', does: { kind: 'sql', text: arg(0), connection, count: driver.count } },
        { on, name: ['all', 'values'], does: { kind: 'sql', text: arg(0), connection, rows: [] } },
        { on, name: 'get', does: { kind: 'sql', text: arg(0), connection, row: [] } },
      ] as const)
    : []),
  {
    on,
    name: 'transaction',
    does: { kind: 'transaction', body: arg(0), passes: transaction(driver), isolation: driver.only ? constant('serializable') : arg(1, 'isolationLevel') },
  },
];

const step = { on: QUERY, answers: QUERY, lazy: true } as const;

const steps: readonly Call[] = [
  { ...step, name: 'set', does: { kind: 'build', set: arg(0) } },
  { on: QUERY, name: 'values', when: [{ count: 0 }], does: { kind: 'build', sends: true, rows: [] } },
  { ...step, name: 'values', does: { kind: 'build', set: arg(0) } },
  { ...step, name: ['where', 'having'], does: { kind: 'build', filter: { expression: arg(0) } }, note: '`where(undefined)` touches every row' },
  { ...step, name: 'from', does: { kind: 'build', table: arg(0) } },
  { ...step, name: 'returning', does: { kind: 'build', count: { path: ['length'], miss: 0, note: 'a miss is an empty array, which is truthy' }, rows: [] } },
  { ...step, name: 'onConflictDoNothing', does: { kind: 'build', conflict: 'nothing' } },
  {
    ...step,
    name: 'onConflictDoUpdate',
    when: [{ has: arg(0, 'setWhere') }],
    does: { kind: 'build', conflict: 'update', set: arg(0, 'set'), filter: { expression: arg(0, 'setWhere') } },
  },
  {
    ...step,
    name: 'onConflictDoUpdate',
    when: [{ has: arg(0, 'where') }],
    does: { kind: 'build', conflict: 'update', set: arg(0, 'set'), filter: { expression: arg(0, 'where') } },
  },
  { ...step, name: ['onConflictDoUpdate', 'onDuplicateKeyUpdate'], does: { kind: 'build', conflict: 'update', set: arg(0, 'set') } },
  { ...step, name: 'ignore', does: { kind: 'build', conflict: 'nothing' } },
  { ...step, name: 'for', when: [{ is: arg(0), value: ['share', 'key share'] }], does: { kind: 'build', lock: 'share' } },
  { ...step, name: 'for', does: { kind: 'build', lock: 'update' } },
  {
    ...step,
    name: ['limit', 'offset', 'orderBy', 'groupBy', 'leftJoin', 'innerJoin', 'rightJoin', 'fullJoin', 'prepare', '$dynamic', '$returningId', 'as', 'with', 'select'],
    does: { kind: 'build' },
  },
  { on: QUERY, name: ['execute', 'run', 'all'], does: { kind: 'build', sends: true } },
  { on: QUERY, name: 'get', does: { kind: 'build', sends: true, row: [] } },
];

const condition = (name: string, does: Omit<Build, 'kind'>): Call => ({ on: 'module', name, does: { kind: 'build', ...does }, answers: CONDITION });
const compared = (name: string, op: string, value = arg(1)): Call => condition(name, { filter: { triple: { column: arg(0), op: constant(op), value } } });

const conditions: readonly Call[] = [
  compared('eq', '='),
  compared('ne', '<>'),
  compared('lt', '<'),
  compared('lte', '<='),
  compared('gt', '>'),
  compared('gte', '>='),
  compared('inArray', 'in'),
  compared('isNull', '=', constant(null)),
  compared('isNotNull', '<>', constant(null)),
  condition('and', { combine: { how: 'and', items: rest(0) } }),
  condition('or', { combine: { how: 'or', items: rest(0) } }),
  condition('not', { combine: { how: 'not', items: arg(0) } }),
];

const fragments: readonly Call[] = [
  { on: TAG, name: '`', does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver' }, answers: SQL },
  { on: TAG, name: 'raw', does: { kind: 'sql', text: arg(0), prepares: SQL, connection: 'receiver' }, answers: SQL },
  { on: TAG, name: ['param', 'identifier'], does: { kind: 'passes', value: arg(0) } },
];

export default library({
  key: 'drizzle',
  packages: ['drizzle-orm', 'drizzle-orm/*'],
  title: 'Drizzle ORM',
  family: 'store',
  obtain,
  calls: [
    ...drivers.flatMap((driver) => [
      ...roots(database(driver), driver, driver.only ?? 'pool'),
      ...(driver.overOne ? roots(single(driver), driver, 'single') : []),
      ...roots(either(driver), driver, 'receiver'),
      ...roots(transaction(driver), driver, 'transaction'),
      { on: transaction(driver), name: 'rollback', does: { kind: 'transaction', step: 'rollback' } } as const,
      // Over HTTP a list of statements is the only transaction there is.
      ...(batched.includes(driver.key) ? [database(driver), either(driver)].map((on): Call => ({ on, name: 'batch', does: { kind: 'transaction', statements: arg(0) } })) : []),
    ]),
    ...steps,
    ...conditions,
    ...fragments,
    { on: TABLE, name: ['findFirst', 'findMany'], does: { kind: 'read', target: { receiver: true }, filter: arg(0, 'where') }, lazy: true },
  ],
  edits: {
    chains: [
      {
        on: [QUERY],
        data: ['set'],
        filter: ['where'],
        beside: { below: 'lt({table}.{column}, {token})', notAbove: 'lte({table}.{column}, {token})', uses: { from: 'drizzle-orm', below: 'lt', notAbove: 'lte' }, join: 'and' },
        names: 'property',
      },
    ],
  },
  facts: [
    'How many rows were touched is told in the driver\'s way: node-postgres `rowCount`, postgres.js `count`, mysql2 `[0].affectedRows`, better-sqlite3 `changes`, libsql `rowsAffected`.',
    'With `.returning()` the answer is an array: a miss is empty, and truthy. `rows.length !== 1` is the check in every driver.',
    '`.where(undefined)` touches every row.',
    'A statement is sent when the chain is awaited, or by `execute`, `run`, `all` and `get`.',
    '`.for(\'update\')` outside of `db.transaction` ends with its statement.',
  ],
});
