/** Every format against what its reader accepts: closed schemas of the readers' documented forms, and their grammars. */
import { rdformatSchema } from '@umbrelladocs/rdformat-validator';
import Ajv from 'ajv';
import draft4 from 'ajv/lib/refs/json-schema-draft-04.json';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { repositoryWith } from './repository.ts';
import { blind, fencepost, folderWith, harmless, unfenced } from './run.ts';

const text = (schema: object = {}) => ({ type: 'string', minLength: 1, ...schema });
const line = { type: 'integer', minimum: 1 };
const closed = (properties: Record<string, object>, optional: readonly string[] = []) => ({ type: 'object', properties, required: Object.keys(properties).filter((it) => !optional.includes(it)), additionalProperties: false });
const list = (items: object) => ({ type: 'array', items });

const position = closed({ line, column: line });
const range = closed({ start: position, end: position });
const place = closed({ path: text(), range });
const rdjson = closed({
  source: closed({ name: text(), url: text() }),
  severity: { enum: ['ERROR', 'WARNING'] },
  diagnostics: list(
    closed(
      { message: text(), location: place, severity: { enum: ['ERROR', 'WARNING', 'INFO'] }, code: closed({ value: text(), url: text() }), suggestions: list(closed({ range, text: { type: 'string' } })), related_locations: list(closed({ message: text(), location: place })) },
      ['suggestions', 'related_locations'],
    ),
  ),
});
const gitlab = list(
  closed({
    description: text(),
    check_name: text(),
    fingerprint: text(),
    severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
    location: closed({ path: text({ pattern: '^(?!\\.?/)' }), lines: closed({ begin: line, end: line }) }),
  }),
);

const files = { 'src/a b.ts': blind, 'src/c.ts': unfenced, 'src/ü.ts': blind.replaceAll('order:', 'größe|<b>:'), 'src/d.ts': harmless };
const printed = (format: string, given: Record<string, string> = files): string => fencepost(['check', '--format', format], { cwd: folderWith(given) }).out;
const parsed = <T>(format: string, given?: Record<string, string>): T => JSON.parse(printed(format, given)) as T;
function fits(schema: object, value: unknown): void {
  const validate = new Ajv({ allErrors: true }).compile(schema);
  expect(validate(value), JSON.stringify(validate.errors, null, 2)).toBe(true);
}

/** SARIF's own schema, as it is published. */
const sarifSchema = JSON.parse(readFileSync(join(dirname(createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json')), 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as object;

/** What the published schema of a format has against a value. */
function faults(published: object, value: unknown): unknown {
  const ajv = new Ajv({ allErrors: true, schemaId: 'auto', unknownFormats: 'ignore', logger: false });
  ajv.addMetaSchema(draft4);
  const validate = ajv.compile(published);
  return validate(value) ? [] : validate.errors;
}

describe('the published schemas', () => {
  /** A change that brings a finding, mends one and touches one: what only a review has is in it. */
  const reviewed = (format: string): unknown => {
    const repository = repositoryWith({ 'src/a.ts': blind, 'src/b.ts': harmless });
    repository.write({ 'src/a.ts': blind.replace('10_000', '9_000'), 'src/b.ts': unfenced });
    return JSON.parse(fencepost(['review', '--format', format], { cwd: repository.folder }).out);
  };

  test.each([
    ['sarif', sarifSchema],
    ['rdjson', rdformatSchema],
  ])('%s, of a check, a review and nothing at all', (format, schema) => {
    for (const value of [parsed(format), parsed(format, { 'd.ts': harmless }), reviewed(format)]) expect(faults(schema, value)).toEqual([]);
  });

  test('they would tell', () => {
    const log = parsed<Log>('sarif');
    (log.runs[0]!.results![0]!.locations![0]!.physicalLocation!.region as { startLine: number }).startLine = 0;
    expect(faults(sarifSchema, log)).not.toEqual([]);
    expect(faults(rdformatSchema, { diagnostics: [{ message: '' }] })).not.toEqual([]);
  });
});

test('rdjson, whose columns count bytes', () => {
  const report = parsed<{ diagnostics: { location: { path: string; range: { start: { column: number } } }; suggestions?: unknown[] }[] }>('rdjson', { 'a.ts': blind.replace('await redis.del(', "void 'ü'; await redis.del(") });
  fits(rdjson, report);
  // Four spaces, `void 'ü'; ` of eleven bytes, `await `.
  expect(report.diagnostics[0]!.location.range.start.column).toBe(4 + 11 + 6 + 1);
  fits(rdjson, parsed('rdjson'));
  fits(rdjson, parsed('rdjson', { 'd.ts': harmless }));
});

test('rdjson: a suggestion, put in its place, mends what it is about', () => {
  type Point = { line: number; column: number };
  const report = parsed<{ diagnostics: { suggestions: { range: { start: Point; end: Point }; text: string }[] }[] }>('rdjson', { 'a.ts': blind });
  const [{ range, text: replacement }] = report.diagnostics[0]!.suggestions as [{ range: { start: Point; end: Point }; text: string }];
  const lines = blind.split('\n');
  const offset = ({ line, column }: Point): number => lines.slice(0, line - 1).reduce((all, it) => all + it.length + 1, 0) + column - 1;
  const mended = blind.slice(0, offset(range.start)) + replacement + blind.slice(offset(range.end));
  expect(parsed('rdjson', { 'a.ts': mended })).toMatchObject({ diagnostics: [] });
});

test('gitlab, with a fingerprint for each that survives moved lines', () => {
  const report = parsed<{ fingerprint: string; location: { path: string } }[]>('gitlab');
  fits(gitlab, report);
  expect(new Set(report.map((it) => it.fingerprint)).size).toBe(report.length);
  const prints = (code: string): string[] => parsed<{ fingerprint: string }[]>('gitlab', { 'a.ts': code }).map((it) => it.fingerprint);
  expect(prints(`// Moved.\n\n\n${blind}`)).toEqual(prints(blind));
  expect(parsed('gitlab', { 'd.ts': harmless })).toEqual([]);
});

test('github: workflow commands that the runner takes apart into the same words', () => {
  const unescaped = (it: string): string => it.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%');
  const lines = printed('github').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const it of lines) {
    const [, command, properties, message] = /^::(error|warning|notice) (.+?)::(.+)$/.exec(it) ?? [];
    expect(command, it).toBeDefined();
    const named = Object.fromEntries(properties!.split(',').map((pair) => pair.split('=').map(unescaped)));
    expect(Object.keys(files)).toContain(named.file);
    expect(Number(named.line)).toBeGreaterThan(1);
    expect(named.title).toMatch(/^fencepost\//);
    expect(unescaped(message!)).toMatch(/\. .+\nhttps:/s);
  }
});

describe('sarif', () => {
  test('says which rule, where, with what else, and how the data is lost', () => {
    const [run] = parsed<Log>('sarif').runs;
    expect(run!.results).toHaveLength(3);
    for (const result of run!.results!) {
      const rule = run!.tool.driver.rules![result.ruleIndex!]!;
      expect(rule.id).toBe(result.ruleId);
      expect(result.locations![0]!.physicalLocation!.artifactLocation!.uri).toMatch(/^src\/(?:a%20b|c|%C3%BC)\.ts$/);
      expect(result.relatedLocations!.map((it) => it.id)).toEqual(result.relatedLocations!.map((_, i) => i));
      const threads = result.codeFlows![0]!.threadFlows;
      expect(threads.map((it) => it.id)).toEqual(['A', 'B', 'service']);
      const order = threads.flatMap((it) => it.locations.map((each) => each.executionOrder!)).sort((a, b) => a - b);
      expect(order).toEqual(order.map((_, i) => i + 1));
      expect(Object.values(result.partialFingerprints!)[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(result.suppressions).toBeUndefined();
    }
  });

  test('tells of every rule what it is about, with help', () => {
    const [run] = parsed<Log>('sarif').runs;
    for (const rule of run!.tool.driver.rules!) {
      expect(rule.help!.markdown).toContain(rule.helpUri!);
      expect(rule.shortDescription!.text.length).toBeLessThan(160);
      expect(rule.name).toMatch(/^[A-Z][A-Za-z]+$/);
    }
  });
});

test('markdown: folded findings, tables of equal width, suggestions that are closed', () => {
  const page = printed('markdown');
  expect(page.match(/<details>/g)).toHaveLength(3);
  expect(page.match(/<\/details>/g)).toHaveLength(3);
  expect(page.match(/^```/gm)!.length % 2).toBe(0);
  for (const row of page.match(/^\|.*\|$/gm)!) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(6);
  // A key is not markup, but in code it stands as it is.
  expect(page.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')).not.toContain('<b>');
  expect(page).toMatch(/^`{3,}suggestion\n[^]*?^ {4}await redis\.eval\(/m);
  const near = blind.replace('const redis', 'const RELEASE = "if redis.call(\'get\', KEYS[1]) == ARGV[1] then return redis.call(\'del\', KEYS[1]) end return 0";\nconst redis');
  expect(printed('markdown', { 'a.ts': near })).toMatch(/```suggestion\n {4}await redis\.eval\(RELEASE, 1,/);
  expect(printed('markdown', { 'd.ts': harmless })).toBe('### Fencepost: no lock misuse found\n');
});

test('html: one page, nothing loaded, no script, every finding with its drawing', () => {
  const page = printed('html');
  expect(page).not.toMatch(/<script|<link|<img|\bsrc=|url\(/);
  expect(page.match(/<article /g)).toHaveLength(3);
  expect(page.match(/<svg /g)).toHaveLength(3);
  expect(page).toContain('&lt;b&gt;');
  expect(page).toMatch(/<span class="removed">- {4}await redis\.del\(`order:\$\{id\}`\);<\/span>\n<span class="added">\+ {4}await redis\.eval\(/);
  const open = [...page.matchAll(/<(\/?)(article|section|main|svg|g|figure|p|pre|h2|header|details|summary|code|span|body|html)\b[^>]*?(\/?)>/g)].reduce((stack: string[], [, slash, name, own]) => (own ? stack : slash ? (expect(stack.at(-1)).toBe(name), stack.slice(0, -1)) : [...stack, name!]), []);
  expect(open).toEqual([]);
});
