/** Objects with S3's interface: Ceph's gateway over a cluster of one monitor and one store in memory. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Server, answers, freePort, newFolder, prepare, start } from './children.ts';

const settings = (folder: string, id: string, port: number): string => `[global]
fsid = ${id}
mon host = 127.0.0.1:${port}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
mon allow pool size one = true
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd objectstore = memstore
memstore device bytes = 268435456
mon data = ${join(folder, 'monitor')}
osd data = ${join(folder, 'store')}
rgw data = ${join(folder, 'gateway')}
keyring = ${join(folder, 'keyring')}
run dir = ${folder}
log file = /dev/null
rgw run sync thread = false
rgw enable lc threads = false
rgw enable gc threads = false
`;

export async function startCeph(): Promise<Server> {
  const [port, gateway, root] = [await freePort(), await freePort(), newFolder('ceph')];
  const folders = ['monitor', 'store', 'gateway'].map((it) => join(root, it));
  folders.forEach((it) => mkdirSync(it));
  const [file, keys, map] = ['ceph.conf', 'keyring', 'map'].map((it) => join(root, it)) as [string, string, string];
  const id = randomUUID();
  writeFileSync(file, settings(root, id, port));
  const conf = ['-c', file];
  prepare('ceph-authtool', ['--create-keyring', keys, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  prepare('ceph-authtool', [keys, '--gen-key', '-n', 'client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']);
  prepare('monmaptool', ['--create', '--addv', 'a', `[v1:127.0.0.1:${port}]`, '--fsid', id, map]);
  prepare('ceph-mon', [...conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keys]);
  const stops: Server['stop'][] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops) await stop();
    rmSync(root, { recursive: true, force: true });
  };
  const isUp = (): boolean => spawnSync('ceph', [...conf, 'osd', 'stat'], { encoding: 'utf8' }).stdout.includes('1 up');
  try {
    stops.unshift(await start({ command: 'ceph-mon', args: [...conf, '-f', '-i', 'a'], folder: folders[0]!, isReady: () => answers(port, '', (it) => it.startsWith('ceph')) }));
    prepare('ceph', [...conf, 'osd', 'create']);
    prepare('ceph', [...conf, 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=here']);
    prepare('ceph-osd', [...conf, '-i', '0', '--mkfs', '--mkkey']);
    stops.unshift(await start({ command: 'ceph-osd', args: [...conf, '-f', '-i', '0'], folder: folders[1]!, isReady: isUp, signal: 'SIGKILL' }));
    const frontend = `beast endpoint=127.0.0.1:${gateway}`;
    stops.unshift(await start({ command: 'radosgw', args: [...conf, '-f', '-n', 'client.rgw', '--rgw-frontends', frontend], folder: folders[2]!, isReady: () => answers(gateway, 'GET / HTTP/1.0\r\n\r\n', (it) => it.includes('ListAllMyBuckets')), signal: 'SIGKILL' }));
    prepare('radosgw-admin', [...conf, 'user', 'create', '--uid=proof', '--display-name=proof', '--access-key=proof', '--secret-key=proof']);
    const front = await withoutQuotes(gateway);
    stops.unshift(() => front.stop());
    return { url: front.url, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** This version of the gateway compares an ETag as it stands in the header with its own, which has no quotes: they are taken off its answers. */
async function withoutQuotes(port: number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const behind = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      const { etag, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode!, etag === undefined ? others : { ...others, etag: etag.replaceAll('"', '') });
      answer.pipe(outgoing);
    });
    behind.on('error', () => outgoing.destroy());
    incoming.pipe(behind);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
