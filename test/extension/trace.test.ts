/** The trace follows its setting, without a restart: the language client is told by the level of a channel. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { traceChannel } from '../../extension/trace.ts';

const editor = vi.hoisted(() => ({ trace: 'off', changed: [] as ((it: { affectsConfiguration(section: string): boolean }) => void)[] }));

vi.mock('vscode', () => ({
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3 },
  EventEmitter: class {
    listeners: ((level: number) => void)[] = [];
    event = (listener: (level: number) => void) => void this.listeners.push(listener);
    fire = (level: number) => this.listeners.forEach((it) => it(level));
    dispose = () => void (this.listeners = []);
  },
  workspace: {
    getConfiguration: () => ({ get: () => editor.trace }),
    onDidChangeConfiguration: (listener: (typeof editor.changed)[number]) => (editor.changed.push(listener), { dispose: () => void editor.changed.splice(0) }),
  },
}));

/** As in the settings editor. */
function set(trace: string): void {
  editor.trace = trace;
  for (const listener of editor.changed) listener({ affectsConfiguration: (section) => 'fencepost.trace.server'.startsWith(section) });
}

beforeEach(() => void (editor.trace = 'off'));

test('switched on and off by the setting, it has the level that the language client looks for', () => {
  const said: string[] = [];
  const channel = traceChannel({ name: 'Fencepost', info: (text: string) => void said.push(text) } as unknown as LogOutputChannel);
  const levels: number[] = [];
  channel.onDidChangeLogLevel((it) => void levels.push(it));
  expect(channel.logLevel).toBe(3);
  set('verbose');
  expect([channel.logLevel, ...levels]).toEqual([1, 1]);
  // It is written where the user looks, whose channel shows no traces by itself.
  channel.trace('Sending request');
  expect(said).toEqual(['Sending request']);
  set('off');
  expect(levels).toEqual([1, 3]);
  channel.dispose();
  set('messages');
  expect(levels).toEqual([1, 3]);
});
