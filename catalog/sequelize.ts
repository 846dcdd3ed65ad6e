/**
 * Sequelize 5 to 7 and `sequelize-typescript`. Facts from the types of 5.22, 6.37 and 7 alpha; what
 * `version: true` guards and how counts look was measured on 6.37 against PostgreSQL 15 and MariaDB.
 */
import { arg, exported, last, library, type Call, type Count, type Operators, type Write } from './schema.ts';

const SEQUELIZE = 'sequelize:Sequelize';
const MODEL = 'sequelize:Model';
const INSTANCE = 'sequelize:Instance';
const INSTANCES = 'sequelize:Instances';
const TRANSACTION = 'sequelize:Transaction';
const LITERAL = 'sequelize:Literal';

const operators: Operators = {
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
  $eq: '=',
  $ne: '<>',
  $in: 'in',
  $and: 'and',
  $or: 'or',
  $not: 'not',
};

const counted: Count = { path: ['0'], miss: 0, note: 'an array, which is truthy on a miss; MySQL counts changed rows, not matched ones' };
const number: Count = { path: [], miss: 0 };

const write = (op: Write['op'], more: Partial<Write>): Write => ({
  kind: 'write',
  op,
  target: { receiver: true },
  operators,
  connection: 'pool',
  ...more,
});

const models: readonly Call[] = [
  {
    on: MODEL,
    name: 'update',
    does: write('update', { data: arg(0), filter: arg(1, 'where'), count: counted, transaction: arg(1, 'transaction') }),
    note: 'the static `update` neither compares nor raises the version column',
  },
  { on: MODEL, name: ['destroy', 'restore'], does: write('delete', { filter: arg(0, 'where'), count: number, transaction: arg(0, 'transaction') }) },
  { on: MODEL, name: 'truncate', does: write('delete', { transaction: arg(0, 'transaction') }) },
  { on: MODEL, name: ['increment', 'decrement'], does: write('update', { filter: arg(1, 'where'), relative: true, transaction: arg(1, 'transaction') }) },
  { on: MODEL, name: 'upsert', does: write('upsert', { data: arg(0), transaction: arg(1, 'transaction') }) },
  { on: MODEL, name: 'create', does: write('insert', { data: arg(0), fence: [arg(1, 'ignoreDuplicates')], transaction: arg(1, 'transaction') }), answers: INSTANCE },
  {
    on: MODEL,
    name: 'bulkCreate',
    when: [{ has: arg(1, 'updateOnDuplicate') }],
    does: write('upsert', { data: arg(0), transaction: arg(1, 'transaction') }),
  },
  { on: MODEL, name: 'bulkCreate', does: write('insert', { data: arg(0), fence: [arg(1, 'ignoreDuplicates')], transaction: arg(1, 'transaction') }), answers: INSTANCES },
  {
    on: MODEL,
    name: ['findOrCreate', 'findCreateFind'],
    does: write('insert', { filter: arg(0, 'where'), data: arg(0, 'defaults'), count: { path: ['1'], miss: false }, transaction: arg(0, 'transaction') }),
  },
  {
    on: MODEL,
    name: ['findByPk', 'findById'],
    does: { kind: 'read', target: { receiver: true }, filter: arg(0), lock: arg(1, 'lock'), transaction: arg(1, 'transaction'), operators, connection: 'pool' },
    answers: INSTANCE,
  },
  {
    on: MODEL,
    name: ['findOne', 'find'],
    does: { kind: 'read', target: { receiver: true }, filter: arg(0, 'where'), lock: arg(0, 'lock'), transaction: arg(0, 'transaction'), operators, connection: 'pool' },
    answers: INSTANCE,
  },
  {
    on: MODEL,
    name: ['findAll', 'findAndCountAll', 'count', 'max', 'min', 'sum', 'aggregate'],
    does: { kind: 'read', target: { receiver: true }, filter: arg(0, 'where'), lock: arg(0, 'lock'), transaction: arg(0, 'transaction'), operators, connection: 'pool' },
    answers: INSTANCES,
  },
];

const guarded = 'throws OptimisticLockError where the model has `version`';

const instances: readonly Call[] = [
  { on: INSTANCE, name: 'save', does: write('save', { transaction: arg(0, 'transaction'), versioned: ['version'] }), note: guarded },
  { on: INSTANCE, name: ['update', 'updateAttributes'], does: write('update', { data: arg(0), transaction: arg(1, 'transaction'), versioned: ['version'] }), note: guarded },
  { on: INSTANCE, name: ['destroy', 'restore'], does: write('delete', { transaction: arg(0, 'transaction'), versioned: ['version'] }), note: guarded },
  { on: INSTANCE, name: ['increment', 'decrement'], does: write('update', { relative: true, transaction: arg(1, 'transaction') }) },
  { on: INSTANCE, name: 'reload', does: { kind: 'read', target: { receiver: true }, lock: arg(0, 'lock'), transaction: arg(0, 'transaction'), connection: 'pool' } },
];

/** Rows or a header, and the header or a count, by dialect and `type`. */
const answered: Count = { path: ['1'], also: [['1', 'rowCount'], ['0', 'affectedRows'], ['1', 'affectedRows'], ['0']], miss: 0 };

const raw: readonly Call[] = ['replacements', 'bind'].flatMap((params): readonly Call[] => [
  {
    on: SEQUELIZE,
    name: 'query',
    when: [{ has: arg(1, params) }],
    does: { kind: 'sql', text: arg(0), params: arg(1, params), connection: 'pool', transaction: arg(1, 'transaction'), count: answered, rows: ['0'] },
  },
]);

const clocks = ['NOW', 'now', 'CURRENT_TIMESTAMP', 'UTC_TIMESTAMP'];
const pieces: readonly Call[] = [
  { on: SEQUELIZE, name: 'literal', does: { kind: 'sql', text: arg(0), prepares: LITERAL, connection: 'receiver' }, answers: LITERAL },
  { on: 'module', name: exported('literal', 'Sequelize.literal'), does: { kind: 'sql', text: arg(0), prepares: LITERAL, connection: 'receiver' }, answers: LITERAL },
  ...clocks.flatMap((value): Call[] => [
    { on: SEQUELIZE, name: 'fn', when: [{ is: arg(0), value }], does: { kind: 'fresh', source: 'clock' }, note: 'the time of the database' },
    { on: 'module', name: exported('fn', 'Sequelize.fn'), when: [{ is: arg(0), value }], does: { kind: 'fresh', source: 'clock' }, note: 'the time of the database' },
  ]),
];

const transactions: readonly Call[] = [
  { on: SEQUELIZE, name: 'transaction', when: [{ sort: arg(0), of: 'function' }], does: { kind: 'transaction', body: arg(0), passes: TRANSACTION } },
  {
    on: SEQUELIZE,
    name: 'transaction',
    when: [{ sort: last, of: 'function' }],
    does: { kind: 'transaction', body: last, passes: TRANSACTION, isolation: arg(0, 'isolationLevel') },
  },
  { on: SEQUELIZE, name: ['transaction', 'startUnmanagedTransaction'], does: { kind: 'transaction', step: 'begin', passes: TRANSACTION, isolation: arg(0, 'isolationLevel') } },
  { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
  { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
  { on: TRANSACTION, name: 'afterCommit', does: { kind: 'calls', body: arg(0), when: 'later' } },
];

export default library({
  key: 'sequelize',
  packages: ['sequelize', '@sequelize/core', 'sequelize-typescript', '@nestjs/sequelize'],
  title: 'Sequelize',
  family: 'store',
  obtain: [
    { type: SEQUELIZE, by: 'new', name: ['default', ...exported('Sequelize')] },
    { type: SEQUELIZE, by: 'decorator', name: 'InjectConnection' },
    { type: SEQUELIZE, by: 'annotation', name: ['default', ...exported('Sequelize')] },
    { type: MODEL, by: 'decorator', name: 'InjectModel' },
    { type: MODEL, by: 'method', name: ['define', 'model', 'getRepository'], of: SEQUELIZE },
    { type: MODEL, by: 'subclass', name: exported('Model') },
    { type: MODEL, by: 'annotation', name: [...exported('ModelStatic', 'ModelCtor', 'ModelDefined'), 'Repository'] },
    { type: MODEL, by: 'property', name: '*', of: 'sequelize:Models' },
    { type: 'sequelize:Models', by: 'property', name: 'models', of: SEQUELIZE },
    { type: MODEL, by: 'method', name: ['scope', 'unscoped', 'schema', 'withScope', 'withoutScope', 'withInitialScope'], of: MODEL },
    { type: INSTANCE, by: 'new', name: '()', of: MODEL },
    { type: INSTANCE, by: 'method', name: 'build', of: MODEL },
    { type: INSTANCE, by: 'annotation', name: exported('Model') },
    { type: INSTANCE, by: 'property', name: '*', of: INSTANCES },
    { type: TRANSACTION, by: 'annotation', name: exported('Transaction') },
  ],
  calls: [
    ...models,
    ...instances,
    ...raw,
    ...pieces,
    {
      on: SEQUELIZE,
      name: ['query', 'queryRaw'],
      when: [{ sort: arg(0, 'query'), of: 'string' }],
      does: { kind: 'sql', text: arg(0, 'query'), params: arg(0, 'values'), connection: 'pool', transaction: arg(1, 'transaction'), count: answered, rows: ['0'] },
    },
    {
      on: SEQUELIZE,
      name: ['query', 'queryRaw'],
      does: { kind: 'sql', text: arg(0), connection: 'pool', transaction: arg(1, 'transaction'), count: answered, rows: ['0'] },
    },
    ...transactions,
    { on: SEQUELIZE, name: 'close', does: { kind: 'disconnect', how: 'end' } },
  ],
  // `Op.lt` is a symbol: its older name stands for it.
  constants: {
    'Op.lt': '$lt',
    'Op.lte': '$lte',
    'Op.gt': '$gt',
    'Op.gte': '$gte',
    'Op.eq': '$eq',
    'Op.is': '$eq',
    'Op.ne': '$ne',
    'Op.in': '$in',
    'Op.and': '$and',
    'Op.or': '$or',
    'Op.not': '$not',
    'Transaction.ISOLATION_LEVELS.SERIALIZABLE': 'SERIALIZABLE',
    'Transaction.ISOLATION_LEVELS.REPEATABLE_READ': 'REPEATABLE READ',
  },
  edits: {
    orders: [{ on: [MODEL], below: '{ [Op.lt]: {token} }', notAbove: '{ [Op.lte]: {token} }', uses: { from: 'sequelize', below: 'Op', notAbove: 'Op' } }],
  },
  facts: [
    '`version: true` guards `instance.save()` and `instance.update()`: a stale one throws OptimisticLockError. The static `Model.update()` neither compares nor raises the version.',
    '`Model.update` answers `[count]`: the array is truthy on a miss.',
    'The MySQL dialect connects without FOUND_ROWS: an update that changes nothing counts 0, although its `WHERE` matched.',
    'A call belongs to a transaction only if it is given `{ transaction: t }`, or CLS is set up. A `lock` without it ends with its statement.',
  ],
});
