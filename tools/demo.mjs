/**
 * `npm run demo`: checks the service in `demo/` with the built command, shows what it prints, and
 * fails when it did not find the faults that `demo/expected.json` names, or found others.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './fresh.mjs';
import { root } from './load.mjs';

ensureBuilt();
const command = (...words) => [join(root, 'dist/cli.cjs'), 'check', 'demo', ...words];

const shown = spawnSync(process.execPath, command(), { cwd: root, stdio: 'inherit' });
const { status, stdout, stderr } = spawnSync(process.execPath, command('--format', 'json'), { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
if (shown.status !== status || (status !== 0 && status !== 1)) fail(`The check ended with ${shown.status} and ${status}.\n${stderr}`);

const { files, summary } = JSON.parse(stdout);
const found = Object.fromEntries(files.map(({ file, findings }) => [file, findings.map(({ rule }) => rule).sort()]));
const expected = JSON.parse(readFileSync(join(root, 'demo/expected.json'), 'utf8'));
for (const file of new Set([...Object.keys(expected), ...Object.keys(found)])) {
  const [wanted, got] = [(expected[file] ?? []).toSorted(), found[file] ?? []];
  if (wanted.join() !== got.join()) fail(`${file}: expected ${wanted.join(', ') || 'nothing'}, found ${got.join(', ') || 'nothing'}.`);
}
if (summary.errors + summary.warnings === 0) fail('Nothing was found at all.');
if (!files.some(({ findings }) => findings.some(({ interleaving }) => interleaving.length > 0))) fail('No finding tells its interleaving.');

console.log(`\nThese are the faults that the demo was written with; the right forms beside them are silent.\nRead on in demo/README.md, or ask for the story of a lock: npm run explain -- demo/src/reports/nightly-report.ts\n`);

function fail(why) {
  console.error(`demo: ${why}`);
  process.exit(1);
}
