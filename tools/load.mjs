/** Runs the project's TypeScript on plain Node: the generators and the lint configuration read the catalog and the rules through this. */
import { build } from 'esbuild';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The exports of a TypeScript module, by its path from the project's root. */
export async function loadTypeScript(path) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  // Inside the project, so that its packages are found; removed again once it is loaded.
  const folder = join(root, 'node_modules/.cache/fencepost');
  const file = join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, outputFiles[0].text);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(file, { force: true });
  }
}
