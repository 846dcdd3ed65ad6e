/** The extension as people meet it: packed, installed into a real VS Code, used by mouse and keys, and looked at. */
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
// @ts-expect-error: plain JavaScript
import { codeServer } from '../../tools/code-server.mjs';
// @ts-expect-error: plain JavaScript
import { makePackages } from '../../tools/package.mjs';
import { root } from '../root.ts';
import { startEditor, until, type Editor } from './editor.ts';
import { packStandIn } from './eslint-stand-in.ts';

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
  editor = await startEditor({ entry, node, extensions: [vsix, await packStandIn(output)], folder, output, settings: {} });
});
afterAll(async () => {
  await editor?.stop();
  rmSync(parent, { recursive: true, force: true });
});

/** Where `npm run images` keeps the screenshots that the documentation shows. */
const images = process.env.FENCEPOST_IMAGES;

/** Keeps what is on the screen, or a part of it, for the documentation as well. */
async function show(name: string, ...parts: Locator[]): Promise<void> {
  const path = await editor.shoot(name, ...parts);
  if (images) copyFileSync(path, join(root, images, `${name}.png`));
}

const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');
/** Where a test fails, its window is kept, and what the extension has said. */
const keepOnFailure = () =>
  onTestFailed(async () => {
    await editor.shoot('failed');
    editor.page.setDefaultTimeout(5_000);
    await editor.command('Fencepost: Show Output');
    await editor.shoot('failed-output');
  }, 30_000);

const report = 'src/reports/nightly-report.ts';

test('a project is opened, and the fault has a squiggle', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  await editor.squiggles('error').first().waitFor();
  await editor.squiggles('warning').first().waitFor();
  await editor.shoot('squiggle');
});

test('the list of problems names the lock, with the rule and what relates to it', async () => {
  keepOnFailure();
  const rows = await editor.problems();
  const row = rows.filter({ hasText: '"report:{day}" is released without checking who holds it' });
  await row.waitFor();
  expect(await row.innerText()).toContain('no-blind-release');
  // The place where the lock is taken stands below its problem, and leads to its line.
  const related = rows.filter({ hasText: 'The lock is taken here.' }).first();
  await related.waitFor();
  await show('vscode-problems');
  await show('walkthrough-find', editor.part('editor'), editor.part('panel'));
  await related.dblclick();
  await until(async () => (await editor.status()).includes('Ln 14,'), 'the related place is shown');
});

test('the hover tells the interleaving', async () => {
  keepOnFailure();
  await editor.closePanel();
  await editor.goTo(24, 14);
  const hover = await editor.hover();
  await until(async () => (await hover.allInnerTexts()).join('').includes('How this loses data'), 'the hover has the interleaving');
  await show('vscode-hover', editor.page.locator('.editor-group-container .title').first(), editor.page.locator('.view-line', { hasText: /^}$/ }).last());
  await editor.press('Escape');
});

test('the hover on a lock tells what it is', async () => {
  keepOnFailure();
  await editor.goTo(14, 34);
  const hover = await editor.hover();
  await until(async () => (await hover.allInnerTexts()).join('').includes('(Redis, lease 30 s'), 'the hover has the facts of the lock');
  await editor.shoot('hover-lock');
  await editor.press('Escape');
});

test('the timeline shows two instances, and beside them the refusal; its steps lead to their lines', async () => {
  keepOnFailure();
  await editor.goTo(20, 20);
  await editor.act('Show how this loses data');
  const boards = editor.webview().locator('ol');
  await boards.first().waitFor();
  expect(await boards.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')))).toEqual(['How the data is lost', 'How the mended code refuses']);
  // What is heard: who does what, in the order of time.
  expect(await boards.first().ariaSnapshot()).toMatch(/Instance A: takes[^]*Lock service: A's lease[^]*Instance B: takes[^]*Instance A: wakes/);
  await editor.webview().locator('button', { hasText: 'line 14' }).first().click();
  await until(async () => (await editor.status()).includes('Ln 14,'), 'the step leads to its line');
  // By keys: from step to step, and to the line.
  await editor.webview().locator('button', { hasText: 'line 14' }).first().focus();
  await editor.press('Tab');
  await editor.press('Tab');
  await editor.press('Enter');
  await until(async () => (await editor.status()).includes('Ln 20,'), 'the third step with a line leads to it');
  for (const theme of ['light', 'dark', 'contrast', 'light-contrast'] as const) {
    await editor.theme(theme);
    await editor.shoot(`timeline-${theme}`);
  }
  await editor.configure({});
  await editor.wide(async () => {
    await show('vscode-timeline');
    await show('walkthrough-see', editor.page.locator('.editor-group-container').nth(1));
  });
  await editor.command('View: Close All Editor Groups', 'Close All Editor Groups');
});

test('what ESLint shows as well is shown once, and is ours again when ESLint is silent', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  const rows = (await editor.problems()).filter({ hasText: 'no-blind-release' });
  const said = async () => (await rows.allInnerTexts()).map((it) => (it.includes('Said by ESLint.') ? 'eslint' : 'fencepost')).join();
  await until(async () => (await said()) === 'fencepost', 'the finding is ours');
  await editor.command('View: Focus First Editor Group', 'Focus First Editor Group');
  await editor.command('Stand-in: Report');
  await until(async () => (await said()) === 'eslint', 'ours has given way');
  await editor.command('Stand-in: Clear');
  await until(async () => (await said()) === 'fencepost', 'it is back');
  await editor.closePanel();
});

test('nothing flickers while a statement is half typed', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  await editor.goTo(16, 1);
  const fewest = await editor.fewestSquiggles('error', async () => {
    for (const key of '  const title = `${day') {
      await editor.type(key);
      await editor.page.waitForTimeout(60);
    }
  });
  expect(fewest).toBe(1);
  await editor.command('File: Revert File', 'Revert File');
});

test('a quick fix is applied and saved', async () => {
  keepOnFailure();
  await editor.open('nightly-report.ts');
  await editor.squiggles('error').first().waitFor();
  await editor.goTo(24, 20);
  const actions = (await (await editor.actions()).allInnerTexts()).map((it) => it.trim());
  await show('vscode-actions', editor.page.locator('.editor-group-container .title').first(), editor.page.locator('.action-widget').first());
  await show('walkthrough-mend', editor.page.locator('.action-widget').first(), editor.page.locator('.view-line', { hasText: 'finally' }).first());
  expect(actions[1]).toMatch(/^Take the lock with a fresh owner value, and release it only if still ours \(Lua\)/);
  expect(actions.findIndex((it) => it.startsWith('Show how'))).toBeLessThan(actions.findIndex((it) => it.startsWith('Disable')));
  await editor.act(/release it only if still ours \(Lua\)/);
  await until(async () => (await editor.squiggles('error').count()) === 0, 'the squiggle is gone');
  await editor.press('Control+S');
  await until(() => onDisk(report).includes('redis.eval(RELEASE_IF_OURS'), 'the file is saved');
  await editor.shoot('fixed');
});

test('an edit of a helper and its callers is shown before it is done', async () => {
  keepOnFailure();
  await editor.open('lock-helper.ts');
  await editor.squiggles('error').first().waitFor();
  await editor.goTo(15, 15);
  await editor.act(/^Release only if still ours \(Lua\), and hand in the owner value/);
  const preview = editor.page.locator('.monaco-workbench .part.panel');
  await preview.getByText('close-register.ts').first().waitFor();
  await editor.shoot('across-preview');
  // Nothing is done that was not ticked.
  for (const file of ['close-register.ts', 'lock-helper.ts']) await preview.locator('.monaco-list-row', { hasText: file }).locator('.edit-checkbox').first().click();
  await show('vscode-across', editor.part('editor'), editor.part('panel'));
  await preview.getByText('Apply', { exact: true }).click();
  await editor.command('File: Save All', 'Save All');
  await until(() => onDisk('src/locks/close-register.ts').includes('releaseLock(`register:${register}`, owner)'), 'the caller hands the owner value in');
  await until(() => onDisk('src/locks/lock-helper.ts').includes('releaseLock(name: string, owner: string)'), 'the helper takes it');
  await until(async () => (await editor.squiggles('error').count()) === 0, 'the helper is silent');
  await editor.shoot('across-applied');
});

test('a setting that is changed counts at once', async () => {
  keepOnFailure();
  await editor.open('daily-totals.ts');
  await editor.squiggles('warning').first().waitFor();
  await editor.configure({ 'fencepost.rules': { 'require-fencing-token': 'error' }, 'fencepost.codeLens': true });
  await editor.squiggles('error').first().waitFor();
  await editor.page.locator('.codelens-decoration', { hasText: 'lease 15 s' }).first().waitFor();
  await editor.shoot('setting-and-lenses');
  await editor.configure({ 'fencepost.enable': false });
  await until(async () => (await editor.squiggles('error').count()) + (await editor.squiggles('warning').count()) === 0, 'nothing is reported');
  await editor.configure({});
  await editor.squiggles('warning').first().waitFor();
});

test('a lock is marked as one for efficiency, with the reason', async () => {
  keepOnFailure();
  await editor.open('daily-totals.ts');
  await editor.squiggles('warning').first().waitFor();
  await editor.goTo(11, 20);
  await editor.act('Mark as efficiency lock');
  const box = editor.page.locator('.quick-input-widget .quick-input-box input');
  await box.fill('the same day gives the same total');
  await editor.shoot('efficiency');
  await editor.press('Enter');
  await until(async () => (await editor.shownText()).includes('  // fencepost: efficiency -- the same day gives the same total\n  const owner'), 'the comment stands above the acquire');
  await until(async () => (await editor.squiggles('warning').count()) === 0, 'the write needs no fence');
  await editor.command('File: Revert File', 'Revert File');
});

test('a text that has no file yet is checked', async () => {
  keepOnFailure();
  await editor.command('File: New Untitled Text File', 'File: New Untitled Text File');
  await editor.page.waitForSelector('.tab.active[data-resource-name^="Untitled"]');
  await editor.page.waitForSelector('.editor-instance .monaco-editor.focused');
  await editor.type("import Redis from 'ioredis';\nconst redis = new Redis();\nexport async function once(id: string) {\n  if ((await redis.set(id, '1', 'PX', 5000, 'NX')) !== 'OK') return;\n  await redis.del(id);\n}\n");
  await editor.squiggles('error').first().waitFor();
  await editor.shoot('untitled');
  await editor.command('View: Revert and Close Editor', 'Revert and Close Editor');
  await editor.page.locator('.tab[data-resource-name^="Untitled"]').waitFor({ state: 'detached' });
});

test('an edit of a helper that is not saved shows in the file that calls it', async () => {
  keepOnFailure();
  await editor.open('lock-helper.checked.ts');
  await editor.command('View: Split Editor Right', 'Split Editor Right');
  await editor.open('daily-totals.ts');
  await editor.squiggles('warning').first().waitFor();
  await editor.command('View: Focus First Editor Group', 'Focus First Editor Group');
  const line = onDisk('src/locks/lock-helper.checked.ts').split('\n').findIndex((it) => it.includes("'NX'")) + 1;
  await editor.goTo(line, 1);
  await editor.press('Shift+End');
  // Without `NX` nothing is taken, and there is no lock to lose.
  await editor.type("  const reply = await redis.set(`lock:${name}`, owner, 'PX', ttlMs);");
  await until(async () => (await editor.squiggles('warning').count()) === 0, 'the finding of the caller is gone');
  await editor.shoot('follows-helper');
  await editor.command('File: Revert File', 'Revert File');
  await editor.squiggles('warning').first().waitFor();
  await editor.command('View: Close All Editor Groups', 'Close All Editor Groups');
});

test('the server is restarted by a command, and the status says that it is there', async () => {
  keepOnFailure();
  await editor.open('restock.ts');
  await editor.squiggles('warning').first().waitFor();
  await editor.command('Fencepost: Restart Server');
  await editor.press('Control+End');
  await editor.type('\n');
  await editor.page.locator('.statusbar-item', { hasText: 'TypeScript' }).first().waitFor();
  await editor.page.locator('[id="status.languageStatus"]').hover();
  await editor.page.getByText(/findings in this file\. \d+ ms/).first().waitFor();
  await editor.shoot('status');
  await editor.squiggles('warning').first().waitFor();
  await editor.command('File: Revert File', 'Revert File');
});

test('a scan finds what is not open', async () => {
  keepOnFailure();
  await editor.command('Fencepost: Scan Workspace');
  await editor.page.locator('.notification-toast', { hasText: /\d+ findings in \d+ of \d+ files/ }).waitFor();
  const rows = await editor.problems();
  await rows.filter({ hasText: 'renewed-lease.ts' }).first().waitFor();
  await editor.shoot('scan');
  await editor.command('Notifications: Clear All Notifications', 'Clear All Notifications');
  await editor.command('Fencepost: Clear the Findings of the Scan');
  await rows.filter({ hasText: 'renewed-lease.ts' }).first().waitFor({ state: 'detached' });
});
