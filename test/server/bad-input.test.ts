/** What the server does with what it should not be given: a sentence or silence, and the next file as always. */
import { fork, spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { servers } from './built.ts';
import { startSession, type Session } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();

/** Whatever was opened before, a file with a finding still has it. */
async function expectAlive(session: Session): Promise<void> {
  session.open(uri, blindRelease);
  expect((await session.diagnostics(uri)).map((it) => it.code)).toContain('no-blind-release');
}

test('empty and binary files are met with silence', async () => {
  const session = await server.shared();
  session.open('file:///project/empty.ts', '');
  session.open('file:///project/binary.ts', `${blindRelease}\0\u0001\ufffd`);
  session.open('file:///project/mark.ts', `\ufeff${blindRelease}`);
  expect(await session.diagnostics('file:///project/empty.ts')).toEqual([]);
  expect(await session.diagnostics('file:///project/binary.ts')).toEqual([]);
  // A byte order mark, which ESLint does not count, moves no edit.
  const marked = (await session.diagnostics('file:///project/mark.ts')).find((it) => it.code === 'no-blind-release')!;
  expect(marked.range.start).toEqual({ line: 11, character: 10 });
  const fix = (await session.actions('file:///project/mark.ts', marked.range)).find((it) => !it.title.startsWith('Disable'))!;
  session.apply(fix);
  expect(session.text('file:///project/mark.ts').startsWith('\ufeffimport')).toBe(true);
  expect((await session.diagnostics('file:///project/mark.ts')).map((it) => it.code)).not.toContain('no-blind-release');
  await expectAlive(session);
});

test('a file over the limit is skipped, and that is said once', async () => {
  const session = await server.shared();
  const large = 'file:///project/large.ts';
  session.open(large, `${blindRelease}// ${'x'.repeat(2 * 1024 * 1024)}\n`);
  expect(await session.diagnostics(large)).toEqual([]);
  session.edit(large, 'console.log(id);', '');
  expect(await session.diagnostics(large)).toEqual([]);
  expect(await session.status((it) => it.uri === large)).toMatchObject({ state: 'idle', reason: expect.stringContaining('fencepost.maxFileSize') });
  expect(session.logged.filter((it) => it.includes(large))).toHaveLength(1);
  await expectAlive(session);
});

test('unknown and ill-typed settings are named once, and the rest holds', async () => {
  const session = await server.start({ settings: { rules: { 'no-blind-release': 'loud' }, runn: 'onSave', maxFileSize: 'big', fence: { colum: 'x' }, serverCommands: ['FLUSHALL'], catalog: 7 } });
  await expectAlive(session);
  await session.pull(uri);
  const told = session.logged.join('\n');
  for (const sentence of [
    'fencepost.rules has an entry "no-blind-release" that must be one of default, off, hint, info, warn, error.',
    'fencepost.runn is not a setting.',
    'fencepost.maxFileSize must be a whole number.',
    'fencepost.fence.colum is not a setting.',
    'fencepost.serverCommands has an entry that must be one of DELEX, DELIFEQ.',
    'fencepost.catalog must be an array.',
  ]) {
    expect(told.split(sentence)).toHaveLength(2);
  }
});

test('documents that are on no disk are checked, other languages are not', async () => {
  const session = await server.shared();
  for (const [name, language] of [['untitled:Untitled-1', 'typescript'], ['vscode-vfs://github/a/b/job', 'javascript'], ['file:///project/Jobfile', 'typescriptreact']] as const) {
    session.open(name, language === 'javascript' ? blindRelease.replaceAll(': string', '') : blindRelease, language);
    expect((await session.diagnostics(name)).map((it) => it.code), name).toContain('no-blind-release');
  }
  session.open('file:///project/page.vue', `<script>${blindRelease}</script>`, 'vue');
  expect(await session.diagnostics('file:///project/page.vue')).toEqual([]);
});

test('requests that are unknown, or about documents that are not open, are answered', async () => {
  const session = await server.shared();
  await expect(session.request('fencepost/no-such-request', {})).rejects.toMatchObject({ code: -32601 });
  expect(await session.pull('file:///project/never-opened.ts')).toEqual({ kind: 'full', items: [] });
  session.close('file:///project/never-opened.ts');
  session.open(uri, blindRelease);
  session.close(uri);
  expect(await session.pull(uri)).toEqual({ kind: 'full', items: [] });
  await expectAlive(session);
});

test('it ends when it is told to, and when its client is gone', async () => {
  const told = await server.start();
  told.open(uri, blindRelease);
  expect(await told.stop()).toBe(0);

  const left = spawn(process.execPath, [server.path('server.cjs'), '--stdio'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const code = new Promise((resolve) => left.once('exit', resolve));
  left.stdin.end();
  expect(await code).toBe(1);
});

test('the command starts the same server', async () => {
  const session = await startSession([server.path('cli.cjs'), 'server', '--stdio']);
  onTestFinished(() => void session.process.kill());
  await expectAlive(session);
  expect(await session.stop()).toBe(0);
});

test('it speaks over the channel that VS Code starts it with', async () => {
  const child = fork(server.path('server.cjs'), ['--node-ipc'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  const answer = new Promise((resolve) => child.once('message', resolve));
  child.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
  expect(await answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'fencepost' } } });
});
