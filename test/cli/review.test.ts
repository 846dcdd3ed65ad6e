/** `fencepost review`: a repository, change by change: what each brings, touches, mends, and leaves alone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryWith, type Repository } from './repository.ts';
import { fencepost, folderWith, harmless } from './run.ts';

const locks = `import { randomUUID } from 'node:crypto';
import Redis from 'ioredis';

const redis = new Redis();
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

export async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  if ((await redis.set(key, owner, 'PX', 10_000, 'NX')) !== 'OK') throw new Error('busy');
  try {
    return await work();
  } finally {
    await redis.eval(RELEASE, 1, key, owner);
  }
}
`;
const store = `import { Pool } from 'pg';

const pool = new Pool();

export async function close(id: string): Promise<void> {
  const { rowCount } = await pool.query("UPDATE tickets SET state = 'closed' WHERE id = $1 AND state = 'open'", [id]);
  if (rowCount === 0) throw new Error('not open');
}
`;
const job = `import { withLock } from './locks';
import { close } from './tickets/store';

export const run = (id: string): Promise<void> =>
  withLock(\`ticket:\${id}\`, async () => {
    await close(id);
  });
`;
const unfencedStore = store.replace(" AND state = 'open'", '');
const blindLocks = locks.replace('redis.eval(RELEASE, 1, key, owner)', 'redis.del(key)');
const files = { 'src/locks.ts': locks, 'src/tickets/store.ts': store, 'src/job.ts': job, 'src/other.ts': harmless };

interface Told {
  file: string;
  findings: { rule: string; line: number; change?: string }[];
}
function review({ folder }: Repository, ...words: string[]) {
  const ran = fencepost(['review', '--format', 'json', ...words], { cwd: folder });
  const report = ran.out.startsWith('{') ? (JSON.parse(ran.out) as { files: Told[]; mended: Told[]; base: string; summary: { checked: number } }) : undefined;
  const flat = (told: Told[] | undefined): string[] => told?.flatMap(({ file, findings }) => findings.map((it) => [it.change, file, it.line, it.rule].filter((each) => each !== undefined).join(' '))) ?? [];
  return { ...ran, report, found: flat(report?.files), mended: flat(report?.mended) };
}

describe('a change', () => {
  test('that touches no lock is silent, and looks at nothing but itself and its callers', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/other.ts': `${harmless}export const more = 43;\n` });
    const { found, mended, code, report } = review(repository);
    expect([found, mended, code]).toEqual([[], [], 0]);
    expect(report!.summary.checked).toBe(1);
  });

  test('that drops a fence in a helper shows in the caller, which it leaves alone', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/tickets/store.ts': unfencedStore });
    const { found, code } = review(repository);
    expect(found).toEqual(['new src/job.ts 6 require-fencing-token']);
    expect(code).toBe(0);
  });

  test('that drops an owner check is an error', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/locks.ts': blindLocks });
    const { found, code } = review(repository);
    expect(found).toEqual(['new src/locks.ts 13 no-blind-release']);
    expect(code).toBe(1);
  });

  test('that adds a write two files away', () => {
    const repository = repositoryWith({ ...files, 'src/tickets/log.ts': "import { Pool } from 'pg';\n\nconst pool = new Pool();\n\nexport async function note(id: string): Promise<void> {\n  await pool.query('SELECT 1 FROM notes WHERE id = $1', [id]);\n}\n", 'src/tickets/store.ts': store.replace("import { Pool } from 'pg';", "import { Pool } from 'pg';\nimport { note } from './log';").replace("throw new Error('not open');\n", "throw new Error('not open');\n  await note(id);\n") });
    repository.write({ 'src/tickets/log.ts': "import { Pool } from 'pg';\n\nconst pool = new Pool();\n\nexport async function note(id: string): Promise<void> {\n  await pool.query('UPDATE notes SET seen = true WHERE id = $1', [id]);\n}\n" });
    expect(review(repository).found).toEqual(['new src/job.ts 6 require-fencing-token']);
  });

  test('that mends says so', () => {
    const repository = repositoryWith({ ...files, 'src/locks.ts': blindLocks, 'src/tickets/store.ts': unfencedStore });
    repository.write({ 'src/locks.ts': locks, 'src/tickets/store.ts': store });
    const { found, mended, code } = review(repository);
    expect(found).toEqual([]);
    expect(mended).toEqual(['src/job.ts 6 require-fencing-token', 'src/locks.ts 13 no-blind-release']);
    expect(code).toBe(0);
  });

  test('that shortens a lease in a helper shows where a caller waits for longer', () => {
    const patient = job.replace('import { close }', "import { setTimeout as sleep } from 'node:timers/promises';\nimport { close }").replace('    await close', '    await sleep(4_000);\n    await close');
    const repository = repositoryWith({ ...files, 'src/job.ts': patient });
    expect(review(repository).found).toEqual([]);
    repository.write({ 'src/locks.ts': locks.replace('10_000', '2_000') });
    const { found, code } = review(repository);
    expect(found).toEqual(['new src/job.ts 6 no-guessed-lease']);
    expect(code).toBe(1);
  });

  test('that only moves lines brings nothing; one of a line that a finding speaks of touches it', () => {
    const repository = repositoryWith({ ...files, 'src/locks.ts': blindLocks });
    repository.write({ 'src/locks.ts': `// Locks.\n\n${blindLocks}` });
    expect(review(repository).found).toEqual([]);
    repository.write({ 'src/locks.ts': blindLocks.replace('10_000', '20_000') });
    const { found, code } = review(repository);
    expect(found.map((it) => it.replace(/^(?:new|touched) /, ''))).toEqual(['src/locks.ts 13 no-blind-release']);
    expect(code).toBe(found[0]!.startsWith('new') ? 1 : 0);
  });

  test('a renamed file keeps its findings', () => {
    const repository = repositoryWith({ ...files, 'src/locks.ts': blindLocks });
    repository.write({ 'src/locks.ts': null, 'src/mutual-exclusion.ts': blindLocks, 'src/job.ts': job.replace('./locks', './mutual-exclusion') });
    repository.git('add', '--all');
    const { found, mended } = review(repository);
    expect([found, mended]).toEqual([[], []]);
  });

  test('a new file that git does not know yet is part of it, a removed one mends what was in it', () => {
    const repository = repositoryWith({ ...files, 'src/old.ts': blindLocks });
    repository.write({ 'src/old.ts': null, 'src/fresh.ts': blindLocks });
    const { found, mended } = review(repository);
    expect(found).toEqual(['new src/fresh.ts 13 no-blind-release']);
    expect(mended).toEqual(['src/old.ts 13 no-blind-release']);
  });
});

test('every format that has room for it says what is mended', () => {
  const repository = repositoryWith({ ...files, 'src/locks.ts': blindLocks });
  repository.write({ 'src/locks.ts': locks });
  const told = (format: string): string => fencepost(['review', '--format', format], { cwd: repository.folder }).out;
  const first = 'is released without checking who holds it.';
  expect(told('stylish')).toMatch(new RegExp(`Mended by this change[^]*${first}[^]*src/locks\\.ts:13`));
  expect(told('markdown')).toMatch(new RegExp(`\\*\\*Mended\\*\\*[^]*src/locks\\.ts:13[^]*${first}`));
  expect(told('html')).toMatch(new RegExp(`Mended by this change[^]*src/locks\\.ts:13[^]*${first}`));
  expect(told('github')).toMatch(new RegExp(`^::notice title=Fencepost%3A mended::.*${first} \\(no-blind-release, was at src/locks\\.ts:13\\)\n$`));
  expect(JSON.parse(told('json'))).toMatchObject({ mended: [{ file: 'src/locks.ts', findings: [{ rule: 'no-blind-release', line: 13 }] }] });
  // These tell of what is there; their consumers compare two reports for the rest.
  expect(JSON.parse(told('gitlab'))).toEqual([]);
  expect(JSON.parse(told('rdjson'))).toMatchObject({ diagnostics: [] });
});

describe('what it is measured against', () => {
  test('a branch: only what the branch has changed counts', () => {
    const repository = repositoryWith(files);
    repository.git('branch', '--quiet', '-M', 'main');
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.write({ 'src/locks.ts': blindLocks });
    repository.commit('Release');
    repository.git('checkout', '--quiet', 'main');
    repository.write({ 'src/other.ts': blindLocks });
    repository.commit('Elsewhere');
    repository.git('checkout', '--quiet', 'topic');
    expect(review(repository).found).toEqual(['new src/locks.ts 13 no-blind-release']);
    expect(review(repository, '--since', 'main').found).toEqual(['new src/locks.ts 13 no-blind-release']);
  });

  test('the index, not what lies in the folder', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/locks.ts': blindLocks });
    expect(review(repository, '--staged').found).toEqual([]);
    repository.git('add', '--all');
    repository.write({ 'src/locks.ts': locks });
    expect(review(repository, '--staged').found).toEqual(['new src/locks.ts 13 no-blind-release']);
  });

  test('a diff that has been applied', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/locks.ts': blindLocks });
    const diff = repository.git('diff');
    repository.commit('Release');
    writeFileSync(join(repository.folder, 'change.diff'), diff);
    expect(review(repository, '--diff', 'change.diff').found).toEqual(['new src/locks.ts 13 no-blind-release']);
  });

  test('only below the paths that are named', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/locks.ts': blindLocks, 'src/tickets/store.ts': unfencedStore });
    expect(review(repository, 'src/tickets').found).toEqual([]);
  });

  test.each([
    ['a commit that is not there', ['--since', 'nowhere'], /no commit "nowhere"/],
    ['a diff that is not there', ['--diff', 'nowhere.diff'], /nowhere\.diff cannot be read/],
    ['a text that is no diff', ['--diff', 'src/other.ts'], /holds no change/],
    ['an unknown rule', ['--rules', 'no-such-rule'], /no rule "no-such-rule"/],
  ])('2 for %s, with a sentence about it', (_, words, sentence) => {
    const { code, said } = review(repositoryWith(files), ...words);
    expect(said).toMatch(sentence);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test('2 outside of a repository', () => {
    const { code, said } = fencepost(['review'], { cwd: folderWith({ 'a.ts': harmless }) });
    expect(said).toMatch(/no git repository/);
    expect(code).toBe(2);
  });

  test('a diff that does not fit the files', () => {
    const repository = repositoryWith(files);
    repository.write({ 'src/locks.ts': blindLocks });
    writeFileSync(join(repository.folder, 'change.diff'), repository.git('diff'));
    repository.write({ 'src/locks.ts': locks });
    const { code, said } = review(repository, '--diff', 'change.diff');
    expect(said).toMatch(/does not fit src\/locks\.ts/);
    expect(code).toBe(2);
  });
});
