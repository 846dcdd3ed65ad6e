/** The extension as people meet it: packed, installed into a real VS Code, used by mouse and keys, and looked at. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
// @ts-expect-error: plain JavaScript
import { codeServer } from '../../tools/code-server.mjs';
// @ts-expect-error: plain JavaScript
import { makePackages } from '../../tools/package.mjs';
import { root } from '../root.ts';
import { startEditor, until, type Editor } from './editor.ts';

const output = join(root, 'test-output/vscode');
let parent: string;
let folder: string;
let editor: Editor;

beforeAll(async () => {
  rmSync(output, { recursive: true, force: true });
  parent = mkdtempSync(join(tmpdir(), 'fencepost-shop-'));
  folder = join(parent, 'corner-shop');
  cpSync(join(root, 'demo'), folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(parent, 'node_modules'));
  const { vsix } = await makePackages({ outdir: output });
  const { entry, node } = codeServer();
  editor = await startEditor({ entry, node, vsix, folder, output, settings: {} });
});
afterAll(async () => {
  await editor?.stop();
  rmSync(parent, { recursive: true, force: true });
});

const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');
/** Where a test fails, its window is kept, and what the extension has said. */
const keepOnFailure = () =>
  onTestFailed(async () => {
    await editor.shoot('failed');
    editor.page.setDefaultTimeout(5_000);
    await editor.command('Fencepost: Show Output');
    await editor.shoot('failed-output');
  }, 30_000);

test('a project is opened, and the fault has a squiggle', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  await editor.squiggles('error').first().waitFor();
  await editor.shoot('1-squiggle');
});

test('the list of problems names the lock, with what relates to it', async () => {
  keepOnFailure();
  const rows = await editor.problems();
  const row = rows.filter({ hasText: 'is released without checking who holds it' });
  await row.waitFor();
  await editor.shoot('2-problems');
  expect(await row.innerText()).toContain('no-blind-release');
});

test('the hover tells the interleaving', async () => {
  keepOnFailure();
  await editor.closePanel();
  await editor.goTo(24, 20);
  const hover = await editor.hover();
  await until(async () => (await hover.allInnerTexts()).join('').includes('How this loses data'), 'the hover has the interleaving');
  await editor.shoot('3-hover');
});

test('the timeline is drawn', async () => {
  keepOnFailure();
  await editor.press('Escape');
  await editor.goTo(20, 20);
  await editor.act('Show how this loses data');
  await editor.webview().locator('ol').first().waitFor();
  for (const theme of ['light', 'dark', 'contrast'] as const) {
    await editor.theme(theme);
    await editor.shoot(`4-timeline-${theme}`);
  }
  await editor.command('View: Close All Editor Groups', 'Close All Editor Groups');
});

test('a quick fix is applied and saved', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  await editor.goTo(24, 20);
  await editor.actions();
  await editor.shoot('5-actions');
  await editor.act(/release it only if still ours \(Lua\)/);
  await until(async () => (await editor.squiggles('error').count()) === 0, 'the squiggle is gone');
  await editor.press('Control+S');
  await until(() => onDisk('src/reports/nightly-report.ts').includes('redis.eval('), 'the file is saved');
  await editor.shoot('6-fixed');
});
