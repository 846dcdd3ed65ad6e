/** The demo, as README tells newcomers to run it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

test('npm run demo finds its faults and tells how they lose data', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'demo'], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const expected = JSON.parse(readFileSync(join(root, 'demo/expected.json'), 'utf8')) as Record<string, string[]>;
  for (const [file, rules] of Object.entries(expected)) {
    expect(stdout).toContain(file);
    for (const rule of rules) expect(stdout).toContain(rule);
  }
  expect(stdout).toMatch(/0 ms {2}●/);
  expect(stdout).toContain('✗ ');
  // What README shows is what is printed.
  const shown = /^```text\n([^]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))![1]!;
  expect(stdout).toContain(shown.trimEnd());
});

test('each fault has its right form beside it', () => {
  const page = readFileSync(join(root, 'demo/README.md'), 'utf8');
  const faults = Object.keys(JSON.parse(readFileSync(join(root, 'demo/expected.json'), 'utf8')) as object);
  expect(faults.length).toBeGreaterThan(2);
  for (const file of faults) expect(page).toContain(file.replace('demo/', ''));
});
