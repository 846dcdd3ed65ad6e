/**
 * TypeORM 0.2, 0.3 and 1, `@nestjs/typeorm` and `typeorm-transactional`. Facts from the types and
 * sources of 0.2.45, 0.3.31 and 1.1.1; `save` over a newer row, counts and the answers of `query`
 * were measured on 1.1.1 against PostgreSQL 15 and MariaDB 10.11.
 */
import { arg, ctor, exported, last, library, type Call, type Connection, type Obtain, type TypeId } from './schema.ts';
import { BUILDER, builderCalls, findOperators, managerCalls, rawQueries, repositoryCalls } from './typeorm-queries.ts';

const DATA_SOURCE = 'typeorm:DataSource';
const RUNNER = 'typeorm:QueryRunner';
const ENTITY = 'typeorm:Entity';
const WRAPPED = 'typeorm:WrappedInTransaction';

interface World {
  connection: Connection;
  manager: TypeId;
  repository: TypeId;
}

/** Managers and repositories by the connection they work on. One that is merely handed in may be a transaction's. */
const pool: World = { connection: 'pool', manager: 'typeorm:PoolManager', repository: 'typeorm:PoolRepository' };
const runner: World = { connection: 'single', manager: 'typeorm:RunnerManager', repository: 'typeorm:RunnerRepository' };
const tx: World = { connection: 'transaction', manager: 'typeorm:TxManager', repository: 'typeorm:TxRepository' };
const either: World = { connection: 'receiver', manager: 'typeorm:EntityManager', repository: 'typeorm:Repository' };
const worlds = [pool, runner, tx, either];

const repositoryNames = ['Repository', 'TreeRepository', 'MongoRepository', 'AbstractRepository', 'BaseRepository', 'BaseTreeRepository'];
const getters = ['getRepository', 'getTreeRepository', 'getMongoRepository', 'getCustomRepository', 'withRepository'];

const obtain: readonly Obtain[] = [
  { type: DATA_SOURCE, by: 'new', name: exported('DataSource', 'Connection') },
  { type: DATA_SOURCE, by: 'call', name: exported('createConnection', 'getConnection') },
  { type: DATA_SOURCE, by: 'method', name: ['initialize', 'connect'], of: DATA_SOURCE },
  { type: DATA_SOURCE, by: 'decorator', name: ['InjectDataSource', 'InjectConnection'] },
  { type: DATA_SOURCE, by: 'annotation', name: exported('DataSource', 'Connection') },
  { type: DATA_SOURCE, by: 'property', name: ['dataSource', 'connection'], of: RUNNER },
  { type: RUNNER, by: 'method', name: 'createQueryRunner', of: DATA_SOURCE },
  { type: RUNNER, by: 'annotation', name: exported('QueryRunner') },
  { type: RUNNER, by: 'property', name: 'queryRunner', of: tx.manager },
  { type: RUNNER, by: 'property', name: 'queryRunner', of: runner.manager },
  { type: RUNNER, by: 'property', name: 'queryRunner', of: either.manager },

  { type: pool.manager, by: 'decorator', name: 'InjectEntityManager' },
  { type: pool.manager, by: 'call', name: exported('getManager') },
  { type: pool.manager, by: 'property', name: 'manager', of: DATA_SOURCE },
  { type: pool.manager, by: 'method', name: 'createEntityManager', of: DATA_SOURCE },
  { type: pool.manager, by: 'member', name: exported('EntityManager') },
  { type: runner.manager, by: 'property', name: 'manager', of: RUNNER },
  { type: either.manager, by: 'annotation', name: exported('EntityManager') },

  { type: pool.repository, by: 'decorator', name: 'InjectRepository' },
  { type: pool.repository, by: 'call', name: exported('getRepository', 'getTreeRepository', 'getMongoRepository', 'getCustomRepository') },
  { type: pool.repository, by: 'method', name: getters, of: DATA_SOURCE },
  { type: pool.repository, by: 'subclass', name: exported('BaseEntity') },
  { type: pool.repository, by: 'member', name: exported(...repositoryNames) },
  { type: either.repository, by: 'annotation', name: exported(...repositoryNames) },
  { type: ENTITY, by: 'annotation', name: exported('BaseEntity') },

  ...worlds.map(({ manager, repository }): Obtain => ({ type: repository, by: 'method', name: getters, of: manager })),
  ...worlds.map(({ manager, repository }): Obtain => ({ type: manager, by: 'property', name: 'manager', of: repository })),
  ...worlds.map(({ repository }): Obtain => ({ type: repository, by: 'method', name: 'extend', of: repository })),
  { type: BUILDER, by: 'annotation', name: exported('SelectQueryBuilder', 'UpdateQueryBuilder', 'InsertQueryBuilder', 'DeleteQueryBuilder', 'QueryBuilder') },
];

/** `transaction(fn)` and `transaction('SERIALIZABLE', fn)`. */
const transactions = (on: TypeId): readonly Call[] => [
  {
    on,
    name: 'transaction',
    when: [{ sort: arg(1), of: 'function' }],
    does: { kind: 'transaction', body: arg(1), passes: tx.manager, isolation: arg(0) },
  },
  { on, name: 'transaction', does: { kind: 'transaction', body: last, passes: tx.manager } },
];

const dataSource: readonly Call[] = [
  ...transactions(DATA_SOURCE),
  {
    on: DATA_SOURCE,
    name: 'query',
    when: [{ has: arg(2) }],
    does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'receiver', transaction: arg(2), count: { path: ['1'], also: [['affectedRows']], miss: 0 }, rows: [] },
  },
  ...rawQueries(DATA_SOURCE, 'pool'),
  { on: DATA_SOURCE, name: 'createQueryBuilder', when: [{ has: arg(1) }], does: { kind: 'build', table: arg(0), transaction: arg(2), connection: 'pool' }, answers: BUILDER },
  { on: DATA_SOURCE, name: 'createQueryBuilder', does: { kind: 'build', transaction: arg(0), connection: 'pool' }, answers: BUILDER },
  { on: DATA_SOURCE, name: ['destroy', 'close'], does: { kind: 'disconnect', how: 'end' } },
];

const queryRunner: readonly Call[] = [
  {
    on: RUNNER,
    name: 'query',
    when: [{ is: arg(2), value: true }],
    does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'single', count: { path: ['affected'], miss: 0 }, rows: ['records'] },
  },
  ...rawQueries(RUNNER, 'single'),
  { on: RUNNER, name: 'startTransaction', does: { kind: 'transaction', step: 'begin', isolation: arg(0) } },
  { on: RUNNER, name: 'commitTransaction', does: { kind: 'transaction', step: 'commit' } },
  { on: RUNNER, name: 'rollbackTransaction', does: { kind: 'transaction', step: 'rollback' } },
  { on: RUNNER, name: 'release', does: { kind: 'disconnect', how: 'release' } },
];

const entities: readonly Call[] = [
  {
    on: ENTITY,
    name: ['save', 'softRemove', 'recover'],
    does: { kind: 'write', op: 'save', target: { receiver: true }, connection: 'pool', raises: ['VersionColumn'] },
    note: '`@VersionColumn` does not guard `save`',
  },
  { on: ENTITY, name: 'remove', does: { kind: 'write', op: 'delete', target: { receiver: true }, connection: 'pool' } },
];

export default library({
  key: 'typeorm',
  packages: ['typeorm', 'typeorm/*', '@nestjs/typeorm', 'typeorm-transactional', 'typeorm-transactional-cls-hooked'],
  title: 'TypeORM',
  family: 'store',
  obtain,
  calls: [
    ...dataSource,
    ...queryRunner,
    ...worlds.flatMap(({ connection, manager, repository }) => [
      ...repositoryCalls(repository, connection),
      ...transactions(manager),
      ...managerCalls(manager, connection),
    ]),
    ...builderCalls,
    ...entities,
    ...findOperators,
    { on: 'module', name: 'runInTransaction', does: { kind: 'transaction', body: arg(0), ambient: true, isolation: arg(1, 'isolationLevel') } },
    { on: 'module', name: 'wrapInTransaction', does: { kind: 'transaction', body: arg(0), ambient: true, wraps: true }, answers: WRAPPED },
    { on: WRAPPED, name: '()', does: { kind: 'transaction', body: ctor(0), ambient: true, isolation: ctor(1, 'isolationLevel') } },
    { on: 'module', name: ['runOnTransactionCommit', 'runOnTransactionRollback', 'runOnTransactionComplete'], does: { kind: 'calls', body: arg(0), when: 'later' } },
  ],
  constants: { 'IsolationLevel.SERIALIZABLE': 'SERIALIZABLE', 'IsolationLevel.REPEATABLE_READ': 'REPEATABLE READ' },
  decorators: [
    { name: 'Transactional', from: ['typeorm-transactional', 'typeorm-transactional-cls-hooked'], does: { kind: 'transaction', isolation: arg(0, 'isolationLevel'), ambient: true } },
    { name: 'Transaction', does: { kind: 'transaction', isolation: arg(0, 'isolationLevel') } },
  ],
  edits: {
    orders: [{ on: worlds.map((it) => it.repository), below: 'LessThan({token})', notAbove: 'LessThanOrEqual({token})', uses: { from: 'typeorm', below: 'LessThan', notAbove: 'LessThanOrEqual' } }],
    chains: [
      {
        on: [BUILDER],
        data: ['set'],
        filter: ['where', 'andWhere'],
        refuses: ['orWhere', 'insert', 'into'],
        step: { below: ".andWhere('{column} < :token', { token: {token} })", notAbove: ".andWhere('{column} <= :token', { token: {token} })" },
        names: 'property',
      },
    ],
  },
  facts: [
    '`@VersionColumn` does not fence `save()`: a stale save overwrites the newer row and moves its version back, without an error.',
    '`save()` of a row that was deleted meanwhile inserts it again.',
    'A fenced write is `update(criteria, data)` or a query builder with the condition in `where`; `affected === 0` is the refusal.',
    '`dataSource.query` and a repository use a pool. One connection comes from `createQueryRunner()`, a transaction from `transaction(manager => …)`.',
    'On PostgreSQL `query()` answers `[rows, count]` for UPDATE and DELETE, on MySQL an object with `affectedRows`.',
    'A pessimistic lock in find options ends with its statement, unless it runs in a transaction.',
  ],
});
