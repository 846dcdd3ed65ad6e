/**
 * Firestore: the server client, firebase-admin, and the functions of the web client. Facts from the
 * types of @google-cloud/firestore 8 and 9 and firebase-admin 14.
 */
import { arg, constant, exported, last, library, type ArgPath, type Call, type Connection, type TypeId, type Write } from './schema.ts';

const DB = 'firestore:Firestore';
const COLLECTION = 'firestore:Collection';
const DOC = 'firestore:Document';
const SNAPSHOT = 'firestore:Snapshot';
const TRANSACTION = 'firestore:Transaction';
const BATCH = 'firestore:Batch';

const unconditional = '`set` takes no precondition: its second argument is `{ merge }`';
const created = 'throws ALREADY_EXISTS (code 6) where the document is there';
const refused = 'a precondition that fails throws FAILED_PRECONDITION (code 9)';

/** The writes of a document reference; a transaction and a batch take the reference as their first argument. */
function writes(on: TypeId, shift: 0 | 1, connection?: Connection): readonly Call[] {
  const at = (index: number, ...path: string[]): ArgPath => arg(index + shift, ...path);
  const target: Write['target'] = shift ? arg(0) : { receiver: true };
  const write = (op: Write['op'], more: Partial<Write>): Write => ({ kind: 'write', op, target, connection, ...more });
  // A transaction and a batch only note what is sent at their end.
  const isSync = shift === 1;
  return [
    { on, name: 'set', does: write('replace', { data: at(0) }), isSync, note: unconditional },
    { on, name: 'update', does: write('update', { data: at(0), fence: [at(1, 'lastUpdateTime')], throwsOnMiss: true }), isSync, note: refused },
    { on, name: 'create', does: write('insert', { data: at(0), fence: [constant('the document must not exist')], throwsOnMiss: true }), isSync, note: created },
    { on, name: 'delete', does: write('delete', { fence: [at(0, 'lastUpdateTime')], throwsOnMiss: true }), isSync, note: refused },
  ];
}

const timestamps = (...names: string[]): string[] => names.flatMap((it) => exported(`Timestamp.${it}`, `firestore.Timestamp.${it}`));

const web: readonly Call[] = [
  { on: 'module', name: 'setDoc', does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1) } },
  { on: 'module', name: 'updateDoc', does: { kind: 'write', op: 'update', target: arg(0), data: arg(1) } },
  { on: 'module', name: 'addDoc', does: { kind: 'write', op: 'insert', target: arg(0), data: arg(1) } },
  { on: 'module', name: 'deleteDoc', does: { kind: 'write', op: 'delete', target: arg(0) } },
  { on: 'module', name: ['getDoc', 'getDocs'], does: { kind: 'read', target: arg(0) } },
  { on: 'module', name: 'runTransaction', does: { kind: 'transaction', body: arg(1), passes: TRANSACTION, isolation: constant('serializable') } },
];

export default library({
  key: 'firestore',
  packages: ['@google-cloud/firestore', 'firebase-admin', 'firebase-admin/firestore', 'firebase/firestore', 'firebase/firestore/lite'],
  title: 'Firestore',
  family: 'store',
  token: 'a counter in the same document, raised by the write that takes the lock',
  obtain: [
    { type: DB, by: 'new', name: exported('Firestore') },
    { type: DB, by: 'call', name: exported('getFirestore', 'firestore', 'initializeFirestore') },
    { type: DB, by: 'annotation', name: exported('Firestore', 'firestore.Firestore') },
    { type: COLLECTION, by: 'method', name: ['collection', 'collectionGroup'], of: DB },
    { type: COLLECTION, by: 'method', name: 'collection', of: DOC },
    { type: COLLECTION, by: 'annotation', name: exported('CollectionReference', 'firestore.CollectionReference') },
    { type: DOC, by: 'method', name: 'doc', of: DB },
    { type: DOC, by: 'method', name: 'doc', of: COLLECTION },
    { type: DOC, by: 'call', name: 'doc' },
    { type: DOC, by: 'property', name: 'ref', of: SNAPSHOT },
    { type: DOC, by: 'annotation', name: exported('DocumentReference', 'firestore.DocumentReference') },
    { type: SNAPSHOT, by: 'annotation', name: exported('DocumentSnapshot', 'QueryDocumentSnapshot', 'firestore.DocumentSnapshot') },
    { type: BATCH, by: 'method', name: ['batch', 'bulkWriter'], of: DB },
    { type: BATCH, by: 'call', name: 'writeBatch' },
    { type: BATCH, by: 'annotation', name: exported('WriteBatch', 'BulkWriter', 'firestore.WriteBatch') },
    { type: TRANSACTION, by: 'annotation', name: exported('Transaction', 'firestore.Transaction') },
  ],
  calls: [
    ...writes(DOC, 0),
    ...writes(BATCH, 1),
    ...writes(TRANSACTION, 1, 'transaction'),
    { on: COLLECTION, name: 'add', does: { kind: 'write', op: 'insert', target: { receiver: true }, data: arg(0) } },
    { on: DOC, name: 'get', does: { kind: 'read', target: { receiver: true } }, answers: SNAPSHOT },
    { on: TRANSACTION, name: ['get', 'getAll'], does: { kind: 'read', target: arg(0), lock: constant('what a transaction reads is locked until it ends'), connection: 'transaction' }, answers: SNAPSHOT },
    {
      on: DB,
      name: 'runTransaction',
      does: { kind: 'transaction', body: arg(0), passes: TRANSACTION, isolation: constant('serializable') },
    },
    { on: DOC, name: 'onSnapshot', does: { kind: 'calls', body: last, when: 'later', answers: 'other' } },
    { on: SNAPSHOT, name: 'get', does: { kind: 'picks', name: arg(0) } },
    { on: 'module', name: timestamps('now'), does: { kind: 'fresh', source: 'clock' } },
    { on: 'module', name: timestamps('fromMillis', 'fromDate'), does: { kind: 'derives', from: arg(0) } },
    { on: 'module', name: exported('FieldValue.serverTimestamp', 'firestore.FieldValue.serverTimestamp', 'serverTimestamp'), does: { kind: 'fresh', source: 'clock' } },
    ...web,
  ],
  facts: [
    'The fence is a transaction that reads the stored token and throws, or `update(data, { lastUpdateTime })` with the time of the snapshot that was read; a miss throws FAILED_PRECONDITION.',
    '`set()` takes no precondition.',
    '`create()` throws ALREADY_EXISTS: a document can be a unique key.',
    'A transaction is serializable, and is run again where it collides: its body must have no effects outside.',
  ],
});
