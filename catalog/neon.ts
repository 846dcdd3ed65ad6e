/** Neon's serverless driver and Vercel Postgres. Facts from the types of @neondatabase/serverless 1.2 and @vercel/postgres 0.10. */
import { arg, exported, library, type Call, type Count, type TypeId } from './schema.ts';
import { pgQueries } from './pg-queries.ts';

const HTTP = 'neon:Http';
const FULL = 'neon:FullHttp';
const POOL = 'neon:Pool';
const CLIENT = 'neon:Client';
const SQL = 'neon:Sql';

const rowCount: Count = { path: ['rowCount'], miss: 0 };
const NEON = '@neondatabase/serverless';
const VERCEL = '@vercel/postgres';

const http = (on: TypeId, count: Count | undefined, rows: readonly string[]): readonly Call[] => [
  { on, name: '`', does: { kind: 'sql', text: { template: true }, connection: 'pool', dialect: 'postgresql', count, rows }, lazy: true },
  { on, name: ['query', '()'], does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'pool', dialect: 'postgresql', count, rows }, lazy: true },
];
const transaction = (on: TypeId): Call => ({ on, name: 'transaction', does: { kind: 'transaction', statements: arg(0), isolation: arg(1, 'isolationLevel') } });

export default library({
  key: 'neon',
  packages: [NEON, VERCEL],
  title: 'Neon, Vercel Postgres',
  family: 'store',
  obtain: [
    { type: FULL, by: 'call', name: exported('neon'), when: [{ is: arg(1, 'fullResults'), value: true }] },
    { type: HTTP, by: 'call', name: exported('neon') },
    { type: HTTP, by: 'annotation', name: 'NeonQueryFunction' },
    { type: POOL, by: 'new', name: exported('Pool') },
    { type: POOL, by: 'annotation', name: ['Pool', 'VercelPool'] },
    { type: POOL, by: 'call', name: exported('createPool'), from: VERCEL },
    { type: POOL, by: 'value', name: ['db', 'default.db'], from: VERCEL },
    { type: SQL, by: 'value', name: ['sql', 'default.sql'], from: VERCEL },
    { type: SQL, by: 'property', name: 'sql', of: POOL },
    { type: CLIENT, by: 'new', name: exported('Client') },
    { type: CLIENT, by: 'call', name: exported('createClient'), from: VERCEL },
    { type: CLIENT, by: 'method', name: 'connect', of: POOL },
    { type: CLIENT, by: 'annotation', name: ['Client', 'PoolClient', 'VercelClient', 'VercelPoolClient'] },
  ],
  calls: [
    ...http(HTTP, undefined, []),
    transaction(HTTP),
    transaction(FULL),
    ...http(FULL, rowCount, ['rows']),
    ...http(SQL, rowCount, ['rows']),
    ...pgQueries(POOL, 'pool'),
    ...pgQueries(CLIENT, 'single'),
    { on: CLIENT, name: 'sql', does: { kind: 'sql', text: { template: true }, connection: 'single', dialect: 'postgresql', count: rowCount, rows: ['rows'] } },
    { on: CLIENT, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on: CLIENT, name: 'end', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: [
    'Each statement of `neon(url)` is a request of its own: no session lock outlives it, and no transaction but `sql.transaction([…])`.',
    '`neon(url)` answers the rows only: without `fullResults: true` a missed update shows by RETURNING and an empty array alone.',
  ],
});
