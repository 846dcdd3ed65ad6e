/**
 * Kysely. Facts from the types and source of 0.28 and 0.29; counts and what throws were measured on
 * 0.29 against PostgreSQL 15 and MariaDB 10.11.
 */
import { arg, configured, library, self, type Build, type Call, type Connection, type Count, type Obtain, type TypeId } from './schema.ts';

const KYSELY = 'kysely:Kysely';
const EITHER = 'kysely:Either';
const SINGLE = 'kysely:Single';
const TRANSACTION = 'kysely:Transaction';
const CONTROLLED = 'kysely:ControlledTransaction';
const QUERY = 'kysely:Query';
const ROWS = 'kysely:RowsQuery';
const EXPRESSIONS = 'kysely:Expressions';
const CONFLICT = 'kysely:Conflict';
const TRANSACTION_BUILDER = 'kysely:TransactionBuilder';
const CONTROLLED_BUILDER = 'kysely:ControlledTransactionBuilder';
const CONNECTION_BUILDER = 'kysely:ConnectionBuilder';
const TAG = 'kysely:SqlTag';
const SQL = 'kysely:Sql';

const counts = ['numUpdatedRows', 'numDeletedRows', 'numInsertedOrUpdatedRows', 'numAffectedRows', 'numChangedRows'];
const bigint = 'a bigint: `=== 0` never holds, compare with `0n`';
const first: Count = { path: ['numUpdatedRows'], also: counts.slice(1).map((name) => [name]), miss: 'bigint-zero', note: bigint };
const list: Count = { path: ['0', 'numUpdatedRows'], also: counts.slice(1).map((name) => ['0', name]), miss: 'bigint-zero', note: bigint };

const roots = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: 'selectFrom', does: { kind: 'build', op: 'select', table: arg(0), connection }, answers: ROWS },
  { on, name: 'updateTable', does: { kind: 'build', op: 'update', table: arg(0), connection }, answers: QUERY },
  { on, name: 'deleteFrom', does: { kind: 'build', op: 'delete', table: arg(0), connection }, answers: QUERY },
  { on, name: 'insertInto', does: { kind: 'build', op: 'insert', table: arg(0), connection }, answers: QUERY },
  { on, name: ['replaceInto', 'mergeInto'], does: { kind: 'build', op: 'upsert', table: arg(0), connection }, answers: QUERY },
  { on, name: 'executeQuery', does: { kind: 'sql', text: arg(0), connection, count: { path: ['numAffectedRows'], miss: 'bigint-zero' }, rows: ['rows'] } },
];

function wheres(on: TypeId, name: string, more: Partial<Build>): readonly Call[] {
  const step = { on, name, answers: on };
  return [
    { ...step, when: [{ count: 3 }], does: { kind: 'build', filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } }, ...more } },
    {
      ...step,
      when: [{ sort: arg(0), of: 'function' }],
      does: [
        { kind: 'build', filter: { expression: arg(0) }, ...more },
        { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [EXPRESSIONS], answers: 'other' },
      ],
    },
    { ...step, does: { kind: 'build', filter: { expression: arg(0) }, ...more } },
  ];
}

/** The steps of a chain; `on` is the chain's type, which `returning` changes. */
function steps(on: TypeId): readonly Call[] {
  const step = { on, answers: on };
  return [
    ...wheres(on, 'where', {}),
    { ...step, name: 'set', when: [{ count: 2 }], does: { kind: 'build', set: arg(1) } },
    { ...step, name: ['set', 'values'], does: { kind: 'build', set: arg(0) } },
    {
      ...step,
      name: 'onConflict',
      does: [
        { kind: 'build', filter: { expression: arg(0) }, conflict: 'update' },
        { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [CONFLICT], answers: 'other' },
      ],
    },
    { ...step, name: ['ignore', 'orIgnore'], does: { kind: 'build', conflict: 'nothing' } },
    { ...step, name: 'onDuplicateKeyUpdate', does: { kind: 'build', conflict: 'update', set: arg(0) } },
    { on, name: ['returning', 'returningAll', 'output', 'outputAll'], does: { kind: 'build', count: { path: ['length'], miss: 0 }, rows: [] }, answers: ROWS },
    {
      ...step,
      name: ['select', 'selectAll', 'from', 'using', 'innerJoin', 'leftJoin', 'skipLocked', 'noWait', 'orderBy', 'limit', 'offset', 'groupBy', 'having', 'distinctOn', 'whereRef', 'top', 'columns', 'with', '$if', '$call', '$castTo', '$assertType', 'modifyEnd', 'clearWhere'],
      does: { kind: 'build' },
    },
  ];
}

const sends: readonly Call[] = [
  { on: QUERY, name: 'execute', does: { kind: 'build', sends: true, count: list } },
  {
    on: QUERY,
    name: ['executeTakeFirst', 'executeTakeFirstOrThrow'],
    does: { kind: 'build', sends: true, count: first },
    note: 'without `returning` neither throws on a miss: there is always a result object',
  },
  { on: ROWS, name: 'execute', does: { kind: 'build', sends: true, count: { path: ['length'], miss: 0 }, rows: [] } },
  { on: ROWS, name: 'executeTakeFirst', does: { kind: 'build', sends: true, count: { path: [], miss: undefined }, row: [] } },
  { on: ROWS, name: 'executeTakeFirstOrThrow', does: { kind: 'build', sends: true, throwsOnMiss: true, row: [] } },
];

const conditions: readonly Call[] = [
  { on: EXPRESSIONS, name: '()', does: { kind: 'build', filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'and', when: [{ count: 3 }], does: { kind: 'build', filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'or', when: [{ count: 3 }], does: { kind: 'build', or: true, filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'and', when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', filter: { object: arg(0) } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'and', does: { kind: 'build', combine: { how: 'and', items: arg(0) } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'or', does: { kind: 'build', combine: { how: 'or', items: arg(0) } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: 'not', does: { kind: 'build', combine: { how: 'not', items: arg(0) } }, answers: EXPRESSIONS },
  { on: EXPRESSIONS, name: ['val', 'lit', 'ref', 'cast', 'parens'], does: { kind: 'passes', value: arg(0) } },
  { on: EXPRESSIONS, name: ['exists', 'selectFrom', 'fn', 'case', 'between'], does: { kind: 'build' } },
  { on: CONFLICT, name: 'doNothing', does: { kind: 'build', conflict: 'nothing' }, answers: CONFLICT },
  { on: CONFLICT, name: 'doUpdateSet', does: { kind: 'build', conflict: 'update', set: arg(0) }, answers: CONFLICT },
  { on: CONFLICT, name: ['column', 'columns', 'constraint', 'expression'], does: { kind: 'build' }, answers: CONFLICT },
  ...wheres(CONFLICT, 'where', {}),
];

const rawSql: readonly Call[] = [
  { on: TAG, name: '`', does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver' }, answers: SQL },
  { on: TAG, name: 'raw', does: { kind: 'sql', text: arg(0), prepares: SQL, connection: 'receiver' }, answers: SQL },
  { on: TAG, name: ['val', 'value', 'lit', 'literal', 'ref', 'id', 'table', 'join'], does: { kind: 'passes', value: arg(0) } },
  {
    on: SQL,
    name: 'execute',
    does: { kind: 'sql', text: self(), connection: 'receiver', transaction: arg(0), count: { path: ['numAffectedRows'], miss: 'bigint-zero', note: bigint }, rows: ['rows'] },
  },
  { on: SQL, name: ['as', '$castTo', 'withPlugin', 'compile'], does: { kind: 'passes', value: self() }, answers: SQL },
];

const transactions: readonly Call[] = [
  { on: TRANSACTION_BUILDER, name: ['setIsolationLevel', 'setAccessMode'], does: { kind: 'build', configure: { isolation: arg(0) } }, answers: TRANSACTION_BUILDER },
  { on: TRANSACTION_BUILDER, name: 'execute', does: { kind: 'transaction', body: arg(0), passes: TRANSACTION, isolation: configured('isolation') } },
  { on: CONTROLLED_BUILDER, name: ['setIsolationLevel', 'setAccessMode'], does: { kind: 'build', configure: { isolation: arg(0) } }, answers: CONTROLLED_BUILDER },
  { on: CONTROLLED_BUILDER, name: 'execute', does: { kind: 'transaction', step: 'begin', passes: CONTROLLED, isolation: configured('isolation') } },
  { on: CONTROLLED, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
  { on: CONTROLLED, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
  { on: CONNECTION_BUILDER, name: 'execute', does: { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [SINGLE], answers: 'body' } },
  { on: KYSELY, name: 'destroy', does: { kind: 'disconnect', how: 'end' } },
];

const builders = (of: TypeId): readonly Obtain[] => [
  { type: TRANSACTION_BUILDER, by: 'method', name: 'transaction', of },
  { type: CONTROLLED_BUILDER, by: 'method', name: 'startTransaction', of },
  { type: CONNECTION_BUILDER, by: 'method', name: 'connection', of },
];
const changed = (of: TypeId): readonly Obtain[] => [
  { type: of, by: 'method', name: ['withPlugin', 'withSchema', 'withoutPlugins', 'with', '$extendTables', '$pickTables', '$omitTables', 'withTables'], of },
];

export default library({
  key: 'kysely',
  packages: ['kysely', 'kysely/*', 'nestjs-kysely'],
  title: 'Kysely',
  family: 'store',
  obtain: [
    { type: KYSELY, by: 'new', name: 'Kysely' },
    { type: KYSELY, by: 'decorator', name: 'InjectKysely' },
    { type: KYSELY, by: 'member', name: 'Kysely' },
    { type: EITHER, by: 'annotation', name: 'Kysely' },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
    { type: CONTROLLED, by: 'annotation', name: 'ControlledTransaction' },
    { type: EXPRESSIONS, by: 'annotation', name: 'ExpressionBuilder' },
    { type: EXPRESSIONS, by: 'call', name: 'expressionBuilder' },
    { type: EXPRESSIONS, by: 'property', name: 'eb', of: EXPRESSIONS },
    { type: TAG, by: 'value', name: 'sql' },
    // A transaction throws when it is asked for another one.
    ...[KYSELY, EITHER, SINGLE].flatMap(builders),
    ...[KYSELY, EITHER, SINGLE, TRANSACTION, CONTROLLED].flatMap(changed),
  ],
  calls: [
    ...roots(KYSELY, 'pool'),
    ...roots(EITHER, 'receiver'),
    ...roots(SINGLE, 'single'),
    ...roots(TRANSACTION, 'transaction'),
    ...roots(CONTROLLED, 'transaction'),
    ...steps(QUERY),
    ...steps(ROWS),
    { on: ROWS, answers: ROWS, name: ['forUpdate', 'forNoKeyUpdate'], does: { kind: 'build', lock: 'update' } },
    { on: ROWS, answers: ROWS, name: ['forShare', 'forKeyShare'], does: { kind: 'build', lock: 'share' } },
    ...sends,
    ...conditions,
    ...rawSql,
    ...transactions,
  ],
  edits: {
    hidesColumns: true,
    chains: [{ on: [QUERY], data: ['set'], filter: ['where'], refuses: ['orWhere', 'insertInto', 'mergeInto'], step: { below: ".where('{column}', '<', {token})", notAbove: ".where('{column}', '<=', {token})" }, names: 'column' }],
  },
  facts: [
    '`numUpdatedRows` is a bigint: `=== 0` never holds. `execute()` answers an array that holds one such object, hit or miss.',
    '`executeTakeFirstOrThrow()` throws on a missed update only where `returning` was asked for.',
    'On MySQL `numUpdatedRows` counts matched rows and `numChangedRows` changed ones.',
    'Nothing is sent before `execute…()` is called.',
    '`db.connection().execute(db => …)` gives one connection, `db.transaction().execute(trx => …)` a transaction; `db` itself is a pool.',
  ],
});
