/** Servers as children of the test: started in a folder of their own, waited for, and stopped by a handle. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Server {
  url: string;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks a question of a connection; false when nothing answers within 300 ms. */
export const answers = (port: number, question: string, isAnswer: (text: string) => boolean): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (outcome: boolean): void => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(300, () => end(false));
    socket.on('connect', () => question && socket.write(question));
    socket.on('data', (data) => {
      text += String(data);
      if (isAnswer(text)) end(true);
    });
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
  });

/** A program that serves, and how it is told that it does. */
export interface Start {
  command: string;
  args: string[];
  folder: string;
  isReady: (log: string) => boolean | Promise<boolean>;
  as?: { uid: number; gid: number };
  signal?: NodeJS.Signals;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((it) => it.kill('SIGKILL')));

/** Starts a program, and waits until it is ready; answers how it is stopped, with its folder removed. */
export async function start({ command, args, folder, isReady, as, signal = 'SIGTERM' }: Start): Promise<() => Promise<void>> {
  const child = spawn(command, args, { cwd: as ? '/' : folder, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...as });
  running.add(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (log += String(data)));
  const ended = once(child, 'exit').catch((error: unknown) => (log += String(error)));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
    running.delete(child);
  });
  for (let left = 600; !(await isReady(log)); left--) {
    if (hasEnded || left === 0) {
      child.kill('SIGKILL');
      throw new Error(`${command} did not start: ${log.slice(-1500)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return async () => {
    const late = setTimeout(() => child.kill('SIGKILL'), 8_000);
    child.kill(signal);
    await ended;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

/** A folder for one server, among the temporary ones of the system. */
export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `fencepost-${name}-`));

/** Runs a program to its end, which must be a good one. */
export function prepare(command: string, args: string[], as?: Start['as']): void {
  const { status, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...as });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}${stdout}`);
}

/** The user whom a server wants to run as, where the tests are run by root. */
export function userOf(name: string): Start['as'] {
  const id = (flag: string): number => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  return isRoot ? { uid: id('-u'), gid: id('-g') } : undefined;
}
