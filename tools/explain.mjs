/** `npm run explain -- FILE[:LINE]`: the command's `explain`, built first where it must be. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './fresh.mjs';
import { root } from './load.mjs';

ensureBuilt();
process.exitCode = spawnSync(process.execPath, [join(root, 'dist/cli.cjs'), 'explain', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 2;
