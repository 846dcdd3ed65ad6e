/**
 * Prisma (`@prisma/client`). Facts from the clients that 4.16, 5.22, 6.19 and 7.10 generate, and
 * from their runtime. From 7 on the client is generated into the project, so its names count
 * whatever module they come from.
 */
import { arg, library, rest, type Call, type Connection, type FenceForm, type Operators, type TypeId } from './schema.ts';

const CLIENT = 'prisma:Client';
const TX = 'prisma:Tx';
const MODEL = 'prisma:Model';
const TX_MODEL = 'prisma:TxModel';
const SQL = 'prisma:Sql';

const operators: Operators = {
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  equals: '=',
  not: '<>',
  in: 'in',
  AND: 'and',
  OR: 'or',
  NOT: 'not',
  set: 'set',
  increment: 'increment',
  decrement: 'increment',
  multiply: 'increment',
  divide: 'increment',
};

const where = arg(0, 'where');
const data = arg(0, 'data');
const count = { path: ['count'], miss: 0 } as const;
const target = { receiver: true } as const;

function models(on: TypeId, connection: Connection): readonly Call[] {
  const common = { target, operators, connection } as const;
  return [
    {
      on,
      name: 'update',
      does: { kind: 'write', op: 'update', filter: where, data, throwsOnMiss: true, ...common },
      lazy: true,
      note: 'throws P2025 on a miss; conditions besides the unique key are possible from 5.0 on',
    },
    { on, name: 'updateMany', does: { kind: 'write', op: 'update', filter: where, data, count, ...common }, lazy: true },
    {
      on,
      name: 'updateManyAndReturn',
      does: { kind: 'write', op: 'update', filter: where, data, count: { path: ['length'], miss: 0 }, ...common },
      lazy: true,
    },
    {
      on,
      name: 'upsert',
      does: { kind: 'write', op: 'upsert', filter: where, data: arg(0, 'update'), ...common },
      lazy: true,
      note: 'where the filter misses, the row is to be created: a fence in it does not refuse',
    },
    { on, name: 'delete', does: { kind: 'write', op: 'delete', filter: where, throwsOnMiss: true, ...common }, lazy: true },
    { on, name: 'deleteMany', does: { kind: 'write', op: 'delete', filter: where, count, ...common }, lazy: true },
    { on, name: 'create', does: { kind: 'write', op: 'insert', data, ...common }, lazy: true },
    {
      on,
      name: 'createMany',
      does: { kind: 'write', op: 'insert', data, fence: [arg(0, 'skipDuplicates')], count, ...common },
      lazy: true,
    },
    {
      on,
      name: 'createManyAndReturn',
      does: { kind: 'write', op: 'insert', data, fence: [arg(0, 'skipDuplicates')], count: { path: ['length'], miss: 0 }, ...common },
      lazy: true,
    },
    {
      on,
      name: ['findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'findMany', 'count', 'aggregate', 'groupBy'],
      does: { kind: 'read', filter: where, ...common },
      lazy: true,
    },
  ];
}

const raw = (on: TypeId, connection: Connection): readonly Call[] => [
  { on, name: '$executeRaw', does: { kind: 'sql', text: { template: true }, connection, count: { path: [], miss: 0 } }, lazy: true },
  { on, name: '$executeRaw', does: { kind: 'sql', text: arg(0), connection, count: { path: [], miss: 0 } }, lazy: true },
  {
    on,
    name: '$executeRawUnsafe',
    does: { kind: 'sql', text: arg(0), params: rest(1), paramStyle: 'spread', connection, count: { path: [], miss: 0 } },
    lazy: true,
  },
  { on, name: '$queryRaw', does: { kind: 'sql', text: { template: true }, connection, rows: [] }, lazy: true },
  { on, name: '$queryRaw', does: { kind: 'sql', text: arg(0), connection, rows: [] }, lazy: true },
  {
    on,
    name: '$queryRawUnsafe',
    does: { kind: 'sql', text: arg(0), params: rest(1), paramStyle: 'spread', connection, rows: [] },
    lazy: true,
  },
];

/** A fenced update by filter and data; shared with receivers that are known by this shape only. */
export const prismaFences = (on: readonly TypeId[]): readonly FenceForm[] =>
  ['update', 'updateMany'].map((name) => ({
    on,
    name,
    becomes: 'updateMany',
    filter: 'where',
    data: 'data',
    below: '{ lt: {token} }',
    notAbove: '{ lte: {token} }',
    operators: ['set', 'increment', 'decrement', 'multiply', 'divide', 'push'],
    conditions: ['equals', 'in', 'notIn', 'not', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith'],
    count,
  }));

export default library({
  key: 'prisma',
  packages: ['@prisma/client', '@prisma/client/*', '.prisma/client', '.prisma/client/*'],
  title: 'Prisma',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: ['PrismaClient', 'default.PrismaClient'], anywhere: true },
    { type: CLIENT, by: 'annotation', name: ['PrismaClient', 'default.PrismaClient'], anywhere: true },
    { type: CLIENT, by: 'method', name: '$extends', of: CLIENT },
    { type: TX, by: 'annotation', name: 'Prisma.TransactionClient', anywhere: true },
    { type: TX, by: 'without', name: ['$transaction', '<ITXClientDenyList>'], of: CLIENT },
    { type: MODEL, by: 'property', name: '*', of: CLIENT },
    { type: TX_MODEL, by: 'property', name: '*', of: TX },
  ],
  calls: [
    ...models(MODEL, 'pool'),
    ...models(TX_MODEL, 'transaction'),
    ...raw(CLIENT, 'pool'),
    ...raw(TX, 'transaction'),
    {
      on: CLIENT,
      name: '$transaction',
      when: [{ sort: arg(0), of: 'array' }],
      does: { kind: 'transaction', statements: arg(0), isolation: arg(1, 'isolationLevel') },
    },
    {
      on: CLIENT,
      name: '$transaction',
      does: { kind: 'transaction', body: arg(0), passes: TX, isolation: arg(1, 'isolationLevel') },
      timeout: [{ at: arg(1, 'timeout'), unit: 'ms' }],
    },
    { on: CLIENT, name: '$disconnect', does: { kind: 'disconnect', how: 'end' } },
    { on: 'module', name: 'Prisma.sql', does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver' } },
    { on: 'module', name: 'Prisma.raw', does: { kind: 'sql', text: arg(0), prepares: SQL, connection: 'receiver' } },
  ],
  constants: {
    'Prisma.TransactionIsolationLevel.Serializable': 'Serializable',
    'Prisma.TransactionIsolationLevel.RepeatableRead': 'RepeatableRead',
    'Prisma.TransactionIsolationLevel.ReadCommitted': 'ReadCommitted',
  },
  edits: {
    fences: prismaFences([MODEL, TX_MODEL]),
  },
  facts: [
    'The client is a pool: each call may use another connection. Inside `$transaction(async tx => …)` only calls on `tx` belong to the transaction.',
    '`update({ where: { id, version } })` throws P2025 when nothing matches (from 5.0 on; 4.x knows only unique fields there). `updateMany().count` works in every version.',
    '`upsert` with a fence in `where` does not refuse: it tries to create the row.',
    'There is no built-in version column: optimistic locking is written by hand.',
    'A call that is never awaited never runs.',
  ],
});
