/** What the editor shows beside the code: timelines, lenses, actions by command, all edits of a kind, the scan, the baseline. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CodeAction, CodeLens } from 'vscode-languageserver/node';
import { commands, scanProgress, scanRequest, timelineRequest, type ScanProgress, type ScanResult, type Timeline } from '../../server/messages.ts';
import { timelinePage } from '../../extension/timeline-page.ts';
import { root } from '../root.ts';
import { servers } from './built.ts';
import { able } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();
const own = { ...able, experimental: { fencepost: { status: true, commands: true } }, textDocument: { ...able.textDocument, codeAction: { ...able.textDocument!.codeAction, dataSupport: true, resolveSupport: { properties: ['edit'] } } } };
const releaseLine = blindRelease.slice(0, blindRelease.indexOf('redis.del')).split('\n').length - 1;
const atRelease = { textDocument: { uri }, position: { line: releaseLine, character: 12 } };

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-views-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('a timeline: the steps with their lines, what is lost, and beside it the refusal', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const [timeline] = await session.request<Timeline[]>(timelineRequest, atRelease);
  expect(timeline!.rule).toBe('no-blind-release');
  expect(timeline!.steps.filter((it) => it.loses)).toMatchObject([{ who: 'A', uri, line: releaseLine, mended: {} }]);
  const page = timelinePage([timeline!], 'n0nce');
  expect(page).toContain("default-src 'none'");
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<ol aria-label="[^"]*"/g)).toEqual(['<ol aria-label="How the data is lost"', '<ol aria-label="How the mended code refuses"']);
  expect(page).toContain(`data-line="${releaseLine}"`);
  expect(await session.request(timelineRequest, { textDocument: { uri }, position: { line: 0, character: 0 } })).toEqual([]);
});

test('lenses, when they are switched on: the lease and the writes; the timeline for a client that has it', async () => {
  const off = await server.start({ capabilities: own });
  off.open(uri, blindRelease);
  expect(await off.request('textDocument/codeLens', { textDocument: { uri } })).toEqual([]);
  const session = await server.start({ capabilities: own, settings: { codeLens: true } });
  session.open(uri, blindRelease);
  const lenses = await session.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  expect(lenses.map((it) => it.command!.title)).toEqual(['"lock:{id}": lease 5 s, no durable write in sight', 'Show how this loses data']);
  expect(lenses[1]!.command!.command).toBe(commands.showTimeline);
});

test('actions by command for our own client, and for no other', async () => {
  const unfenced = blindRelease.replace('await work(id);', "await fetch('https://example.com/' + id, { method: 'PUT', body: id });");
  const line = unfenced.split('\n').findIndex((it) => it.includes('fetch('));
  const range = { start: { line, character: 10 }, end: { line, character: 10 } };
  const session = await server.start({ capabilities: own });
  session.open(uri, unfenced);
  const actions = await session.actions(uri, range);
  const called = actions.flatMap((it) => (it.command ? [it.command.command] : []));
  expect(called).toEqual(expect.arrayContaining([commands.showTimeline, commands.markEfficiency, commands.openPage]));
  const mark = actions.find((it) => it.command?.command === commands.markEfficiency)!;
  expect(mark.command!.arguments![0]).toMatchObject({ uri, version: 1, line: unfenced.split('\n').findIndex((it) => it.includes("'NX'")), indent: '  ' });
  const other = await server.shared();
  other.open(uri, unfenced);
  expect((await other.actions(uri, range)).filter((it) => it.command)).toEqual([]);
});

test('all findings of a rule in the file are mended by one action, whose edit is made when it is chosen', async () => {
  const two = `${blindRelease}\n${blindRelease.slice(blindRelease.indexOf('export'), blindRelease.indexOf('async function work')).replace('function f', 'function g')}`;
  const session = await server.start({ capabilities: own });
  session.open(uri, two);
  const found = (await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release');
  expect(found).toHaveLength(2);
  const action = (await session.actions(uri, found[0]!.range)).find((it) => it.title === 'Mend all 2 of no-blind-release in this file')!;
  expect(action.edit).toBeUndefined();
  session.apply(await session.request<CodeAction>('codeAction/resolve', action));
  expect((await session.diagnostics(uri)).filter((it) => it.code === 'no-blind-release')).toEqual([]);
});

test.each([['pairs-in-one-file', 'no-blind-release', 2], ['token-of-two-sections', 'require-fencing-token', 3], ['helpers-answer-the-token', 'require-fencing-token', 5]] as const)('values that are threaded through the functions of one file go together: %s', async (name, rule, count) => {
  const [before, after] = ['before', 'after'].map((it) => readFileSync(join(root, 'test/fixtures/fixes', name, `${it}.ts`), 'utf8').replaceAll(/\s*\/\/ expect-fix: .*$/gm, ''));
  const session = await server.start({ capabilities: own });
  session.open(uri, before!);
  const found = (await session.diagnostics(uri)).filter((it) => it.code === rule);
  const action = (await session.actions(uri, found[0]!.range)).find((it) => it.title === `Mend all ${count} of ${rule} in this file`)!;
  session.apply(await session.request<CodeAction>('codeAction/resolve', action));
  expect(session.text(uri)).toBe(after);
});

test('a scan checks what is not open, tells how far it is, and can be cancelled', async () => {
  const folder = folderWith({ 'a.ts': blindRelease, 'b.ts': 'export {};\n', 'c.ts': "export { redis.set(key, owner, 'NX')", 'open.ts': blindRelease });
  const session = await server.start({ capabilities: own });
  const told: ScanProgress[] = [];
  session.connection.onNotification(scanProgress, (it: ScanProgress) => void told.push(it));
  session.open(pathToFileURL(join(folder, 'open.ts')).href, blindRelease);
  const folders = [pathToFileURL(folder).href];
  const result = await session.request<ScanResult>(scanRequest, { folders });
  expect(result.files).toMatchObject([{ uri: pathToFileURL(join(folder, 'a.ts')).href, diagnostics: [{ code: 'no-blind-release' }] }]);
  expect(result.checked).toBe(2);
  expect(result.unchecked).toMatchObject([{ uri: pathToFileURL(join(folder, 'c.ts')).href, why: expect.stringMatching(/^line 1 has a syntax error/) }]);
  expect(told.at(-1)).toEqual({ done: 4, total: 4 });
});

test('what a baseline above the file knows is not shown, and shows again with one more', async () => {
  const folder = folderWith({ 'a.ts': blindRelease, 'eslint-suppressions.json': JSON.stringify({ 'a.ts': { 'fencepost/no-blind-release': { count: 1 } } }) });
  const file = pathToFileURL(join(folder, 'a.ts')).href;
  const codes = async (settings: Record<string, unknown>): Promise<unknown[]> => {
    const session = await server.start({ settings });
    session.open(file, blindRelease);
    return (await session.diagnostics(file)).map((it) => it.code).filter((it) => it === 'no-blind-release');
  };
  expect(await codes({})).toEqual([]);
  expect(await codes({ baseline: '' })).toEqual(['no-blind-release']);
});
