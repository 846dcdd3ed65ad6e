/** Prisma's generated client: made by Prisma itself from the schema of its folder, without an engine that would have to be downloaded. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

const folder = join(root, 'test/proof/prisma');

/** How it is installed, for people. */
export const prismaInstall = 'npm ci --prefix test/proof/prisma';
export const isPrismaInstalled = (): boolean => existsSync(join(folder, 'node_modules/prisma/package.json'));

/** Where programs that use Prisma are built: its packages are found from there. */
export function prismaFolder(): string {
  const built = join(folder, 'node_modules/.proof');
  mkdirSync(built, { recursive: true });
  if (!existsSync(join(built, 'client/client.ts'))) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'node_modules/prisma/build/index.js'), 'generate', '--schema', 'schema.prisma'], {
      cwd: folder,
      encoding: 'utf8',
      // Any program will do: it is asked for, and never run.
      env: { PATH: process.env.PATH, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    });
    if (status !== 0) throw new Error(`prisma generate failed: ${stdout}${stderr}`);
  }
  return built;
}
