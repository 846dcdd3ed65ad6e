/** Only what a file mentions is looked at: which files are worth a look, and which rows of the catalog are asked for. */
import '../../rules/sql-engine.ts';
import * as typescriptParser from '@typescript-eslint/parser';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { libraries } from '../../catalog/index.gen.ts';
import { words } from '../../catalog/redis-commands.ts';
import { CatalogIndex } from '../../model/catalog-index.ts';
import type { ModuleHost, Program } from '../../model/host.ts';
import { Project } from '../../model/project.ts';
import { Model, tellStory } from '../../model/story.ts';
import { isCandidate } from '../../rules/candidate.ts';
import { mentionsLock } from '../../rules/gate/gate.ts';
import { Gate } from '../../rules/gate/text.ts';
import { WordScan } from '../../rules/gate/word-scan.ts';
import { builtIn } from '../../rules/gate/words.gen.ts';
import { defaultSettings } from '../../rules/settings.ts';

const gate = new Gate(builtIn);

const parse = (file: string, text: string): Program => typescriptParser.parse(text, { filePath: file, range: true, loc: true, comment: true, sourceType: 'module' }) as never;

/** A project that is a map of texts, and the files of it that were parsed. */
function projectOf(files: Record<string, string>): { host: ModuleHost; parsed: string[] } {
  const parsed: string[] = [];
  const host: ModuleHost = {
    resolve: (from, specifier) => (specifier.startsWith('.') ? [`${join(dirname(from), specifier)}.ts`].find((it) => it in files) : undefined),
    read: (file) => (file in files ? { text: files[file]!, version: files[file]! } : undefined),
    parse: (file, { text }) => {
      parsed.push(file);
      return parse(file, text);
    },
    packageRange: () => undefined,
  };
  return { host, parsed };
}

describe('a file is worth a look', () => {
  const looked = (files: Record<string, string>): boolean => mentionsLock('/a.ts', files['/a.ts']!, projectOf(files).host, gate, () => true);
  const steps = (count: number, last: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${String.fromCharCode(97 + i)}.ts`, i + 1 < count ? `import './${String.fromCharCode(98 + i)}';` : last]));

  test.each([
    ['that names a lock library', { '/a.ts': "import Redlock from 'redlock';" }, true],
    ['that names a client of Redis', { '/a.ts': "const Redis = require('ioredis');" }, true],
    ['whose module of the project names a lock library', { '/a.ts': "import { take } from './b';", '/b.ts': "import Redlock from 'redlock';" }, true],
    ['that says NX to a client of unknown type', { '/a.ts': "export const take = (cache: Cache) => cache.set('k', 'v', 'NX');" }, true],
    ['that speaks of leases beside a store', { '/a.ts': "import { Pool } from 'pg'; export const lease = 3;" }, true],
    ['that speaks of leases beside a store, in a comment', { '/a.ts': "import { Pool } from 'pg'; // until the lease ends" }, false],
    ['that only uses a store', { '/a.ts': "import { Pool } from 'pg'; export const all = (pool: Pool) => pool.query('SELECT 1');" }, false],
    ['that speaks of ends beside the files of one machine', { '/a.ts': "import fs from 'node:fs'; export const lease = 3;" }, false],
    ['that only speaks of leases', { '/a.ts': 'export const lease = 3;' }, false],
    ['that names a package of which nothing is known', { '/a.ts': "import { useState } from 'react';" }, false],
    ['beside one that names a lock library and is not imported', { '/a.ts': 'export const a = 1;', '/b.ts': "import Redlock from 'redlock';" }, false],
    ['whose package is only named like one', { '/a.ts': "import x from 'ioredis-mock-store';" }, false],
  ])('%s: %o → %s', (_, files, expected) => expect(looked(files)).toBe(expected));

  test('four imports away, and no further', () => {
    expect(looked(steps(5, "import Redlock from 'redlock';"))).toBe(true);
    expect(looked(steps(6, "import Redlock from 'redlock';"))).toBe(false);
  });

  test.each([
    ['by its name', "export { take, other } from './c';", 'import { take } from \'./b\';', true],
    ['under another name', "export { mine as take } from './c';", 'import { take } from \'./b\';', true],
    ['with everything', "export * from './d';\nexport * from './c';", 'import { take } from \'./b\';', true],
    ['with a word about it', "export {\n  // of locks: from './d'\n  take, // first\n} from './c';", 'import { take } from \'./b\';', true],
    ['after it was imported', "import { take } from './c';\nexport { take };", 'import { take } from \'./b\';', true],
    ['as the default', "import take from './c';\nexport default take;", 'import take from \'./b\';', true],
    ['as a whole under a name', "export * as locks from './c';", 'import { locks } from \'./b\';', true],
    ['to one that takes all of it', "export * from './c';", 'import * as all from \'./b\';', true],
    ['in the old form', "const c = require('./c');\nmodule.exports = { take: c.take };", 'const { take } = require(\'./b\');', true],
    ['beside what is asked for', "export * from './d';\nexport * from './c';", 'import { word } from \'./b\';', false],
    ['beside what it has itself', "export { take } from './c';\nexport const word = 1;", 'import { word } from \'./b\';', false],
  ])('whose index hands a lock on %s: %o, %o → %s', (_, index, a, expected) => {
    const files = { '/a.ts': a, '/b.ts': index, '/c.ts': "import Redlock from 'redlock';\nexport const [take, mine, other] = [1, 2, 3];\nexport default function () {}", '/d.ts': 'export const word = 1;' };
    // An index itself takes no lock.
    expect(mentionsLock('/a.ts', a, projectOf(files).host, gate, (file) => file === '/c.ts')).toBe(expected);
  });

  test('however long the text is, and without a semicolon', () => {
    const text = `${'exports.a = b\nc = d\n'.repeat(20_000)}import { take } from './b'`;
    expect(mentionsLock('/a.ts', text, projectOf({ '/a.ts': text, '/b.ts': "import Redlock from 'redlock';" }).host, gate, () => true)).toBe(true);
  });

  test('unless a bundler has put it into a few lines', () => {
    const text = "import Redis from 'ioredis';export const take=(r,k)=>r.set(k,'1','PX',5000,'NX');";
    const { host } = projectOf({ '/a.ts': text });
    expect(isCandidate('/a.ts', text, host, defaultSettings)).toBe(true);
    expect(isCandidate('/a.ts', text + 'void 0;'.repeat(4000), host, defaultSettings)).toBe(false);
    expect(isCandidate('/a.ts', text + 'void 0;\n'.repeat(4000), host, defaultSettings)).toBe(true);
  });

  test('not for a module that takes no lock for others', () => {
    const files = { '/a.ts': "import { take } from './b';", '/b.ts': "import Redlock from 'redlock';" };
    expect(mentionsLock('/a.ts', files['/a.ts'], projectOf(files).host, gate, () => false)).toBe(false);
  });
});

describe('words are found', () => {
  const scan = new WordScan([[1, ['ioredis', '@scope/kit', 'nx']], [2, ['pg', 'redis.call']], [4, ['@Inject*']]]);
  test.each([
    ["import Redis from 'ioredis';", 1],
    ['ioredis', 1],
    ['x-ioredis', 0],
    ['ioredis-mock', 0],
    ['ioredis.js', 1],
    ["from '@scope/kit/deep'", 1],
    ["from '@scope/kits'", 0],
    ['a nx b', 1],
    ['next', 0],
    ["'pg'", 2],
    ["'pgp'", 0],
    ["redis.call('get')", 2],
    ['@Injectable() pg', 6],
    ['', 0],
    ['p', 0],
    ['é pg é ioredis', 3],
    ['épg', 2],
  ])('in %o: %o', (text, flags) => expect(scan.flagsOf(text)).toBe(flags));

  test('of every library, each alone', () => {
    const silent = [...builtIn.marks, ...builtIn.clients].filter((word) => !mentionsLock('/a.ts', `import x from '${word}';`, projectOf({}).host, gate, () => true));
    expect(silent).toEqual([]);
  });
});

/** The catalog, noting by which modules its rows were asked for. */
class AskedCatalog extends CatalogIndex {
  readonly asked = new Set<string>();

  override librariesOf(specifier: string): ReturnType<CatalogIndex['librariesOf']> {
    this.asked.add(specifier);
    return super.librariesOf(specifier);
  }
}

test('a file pays for the rows of the packages that it and its own modules name', () => {
  const files = {
    '/a.ts': "import { take } from './b';\nimport { Pool } from 'pg';\nconst pool = new Pool();\nexport async function pay(id: string) {\n  if (!(await take(id))) return;\n  await pool.query('DELETE FROM orders WHERE id = $1', [id]);\n}",
    '/b.ts': "import Redis from 'ioredis';\nconst redis = new Redis();\nexport const take = async (id: string) => (await redis.set(id, '1', 'PX', 5000, 'NX')) === 'OK';",
    '/c.ts': "import Redlock from 'redlock';\nexport const redlock = new Redlock([]);",
  };
  const { host, parsed } = projectOf(files);
  const asked = new AskedCatalog(libraries, words);
  const model = new Model(new Project(host, asked));
  tellStory(model, model.project.add('/a.ts', files['/a.ts'], parse('/a.ts', files['/a.ts'])), { efficiencyKeys: [] });
  expect([...asked.asked].filter((it) => it !== '').sort()).toEqual(['ioredis', 'pg']);
  expect(parsed).toEqual(['/b.ts']);
});
