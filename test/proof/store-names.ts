/** The stores by name: what each is called for people, and the variable in which an instance finds it. */
import type { EngineName } from './embedded.ts';
import type { ServerName } from './servers.ts';

export type StoreName = ServerName | EngineName;

export const titles: Record<StoreName, string> = {
  redis: 'Redis',
  redisWithCommands: 'Redis behind a stand-in for the command',
  postgresql: 'PostgreSQL',
  pglite: 'PGlite',
  mariadb: 'MariaDB',
  sqlite: 'SQLite',
  dynalite: 'dynalite (stand-in for DynamoDB)',
  mingo: 'mingo (stand-in for MongoDB)',
  etcd: 'etcd',
  zookeeper: 'ZooKeeper',
  ceph: 'Ceph\'s S3 gateway',
};

export const variables: Record<StoreName, string> = {
  redis: 'REDIS_URL',
  redisWithCommands: 'REDIS_URL',
  postgresql: 'DATABASE_URL',
  pglite: 'DATABASE_URL',
  mariadb: 'DATABASE_URL',
  sqlite: 'DATABASE_URL',
  dynalite: 'DYNAMODB_URL',
  mingo: 'MONGODB_URL',
  etcd: 'ETCD_URL',
  zookeeper: 'ZOOKEEPER_URL',
  ceph: 'S3_URL',
};
