/**
 * `npm run test:nvim`: the built server in Neovim, as docs/editors.md says to start it. Ends with how many
 * things were as they should be.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../tools/fresh.mjs';
import { root } from '../../tools/load.mjs';

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'fencepost-nvim-'));
try {
  cpSync(join(root, 'demo'), folder, { recursive: true });
  const words = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '--noplugin', '-c', 'set filetype=typescript', '-c', `luafile ${join(root, 'test/nvim/session.lua')}`, 'src/reports/nightly-report.ts'];
  const server = [process.execPath, join(root, 'dist/cli.cjs'), 'server', '--stdio'];
  const { status, error, stdout, stderr } = spawnSync('nvim', words, { cwd: folder, encoding: 'utf8', timeout: 120_000, env: { ...process.env, FENCEPOST_SERVER: server.join('\n') } });
  if (error) throw new Error(`nvim could not be started: install Debian's package neovim. ${error.message}`, { cause: error });
  process.stdout.write(stdout);
  const passed = stdout.match(/^ok /gm)?.length ?? 0;
  if (status !== 0 || passed === 0) {
    console.error(stderr);
    console.error(`Neovim ended with ${status}.`);
    process.exitCode = 1;
  } else console.log(`${passed} passed, 0 failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
