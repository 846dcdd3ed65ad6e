/** One question to all faces: every fixture gives the same findings by ESLint, by the server and by the command. */
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import { allFixtures } from './fixture.ts';
import { root } from './root.ts';
import { startSession, type Session } from './server/session.ts';

/** What every face can say of a finding. Lines and columns are 1-based; the message is its first sentence. */
type Told = readonly [rule: string, severity: 'error' | 'warn', line: number, column: number, endLine: number, endColumn: number, message: string];

const published: { configs: { recommended: Linter.Config }; rules: Record<string, unknown> } = createRequire(import.meta.url)('../dist/plugin.cjs');
const fixtures = allFixtures();
const files = fixtures.flatMap((it) => it.files);
const firstSentence = (message: string): string => /^.+?[.!?](?=\s|$)/s.exec(message)?.[0] ?? message;
const sorted = (told: readonly Told[]): string[] => told.map((it) => it.join(' ')).sort();

let eslint: ESLint;
let session: Session;
let byCommand: Map<string, Told[]>;

beforeAll(async () => {
  eslint = new ESLint({
    cwd: root,
    ignore: false,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'], ...published.configs.recommended },
      { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { parser: typescriptParser as never } },
    ],
  });
  session = await startSession([join(root, 'dist/cli.cjs'), 'server', '--stdio']);

  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'dist/cli.cjs'), 'check', 'test/fixtures', '--format', 'json'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 2 || status === null) throw new Error(`The command could not run: ${stderr}`);
  interface Finding { rule: string; severity: 'error' | 'warn'; line: number; column: number; endLine: number; endColumn: number; message: string }
  const report = JSON.parse(stdout) as { files: { file: string; findings: Finding[] }[]; summary: { checked: number } };
  expect(report.summary.checked).toBe(files.length);
  byCommand = new Map(report.files.map(({ file, findings }) => [file, findings.map((it) => [it.rule, it.severity, it.line, it.column, it.endLine, it.endColumn, firstSentence(it.message)])]));
}, 300_000);

afterAll(() => void session?.process.kill());

async function byEslint(path: string, text: string): Promise<Told[]> {
  const [result] = await eslint.lintText(text, { filePath: path });
  return result!.messages.map((it) => [it.ruleId!.replace('fencepost/', ''), it.severity === 2 ? 'error' : 'warn', it.line, it.column, it.endLine!, it.endColumn!, firstSentence(it.message)]);
}

async function byServer(path: string, text: string): Promise<Told[]> {
  const uri = pathToFileURL(path).href;
  session.open(uri, text, /\.[cm]?js$/.test(path) ? 'javascript' : path.endsWith('.jsx') ? 'javascriptreact' : path.endsWith('.tsx') ? 'typescriptreact' : 'typescript');
  const diagnostics = await session.diagnostics(uri);
  session.close(uri);
  return diagnostics.map(({ code, severity, range: { start, end }, message }) => [
    String(code),
    severity === DiagnosticSeverity.Error ? 'error' : 'warn',
    start.line + 1,
    start.character + 1,
    end.line + 1,
    end.character + 1,
    firstSentence(typeof message === 'string' ? message : message.value),
  ]);
}

/** An editor underlines a finding up to the end of its first line. */
function underlined([rule, severity, line, column, endLine, endColumn, message]: Told, text: string): Told {
  const [end, at] = endLine === line ? [endLine, endColumn] : [line, text.split(/\r?\n/)[line - 1]!.length + 1];
  return [rule, severity, line, column, end, at, message];
}

const named = (path: string): string => relative(root, path).split(sep).join('/');

test.each(fixtures.map((it) => [it.name, it] as const))('%s', async (_, fixture) => {
  for (const { path, text } of fixture.files) {
    const found = await byEslint(path, text);
    const expected = sorted(found);
    expect(sorted(await byServer(path, text)), `${named(path)} by the server`).toEqual(sorted(found.map((it) => underlined(it, text))));
    expect(sorted(byCommand.get(named(path)) ?? []), `${named(path)} by the command`).toEqual(expected);
  }
});

test('the faces were asked about something', () => {
  expect([...byCommand.values()].flat().length).toBeGreaterThan(20);
  const asked = Object.entries(published.configs.recommended.rules!).flatMap(([rule, severity]) => (severity === 'off' ? [] : [rule.replace('fencepost/', '')]));
  for (const rule of asked) expect([...byCommand.values()].flat().map(([name]) => name)).toContain(rule);
});
