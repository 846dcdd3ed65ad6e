/**
 * Objection. Facts from the types of 3.1; `patchAndFetchById` and `throwIfNotFound` on a miss were
 * measured. Its query builder has Knex's steps.
 */
import { arg, ctor, exported, last, library, self, type ArgPath, type Build, type Call } from './schema.ts';
import { knexSteps } from './knex-steps.ts';

const MODEL = 'objection:Model';
const INSTANCE = 'objection:Instance';
const BOUND = 'objection:BoundModel';
const QUERY = 'objection:Query';
const TRANSACTION = 'objection:Transaction';

const step = { on: QUERY, answers: QUERY, lazy: true } as const;
const number = { path: [], miss: 0 } as const;
const fetched = { path: [], miss: undefined } as const;
const id = (value: ArgPath = arg(0)): NonNullable<Build['filter']> => ({ triple: { column: { constant: 'id' }, value } });

const operations: readonly Call[] = [
  { ...step, name: 'patch', does: { kind: 'build', op: 'update', set: arg(0), count: number } },
  { ...step, name: ['patchAndFetchById', 'updateAndFetchById'], does: { kind: 'build', op: 'update', filter: id(), set: arg(1), count: fetched } },
  { ...step, name: ['patchAndFetch', 'updateAndFetch'], does: { kind: 'build', op: 'update', set: arg(0) } },
  { ...step, name: ['upsertGraph', 'upsertGraphAndFetch'], does: { kind: 'build', op: 'upsert', set: arg(0) } },
  { ...step, name: ['insertAndFetch', 'insertGraph', 'insertGraphAndFetch'], does: { kind: 'build', op: 'insert', set: arg(0) } },
  { ...step, name: 'deleteById', does: { kind: 'build', op: 'delete', filter: id(), count: number } },
  { ...step, name: 'findById', does: { kind: 'build', filter: id(), row: [] } },
  { ...step, name: ['findOne'], when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', filter: { object: arg(0) }, row: [] } },
  { ...step, name: 'findOne', when: [{ count: 2 }], does: { kind: 'build', filter: { triple: { column: arg(0), value: arg(1) } }, row: [] } },
  { ...step, name: 'findOne', does: { kind: 'build', filter: { triple: { column: arg(0), op: arg(1), value: arg(2) } }, row: [] } },
  { ...step, name: 'throwIfNotFound', does: { kind: 'build', throwsOnMiss: true }, note: 'throws NotFoundError on a miss' },
  { ...step, name: 'for', does: { kind: 'build', filter: { expression: arg(0) } } },
  { ...step, name: ['withGraphFetched', 'withGraphJoined', 'context', 'allowGraph', 'page', 'range', 'resultSize'], does: { kind: 'build' } },
];

export default library({
  key: 'objection',
  packages: ['objection'],
  title: 'Objection',
  family: 'store',
  obtain: [
    { type: MODEL, by: 'subclass', name: exported('Model') },
    { type: BOUND, by: 'method', name: ['bindKnex', 'bindTransaction'], of: MODEL },
    { type: MODEL, by: 'annotation', name: 'ModelClass' },
    { type: INSTANCE, by: 'annotation', name: exported('Model') },
    { type: TRANSACTION, by: 'annotation', name: exported('Transaction', 'TransactionOrKnex') },
    { type: QUERY, by: 'annotation', name: 'QueryBuilder' },
  ],
  calls: [
    { on: MODEL, name: 'query', when: [{ has: arg(0) }], does: { kind: 'build', table: self(), transaction: arg(0) }, answers: QUERY, lazy: true },
    { on: MODEL, name: 'query', does: { kind: 'build', table: self(), connection: 'pool' }, answers: QUERY, lazy: true },
    { on: BOUND, name: 'query', does: { kind: 'build', table: self(), transaction: ctor(0) }, answers: QUERY, lazy: true },
    { on: MODEL, name: 'relatedQuery', does: { kind: 'build', table: arg(0), transaction: arg(1), connection: 'pool' }, answers: QUERY, lazy: true },
    { on: INSTANCE, name: '$query', does: { kind: 'build', table: self(), filter: id(self('id')), transaction: arg(0), connection: 'pool' }, answers: QUERY, lazy: true },
    { on: INSTANCE, name: '$relatedQuery', does: { kind: 'build', table: arg(0), transaction: arg(1), connection: 'pool' }, answers: QUERY, lazy: true },
    ...operations,
    ...knexSteps(QUERY),
    { on: MODEL, name: 'transaction', does: { kind: 'transaction', body: last, passes: TRANSACTION } },
    { on: MODEL, name: ['startTransaction', 'beginTransaction'], does: { kind: 'transaction', step: 'begin', passes: TRANSACTION } },
    { on: 'module', name: exported('transaction'), does: { kind: 'transaction', body: last, passes: TRANSACTION } },
    { on: 'module', name: exported('transaction.start'), does: { kind: 'transaction', step: 'begin', passes: TRANSACTION } },
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: TRANSACTION, name: 'rollback', does: { kind: 'transaction', step: 'rollback' } },
    { on: TRANSACTION, name: 'raw', does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'transaction', count: { path: ['rowCount'], also: [['0', 'affectedRows']], miss: 0 }, rows: ['rows'] } },
  ],
  edits: {
    chains: [{ on: [QUERY], data: ['patch', 'update'], filter: ['where', 'andWhere', 'whereIn', 'whereNull', 'findById'], refuses: ['orWhere', 'orWhereIn', 'orWhereNull', 'throwIfNotFound', 'first'], step: { below: ".where('{column}', '<', {token})", notAbove: ".where('{column}', '<=', {token})" }, names: 'column' }],
  },
  facts: [
    '`patch`, `update` and `delete` answer the number of rows; `where` may stand before or after them.',
    '`patchAndFetchById` answers undefined on a miss; `.throwIfNotFound()` throws NotFoundError.',
    'A query belongs to a transaction only if it is given it: `Model.query(trx)`.',
  ],
});
