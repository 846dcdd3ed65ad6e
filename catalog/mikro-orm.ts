/**
 * MikroORM. Facts from the types and sources of 5.9, 6.6 and 7.2: what `version` guards is in the
 * UPDATE that `flush` sends.
 */
import { arg, library, self, type Call, type Connection, type Count, type Obtain, type TypeId, type Write } from './schema.ts';
import { mongoOperators as operators } from './mongo-operators.ts';

const ORM = 'mikro-orm:Orm';
const CONNECTION = 'mikro-orm:Connection';
const BUILDER = 'mikro-orm:QueryBuilder';

interface World {
  connection: Connection;
  manager: TypeId;
  repository: TypeId;
}

const pool: World = { connection: 'pool', manager: 'mikro-orm:PoolManager', repository: 'mikro-orm:PoolRepository' };
const tx: World = { connection: 'transaction', manager: 'mikro-orm:TxManager', repository: 'mikro-orm:TxRepository' };
/** Handed in: it may be a transaction's. */
const either: World = { connection: 'receiver', manager: 'mikro-orm:EntityManager', repository: 'mikro-orm:Repository' };
const worlds = [pool, tx, either];

const number: Count = { path: [], miss: 0 };
const guarded = 'throws OptimisticLockError where the entity has a `version` property';
const none = ['LockMode.NONE', 'LockMode.OPTIMISTIC', 0, 1] as const;

function entityCalls(on: TypeId, connection: Connection, shift: 0 | 1): readonly Call[] {
  const at = (index: number, ...path: string[]): ReturnType<typeof arg> => arg(index + shift, ...path);
  const target: Write['target'] = shift ? arg(0) : { receiver: true };
  const write = (op: Write['op'], more: Partial<Write>): Write => ({ kind: 'write', op, target, operators, connection, ...more });
  return [
    { on, name: 'nativeUpdate', does: write('update', { filter: at(0), data: at(1), count: number }), note: 'goes past the version' },
    { on, name: 'nativeDelete', does: write('delete', { filter: at(0), count: number }), note: 'goes past the version' },
    { on, name: ['insert', 'insertMany', 'nativeInsert'], does: write('insert', { data: at(0) }) },
    { on, name: ['upsert', 'upsertMany'], does: write('upsert', { data: at(0) }) },
    {
      on,
      name: ['findOne', 'findOneOrFail', 'find', 'findAll'],
      when: [{ lacks: at(1, 'lockMode') }],
      does: { kind: 'read', target, filter: at(0), operators, connection },
    },
    {
      on,
      name: ['findOne', 'findOneOrFail', 'find', 'findAll'],
      when: [{ is: at(1, 'lockMode'), value: none }],
      does: { kind: 'read', target, filter: at(0), operators, connection },
    },
    {
      on,
      name: ['findOne', 'findOneOrFail', 'find', 'findAll'],
      does: { kind: 'read', target, filter: at(0), lock: at(1, 'lockMode'), operators, connection },
    },
  ];
}

function managerCalls({ manager: on, connection }: World): readonly Call[] {
  return [
    ...entityCalls(on, connection, 1),
    { on, name: ['persist', 'remove'], does: [{ kind: 'pends', entity: arg(0) }, { kind: 'passes', value: self() }] },
    { on, name: 'flush', does: { kind: 'write', op: 'save', flushes: true, versioned: ['version', 'concurrencyCheck'], connection }, note: guarded },
    {
      on,
      name: ['persistAndFlush', 'removeAndFlush'],
      does: { kind: 'write', op: 'save', target: arg(0), data: arg(0), versioned: ['version', 'concurrencyCheck'], connection },
      note: guarded,
    },
    { on, name: 'lock', when: [{ is: arg(1), value: none }], does: { kind: 'read', target: arg(0), connection } },
    { on, name: 'lock', does: { kind: 'read', target: arg(0), lock: arg(1), connection } },
    { on, name: ['refresh', 'refreshOrFail'], does: { kind: 'read', target: arg(0), connection } },
    { on, name: ['transactional', 'execute'], when: [{ sort: arg(0), of: 'function' }], does: { kind: 'transaction', body: arg(0), passes: tx.manager, isolation: arg(1, 'isolationLevel'), ambient: true } },
    { on, name: 'execute', does: { kind: 'sql', text: arg(0), params: arg(1), connection, count: { path: ['affectedRows'], miss: 0 }, rows: [] } },
    { on, name: 'begin', does: { kind: 'transaction', step: 'begin', isolation: arg(0, 'isolationLevel') } },
    { on, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on, name: ['createQueryBuilder', 'qb'], does: { kind: 'build', table: arg(0), connection }, answers: BUILDER },
  ];
}

const step = { on: BUILDER, answers: BUILDER, lazy: true } as const;
const builder: readonly Call[] = [
  { ...step, name: 'update', does: { kind: 'build', op: 'update', set: arg(0), count: { path: ['affectedRows'], miss: 0 } } },
  { ...step, name: 'insert', does: { kind: 'build', op: 'insert', set: arg(0) } },
  { ...step, name: 'delete', does: { kind: 'build', op: 'delete', filter: { object: arg(0) }, operators, count: { path: ['affectedRows'], miss: 0 } } },
  { ...step, name: 'select', does: { kind: 'build', op: 'select' } },
  { ...step, name: ['where', 'andWhere'], when: [{ sort: arg(0), of: 'string' }], does: { kind: 'build', filter: { sql: arg(0), params: arg(1) } } },
  { ...step, name: ['where', 'andWhere'], does: { kind: 'build', filter: { object: arg(0) }, operators } },
  { ...step, name: 'orWhere', does: { kind: 'build', filter: { object: arg(0) }, or: true, operators } },
  { ...step, name: 'ignore', does: { kind: 'build', conflict: 'nothing' } },
  { ...step, name: 'merge', does: { kind: 'build', conflict: 'update', set: arg(0) } },
  { ...step, name: 'setLockMode', when: [{ is: arg(0), value: none }], does: { kind: 'build' } },
  { ...step, name: 'setLockMode', does: { kind: 'build', lock: 'update' } },
  { ...step, name: ['onConflict', 'returning', 'limit', 'orderBy', 'leftJoin', 'join', 'from'], does: { kind: 'build' } },
  { on: BUILDER, name: ['execute', 'getResult', 'getResultList', 'getSingleResult', 'run', 'get', 'all'], does: { kind: 'build', sends: true } },
];

const obtain: readonly Obtain[] = [
  { type: ORM, by: 'call', name: ['MikroORM.init', 'MikroORM.initSync', 'default.MikroORM.init'] },
  { type: ORM, by: 'new', name: 'MikroORM' },
  { type: ORM, by: 'annotation', name: 'MikroORM' },
  { type: pool.manager, by: 'property', name: 'em', of: ORM },
  { type: pool.manager, by: 'member', name: ['EntityManager', 'SqlEntityManager', 'MongoEntityManager'] },
  { type: either.manager, by: 'annotation', name: ['EntityManager', 'SqlEntityManager', 'MongoEntityManager'] },
  { type: pool.repository, by: 'decorator', name: 'InjectRepository' },
  { type: pool.repository, by: 'member', name: ['EntityRepository', 'SqlEntityRepository', 'MongoEntityRepository'] },
  { type: either.repository, by: 'annotation', name: ['EntityRepository', 'SqlEntityRepository', 'MongoEntityRepository'] },
  ...worlds.flatMap(({ manager, repository }): readonly Obtain[] => [
    { type: repository, by: 'method', name: ['getRepository', 'repo'], of: manager },
    { type: manager, by: 'method', name: 'getEntityManager', of: repository },
  ]),
  // For the classes that extend it only.
  { type: either.manager, by: 'property', name: ['em', '_em'], of: either.repository },
  { type: pool.manager, by: 'method', name: 'fork', of: pool.manager },
  { type: pool.manager, by: 'method', name: 'fork', of: either.manager },
  { type: CONNECTION, by: 'method', name: 'getConnection', of: pool.manager },
];

export default library({
  key: 'mikro-orm',
  packages: ['@mikro-orm/core', '@mikro-orm/postgresql', '@mikro-orm/mysql', '@mikro-orm/mariadb', '@mikro-orm/sqlite', '@mikro-orm/better-sqlite', '@mikro-orm/libsql', '@mikro-orm/mssql', '@mikro-orm/mongodb', '@mikro-orm/knex', '@mikro-orm/sql', '@mikro-orm/nestjs', '@mikro-orm/decorators', '@mikro-orm/decorators/*'],
  title: 'MikroORM',
  family: 'store',
  obtain,
  calls: [
    ...worlds.flatMap(managerCalls),
    ...worlds.flatMap(({ repository, connection }) => [
      ...entityCalls(repository, connection, 0),
      { on: repository, name: ['createQueryBuilder', 'qb'], does: { kind: 'build', table: self(), connection }, answers: BUILDER } as const,
    ]),
    { on: CONNECTION, name: 'execute', does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'pool', transaction: arg(3), count: { path: ['affectedRows'], miss: 0 }, rows: [] } },
    { on: CONNECTION, name: 'transactional', does: { kind: 'transaction', body: arg(0), isolation: arg(1, 'isolationLevel') } },
    ...builder,
  ],
  decorators: [{ name: 'Transactional', does: { kind: 'transaction', isolation: arg(0, 'isolationLevel'), ambient: true } }],
  constants: {
    'LockMode.NONE': 0,
    'LockMode.OPTIMISTIC': 1,
    'LockMode.PESSIMISTIC_READ': 2,
    'LockMode.PESSIMISTIC_WRITE': 3,
    'LockMode.PESSIMISTIC_PARTIAL_WRITE': 4,
    'LockMode.PESSIMISTIC_WRITE_OR_FAIL': 5,
    'IsolationLevel.SERIALIZABLE': 'serializable',
    'IsolationLevel.REPEATABLE_READ': 'repeatable read',
  },
  facts: [
    '`@Property({ version: true })` is a real fence: `flush` compares and raises it in the UPDATE, and throws OptimisticLockError. A version that is null skips the check.',
    '`nativeUpdate` and `nativeDelete` go past the version; their answer is the number of rows, and the condition stands in the filter.',
    'Nothing is written before `flush`.',
    'A pessimistic lock outside of a transaction is refused by MikroORM itself.',
  ],
});
