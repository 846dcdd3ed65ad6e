/**
 * A stand-in for the servers that compare and delete by a command of their own: a proxy before a real
 * Redis, which turns `DELEX key IFEQ value` (Redis 8.4) and `DELIFEQ key value` (Valkey 9) into a script
 * of one step. Everything else goes through as it is, and every answer.
 */
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import type { Server } from './children.ts';

const compareAndDelete = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/** The words of the first whole command in the bytes, and how many bytes it takes; undefined while it is not all there. */
function firstCommand(bytes: Buffer): { words: Buffer[]; size: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  const count = line();
  if (count === undefined) return undefined;
  // A command in plain words, as people type it.
  if (!count.startsWith('*')) return { words: [], size: at };
  const words: Buffer[] = [];
  for (let left = Number(count.slice(1)); left > 0; left--) {
    const size = line();
    if (size === undefined || bytes.length < at + Number(size.slice(1)) + 2) return undefined;
    words.push(bytes.subarray(at, at + Number(size.slice(1))));
    at += Number(size.slice(1)) + 2;
  }
  return { words, size: at };
}

const encoded = (words: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...words.flatMap((it) => [Buffer.from(`$${Buffer.byteLength(it)}\r\n`), Buffer.from(it), Buffer.from('\r\n')])]);

/** The command as the Redis behind it knows it. */
function translated([name, key, ...rest]: readonly Buffer[]): Buffer | undefined {
  const command = name?.toString().toUpperCase();
  const value = command === 'DELIFEQ' && rest.length === 1 ? rest[0] : command === 'DELEX' && rest.length === 2 && rest[0]!.toString().toUpperCase() === 'IFEQ' ? rest[1] : undefined;
  return key && value && encoded(['EVAL', compareAndDelete, '1', key, value]);
}

/** Starts it before the Redis at a port; stopping it stops that as well. */
export async function startCommands(redis: Server): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(Number(new URL(redis.url).port), '127.0.0.1');
    for (const [one, other] of [[client, behind], [behind, client]] as const) {
      sockets.add(one);
      one.on('error', () => one.destroy()).on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    behind.pipe(client);
    let open = Buffer.alloc(0);
    client.on('data', (data) => {
      open = Buffer.concat([open, data]);
      for (let first = firstCommand(open); first; first = firstCommand(open)) {
        behind.write(translated(first.words) ?? open.subarray(0, first.size));
        open = open.subarray(first.size);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      sockets.forEach((it) => it.destroy());
      server.close();
      await once(server, 'close');
      await redis.stop();
    },
  };
}
