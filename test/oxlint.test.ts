/** Under oxlint, as one of its `jsPlugins`, the plugin tells of every fixture what it tells under ESLint. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { fencepost, folderWith } from './cli/run.ts';
import { root } from './root.ts';

const published: { configs: { recommended: { rules: Record<string, string> } } } = createRequire(import.meta.url)('../dist/plugin.cjs');

interface Diagnostic {
  message: string;
  code: string;
  severity: 'error' | 'warning';
  filename: string;
  labels: { span: { line: number } }[];
}

/** What is told of each file, a line for each finding. */
type Told = Map<string, string[]>;
const add = (told: Told, file: string, line: string): void => void told.set(file, [...(told.get(file) ?? []), line].sort());

test('the same findings on every fixture', () => {
  const folder = folderWith({});
  const config = { plugins: [], categories: { correctness: 'off' }, jsPlugins: [join(root, 'dist/plugin.mjs')], rules: published.configs.recommended.rules };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', join(folder, '.oxlintrc.json'), '--format', 'json', 'test/fixtures'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(stderr).toBe('');
  const byOxlint: Told = new Map();
  for (const { message, code, severity, filename, labels } of (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics) {
    add(byOxlint, relative(root, join(root, relative(root, filename))).split(sep).join('/'), `${labels[0]!.span.line} ${code} ${severity} ${message}`);
  }
  const byCommand: Told = new Map();
  interface Finding { rule: string; severity: 'error' | 'warn'; line: number; message: string }
  const { files } = JSON.parse(fencepost(['check', 'test/fixtures', '--format', 'json']).out) as { files: { file: string; findings: Finding[] }[] };
  for (const { file, findings } of files) for (const it of findings) add(byCommand, file, `${it.line} fencepost(${it.rule}) ${it.severity === 'warn' ? 'warning' : 'error'} ${it.message}`);
  // A comment that gives a rule options means nothing to oxlint.
  const configured = [...byCommand.keys()].filter((file) => /\/\*\s*eslint\s/.test(readFileSync(join(root, file), 'utf8')));
  expect(configured).toHaveLength(1);
  for (const file of configured) {
    expect(byOxlint.get(file)).not.toEqual(byCommand.get(file));
    byCommand.delete(file);
    byOxlint.delete(file);
  }
  expect(byCommand.size).toBeGreaterThan(100);
  expect(Object.fromEntries(byOxlint)).toEqual(Object.fromEntries(byCommand));
});
