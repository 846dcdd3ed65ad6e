/** What can reach no lock is left alone until somebody asks, and is looked at again when a lock has come behind it. */
import '../../rules/analysing.ts';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import type { ModuleHost, Program } from '../../model/host.ts';
import { analyse } from '../../rules/analysis.ts';
import { defaultSettings } from '../../rules/settings.ts';
import { parseText } from '../../rules/syntax/parse.ts';

/** A project that is a map of texts, as it is at one moment, and the files of it that were parsed. */
function projectOf(files: Record<string, string>): { hostNow: () => ModuleHost; parsed: string[] } {
  const parsed: string[] = [];
  const programs = new Map<string, Program | undefined>();
  const parse = (file: string, text: string): Program | undefined => {
    const key = `${file}\0${text}`;
    if (!programs.has(key)) {
      parsed.push(file);
      programs.set(key, parseText(file, text));
    }
    return programs.get(key);
  };
  const parsesLike = {};
  const hostNow = (): ModuleHost => ({
    parsesLike,
    snapshot: {},
    resolve: (from, specifier) => (specifier.startsWith('.') ? [`${join(dirname(from), specifier)}.ts`].find((it) => it in files) : undefined),
    read: (file) => (file in files ? { text: files[file]!, version: files[file]! } : undefined),
    parse: (file, { text }) => parse(file, text),
    packageRange: () => undefined,
  });
  return { hostNow, parsed };
}

/** The rules that report in `/jobs.ts`, with their lines (1-based). */
function reports(files: Record<string, string>, host: ModuleHost): string[] {
  const text = files['/jobs.ts']!;
  const found = analyse({ file: '/jobs.ts', text, program: host.parse('/jobs.ts', { text, version: text })! }, host, defaultSettings);
  return (found?.findings ?? []).map(({ rule, place }) => `${rule} ${place.line}`);
}

const lock = "import Redis from 'ioredis';\nconst redis = new Redis();\nexport const take = async (key: string) => (await redis.set(key, '1', 'PX', 5000, 'NX')) === 'OK';\nexport const drop = (key: string) => redis.del(key);";
const jobs = "import { take, drop } from './lock';\nimport { report } from './report';\nexport async function run() {\n  if (!(await take('run'))) return;\n  try {\n    await report('run');\n  } finally {\n    await drop('run');\n  }\n}\nexport async function later() {\n  await report('later');\n}";
const store = "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const save = (name: string) => pool.query('UPDATE reports SET name = $1 WHERE id = 1', [name]);";

describe('a function that can reach no lock', () => {
  test('is looked into where a section calls it', () => {
    const files = { '/jobs.ts': jobs, '/lock.ts': lock, '/report.ts': "import { save } from './store';\nexport async function report(name: string) {\n  await save(name);\n}", '/store.ts': store };
    const { hostNow, parsed } = projectOf(files);
    expect(reports(files, hostNow())).toContain('require-fencing-token 6');
    expect(parsed).toContain('/store.ts');
  });

  test('is left alone where none does', () => {
    const files = { '/jobs.ts': jobs.replace("    await report('run');\n", ''), '/lock.ts': lock, '/report.ts': "import { save } from './store';\nexport async function report(name: string) {\n  await save(name);\n}", '/store.ts': store };
    const { hostNow, parsed } = projectOf(files);
    reports(files, hostNow());
    expect(parsed).toContain('/lock.ts');
    expect(parsed).not.toContain('/store.ts');
  });

  test('runs what it is handed all the same', () => {
    const files = {
      '/jobs.ts': "import { take, drop } from './lock';\nimport { tried } from './tried';\nimport { save } from './store';\nexport const run = () => tried(async () => {\n  if (!(await take('run'))) return;\n  await save('run');\n  await drop('run');\n});",
      '/lock.ts': lock,
      '/store.ts': store,
      '/tried.ts': 'export const tried = async (work: () => Promise<void>) => {\n  try { await work(); } catch { await work(); }\n};',
    };
    expect(reports(files, projectOf(files).hostNow())).toContain('require-fencing-token 6');
  });

  test('is looked at again when a lock has come behind it', () => {
    const files: Record<string, string> = {
      '/jobs.ts': "import { take } from './lock';\nimport { end } from './end';\nexport async function run() {\n  if (!(await take('run'))) return;\n  await end('run');\n}",
      '/lock.ts': lock,
      '/end.ts': "import { done } from './done';\nexport const end = (key: string) => done(key);",
      '/done.ts': 'export const done = async (key: string) => key;',
    };
    const { hostNow } = projectOf(files);
    const before = reports(files, hostNow());
    files['/done.ts'] = "import { drop } from './lock';\nexport const done = (key: string) => drop(key);";
    const after = reports(files, hostNow());
    expect(after).not.toEqual(before);
    expect(after).toEqual(reports(files, projectOf(files).hostNow()));
  });
});

describe('a file behind which no lock can be taken', () => {
  const remove = "import Redis from 'ioredis';\nconst redis = new Redis();\nexport const drop = (key: string) => redis.del(key);\nexport const keep = (key: string) => redis.expire(key, 60);";

  test('is told nothing of keys that it removes', () => {
    const files = { '/jobs.ts': "import { drop, keep } from './keys';\nexport async function forget(id: string) {\n  await keep(`seen:${id}`);\n  await drop(`seen:${id}`);\n}", '/keys.ts': remove };
    expect(reports(files, projectOf(files).hostNow())).toEqual([]);
  });

  test('is told of the fence that it does not look at', () => {
    const files = {
      '/jobs.ts': "import { run } from './store';\nexport async function save(id: string, version: number) {\n  await run('UPDATE reports SET state = $1, version = version + 1 WHERE id = $2 AND version = $3', ['done', id, version]);\n}",
      '/store.ts': "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const run = (text: string, values: unknown[]) => pool.query(text, values);",
    };
    expect(reports(files, projectOf(files).hostNow())).toEqual(['no-ignored-fence-result 3']);
  });

  test('is told of the lock as soon as one comes', () => {
    const files: Record<string, string> = { '/jobs.ts': "import { take, drop } from './keys';\nexport async function run(id: string) {\n  if (!(await take(`job:${id}`))) return;\n  await fetch(`https://example.com/${id}`, { method: 'POST' });\n  await drop(`job:${id}`);\n}", '/keys.ts': `${remove}\nexport const take = async (key: string) => (await redis.get(key)) === null;` };
    const { hostNow } = projectOf(files);
    expect(reports(files, hostNow())).toEqual([]);
    files['/keys.ts'] = `${remove}\nexport const take = async (key: string) => (await redis.set(key, '1', 'PX', 5000, 'NX')) === 'OK';`;
    expect(reports(files, hostNow())).toContain('no-blind-release 5');
  });
});
