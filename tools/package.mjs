/**
 * Owns the two packages: `fencepost-<version>.vsix` for VS Code and `eslint-plugin-fencepost-<version>.tgz`
 * for npm. Both are made from one folder, which holds what the manifest's `files` names and nothing else;
 * only the README differs, because the marketplace shows the extension's and refuses drawings in SVG.
 *
 * usage: node tools/package.mjs [OUTDIR]
 */
import { createVSIX } from '@vscode/vsce';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Builds, and writes both packages into `outdir`; gives their paths. */
export async function makePackages({ outdir = root } = {}) {
  const stage = await mkdtemp(join(tmpdir(), 'fencepost-package-'));
  try {
    const { devDependencies, scripts, workspaces, ...manifest } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await build({ outdir: join(stage, 'dist') });
    for (const name of manifest.files) {
      if (!name.startsWith('dist/') && name !== 'README.md' && existsSync(join(root, name))) await cp(join(root, name), join(stage, name));
    }
    await mkdir(outdir, { recursive: true });
    const vsix = join(outdir, `fencepost-${manifest.version}.vsix`);
    const tarball = join(outdir, `${manifest.name}-${manifest.version}.tgz`);
    // In the package it lies at the root; its pictures are then those of the repository.
    await writeFile(join(stage, 'README.md'), (await readFile(join(root, 'extension/README.md'), 'utf8')).replaceAll('](../', ']('));
    // The editor's package is the same for all machines: no binary of one goes with it.
    const { optionalDependencies, ...portable } = manifest;
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(portable, null, 2)}\n`);
    await createVSIX({ cwd: stage, packagePath: vsix, dependencies: false });
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    if (existsSync(join(root, 'README.md'))) await cp(join(root, 'README.md'), join(stage, 'README.md'));
    execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', outdir], { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
    return { vsix, tarball };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { tarball } = await makePackages(process.argv[2] ? { outdir: resolve(process.argv[2]) } : {});
  console.log(`${tarball}`);
}
