/**
 * Calls whose shape gives a durable store away, whatever the receiver is called and wherever it
 * comes from: SQL text, Prisma's `{ where, data }`, Sequelize's `(values, { where })`, MongoDB's
 * method names. They are read only where no other library knows the receiver.
 */
import { arg, library, rest, type Call, type Connection, type Count, type Operators, type TypeId } from './schema.ts';
import { prismaFences } from './prisma.ts';
import { mongoOperators } from './mongo-operators.ts';

const TRANSACTION = 'shapes-sql:Transaction';

const told: Count = {
  path: ['rowCount'],
  also: [['affectedRows'], ['0', 'affectedRows'], ['changes'], ['count'], ['rowsAffected'], ['rowsAffected', '0'], ['0'], ['length'], []],
  miss: 0,
};

const prismaOperators: Operators = {
  lt: '<', lte: '<=', gt: '>', gte: '>=', equals: '=', not: '<>', in: 'in', AND: 'and', OR: 'or', NOT: 'not',
  set: 'set', increment: 'increment', decrement: 'increment',
};

const target = { receiver: true } as const;

const sql = (on: TypeId, connection: Connection): readonly Call[] => [
  {
    on,
    name: ['$executeRawUnsafe', '$queryRawUnsafe'],
    when: [{ sort: arg(0), of: 'sql' }],
    does: { kind: 'sql', text: arg(0), params: rest(1), paramStyle: 'spread', connection, count: told, rows: [] },
  },
  {
    on,
    name: ['query', 'execute', 'run'],
    when: [{ sort: arg(0, 'text'), of: 'sql' }],
    does: { kind: 'sql', text: arg(0, 'text'), params: arg(0, 'values'), connection, count: told, rows: ['rows'] },
  },
  {
    on,
    name: ['query', 'execute', 'run'],
    when: [{ sort: arg(0, 'sql'), of: 'sql' }],
    does: { kind: 'sql', text: arg(0, 'sql'), params: arg(0, 'values'), connection, count: told },
  },
  {
    on,
    name: ['query', 'execute', 'run', 'exec', 'raw', 'all', 'get', 'unsafe', 'rawQuery', 'queryRaw', 'executeRaw', 'executeSql', 'executeQuery', 'runQuery', 'runSql'],
    when: [{ sort: arg(0), of: 'sql' }],
    does: { kind: 'sql', text: arg(0), params: arg(1), connection, count: told },
  },
  {
    on,
    name: '`',
    when: [{ sort: arg(0), of: 'sql' }],
    does: { kind: 'sql', text: { template: true }, connection, count: told, rows: [] },
    lazy: true,
  },
];

function prismaShapes(on: TypeId, connection: Connection): readonly Call[] {
  const where = arg(0, 'where');
  const data = arg(0, 'data');
  const common = { target, operators: prismaOperators, connection } as const;
  const object = { sort: arg(0), of: 'object' } as const;
  const both = [object, { has: where }, { has: data }];
  return [
    { on, name: 'update', when: both, does: { kind: 'write', op: 'update', filter: where, data, throwsOnMiss: true, ...common } },
    { on, name: ['updateMany', 'updateManyAndReturn'], when: both, does: { kind: 'write', op: 'update', filter: where, data, count: told, ...common } },
    {
      on,
      name: 'upsert',
      when: [object, { has: where }, { has: arg(0, 'create') }, { has: arg(0, 'update') }],
      does: { kind: 'write', op: 'upsert', filter: where, data: arg(0, 'update'), ...common },
    },
    { on, name: 'delete', when: [object, { has: where }], does: { kind: 'write', op: 'delete', filter: where, throwsOnMiss: true, ...common } },
    { on, name: 'deleteMany', when: [object, { has: where }], does: { kind: 'write', op: 'delete', filter: where, count: told, ...common } },
    { on, name: 'create', when: [object, { has: data }], does: { kind: 'write', op: 'insert', data, ...common } },
    {
      on,
      name: ['createMany', 'createManyAndReturn'],
      when: [object, { has: data }],
      does: { kind: 'write', op: 'insert', data, fence: [arg(0, 'skipDuplicates')], ...common },
    },
    {
      on,
      name: ['findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'findMany'],
      when: [object, { has: where }],
      does: { kind: 'read', filter: where, ...common },
    },
  ];
}

function sequelizeShapes(on: TypeId, connection: Connection): readonly Call[] {
  const common = { target, operators: { ...prismaOperators, ...mongoOperators }, connection } as const;
  return [
    {
      on,
      name: 'update',
      when: [{ sort: arg(1), of: 'object' }, { has: arg(1, 'where') }],
      does: { kind: 'write', op: 'update', data: arg(0), filter: arg(1, 'where'), transaction: arg(1, 'transaction'), count: told, ...common },
    },
    {
      on,
      name: 'destroy',
      when: [{ sort: arg(0), of: 'object' }, { has: arg(0, 'where') }],
      does: { kind: 'write', op: 'delete', filter: arg(0, 'where'), transaction: arg(0, 'transaction'), count: told, ...common },
    },
    {
      on,
      name: ['findOne', 'findAll', 'findByPk'],
      when: [{ sort: arg(0), of: 'object' }, { has: arg(0, 'where') }],
      does: { kind: 'read', filter: arg(0, 'where'), lock: arg(0, 'lock'), transaction: arg(0, 'transaction'), ...common },
    },
  ];
}

function mongoShapes(on: TypeId, connection: Connection): readonly Call[] {
  const common = { target, operators: mongoOperators, connection } as const;
  const matched: Count = { path: ['matchedCount'], also: [['modifiedCount'], ['n'], ['nModified'], ['upsertedCount']], miss: 0 };
  const found: Count = { path: [], also: [['value']], miss: null };
  const filter = arg(0);
  const data = arg(1);
  return [
    {
      on,
      name: ['updateOne', 'updateMany'],
      when: [{ count: 2, atLeast: true }, { sort: arg(0), of: 'object' }],
      does: { kind: 'write', op: 'update', filter, data, count: matched, transaction: arg(2, 'session'), ...common },
    },
    {
      on,
      name: ['findOneAndUpdate', 'findByIdAndUpdate'],
      when: [{ count: 2, atLeast: true }],
      does: { kind: 'write', op: 'update', filter, data, count: found, transaction: arg(2, 'session'), ...common },
    },
    {
      on,
      name: ['replaceOne', 'findOneAndReplace'],
      when: [{ count: 2, atLeast: true }, { sort: arg(0), of: 'object' }],
      does: { kind: 'write', op: 'replace', filter, data, count: { ...matched, also: [...(matched.also ?? []), []] }, transaction: arg(2, 'session'), ...common },
    },
    {
      on,
      name: ['deleteOne', 'deleteMany'],
      when: [{ sort: arg(0), of: 'object' }],
      does: { kind: 'write', op: 'delete', filter, count: { path: ['deletedCount'], also: [['n']], miss: 0 }, transaction: arg(1, 'session'), ...common },
    },
    {
      on,
      name: ['findOneAndDelete', 'findByIdAndDelete'],
      does: { kind: 'write', op: 'delete', filter, count: found, transaction: arg(1, 'session'), ...common },
    },
    { on, name: ['insertOne', 'insertMany'], does: { kind: 'write', op: 'insert', data: arg(0), transaction: arg(1, 'session'), ...common } },
  ];
}

const shapes = (on: TypeId, connection: Connection): readonly Call[] => [
  ...sql(on, connection),
  ...prismaShapes(on, connection),
  ...sequelizeShapes(on, connection),
  ...mongoShapes(on, connection),
];

export default library({
  key: 'shapes-sql',
  packages: [],
  title: 'Stores told by the shape of their calls',
  family: 'store',
  mentions: ['pg_advisory*', 'pg_try_advisory*', 'GET_LOCK', 'RELEASE_LOCK', 'sp_getapplock', 'sp_releaseapplock', 'FOR UPDATE', 'for update', 'FOR SHARE', 'UPDLOCK', 'expires_at', 'locked_by', 'lockedBy', 'locked_until', 'lockedUntil', 'lease_until', 'leaseUntil'],
  obtain: [{ type: TRANSACTION, by: 'property', name: '*', of: TRANSACTION }],
  calls: [
    ...shapes(TRANSACTION, 'transaction'),
    {
      on: 'any',
      name: ['$transaction', 'transaction', 'runTransaction', 'withTransaction', 'runInTransaction', 'inTransaction', 'transactional', 'begin'],
      when: [{ sort: arg(0), of: 'function' }],
      does: { kind: 'transaction', body: arg(0), passes: TRANSACTION },
    },
    { on: 'any', name: '$transaction', when: [{ sort: arg(0), of: 'array' }], does: { kind: 'transaction', statements: arg(0) } },
    { on: 'any', name: ['beginTransaction', 'startTransaction'], does: { kind: 'transaction', step: 'begin' } },
    { on: 'any', name: ['commitTransaction', 'commit'], when: [{ count: 0 }], does: { kind: 'transaction', step: 'commit' } },
    { on: 'any', name: ['rollbackTransaction', 'abortTransaction', 'rollback'], when: [{ count: 0 }], does: { kind: 'transaction', step: 'rollback' } },
    {
      on: 'any',
      name: ['$executeRaw', '$queryRaw'],
      does: { kind: 'sql', text: { template: true }, connection: 'receiver', count: told, rows: [] },
    },
    ...shapes('any', 'receiver'),
  ],
  edits: { fences: prismaFences(['any', TRANSACTION]) },
  facts: [
    'A call with SQL text, with `{ where, data }` or with a MongoDB method name is a statement to a store, also where its receiver cannot be followed.',
    'On which connection it runs stays unknown there, so that pool and transaction rules are silent.',
  ],
});
