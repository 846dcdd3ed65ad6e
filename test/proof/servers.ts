/** Servers for the proofs: how each is started on a free port of this machine, and where it comes from. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startCeph } from './ceph.ts';
import { type Server, answers, freePort, newFolder, prepare, start, userOf } from './children.ts';
import { startCommands } from './command-stand-in.ts';

export type ServerName = 'redis' | 'redisWithCommands' | 'postgresql' | 'mariadb' | 'etcd' | 'zookeeper' | 'ceph';

async function redis(): Promise<Server> {
  const [port, folder] = [await freePort(), newFolder('redis')];
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  return { url: `redis://127.0.0.1:${port}`, stop: await start({ command: 'redis-server', args, folder, isReady: () => answers(port, 'PING\r\n', (it) => it.startsWith('+PONG')) }) };
}

const postgresFolder = '/usr/lib/postgresql';

async function postgresql(): Promise<Server> {
  const [port, folder, as] = [await freePort(), newFolder('postgresql'), userOf('postgres')];
  const [newest] = readdirSync(postgresFolder).sort((a, b) => Number(b) - Number(a));
  const programs = join(postgresFolder, newest!, 'bin');
  if (as) chownSync(folder, as.uid, as.gid);
  prepare(join(programs, 'initdb'), ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], as);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=32MB'].flatMap((it) => ['-c', it]);
  const stop = await start({ command: join(programs, 'postgres'), args: ['-D', folder, '-p', `${port}`, ...settings], folder, as, signal: 'SIGINT', isReady: (log) => log.includes('ready to accept connections') });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}

async function mariadb(): Promise<Server> {
  const [port, folder, as] = [await freePort(), newFolder('mariadb'), userOf('mysql')];
  const data = join(folder, 'data');
  const user = as ? ['--user=mysql'] : [];
  if (as) chownSync(folder, as.uid, as.gid);
  prepare('mariadb-install-db', ['--no-defaults', ...user, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']);
  const args = ['--no-defaults', ...user, `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, '--skip-log-bin', '--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=16M', '--innodb-log-file-size=8M'];
  const stop = await start({ command: 'mariadbd', args, folder, isReady: (log) => log.includes('ready for connections') });
  return { url: `mysql://root@127.0.0.1:${port}/mysql`, stop };
}

async function etcd(): Promise<Server> {
  const [port, peers, folder] = [await freePort(), await freePort(), newFolder('etcd')];
  const [clients, others] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
  const args = ['--data-dir', folder, '--listen-client-urls', clients, '--advertise-client-urls', clients, '--listen-peer-urls', others, '--initial-advertise-peer-urls', others, '--initial-cluster', `default=${others}`, '--unsafe-no-fsync'];
  const isReady = (): Promise<boolean> => answers(port, 'GET /health HTTP/1.0\r\n\r\n', (it) => /"health":\s*"?true/.test(it));
  return { url: clients, stop: await start({ command: 'etcd', args, folder, isReady }) };
}

const javaFolder = '/usr/share/java';

async function zookeeper(): Promise<Server> {
  const [port, folder] = [await freePort(), newFolder('zookeeper')];
  const config = join(folder, 'zoo.cfg');
  writeFileSync(config, ['tickTime=200', `dataDir=${join(folder, 'data')}`, `clientPort=${port}`, 'clientPortAddress=127.0.0.1', 'admin.enableServer=false', '4lw.commands.whitelist=ruok', ''].join('\n'));
  const jars = readdirSync(javaFolder).filter((it) => it.endsWith('.jar') && /^(?:zookeeper|slf4j-(?:api|nop)|commons-(?:cli|io)|netty|jline|log4j|jackson|snappy|metrics|logback|guava)/.test(it));
  const classPath = ['/etc/zookeeper/conf', ...jars.map((it) => join(javaFolder, it))].join(delimiter);
  const args = ['-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath, '-Dzookeeper.jmx.log4j.disable=true', 'org.apache.zookeeper.server.quorum.QuorumPeerMain', config];
  return { url: `127.0.0.1:${port}`, stop: await start({ command: 'java', args, folder, isReady: () => answers(port, 'ruok', (it) => it.startsWith('imok')) }) };
}

const isCommand = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** How each server is started, whether it is installed, and the Debian package that has it. */
export const servers: Record<ServerName, { start: () => Promise<Server>; isInstalled: () => boolean; from: string }> = {
  redis: { start: redis, isInstalled: () => isCommand('redis-server'), from: 'redis-server' },
  redisWithCommands: { start: async () => startCommands(await redis()), isInstalled: () => isCommand('redis-server'), from: 'redis-server' },
  postgresql: { start: postgresql, isInstalled: () => existsSync(postgresFolder), from: 'postgresql' },
  mariadb: { start: mariadb, isInstalled: () => isCommand('mariadbd') && isCommand('mariadb-install-db'), from: 'mariadb-server' },
  etcd: { start: etcd, isInstalled: () => isCommand('etcd'), from: 'etcd-server' },
  zookeeper: { start: zookeeper, isInstalled: () => isCommand('java') && existsSync(javaFolder) && readdirSync(javaFolder).some((it) => it.startsWith('zookeeper')), from: 'zookeeper' },
  ceph: { start: startCeph, isInstalled: () => ['ceph-mon', 'ceph-osd', 'radosgw'].every(isCommand), from: 'radosgw, ceph-mon and ceph-osd' },
};
