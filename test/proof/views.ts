/** Each kind of store as a proof looks at it: through a client of the test's own, from outside of the instances. */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import Redis from 'ioredis';
import Sqlite from 'libsql';
import { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import { type Exception, createClient } from 'node-zookeeper-client';
import { Pool } from 'pg';

/** One store: what it holds, and how everything is put back to how it was before the first instance. */
export interface View {
  /** What the report holds, where the store has it. */
  body?(): Promise<string>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export type Rows = Record<string, unknown>[];

/** A SQL database is also asked in its own dialect. */
export interface Database extends View {
  query(sql: string): Promise<Rows>;
}

export interface RedisView extends View {
  client: Redis;
}

export function redis(url: string): RedisView {
  const client = new Redis(url);
  return {
    client,
    body: async () => String(await client.get('report')),
    reset: async () => void (await client.flushall()),
    close: () => Promise.resolve(client.disconnect()),
  };
}

/** How a dialect writes a name, a point in time, and one long past. */
interface Dialect {
  name: string;
  time: string;
  past: string;
}

/** The same tables in each dialect: a lock row whose grants are counted, and the report that it protects, with the column of the fence. */
async function database({ name, time, past }: Dialect, query: Database['query'], close: Database['close']): Promise<Database> {
  await query(`CREATE TABLE leases (name ${name} PRIMARY KEY, owner ${name}, expires_at ${time} NOT NULL, token BIGINT NOT NULL)`);
  await query('CREATE TABLE reports (id INTEGER PRIMARY KEY, body TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0, last_token BIGINT NOT NULL DEFAULT 0)');
  const before = ['DELETE FROM leases', 'DELETE FROM reports', `INSERT INTO leases (name, owner, expires_at, token) VALUES ('report', NULL, ${past}, 0)`, "INSERT INTO reports (id, body) VALUES (1, 'first')"];
  return {
    query,
    body: async () => String((await query('SELECT body FROM reports WHERE id = 1'))[0]!.body),
    reset: async () => {
      for (const sql of before) await query(sql);
    },
    close,
  };
}

export function postgresql(url: string): Promise<Database> {
  const pool = new Pool({ connectionString: url, max: 1 });
  return database({ name: 'TEXT', time: 'TIMESTAMPTZ', past: "'2000-01-01'" }, async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows, () => pool.end());
}

export function mariadb(url: string): Promise<Database> {
  const pool = mysql.createPool(url);
  return database({ name: 'VARCHAR(80)', time: 'DATETIME(3)', past: "'2000-01-01'" }, async (sql) => (await pool.query(sql))[0] as Rows, () => pool.end());
}

export function sqlite(file: string): Promise<Database> {
  const db = new Sqlite(file);
  const query: Database['query'] = (sql) => {
    const statement = db.prepare(sql);
    return Promise.resolve(statement.reader ? (statement.all() as Rows) : (statement.run(), []));
  };
  return database({ name: 'TEXT', time: 'INTEGER', past: '0' }, query, () => Promise.resolve(void db.close()));
}

/** A report and a lease as items, the lease not there before it is taken. */
export async function dynamodb(url: string): Promise<View> {
  const client = new DynamoDBClient({ endpoint: url, region: 'local', credentials: { accessKeyId: 'proof', secretAccessKey: 'proof' } });
  const items = DynamoDBDocumentClient.from(client);
  for (const [TableName, key, type] of [['reports', 'id', 'N'], ['leases', 'name', 'S']] as const) {
    await client.send(new CreateTableCommand({ TableName, KeySchema: [{ AttributeName: key, KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: key, AttributeType: type }], BillingMode: 'PAY_PER_REQUEST' }));
  }
  return {
    body: async () => String((await items.send(new GetCommand({ TableName: 'reports', Key: { id: 1 }, ConsistentRead: true }))).Item!.body),
    reset: async () => {
      await items.send(new DeleteCommand({ TableName: 'leases', Key: { name: 'report' } }));
      await items.send(new PutCommand({ TableName: 'reports', Item: { id: 1, body: 'first' } }));
    },
    close: () => Promise.resolve(client.destroy()),
  };
}

/** A report and a lease as documents. */
export async function mongodb(url: string): Promise<View> {
  const client = await new MongoClient(url).connect();
  const [reports, leases] = [client.db().collection<{ _id: number; body: string; lastToken: number }>('reports'), client.db().collection<{ _id: string; owner: string | null; expiresAt: Date }>('leases')];
  return {
    body: async () => String((await reports.findOne({ _id: 1 }))!.body),
    reset: async () => {
      await reports.replaceOne({ _id: 1 }, { body: 'first', lastToken: 0 }, { upsert: true });
      await leases.replaceOne({ _id: 'report' }, { owner: null, expiresAt: new Date(0) }, { upsert: true });
    },
    close: () => client.close(),
  };
}

/** A report as an object. */
export async function s3(url: string): Promise<View> {
  const client = new S3Client({ endpoint: url, region: 'default', forcePathStyle: true, credentials: { accessKeyId: 'proof', secretAccessKey: 'proof' } });
  const object = { Bucket: 'reports', Key: '1' };
  await client.send(new CreateBucketCommand({ Bucket: object.Bucket }));
  return {
    body: async () => String(await (await client.send(new GetObjectCommand(object))).Body!.transformToString()),
    reset: async () => void (await client.send(new PutObjectCommand({ ...object, Body: 'first' }))),
    close: () => Promise.resolve(client.destroy()),
  };
}

/** A lock as a node, which outlives its holder by the length of the session. */
export function zookeeper(url: string): View {
  const client = createClient(url);
  client.connect();
  return {
    reset: () => new Promise((resolve, reject) => client.remove('/report', (error) => (error && (error as Exception).name !== 'NO_NODE' ? reject(error) : resolve()))),
    close: () => Promise.resolve(client.close()),
  };
}
