/**
 * The MongoDB driver. Facts from the types of 3.7, 4.17, 5.9, 6.22 and 7.9; the error of a duplicate
 * key from the source.
 */
import { arg, exported, last, library, type Call, type Count, type Write } from './schema.ts';
import { mongoOperators as operators, mongoOrder } from './mongo-operators.ts';

const CLIENT = 'mongodb:Client';
const DB = 'mongodb:Db';
const COLLECTION = 'mongodb:Collection';
const CURSOR = 'mongodb:Cursor';
const SESSION = 'mongodb:Session';

const matched: Count = {
  path: ['matchedCount'],
  also: [['modifiedCount'], ['upsertedCount'], ['result', 'n'], ['result', 'nModified']],
  miss: 0,
  note: '`modifiedCount` is also 0 where the new values equal the old ones: `matchedCount` is the fence check',
};
const deleted: Count = { path: ['deletedCount'], also: [['result', 'n']], miss: 0 };

const write = (op: Write['op'], more: Partial<Write>): Write => ({
  kind: 'write',
  op,
  target: { receiver: true },
  operators,
  connection: 'pool',
  ...more,
});

const inserting = 'with `upsert` a stale writer does not miss: it inserts, or fails with E11000 on the key';

const updates: readonly Call[] = [
  {
    on: COLLECTION,
    name: ['updateOne', 'updateMany', 'replaceOne'],
    when: [{ is: arg(2, 'upsert'), value: true }],
    does: write('upsert', { filter: arg(0), data: arg(1), count: matched, transaction: arg(2, 'session') }),
    note: inserting,
  },
  {
    on: COLLECTION,
    name: ['updateOne', 'updateMany', 'update'],
    does: write('update', { filter: arg(0), data: arg(1), count: matched, transaction: arg(2, 'session') }),
  },
  { on: COLLECTION, name: 'replaceOne', does: write('replace', { filter: arg(0), data: arg(1), count: matched, transaction: arg(2, 'session') }) },
  { on: COLLECTION, name: ['deleteOne', 'deleteMany', 'remove'], does: write('delete', { filter: arg(0), count: deleted, transaction: arg(1, 'session') }) },
  {
    on: COLLECTION,
    name: ['insertOne', 'insertMany', 'insert'],
    does: write('insert', { data: arg(0), fence: [arg(0, '_id')], throwsOnMiss: true, transaction: arg(1, 'session') }),
    note: 'throws MongoServerError 11000 where the `_id` or a unique key is taken',
  },
  {
    on: COLLECTION,
    name: 'bulkWrite',
    does: [
      write('update', {
        filter: { arg: 0, each: ['updateOne', 'filter'] },
        data: { arg: 0, each: ['updateOne', 'update'] },
        count: matched,
        transaction: arg(1, 'session'),
      }),
      write('update', {
        filter: { arg: 0, each: ['updateMany', 'filter'] },
        data: { arg: 0, each: ['updateMany', 'update'] },
        count: matched,
        transaction: arg(1, 'session'),
      }),
      write('replace', { filter: { arg: 0, each: ['replaceOne', 'filter'] }, data: { arg: 0, each: ['replaceOne', 'replacement'] }, count: matched, transaction: arg(1, 'session') }),
      write('delete', { filter: { arg: 0, each: ['deleteOne', 'filter'] }, count: deleted, transaction: arg(1, 'session') }),
      write('insert', { data: { arg: 0, each: ['insertOne', 'document'] }, transaction: arg(1, 'session') }),
    ],
  },
];

/** `findOneAnd…`: what a miss looks like changed with the major. */
function findAnd(name: string | readonly string[], op: Write['op'], at: 1 | 2, data?: Write['data']): readonly Call[] {
  const common = { filter: arg(0), data, transaction: arg(at, 'session') };
  const wrapped: Count = { path: ['value'], also: [['lastErrorObject', 'updatedExisting'], ['lastErrorObject', 'n']], miss: null, note: 'the result itself is an object, on a miss too' };
  const plain: Count = { path: [], also: [['value']], miss: null };
  return [
    ...(data ? [{ on: COLLECTION, name, when: [{ is: arg(at, 'upsert'), value: true }], does: write('upsert', { ...common, count: plain }), note: inserting }] : []),
    { on: COLLECTION, name, when: [{ is: arg(at, 'includeResultMetadata'), value: true }], does: write(op, { ...common, count: wrapped }) },
    { on: COLLECTION, name, versions: '>=6', does: write(op, { ...common, count: plain }) },
    { on: COLLECTION, name, versions: '<6', when: [{ is: arg(at, 'includeResultMetadata'), value: false }], does: write(op, { ...common, count: plain }) },
    { on: COLLECTION, name, versions: '<6', does: write(op, { ...common, count: wrapped }) },
  ];
}

export default library({
  key: 'mongodb',
  packages: ['mongodb'],
  title: 'MongoDB driver',
  family: 'store',
  token: 'a counter in the same document, raised by the write that takes the lock',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('MongoClient') },
    { type: CLIENT, by: 'call', name: exported('MongoClient.connect') },
    { type: CLIENT, by: 'method', name: 'connect', of: CLIENT },
    { type: DB, by: 'method', name: 'db', of: CLIENT },
    { type: COLLECTION, by: 'method', name: ['collection', 'createCollection'], of: DB },
    { type: SESSION, by: 'method', name: 'startSession', of: CLIENT },
    { type: CURSOR, by: 'method', name: ['find', 'aggregate'], of: COLLECTION },
    { type: CLIENT, by: 'annotation', name: exported('MongoClient') },
    { type: DB, by: 'annotation', name: exported('Db') },
    { type: COLLECTION, by: 'annotation', name: exported('Collection') },
    { type: SESSION, by: 'annotation', name: exported('ClientSession') },
  ],
  calls: [
    ...updates,
    ...findAnd('findOneAndUpdate', 'update', 2, arg(1)),
    ...findAnd('findOneAndReplace', 'replace', 2, arg(1)),
    ...findAnd('findOneAndDelete', 'delete', 1),
    {
      on: COLLECTION,
      name: ['findOne', 'find', 'countDocuments', 'distinct'],
      does: { kind: 'read', target: { receiver: true }, filter: arg(0), transaction: arg(1, 'session'), operators, connection: 'pool' },
    },
    { on: SESSION, name: 'withTransaction', does: { kind: 'transaction', body: arg(0), passes: SESSION } },
    { on: SESSION, name: 'startTransaction', does: { kind: 'transaction', step: 'begin' } },
    { on: SESSION, name: 'commitTransaction', does: { kind: 'transaction', step: 'commit' } },
    { on: SESSION, name: 'abortTransaction', does: { kind: 'transaction', step: 'rollback' } },
    { on: CLIENT, name: 'withSession', does: { kind: 'calls', body: last, when: 'now', passes: ['value'], types: [SESSION], answers: 'body' } },
    { on: CLIENT, name: 'close', does: { kind: 'disconnect', how: 'end' } },
    { on: 'module', name: exported('ObjectId', 'ObjectID'), when: [{ count: 0 }], does: { kind: 'fresh', source: 'random' } },
    { on: 'module', name: exported('ObjectId', 'ObjectID'), does: { kind: 'derives', from: arg(0) } },
  ],
  edits: { orders: [{ on: [COLLECTION], ...mongoOrder }] },
  expiryOptions: ['expireAfterSeconds'],
  facts: [
    '`matchedCount === 0` says that the fence in the filter refused; `modifiedCount` is 0 for a match that changes nothing, too.',
    '`findOneAndUpdate` answers the document or null from 6 on; before, an object with `value`, which is truthy on a miss.',
    'A fence in the filter and `upsert: true` do not go together: the stale writer inserts, or gets E11000.',
    'A write belongs to a transaction only if it is given the session in its options.',
  ],
});
