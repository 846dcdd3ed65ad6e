/** `fencepost explain` on a whole lock of each coordinator shows the lock, its lease, its owner value, where a token comes from and whether its order holds. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fencepost } from '../cli/run.ts';
import { root } from '../root.ts';
import { catalogFixtures } from './reading.ts';

const database = 'a sequence or a counter row of the same database';
const within = 'holds within the store that keeps the row';
const across = 'holds across a failover';
const inOneMachine = 'none: the lock reaches no further than this machine';

/** Of each lock in the fixture the line that names it, its token, and its order where it has a token. */
const coordinators: Record<string, readonly (readonly [lock: string, token: string, order?: string])[]> = {
  azure: [['"id" (Azure Blob Storage, lease 30 s, the library keeps the owner value)', 'none: a lease id and an ETag tell versions apart and do not order them']],
  consul: [['"order/{id}" (consul, lease 30 s, fresh owner value)', '`LockIndex` or `ModifyIndex` of the key', across]],
  dynamodb: [['"id" (Amazon DynamoDB, lease 30 s, fresh owner value)', 'a counter in the same item, raised by the write that takes the lock', within]],
  etcd: [['"order/{id}" (etcd3, lease 30 s, fresh owner value)', 'a revision: `header.revision` of the transaction that takes the lock, or `create_revision` of its key', across]],
  firestore: [['"locks/{id}" (Firestore, lease 30 s, fresh owner value)', 'a counter in the same document, raised by the write that takes the lock', within]],
  gcs: [['"locks/{id}" (Google Cloud Storage, lease without an end in sight, fresh owner value)', 'the `generation` of the object that was made', across]],
  kubernetes: [['"namespace/{name}" (Kubernetes API, lease 15 s, fresh owner value)', '`leaseTransitions` of the Lease, raised by the write that takes it', across]],
  lockfile: [['"file" (proper-lockfile, local lock, its owner is this process)', inOneMachine]],
  mongodb: [['"id" (MongoDB driver, lease 30 s, fresh owner value)', 'a counter in the same document, raised by the write that takes the lock', within]],
  mssql: [['`sp_getapplock` of "order:{id}" (mssql (SQL Server), transaction lock, its owner is the transaction)', database, 'holds within the database']],
  mysql: [['`get_lock` of "order:{id}" (mysql2, session lock, its owner is the connection)', database, 'holds within the database']],
  postgresql: [
    ['`pg_advisory_lock` of "id" (node-postgres (pg), session lock, its owner is the connection)', database, 'holds within the database'],
    ['`pg_advisory_xact_lock` of "id" (node-postgres (pg), transaction lock, its owner is the transaction)', database, 'holds within the database'],
  ],
  process: [['"Mutex" (async-mutex, local lock, its owner is this process)', inOneMachine]],
  redis: [['"order:{id}" (Redis, lease 30 s, fresh owner value)', 'none of its own: INCR in the script that takes the lock', 'does not survive a failover, for replication is asynchronous']],
  redlock: [['"order:{id}" (redlock, lease 10 s, fresh owner value)', 'none: its owner value is random']],
  row: [['"id" (node-postgres (pg), lease 30 s, fresh owner value)', 'a counter in the same row, raised by the write that takes the lock', within]],
  s3: [['"locks/{id}" (Amazon S3, lease without an end in sight, fresh owner value)', 'none: an ETag tells versions apart and does not order them']],
  sqlite: [
    ['`BEGIN IMMEDIATE` (better-sqlite3, transaction lock, its owner is the transaction)', database, 'holds within the database'],
    ['`BEGIN IMMEDIATE` (node:sqlite, transaction lock, its owner is the transaction)', database, 'holds within the database'],
  ],
  zookeeper: [['"/orders/{id}" (ZooKeeper clients, lease 10 s, the library keeps the owner value)', "the `czxid` of the node, or the number that a sequential node's path ends in", across]],
};

const whole = catalogFixtures().filter((it) => it.name.startsWith('whole-'));

test('each fixture of a whole lock is that of a coordinator', () => {
  expect(whole.map((it) => it.name)).toEqual(Object.keys(coordinators).sort().map((it) => `whole-${it}`));
});

test.each(whole.map((it) => [it.name.slice('whole-'.length), it.path] as const))('%s', (name, path) => {
  const { code, out } = fencepost(['explain', path], { cwd: join(root, 'test/catalog') });
  expect(code).toBe(0);
  const lines = out.split('\n');
  const locks = lines.filter((it) => it !== '' && !it.startsWith(' '));
  const tokens = lines.filter((it) => it.startsWith('  token: ')).map((it) => it.slice('  token: '.length));
  const orders = lines.flatMap((it, i) => (it.startsWith('  token: ') ? (/^ {2}its order: (.*)/.exec(lines[i + 1]!)?.slice(1) ?? [undefined]) : []));
  expect(locks.map((it, i) => [it, tokens[i], ...(orders[i] === undefined ? [] : [orders[i]])])).toEqual(coordinators[name]);
  expect(tokens).toHaveLength(locks.length);
  expect(lines.filter((it) => /^ {2}taken at line \d+/.test(it))).toHaveLength(locks.length);
});
