/**
 * The calls of TypeORM's repositories, entity managers and query builders. They are the same on a
 * pool, on a query runner and in a transaction; `typeorm.ts` says which value is which.
 */
import { arg, constant, rest, self, type ArgPath, type Build, type Call, type Connection, type Count, type TypeId, type Write } from './schema.ts';

const affected: Count = { path: ['affected'], miss: 0, note: '`affected` is undefined on drivers that do not report it' };
const unguarded = '`@VersionColumn` does not guard `save`: a stale save overwrites, and even moves the version back';
const pessimistic = [
  'pessimistic_read',
  'pessimistic_write',
  'dirty_read',
  'pessimistic_partial_write',
  'pessimistic_write_or_fail',
  'for_no_key_update',
  'for_key_share',
] as const;

export const BUILDER: TypeId = 'typeorm:Builder';

/** Raw SQL by `query` and by the tag `sql`. On PostgreSQL an UPDATE or DELETE answers `[rows, count]`, a SELECT its rows. */
export const rawQueries = (on: TypeId, connection: Connection): readonly Call[] => [
  {
    on,
    name: 'query',
    does: { kind: 'sql', text: arg(0), params: arg(1), connection, count: { path: ['1'], also: [['affectedRows']], miss: 0 }, rows: [] },
    note: 'PostgreSQL: UPDATE and DELETE answer `[rows, count]`; MySQL: `affectedRows`',
  },
  { on, name: 'sql', does: { kind: 'sql', text: { template: true }, connection, count: { path: ['1'], also: [['affectedRows']], miss: 0 }, rows: [] } },
];

/** Writes and reads whose first `shift` arguments name the entity. */
function entityCalls(on: TypeId, connection: Connection, target: Write['target'], shift: 0 | 1): readonly Call[] {
  const at = (index: number, ...path: string[]): ArgPath => arg(index + shift, ...path);
  const named = shift === 1 ? [{ sort: arg(0), of: 'function' } as const] : undefined;
  const write = (op: Write['op'], more: Partial<Write>): Write => ({ kind: 'write', op, target, connection, ...more });
  return [
    { on, name: 'save', when: named, does: write('save', { data: at(0), raises: ['VersionColumn'] }), note: unguarded },
    { on, name: ['softRemove', 'recover'], when: named, does: write('save', { data: at(0) }), note: unguarded },
    { on, name: 'remove', when: named, does: write('delete', { data: at(0) }) },
    { on, name: 'update', does: write('update', { filter: at(0), data: at(1), count: affected }) },
    { on, name: 'updateAll', does: write('update', { data: at(0), count: affected }) },
    { on, name: 'delete', does: write('delete', { filter: at(0), count: affected }) },
    { on, name: ['deleteAll', 'clear'], does: write('delete', {}) },
    { on, name: ['softDelete', 'restore'], does: write('update', { filter: at(0), count: affected }) },
    { on, name: ['increment', 'decrement'], does: write('update', { filter: at(0), relative: true, count: affected }) },
    { on, name: 'insert', does: write('insert', { data: at(0), throwsOnMiss: true }) },
    { on, name: 'upsert', does: write('upsert', { data: at(0) }), note: 'does not tell whether it inserted or updated' },
    {
      on,
      name: ['findOne', 'findOneOrFail', 'find', 'findAndCount'],
      when: [{ is: at(0, 'lock', 'mode'), value: pessimistic }],
      does: { kind: 'read', target, filter: at(0, 'where'), lock: at(0, 'lock', 'mode'), connection },
    },
    {
      on,
      name: ['findOne', 'findOneOrFail', 'find', 'findAndCount', 'count', 'exists', 'exist'],
      does: { kind: 'read', target, filter: at(0, 'where'), connection },
    },
    { on, name: ['findOneBy', 'findOneByOrFail', 'findBy', 'findAndCountBy', 'countBy', 'existsBy', 'findByIds'], does: { kind: 'read', target, filter: at(0), connection } },
  ];
}

export const repositoryCalls = (on: TypeId, connection: Connection): readonly Call[] => [
  ...entityCalls(on, connection, { receiver: true }, 0),
  ...rawQueries(on, connection),
  {
    on,
    name: 'createQueryBuilder',
    when: [{ has: arg(1) }],
    does: { kind: 'build', table: self(), transaction: arg(1) },
    answers: BUILDER,
  },
  { on, name: 'createQueryBuilder', does: { kind: 'build', table: self(), connection }, answers: BUILDER },
];

export const managerCalls = (on: TypeId, connection: Connection): readonly Call[] => [
  ...entityCalls(on, connection, arg(0), 1),
  // An entity alone: what it is an entity of, is read from the entity.
  { on, name: ['save', 'softRemove', 'recover'], does: { kind: 'write', op: 'save', target: arg(0), data: arg(0), connection, raises: ['VersionColumn'] }, note: unguarded },
  { on, name: 'remove', does: { kind: 'write', op: 'delete', target: arg(0), data: arg(0), connection } },
  ...rawQueries(on, connection),
  {
    on,
    name: 'createQueryBuilder',
    when: [{ has: arg(2) }],
    does: { kind: 'build', table: arg(0), transaction: arg(2) },
    answers: BUILDER,
  },
  { on, name: 'createQueryBuilder', when: [{ has: arg(1) }], does: { kind: 'build', table: arg(0), connection }, answers: BUILDER },
  { on, name: 'createQueryBuilder', when: [{ has: arg(0) }], does: { kind: 'build', transaction: arg(0) }, answers: BUILDER },
  { on, name: 'createQueryBuilder', does: { kind: 'build', connection }, answers: BUILDER },
];

const step = { on: BUILDER, answers: BUILDER } as const;

function wheres(name: string | readonly string[], more: Partial<Build>): readonly Call[] {
  return [
    { ...step, name, when: [{ sort: arg(0), of: 'string' }], does: { kind: 'build', filter: { sql: arg(0), params: arg(1) }, ...more } },
    {
      ...step,
      name,
      when: [{ sort: arg(0), of: 'function' }],
      does: [
        { kind: 'build', filter: { expression: arg(0) }, ...more },
        { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [BUILDER], answers: 'other' },
      ],
    },
    { ...step, name, when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', filter: { object: arg(0) }, ...more } },
    { ...step, name, does: { kind: 'build', filter: { expression: arg(0) }, ...more } },
  ];
}

export const builderCalls: readonly Call[] = [
  { ...step, name: 'update', when: [{ has: arg(1) }], does: { kind: 'build', op: 'update', table: arg(0), set: arg(1), count: affected } },
  { ...step, name: 'update', when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', op: 'update', set: arg(0), count: affected } },
  { ...step, name: 'update', when: [{ has: arg(0) }], does: { kind: 'build', op: 'update', table: arg(0), count: affected } },
  { ...step, name: ['update', 'softDelete', 'restore'], does: { kind: 'build', op: 'update', count: affected } },
  { ...step, name: 'set', does: { kind: 'build', set: arg(0) } },
  { ...step, name: 'insert', does: { kind: 'build', op: 'insert' } },
  { ...step, name: 'into', does: { kind: 'build', table: arg(0) } },
  { ...step, name: 'values', does: { kind: 'build', set: arg(0) } },
  { ...step, name: 'orIgnore', does: { kind: 'build', conflict: 'nothing' } },
  { ...step, name: ['orUpdate', 'onConflict'], does: { kind: 'build', conflict: 'update' } },
  { ...step, name: 'delete', does: { kind: 'build', op: 'delete', count: affected } },
  { ...step, name: ['select', 'addSelect'], does: { kind: 'build', op: 'select' } },
  { ...step, name: 'from', does: { kind: 'build', table: arg(0) } },
  ...wheres(['where', 'andWhere'], {}),
  ...wheres('orWhere', { or: true }),
  { ...step, name: ['whereInIds', 'andWhereInIds', 'whereEntity'], does: { kind: 'build', filter: { triple: { column: constant('id'), value: arg(0) } } } },
  { ...step, name: 'setParameter', does: { kind: 'build', bind: { name: arg(0), value: arg(1) } } },
  { ...step, name: 'setParameters', does: { kind: 'build', filter: { params: arg(0) } } },
  { ...step, name: 'setLock', when: [{ is: arg(0), value: ['pessimistic_read', 'for_key_share'] }], does: { kind: 'build', lock: 'share' } },
  { ...step, name: 'setLock', when: [{ is: arg(0), value: pessimistic }], does: { kind: 'build', lock: 'update' } },
  { ...step, name: 'setQueryRunner', does: { kind: 'build', transaction: arg(0) } },
  { ...step, name: 'useTransaction', when: [{ is: arg(0), value: true }], does: { kind: 'build', connection: 'transaction' } },
  {
    ...step,
    name: ['returning', 'output', 'orderBy', 'addOrderBy', 'limit', 'take', 'skip', 'offset', 'groupBy', 'addGroupBy', 'having', 'andHaving', 'leftJoin', 'innerJoin', 'leftJoinAndSelect', 'innerJoinAndSelect', 'setOnLocked', 'withDeleted', 'cache', 'comment', 'updateEntity', 'clone', 'setFindOptions', 'useIndex', 'distinct', 'callListeners', 'maxExecutionTime'],
    does: { kind: 'build' },
  },
  { on: BUILDER, name: 'execute', does: { kind: 'build', sends: true } },
  { on: BUILDER, name: ['getOne', 'getRawOne'], does: { kind: 'build', sends: true, row: [] } },
  { on: BUILDER, name: ['getOneOrFail'], does: { kind: 'build', sends: true, row: [], throwsOnMiss: true } },
  { on: BUILDER, name: ['getMany', 'getRawMany'], does: { kind: 'build', sends: true, rows: [] } },
  { on: BUILDER, name: ['getManyAndCount', 'getRawAndEntities', 'getCount', 'getExists', 'stream'], does: { kind: 'build', sends: true } },
];

const operator = (name: string, op: string): Call => ({ on: 'module', name, does: { kind: 'build', configure: { compare: constant(op) } }, answers: 'typeorm:Operator' });

/** Find operators: the values of a filter object. */
export const findOperators: readonly Call[] = [
  operator('LessThan', '<'),
  operator('LessThanOrEqual', '<='),
  operator('MoreThan', '>'),
  operator('MoreThanOrEqual', '>='),
  operator('Equal', '='),
  operator('In', '='),
  operator('Not', '<>'),
  operator('IsNull', 'is null'),
  { on: 'module', name: 'And', does: { kind: 'build', combine: { how: 'and', items: rest(0) } }, answers: 'typeorm:Operator' },
  { on: 'module', name: 'Or', does: { kind: 'build', combine: { how: 'or', items: rest(0) } }, answers: 'typeorm:Operator' },
  {
    on: 'module',
    name: 'Brackets',
    does: [
      { kind: 'build', filter: { expression: arg(0) } },
      { kind: 'calls', body: arg(0), when: 'now', passes: ['value'], types: [BUILDER], answers: 'other' },
    ],
    answers: 'typeorm:Brackets',
  },
];
