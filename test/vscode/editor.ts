/** A real VS Code in a headless browser: started on a folder with the packed extension, driven by its keys, looked at by its own elements. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium, type FrameLocator, type Locator } from 'playwright-core';

export interface EditorParts {
  entry: string;
  node: string;
  /** Paths of the packed extensions. */
  extensions: string[];
  /** The folder that is opened. */
  folder: string;
  settings: Record<string, unknown>;
  /** Where screenshots go. */
  output: string;
}

export type Editor = Awaited<ReturnType<typeof startEditor>>;

const browserPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The workbench starts in seconds; on a machine that does other things as well it may take a minute. */
const patienceMs = 40_000;

export const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern', contrast: 'Default High Contrast', 'light-contrast': 'Default High Contrast Light' };

/** Without these the workbench asks, offers and fetches things that are not what is looked at. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'editor.lightbulb.enabled': 'on',
  'editor.occurrencesHighlight': 'off',
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.fontSize': 13,
  // What is typed by the tests is taken as it is.
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'editor.acceptSuggestionOnEnter': 'off',
  'breadcrumbs.enabled': false,
  'remote.autoForwardPorts': false,
  'git.enabled': false,
  'typescript.validate.enable': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'files.defaultLanguage': 'typescript',
};

/** Installs the extension, starts the editor on the folder and opens it in the browser. Throws when one of them does not come up. */
export async function startEditor({ entry, node, extensions, folder, settings, output }: EditorParts) {
  const home = mkdtempSync(join(tmpdir(), 'fencepost-vscode-'));
  const user = join(home, 'data/User');
  for (const it of [user, join(home, 'extensions'), output]) mkdirSync(it, { recursive: true });
  const settingsText = (own: Record<string, unknown>) => JSON.stringify({ ...quiet, ...settings, ...own });
  writeFileSync(join(user, 'settings.json'), settingsText({}));

  const places = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions'), '--config', join(home, 'config.yaml')];
  const env = { ...process.env, HOME: home, EXTENSIONS_GALLERY: '{}' };
  execFileSync(node, [entry, ...places, ...extensions.flatMap((it) => ['--install-extension', it])], { env, stdio: ['ignore', 'pipe', 'pipe'] });

  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = spawn(node, [entry, ...places, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', '--disable-getting-started-override', folder], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (log += data));
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));

  const executablePath = browserPaths.find((it) => existsSync(it));
  if (!executablePath) throw new Error(`No browser is at ${browserPaths.join(', ')}: install Debian's package chromium.`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  const page = await browser.newPage({ viewport: { width: 1240, height: 780 }, deviceScaleFactor: 1.5 });
  page.setDefaultTimeout(patienceMs);

  async function stop(): Promise<void> {
    await browser.close();
    if (server.exitCode === null) process.kill(-server.pid!, 'SIGTERM');
    await ended;
    writeFileSync(join(output, 'code-server.log'), log);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  try {
    await until(async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.ok, 'code-server answers');
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector('.monaco-workbench .explorer-folders-view');
  } catch (error) {
    await stop();
    throw new Error(`The editor did not start. ${String(error)}\n${log}`, { cause: error });
  }

  const press = (keys: string) => page.keyboard.press(keys);

  /** Puts text into the box of commands and files, and takes the first entry that says `wanted`. What takes the focus meanwhile closes the box: then again. */
  async function pick(keys: string, text: string, wanted: string): Promise<void> {
    const box = page.locator('.quick-input-widget .quick-input-box input');
    for (let attempt = 1; ; attempt++) {
      try {
        await press(keys);
        await box.fill(text, { timeout: 5_000 });
        await page.locator('.quick-input-list .monaco-list-row', { hasText: wanted }).first().click({ timeout: 5_000 });
        break;
      } catch (error) {
        if (attempt === 5) throw error;
        await press('Escape');
      }
    }
    await box.waitFor({ state: 'hidden' });
  }

  const focusEditor = () => command('View: Focus Active Editor Group', 'Focus Active Editor Group');

  async function command(title: string, wanted = title): Promise<void> {
    await pick('F1', `>${title}`, wanted);
  }

  const editor = {
    page,
    /** Writes the user's settings by hand, in their own editor: those of the start and `own`. */
    async configure(own: Record<string, unknown>): Promise<void> {
      await command('Preferences: Open User Settings (JSON)', 'Open User Settings (JSON)');
      await page.waitForSelector('.tab.active[data-resource-name="settings.json"]');
      await page.waitForSelector('.editor-instance .monaco-editor.focused');
      await press('Control+A');
      await page.keyboard.insertText(settingsText(own));
      await press('Escape');
      await press('Control+S');
      await page.waitForSelector('.tab.active[data-resource-name="settings.json"]:not(.dirty)');
      await command('View: Close Editor', 'View: Close Editor');
      await page.waitForSelector('.tab[data-resource-name="settings.json"]', { state: 'detached' });
    },
    command,
    press,
    type: (text: string) => page.keyboard.insertText(text),

    /** Opens a file of the folder by a part of its path. */
    async open(path: string): Promise<void> {
      await pick('Control+P', path, basename(path));
      await page.waitForSelector(`.tab.active[data-resource-name="${basename(path)}"]`);
      await page.waitForSelector('.editor-instance .view-line');
    },

    /** Puts the cursor at a line and column, both 1-based, of the active editor. */
    async goTo(line: number, column = 1): Promise<void> {
      await focusEditor();
      await pick('Control+G', `:${line}:${column}`, `${line}`);
      await page.waitForSelector('.editor-instance .monaco-editor.focused');
      await until(async () => (await editor.status()).includes(`Ln ${line}, Col ${column}`), `the cursor is at ${line}:${column}`);
    },

    /** The squiggles of a severity in sight. */
    squiggles: (severity: 'error' | 'warning' | 'info') => page.locator(`.editor-instance .squiggly-${severity}`),

    /** The fewest squiggles of a severity that any frame shows while something is done, and for a moment after. */
    async fewestSquiggles(severity: 'error' | 'warning', act: () => Promise<void>): Promise<number> {
      const watched = page.evaluate<number>(`new Promise((resolve) => {
        let fewest = Infinity;
        const look = () => {
          fewest = Math.min(fewest, document.querySelectorAll('.editor-instance .squiggly-${severity}').length);
          if (globalThis.isWatched) requestAnimationFrame(look);
          else resolve(fewest);
        };
        globalThis.isWatched = true;
        look();
      })`);
      await act();
      await page.waitForTimeout(1_500);
      await page.evaluate('globalThis.isWatched = false');
      return watched;
    },

    /** Shows the list of problems and gives its rows. */
    async problems(): Promise<Locator> {
      await command('Problems: Focus on Problems View', 'Focus on Problems View');
      await page.waitForSelector('.markers-panel .monaco-list');
      return page.locator('.markers-panel .monaco-list-row');
    },

    /** What is shown for the place at the cursor. */
    async hover(): Promise<Locator> {
      await command('Show or Focus Hover');
      const shown = page.locator('.monaco-hover:visible .monaco-hover-content');
      await shown.first().waitFor();
      return shown;
    },

    /** Opens the menu of code actions at the cursor; gives the entries. */
    async actions(): Promise<Locator> {
      const rows = page.locator('.action-widget .monaco-list-row');
      for (let attempt = 1; ; attempt++) {
        // A press that comes before the editor has heard of actions here is swallowed.
        await page.locator('.editor-instance [class*="lightBulb"]:visible, .editor-instance [class*="gutter-lightbulb"]:visible').first().waitFor({ timeout: 5_000 }).catch(() => {});
        await press('Control+.');
        if (await rows.first().waitFor({ timeout: 4_000 }).then(() => true, () => false)) return rows;
        if (attempt === 8) throw new Error('No menu of code actions came up.');
        await press('Escape');
        await focusEditor();
      }
    },

    /** Chooses the code action of this title at the cursor, from the menu that is open or is opened. */
    async act(title: string | RegExp): Promise<void> {
      const open = page.locator('.action-widget .monaco-list-row');
      const rows = (await open.count()) > 0 ? open : await editor.actions();
      await rows.filter({ hasText: title }).first().click();
    },

    /** Shows the window in the colours of one of VS Code's own themes. */
    async theme(name: keyof typeof themes): Promise<void> {
      await editor.configure({ 'workbench.colorTheme': themes[name] });
      await page.waitForSelector(`.monaco-workbench.${{ light: 'vs', dark: 'vs-dark', contrast: 'hc-black', 'light-contrast': 'hc-light' }[name]}`);
    },

    /** The page inside the webview in sight. */
    webview: (): FrameLocator => page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame'),

    /** What the status bar says. */
    status: async (): Promise<string> => page.locator('.part.statusbar').innerText(),

    /** Does something while the window is as large as a large screen, and the code narrow beside the view. */
    async wide(act: () => Promise<void>): Promise<void> {
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: 1720, height: 820 });
      await command('View: Toggle Primary Side Bar Visibility', 'Toggle Primary Side Bar Visibility');
      await act();
      await command('View: Toggle Primary Side Bar Visibility', 'Toggle Primary Side Bar Visibility');
      await page.setViewportSize(size);
    },

    async closePanel(): Promise<void> {
      if (await page.locator('.part.panel').isVisible()) await command('View: Hide Panel', 'Hide Panel');
    },

    /** The text of the active editor as it is on the screen, lines in order. */
    async shownText(): Promise<string> {
      const lines = await page.locator('.editor-instance .view-lines .view-line').evaluateAll((all) => all.map((it) => ({ top: Number.parseFloat((it as unknown as { style: { top: string } }).style.top), text: it.textContent ?? '' })));
      return lines.sort((a, b) => a.top - b.top).map((it) => it.text.replaceAll('\u00a0', ' ')).join('\n');
    },

    /** A part of the window. */
    part: (name: 'editor' | 'panel'): Locator => page.locator(`.part.${name}`),

    /** Keeps what is on the screen, or the part of it that some elements take together. */
    async shoot(name: string, ...parts: Locator[]): Promise<string> {
      const path = join(output, `${name}.png`);
      // What fades in is there a moment later.
      await page.waitForTimeout(400);
      const boxes = await Promise.all(parts.map((it) => it.boundingBox()));
      await page.screenshot({ path, caret: 'hide', ...(boxes.length > 0 && { clip: around(boxes.map((it) => it!)) }) });
      return path;
    },

    stop,
  };
  return editor;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function around(boxes: readonly Box[]): Box {
  const [left, top] = [Math.min(...boxes.map((it) => it.x)), Math.min(...boxes.map((it) => it.y))];
  return { x: left, y: top, width: Math.max(...boxes.map((it) => it.x + it.width)) - left, height: Math.max(...boxes.map((it) => it.y + it.height)) - top };
}

/** Asks again and again, until it is so. Throws after a minute. */
export async function until(isSo: () => unknown, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It did not come to this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
