/** What the proofs and the edits leave out, and why: said beside them in the documentation. */
import type { Library } from '../../catalog/schema.ts';

/** What is proven on something else than it is used with, or not by running it. */
export const unproven: readonly string[] = [
  '`DELEX … IFEQ` (Redis 8.4) and `DELIFEQ` (Valkey 9): no server that has them can be installed from Debian 12 or npm. A stand-in, a proxy, turns the command into a script on a real Redis; what the clients send and read is their own.',
  'MongoDB and Mongoose: no server can be installed from Debian 12 or npm. The clients speak their own protocol to a stand-in, whose filters and updates mingo evaluates, one command after the other.',
  'DynamoDB: Amazon\'s own server cannot be installed. dynalite, a stand-in, keeps the interface over LevelDB and evaluates the conditions.',
  'Amazon S3: the condition is proven on Ceph\'s gateway, which has the same interface. The version in Debian 12 compares an ETag without its quotes, so a proxy takes them off its answers.',
  'Google Cloud Storage and Azure Blob Storage: Debian 12 has no server for them, and what npm has for Cloud Storage knows no `ifGenerationMatch`. The calls are checked against the clients\' types.',
  'Upstash and Vercel KV: Upstash\'s own client is proven with a stand-in that sends its commands on to a real Redis. Vercel\'s client is that client under another name.',
  'Consul, whose index is read with the session that holds the key: no server can be installed. The calls are checked against the client\'s types.',
  'A lock row that counts its grants: the statement is parsed before and after, and the calls of pg, postgres.js and PGlite are checked against their types; the fence that compares the number is the proven one.',
  'SQL Server: no server can be installed. The statements, `OUTPUT` among them, are parsed in its dialect before and after; the calls of mssql are checked against its types.',
  'better-sqlite3: proven on libSQL\'s build of SQLite, which has the same interface and needs no compiler. `sqlite` is checked against its types; node:sqlite is written alike.',
  'pg-promise, Slonik, Neon, Vercel Postgres, mariadb and the other clients that send SQL as text: the statement that is written is the one that pg and mysql2 are proven with; the calls of those named are checked against the clients\' types.',
  'handy-redis, and clients that are known by the shape of their calls alone: the scripts are those that are proven, the calls are checked against the types.',
];

/** What no edit is offered for, and why. */
export const notOffered: readonly { what: string; why: string }[] = [
  { what: 'A token of Redlock and its kin', why: 'Their value is random: it has no order. The fence needs a counter in the resource itself, or a version.' },
  { what: 'A token of ZooKeeper', why: '`create` answers the path alone. The `czxid` takes a further read, which may find the next holder\'s node: the stale holder would have the live one\'s token. It is sound only together with a comparison of `ephemeralOwner` with the own session, in further callbacks. (node-zookeeper-client hands both out as eight bytes; read by `readBigInt64BE()` they are in order.)' },
  { what: 'A token from a lock row that a release or a sweep deletes, or in MySQL', why: 'With the row its counter would go, and begin anew below what the data has seen. MySQL answers no rows of a write, and a second statement could read the next holder\'s number.' },
  { what: 'An owner value or a token that a function would be handed', why: 'Where one of its callers is not known (it is handed on as a value, behind an interface or a base class, wrapped by a decorator, published by a package), holds no lock, or holds another lock, which counts for itself.' },
  { what: 'A token for `Lock` of etcd3', why: 'Its handle keeps the revision to itself. The transaction that takes a key has one, and is offered.' },
  { what: '`await using` in the place of `try`/`finally`', why: 'No grant of a library in the catalog is `AsyncDisposable` by its types.' },
  { what: 'The fence of a DELETE', why: 'A count of nothing is no refusal there: the row may be gone already, and with it the token.' },
  { what: 'The fence of a hash, list or set of Redis', why: 'Only a value as a whole is written by the script that compares.' },
  { what: 'The fence of a patch that fetches (`patchAndFetchById` of Objection, `findOneAndUpdate` that creates)', why: 'What it answers on a refusal differs by its options.' },
  { what: 'The version of an object that was not read under the lock, or not by a call that tells it', why: 'Nothing has been compared then: an edit would have to read it first, and what the section was to keep may have changed before.' },
  { what: 'The last fence beside work that cannot be seen, where a renewal\'s answer is dropped', why: 'The loss of the lock would still be told to nobody, and be reported instead.' },
  { what: 'The release of an object that is a lock (`IfNoneMatch: \'*\'`)', why: 'The ETag of what was made would be the owner; it is the same for the same content, and not every service compares it at a deletion.' },
  { what: 'tedious', why: 'The count goes to a callback that the request was made with before.' },
  { what: 'D1', why: 'The parameters are bound by a step in the middle of the chain, by position.' },
  { what: 'Cassandra and ClickHouse', why: 'Cassandra compares by `IF`, outside of the `WHERE`, and ClickHouse not at all.' },
];

/** By the key of its library: why writes of its own kind get no fence from an edit. */
export const withoutFence: Readonly<Record<string, string>> = {
  airtable: 'has no condition on a write',
  axios: 'the version comes in a header, or in the body, as each service has it',
  'azure-cosmos': '`accessCondition` takes the ETag of the item that was read; no form is written for it',
  consul: '`cas` takes the index that was read; no form is written for it',
  elasticsearch: '`if_seq_no` and `if_primary_term` take two numbers that were read; no form is written for them',
  etcd3: '`if(key, \'Mod\', …)` is another call than the write',
  fetch: 'the version comes in a header, or in the body, as each service has it',
  firestore: 'its transactions read and write in one step, which is another shape than a condition',
  got: 'the version comes in a header, or in the body, as each service has it',
  kubernetes: 'the `resourceVersion` stands in the object that was read and is written back',
  'mikro-orm': 'entities are written by `flush`, whose fence is a version property of the entity',
  'node-files': 'a file system compares nothing',
  spanner: 'its transactions read and write in one step, which is another shape than a condition',
  supabase: 'an update tells what it touched only where it was asked to',
  zookeeper: 'the version is an argument of the write, and comes by a callback around it',
};

const changes = new Set(['update', 'replace', 'save', 'upsert']);

/** Whether a library writes otherwise than by the text of a statement, and has no form by which an edit fences it. */
export function lacksFence({ family, calls, edits }: Library): boolean {
  const effects = calls.flatMap(({ does }) => (Array.isArray(does) ? does : [does]));
  const writes = effects.some((it) => (it.kind === 'write' && changes.has(it.op)) || (it.kind === 'build' && it.op === 'update'));
  return family !== 'language' && writes && !(edits?.fences ?? edits?.orders ?? edits?.chains ?? edits?.expressions ?? edits?.versions);
}
