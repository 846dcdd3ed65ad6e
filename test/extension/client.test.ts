/** The life of the server process, with a made-up language client: restarts that work whatever happened before. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { createClient } from '../../extension/client.ts';
import type { StatusItem } from '../../extension/status.ts';

const { clients, plan } = vi.hoisted(() => ({
  clients: [] as { started: number; disposed: number; options: { errorHandler: { closed(): unknown } }; become(state: number): void }[],
  /** What the next starts do: `fail`, or succeed when nothing is planned. */
  plan: [] as 'fail'[],
}));

vi.mock('vscode-languageclient/node', () => {
  const State = { Stopped: 1, Running: 2, Starting: 3 };
  class LanguageClient {
    started = 0;
    disposed = 0;
    state = State.Stopped;
    listener: ((change: { newState: number }) => void) | undefined;
    constructor(
      _id: string,
      _name: string,
      _server: unknown,
      readonly options: { errorHandler: { closed(): unknown } },
    ) {
      clients.push(this);
    }
    registerFeature() {}
    onNotification() {}
    onDidChangeState(listener: (change: { newState: number }) => void) {
      this.listener = listener;
    }
    become(newState: number) {
      this.state = newState;
      this.listener?.({ newState });
    }
    async start() {
      this.started++;
      this.become(State.Starting);
      if (plan.shift() === 'fail') {
        this.become(State.Stopped);
        throw new Error('The server ended at once.');
      }
      this.become(State.Running);
    }
    isRunning() {
      return this.state === State.Running;
    }
    sendRequest(method: string) {
      return Promise.resolve(method);
    }
    async dispose() {
      this.disposed++;
      if (this.state !== State.Running) throw new Error('Client is not running and cannot be stopped.');
      this.become(State.Stopped);
    }
  }
  return { LanguageClient, State, TransportKind: { ipc: 1 }, CloseAction: { DoNotRestart: 1, Restart: 2 }, ErrorAction: { Continue: 1, Shutdown: 2 } };
});

let told: string[];
const status: StatusItem = {
  starting: () => void told.push('starting'),
  running: () => void told.push('running'),
  stopped: (reason) => void told.push(reason),
  checked: () => {},
  dispose: () => {},
};
const output = { error: () => {} } as unknown as LogOutputChannel;

beforeEach(() => {
  clients.length = 0;
  plan.length = 0;
  told = [];
});

test('after a failed start that is shown, and a restart starts a new server', async () => {
  plan.push('fail');
  const client = createClient('server.cjs', { output, trace: output }, status, (_uri, diagnostics) => diagnostics);
  await client.start();
  expect(told.at(-1)).toBe('The server could not be started.');
  await expect(client.request('fencepost/explain', {})).rejects.toThrow('The server is not running.');
  await client.restart();
  expect(told.at(-1)).toBe('running');
  expect(clients.map((it) => [it.started, it.disposed])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(await client.request('fencepost/explain', {})).toBe('fencepost/explain');
});

test('restarts that are asked for at once come one after the other', async () => {
  const client = createClient('server.cjs', { output, trace: output }, status, (_uri, diagnostics) => diagnostics);
  void client.start();
  await Promise.all([client.restart(), client.restart()]);
  expect(clients.map((it) => it.disposed)).toEqual([1, 1, 0]);
  expect(told.at(-1)).toBe('running');
});

test('a server that goes by itself is told about, one that was replaced is not', async () => {
  const client = createClient('server.cjs', { output, trace: output }, status, (_uri, diagnostics) => diagnostics);
  await client.start();
  clients[0]!.become(1);
  expect(told.at(-1)).toBe('The server has stopped.');
  await client.restart();
  clients[0]!.become(1);
  expect(told.at(-1)).toBe('running');
  await client.stop();
  await client.stop();
  expect(told.at(-1)).toBe('running');
});

test('a server that crashes is started again, but not for ever, and not if it never ran', async () => {
  const again = { action: 2, handled: true };
  const enough = { action: 1, handled: true };
  const client = createClient('server.cjs', { output, trace: output }, status, (_uri, diagnostics) => diagnostics);
  await client.start();
  const closed = () => clients.at(-1)!.options.errorHandler.closed();
  expect([closed(), closed(), closed(), closed()]).toEqual([again, again, again, enough]);
  plan.push('fail');
  await client.restart();
  expect(closed()).toEqual(enough);
});
