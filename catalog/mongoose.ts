/**
 * Mongoose 5 to 9, `@nestjs/mongoose` and Typegoose. Facts from the types of 5.13, 6.13, 7.8, 8.24
 * and 9.12; when `save` compares a version, from the source.
 */
import { arg, configured, exported, last, library, rest, self, type Call, type Count, type Write } from './schema.ts';
import { mongoOperators as operators, mongoOrder } from './mongo-operators.ts';

const MODEL = 'mongoose:Model';
const DOCUMENT = 'mongoose:Document';
const DOCUMENTS = 'mongoose:Documents';
const QUERY = 'mongoose:Query';
const CONNECTION = 'mongoose:Connection';
const SESSION = 'mongoose:Session';

const matched: Count = {
  path: ['matchedCount'],
  also: [['modifiedCount'], ['upsertedCount']],
  miss: 0,
  note: '`modifiedCount` is also 0 where the new values equal the old ones',
};
const counted5: Count = { path: ['n'], also: [['nModified']], miss: 0 };
const deleted: Count = { path: ['deletedCount'], also: [['n']], miss: 0 };
const found: Count = { path: [], also: [['value']], miss: null };

const write = (op: Write['op'], more: Partial<Write>): Write => ({
  kind: 'write',
  op,
  target: { receiver: true },
  operators,
  connection: 'pool',
  ...more,
});

const inserting = 'with `upsert` a stale writer does not miss: it inserts, or fails with E11000 on the key';
const chained = { chains: QUERY, lazy: true } as const;
const session = arg(2, 'session');

const models: readonly Call[] = [
  {
    on: MODEL,
    name: ['updateOne', 'updateMany', 'replaceOne', 'update', 'findOneAndUpdate', 'findByIdAndUpdate', 'findOneAndReplace'],
    when: [{ is: arg(2, 'upsert'), value: true }],
    does: write('upsert', { filter: arg(0), data: arg(1), transaction: session }),
    ...chained,
    note: inserting,
  },
  { on: MODEL, name: ['updateOne', 'updateMany', 'update'], versions: '>=6', does: write('update', { filter: arg(0), data: arg(1), count: matched, transaction: session }), ...chained },
  { on: MODEL, name: ['updateOne', 'updateMany', 'update'], versions: '<6', does: write('update', { filter: arg(0), data: arg(1), count: counted5, transaction: session }), ...chained },
  { on: MODEL, name: 'replaceOne', versions: '>=6', does: write('replace', { filter: arg(0), data: arg(1), count: matched, transaction: session }), ...chained },
  { on: MODEL, name: 'replaceOne', versions: '<6', does: write('replace', { filter: arg(0), data: arg(1), count: counted5, transaction: session }), ...chained },
  {
    on: MODEL,
    name: ['findOneAndUpdate', 'findByIdAndUpdate', 'findOneAndReplace'],
    does: write('update', { filter: arg(0), data: arg(1), count: found, transaction: session }),
    ...chained,
    answers: DOCUMENT,
    note: 'with `rawResult` or `includeResultMetadata` the document is under `value`',
  },
  {
    on: MODEL,
    name: ['findOneAndDelete', 'findByIdAndDelete', 'findOneAndRemove', 'findByIdAndRemove'],
    does: write('delete', { filter: arg(0), count: found, transaction: arg(1, 'session') }),
    ...chained,
    answers: DOCUMENT,
  },
  { on: MODEL, name: ['deleteOne', 'deleteMany', 'remove'], does: write('delete', { filter: arg(0), count: deleted, transaction: arg(1, 'session') }), ...chained },
  { on: MODEL, name: ['create', 'insertMany', 'insertOne'], does: write('insert', { data: arg(0), fence: [arg(0, '_id')], transaction: arg(1, 'session') }), answers: DOCUMENT },
  {
    on: MODEL,
    name: 'bulkWrite',
    does: [
      write('update', { filter: { arg: 0, each: ['updateOne', 'filter'] }, data: { arg: 0, each: ['updateOne', 'update'] }, count: matched, transaction: arg(1, 'session') }),
      write('update', { filter: { arg: 0, each: ['updateMany', 'filter'] }, data: { arg: 0, each: ['updateMany', 'update'] }, count: matched, transaction: arg(1, 'session') }),
      write('replace', { filter: { arg: 0, each: ['replaceOne', 'filter'] }, data: { arg: 0, each: ['replaceOne', 'replacement'] }, count: matched, transaction: arg(1, 'session') }),
      write('delete', { filter: { arg: 0, each: ['deleteOne', 'filter'] }, count: deleted, transaction: arg(1, 'session') }),
      write('insert', { data: { arg: 0, each: ['insertOne', 'document'] }, transaction: arg(1, 'session') }),
    ],
  },
  { on: MODEL, name: 'bulkSave', does: write('save', { data: arg(0), transaction: arg(1, 'session'), versioned: ['optimisticConcurrency'] }) },
  {
    on: MODEL,
    name: ['findOne', 'findById'],
    does: { kind: 'read', target: { receiver: true }, filter: arg(0), transaction: session, operators, connection: 'pool' },
    ...chained,
    answers: DOCUMENT,
  },
  {
    on: MODEL,
    name: 'find',
    does: { kind: 'read', target: { receiver: true }, filter: arg(0), transaction: session, operators, connection: 'pool' },
    ...chained,
    answers: DOCUMENTS,
  },
  {
    on: MODEL,
    name: ['countDocuments', 'exists', 'distinct', 'where'],
    does: { kind: 'read', target: { receiver: true }, filter: arg(0), operators, connection: 'pool' },
    ...chained,
  },
];

const step = { on: QUERY, answers: QUERY, lazy: true } as const;
const compared = (name: string, op: string): Call => ({
  ...step,
  name,
  when: [{ count: 2 }],
  does: { kind: 'build', filter: { triple: { column: arg(0), op: { constant: op }, value: arg(1) } } },
});
/** The column was named by the step before: `where('token').lt(7)`. */
const comparedHere = (name: string, op: string): Call => ({
  ...step,
  name,
  when: [{ count: 1 }],
  does: { kind: 'build', filter: { triple: { column: configured('path'), op: { constant: op }, value: arg(0) } } },
});
const orders = { lt: '<', lte: '<=', gt: '>', gte: '>=', ne: '<>' };

const queries: readonly Call[] = [
  { ...step, name: ['where', 'find', 'findOne', 'and', 'merge'], when: [{ sort: arg(0), of: 'object' }], does: { kind: 'build', filter: { object: arg(0) }, operators } },
  { ...step, name: 'where', when: [{ count: 2 }], does: { kind: 'build', filter: { triple: { column: arg(0), value: arg(1) } } } },
  { ...step, name: 'where', when: [{ count: 1 }, { sort: arg(0), of: 'string' }], does: { kind: 'build', configure: { path: arg(0) } } },
  ...Object.entries(orders).map(([name, op]) => compared(name, op)),
  ...Object.entries({ ...orders, equals: '=' }).map(([name, op]) => comparedHere(name, op)),
  { ...step, name: ['updateOne', 'updateMany', 'update', 'findOneAndUpdate'], when: [{ count: 2, atLeast: true }], does: { kind: 'build', op: 'update', filter: { object: arg(0) }, set: arg(1), operators } },
  { ...step, name: ['updateOne', 'updateMany', 'update', 'findOneAndUpdate', 'set', 'setUpdate'], does: { kind: 'build', op: 'update', set: arg(0), operators } },
  { ...step, name: ['deleteOne', 'deleteMany', 'findOneAndDelete'], does: { kind: 'build', op: 'delete', filter: { object: arg(0) }, operators } },
  { ...step, name: 'session', does: { kind: 'build', transaction: arg(0) } },
  { ...step, name: 'orFail', does: { kind: 'build', throwsOnMiss: true }, note: 'throws DocumentNotFoundError on a miss' },
  { ...step, name: ['lean', 'sort', 'limit', 'skip', 'select', 'populate', 'setOptions', 'read', 'hint', 'maxTimeMS', 'collation'], does: { kind: 'build' } },
  { on: QUERY, name: 'exec', does: { kind: 'build', sends: true } },
];

const documents: readonly Call[] = [
  {
    on: DOCUMENT,
    name: 'save',
    does: write('save', { transaction: arg(0, 'session'), versioned: ['optimisticConcurrency'] }),
    note: 'the default `__v` is compared only for changes of arrays by position; everything is, where the schema has `optimisticConcurrency`',
  },
  { on: DOCUMENT, name: ['updateOne', 'update'], does: write('update', { data: arg(0), count: matched, transaction: arg(1, 'session') }), ...chained },
  { on: DOCUMENT, name: ['deleteOne', 'remove', 'delete'], does: write('delete', { transaction: arg(0, 'session') }) },
  { on: DOCUMENT, name: ['set', '$set', 'markModified', '$session', 'increment'], does: { kind: 'passes', value: self() } },
];

export default library({
  key: 'mongoose',
  packages: ['mongoose', '@nestjs/mongoose', '@typegoose/typegoose', 'nestjs-typegoose', '@m8a/nestjs-typegoose'],
  title: 'Mongoose',
  family: 'store',
  token: 'a counter in the same document, raised by the write that takes the lock',
  obtain: [
    { type: MODEL, by: 'call', name: [...exported('model'), 'getModelForClass', 'getDiscriminatorModelForClass', 'buildModel'] },
    { type: MODEL, by: 'decorator', name: 'InjectModel' },
    { type: MODEL, by: 'annotation', name: [...exported('Model', 'PaginateModel'), 'ReturnModelType'] },
    { type: MODEL, by: 'subclass', name: exported('Model') },
    { type: MODEL, by: 'property', name: '*', of: 'mongoose:Models' },
    { type: 'mongoose:Models', by: 'property', name: 'models', of: CONNECTION },
    { type: 'mongoose:Models', by: 'value', name: exported('models') },
    { type: MODEL, by: 'method', name: 'model', of: CONNECTION },
    { type: MODEL, by: 'method', name: ['discriminator', 'model'], of: MODEL },
    { type: DOCUMENT, by: 'new', name: '()', of: MODEL },
    { type: DOCUMENT, by: 'method', name: 'hydrate', of: MODEL },
    { type: DOCUMENT, by: 'annotation', name: [...exported('Document', 'HydratedDocument', 'HydratedDocumentFromSchema'), 'DocumentType'] },
    { type: DOCUMENT, by: 'property', name: '*', of: DOCUMENTS },
    { type: CONNECTION, by: 'value', name: exported('connection') },
    { type: CONNECTION, by: 'call', name: exported('createConnection') },
    { type: CONNECTION, by: 'decorator', name: 'InjectConnection' },
    { type: CONNECTION, by: 'annotation', name: exported('Connection') },
    { type: SESSION, by: 'call', name: exported('startSession') },
    { type: SESSION, by: 'method', name: 'startSession', of: CONNECTION },
    { type: SESSION, by: 'method', name: 'startSession', of: MODEL },
    { type: SESSION, by: 'annotation', name: exported('ClientSession', 'mongo.ClientSession') },
  ],
  calls: [
    ...models,
    ...queries,
    ...documents,
    { on: SESSION, name: 'withTransaction', does: { kind: 'transaction', body: arg(0), passes: SESSION } },
    { on: SESSION, name: 'startTransaction', does: { kind: 'transaction', step: 'begin' } },
    { on: SESSION, name: 'commitTransaction', does: { kind: 'transaction', step: 'commit' } },
    { on: SESSION, name: 'abortTransaction', does: { kind: 'transaction', step: 'rollback' } },
    { on: CONNECTION, name: 'transaction', does: { kind: 'transaction', body: arg(0), passes: SESSION } },
    { on: CONNECTION, name: 'withSession', does: { kind: 'calls', body: last, when: 'now', passes: ['value'], types: [SESSION], answers: 'body' } },
    { on: 'module', name: exported('connection.transaction'), does: { kind: 'transaction', body: arg(0), passes: SESSION } },
    { on: 'module', name: exported('Types.ObjectId'), when: [{ count: 0 }], does: { kind: 'fresh', source: 'random' } },
    { on: 'module', name: exported('Types.ObjectId'), does: { kind: 'derives', from: rest(0) } },
  ],
  edits: { orders: [{ on: [MODEL], ...mongoOrder }] },
  expiryOptions: ['expires', 'expireAfterSeconds'],
  facts: [
    '`doc.save()` is not fenced by the default `__v`: the version is compared for changes of arrays by position only. With the schema option `optimisticConcurrency` it is, and throws VersionError.',
    '`updateOne` and `findOneAndUpdate` neither compare nor raise `__v`.',
    'From 6 on `updateOne` answers `matchedCount`; 5 answers `n` and `nModified`.',
    '`findOneAndUpdate` answers null on a miss; `.orFail()` throws.',
    'A query is sent when it is awaited or `exec` is called.',
    'A fence in the filter and `upsert: true` do not go together: the stale writer inserts, or gets E11000.',
  ],
});
