/** Diagnostics over the real protocol: pulled or published, never both, and the newest text's. */
import { expect, test } from 'vitest';
import { CancellationTokenSource, DiagnosticSeverity } from 'vscode-languageserver/node';
import { servers } from './built.ts';
import { able, pushed } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();

const at = (text: string, find: string) => {
  const lines = text.slice(0, text.indexOf(find)).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
};

test('a client that can pull asks, and nothing is published to it', async () => {
  const session = await server.start();
  expect(session.initialized.capabilities.diagnosticProvider).toEqual({ identifier: 'fencepost', interFileDependencies: true, workspaceDiagnostics: false });
  session.open(uri, blindRelease);
  const [diagnostic] = (await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release');
  expect(diagnostic).toMatchObject({
    severity: DiagnosticSeverity.Error,
    source: 'fencepost',
    codeDescription: { href: 'https://github.com/fencepost-dev/fencepost/blob/main/docs/rules/no-blind-release.md' },
    range: { start: at(blindRelease, 'redis.del(key)') },
  });
  expect(diagnostic!.relatedInformation).toContainEqual({
    location: { uri, range: expect.objectContaining({ start: expect.objectContaining({ line: 6 }) }) },
    message: expect.any(String),
  });

  // The server checks an edit by itself too; a client that publishes are made for would have got one by then.
  session.edit(uri, "'PX', 5000", "'PX', 6000");
  await session.status((it) => it.uri === uri && session.statuses.filter((other) => other.uri === uri).length > 1);
  await session.pull(uri);
  expect(session.published).toEqual([]);
});

test('a pull with the present result id is answered "unchanged", also after an edit that changes nothing', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const first = await session.pull(uri);
  if (first.kind !== 'full') throw new Error('The first report must be whole.');
  expect(await session.pull(uri, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
  session.edit(uri, 'console.log(id);', 'console.log(id, 1);');
  expect(await session.pull(uri, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
  session.edit(uri, 'await redis.del(key);', '');
  expect(await session.pull(uri, first.resultId)).toMatchObject({ kind: 'full', resultId: expect.not.stringMatching(first.resultId!) });
});

test('a client that cannot pull is published to, with versions, and once more on closing', async () => {
  const session = await server.start({ capabilities: pushed });
  expect(session.initialized.capabilities.diagnosticProvider).toBeUndefined();
  session.open(uri, blindRelease);
  expect((await session.publishedFor(uri)).diagnostics.map((it) => it.code)).toContain('no-blind-release');
  session.edit(uri, 'await redis.del(key);', 'await work(key);');
  expect((await session.publishedFor(uri)).diagnostics.map((it) => it.code)).not.toContain('no-blind-release');
  session.edit(uri, 'await work(key);', 'await redis.del(key);');
  expect((await session.publishedFor(uri)).diagnostics.map((it) => it.code)).toContain('no-blind-release');
  session.close(uri);
  await session.request('fencepost/explain', { textDocument: { uri }, position: { line: 0, character: 0 } });
  expect(session.published.at(-1)).toEqual({ uri, diagnostics: [] });
});

test('edits that come faster than answers lead to the answer for the last one', async () => {
  const session = await server.start({ capabilities: pushed });
  session.open(uri, blindRelease);
  for (let i = 0; i < 30; i++) session.edit(uri, undefined, i % 2 ? blindRelease : 'export {};\n');
  expect((await session.publishedFor(uri)).diagnostics.map((it) => it.code)).toContain('no-blind-release');
  const versions = session.published.map((it) => it.version!);
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
});

test('a cancelled request is answered as cancelled', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const cancellation = new CancellationTokenSource();
  const pull = session.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } }, cancellation.token);
  cancellation.cancel();
  await expect(pull).rejects.toMatchObject({ code: -32800 });
  expect(await session.diagnostics(uri)).not.toEqual([]);
});

test('disable comments mean what they mean to ESLint', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease.replace('    await redis.del', '    // eslint-disable-next-line fencepost/no-blind-release -- the test wants it\n    await redis.del'));
  expect((await session.diagnostics(uri)).map((it) => it.code)).not.toContain('no-blind-release');
  // The server has no rule but Fencepost's; what a comment says about others is not its business.
  session.edit(uri, undefined, `/* eslint no-undef: "error", fencepost/no-blind-release: "warn" */\n/* eslint-env node */\n// eslint-disable-next-line no-console\n${blindRelease}`);
  const found = await session.diagnostics(uri);
  expect(found.every((it) => it.source === 'fencepost')).toBe(true);
  expect(found.find((it) => it.code === 'no-blind-release')).toMatchObject({ severity: DiagnosticSeverity.Warning });
});

test('settings take effect without a restart', async () => {
  const session = await server.start({ settings: { rules: { 'no-blind-release': 'hint' } } });
  session.open(uri, blindRelease);
  const severity = async () => (await session.diagnostics(uri)).find((it) => it.code === 'no-blind-release')?.severity;
  expect(await severity()).toBe(DiagnosticSeverity.Hint);
  for (const [rule, expected] of [['off', undefined], ['info', DiagnosticSeverity.Information], ['default', DiagnosticSeverity.Error]] as const) {
    session.settings = { rules: { 'no-blind-release': rule } };
    const refreshed = session.refreshed();
    session.notify('workspace/didChangeConfiguration', { settings: null });
    await refreshed;
    expect(await severity()).toBe(expected);
  }
  session.settings = { enable: false };
  session.notify('workspace/didChangeConfiguration', { settings: null });
  expect(await session.diagnostics(uri)).toEqual([]);
  expect(await session.status((it) => it.reason.includes('fencepost.enable'))).toMatchObject({ state: 'idle', uri });
});

test('a client without workspace/configuration is served by what it sends', async () => {
  const capabilities = { ...able, workspace: { ...able.workspace, configuration: false } };
  const session = await server.start({ capabilities, initializationOptions: { rules: { 'no-blind-release': 'warn' } } });
  session.open(uri, blindRelease);
  const severity = async () => (await session.diagnostics(uri)).find((it) => it.code === 'no-blind-release')?.severity;
  expect(await severity()).toBe(DiagnosticSeverity.Warning);
  session.notify('workspace/didChangeConfiguration', { settings: { fencepost: { rules: { 'no-blind-release': 'info' } } } });
  expect(await severity()).toBe(DiagnosticSeverity.Information);
});

test('when only saved text is checked, findings move with the edits until then', async () => {
  const session = await server.start({ settings: { run: 'onSave' } });
  session.open(uri, blindRelease);
  const [before] = (await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release');
  session.edit(uri, 'const redis', '// a line more\nconst redis');
  session.edit(uri, 'async function work', 'redis.del("lock:2");\nasync function work');
  const [moved, ...more] = (await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release');
  expect(more).toEqual([]);
  expect(moved!.range.start.line).toBe(before!.range.start.line + 1);
  expect(await session.actions(uri, moved!.range)).toEqual([]);
  const refreshed = session.refreshed();
  session.save(uri);
  await refreshed;
  const [saved] = (await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release');
  expect(saved!.range).toEqual(moved!.range);
  expect(await session.actions(uri, saved!.range)).not.toEqual([]);
});
