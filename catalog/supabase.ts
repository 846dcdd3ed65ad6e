/** Supabase (`@supabase/supabase-js`). Facts from the types of 2. */
import { arg, constant, library, type Call, type Count } from './schema.ts';

const CLIENT = 'supabase:Client';
const QUERY = 'supabase:Query';
const STORAGE = 'supabase:Storage';
const BUCKET = 'supabase:Bucket';

const rows: Count = { path: ['data', 'length'], also: [['count'], ['data', '0']], miss: 0, note: 'a miss is no `error`: `data` is an empty array, where `.select()` asked for the rows' };
const counted: Count = { path: ['count'], miss: 0, note: 'only with `{ count: \'exact\' }`; without it and without `.select()` a miss cannot be seen' };

const operators = { eq: '=', is: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', in: 'in' } as const;
const step = { on: QUERY, answers: QUERY, lazy: true } as const;
const compared = (name: string, op: string): Call => ({ ...step, name, does: { kind: 'build', filter: { triple: { column: arg(0), op: constant(op), value: arg(1) } } } });

const queries: readonly Call[] = [
  { ...step, name: 'update', does: { kind: 'build', op: 'update', set: arg(0), count: counted } },
  { ...step, name: 'delete', does: { kind: 'build', op: 'delete', count: counted } },
  { ...step, name: 'insert', does: { kind: 'build', op: 'insert', set: arg(0) } },
  { ...step, name: 'upsert', when: [{ is: arg(1, 'ignoreDuplicates'), value: true }], does: { kind: 'build', op: 'insert', conflict: 'nothing', set: arg(0) } },
  { ...step, name: 'upsert', does: { kind: 'build', op: 'upsert', set: arg(0) } },
  { ...step, name: 'select', does: { kind: 'build', count: rows, rows: ['data'] } },
  compared('eq', '='),
  compared('is', '='),
  compared('neq', '<>'),
  compared('lt', '<'),
  compared('lte', '<='),
  compared('gt', '>'),
  compared('gte', '>='),
  compared('in', 'in'),
  { ...step, name: 'match', does: { kind: 'build', filter: { object: arg(0) } } },
  { ...step, name: 'filter', does: { kind: 'build', operators, filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } } } },
  { ...step, name: ['or', 'not', 'contains', 'like', 'ilike'], does: { kind: 'build', filter: { expression: arg(0) } } },
  { ...step, name: 'single', does: { kind: 'build', count: { path: ['data'], also: [['error']], miss: null }, row: ['data'] }, note: 'without a row `error` is set' },
  { ...step, name: 'maybeSingle', does: { kind: 'build', count: { path: ['data'], miss: null }, row: ['data'] } },
  { ...step, name: 'throwOnError', does: { kind: 'build' } },
  { ...step, name: ['order', 'limit', 'range', 'abortSignal', 'returns', 'maxAffected', 'overrideTypes', 'setHeader'], does: { kind: 'build' } },
];

export default library({
  key: 'supabase',
  packages: ['@supabase/supabase-js', '@supabase/ssr', '@supabase/postgrest-js'],
  title: 'Supabase',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'call', name: ['createClient', 'createServerClient', 'createBrowserClient', 'default.createClient'] },
    { type: CLIENT, by: 'new', name: ['SupabaseClient', 'PostgrestClient'] },
    { type: CLIENT, by: 'annotation', name: ['SupabaseClient', 'PostgrestClient'] },
    { type: CLIENT, by: 'method', name: 'schema', of: CLIENT },
    { type: STORAGE, by: 'property', name: 'storage', of: CLIENT },
    { type: BUCKET, by: 'method', name: 'from', of: STORAGE },
  ],
  calls: [
    { on: CLIENT, name: 'from', does: { kind: 'build', table: arg(0), connection: 'pool' }, answers: QUERY, lazy: true },
    ...queries,
    { on: BUCKET, name: 'upload', when: [{ is: arg(2, 'upsert'), value: true }], does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1) } },
    { on: BUCKET, name: 'upload', does: { kind: 'write', op: 'insert', target: arg(0), data: arg(1), fence: [constant('the object must not exist')], count: { path: ['data'], also: [['error']], miss: null } } },
    { on: BUCKET, name: ['update', 'move', 'copy'], does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1) } },
    { on: BUCKET, name: 'remove', does: { kind: 'write', op: 'delete', target: arg(0) } },
  ],
  facts: [
    'A miss is no error: `.select()` after the update shows it as an empty `data`, `{ count: \'exact\' }` as `count === 0`.',
    'Each call is a request of its own: there is no transaction and no session lock but inside a function that `rpc` calls.',
    'Errors are answered in `error`; only `throwOnError()` throws them.',
  ],
});
