/**
 * The recipes of docs/ci.md and the steps of action.yml, run as they are written: in a repository of the
 * test's own, with the shell that their runner uses. Only `npx` is another one: it finds the package here
 * instead of in the registry.
 */
import yaml from 'js-yaml';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryWith, type Repository } from '../cli/repository.ts';
import { blind, folderWith, harmless, unfenced } from '../cli/run.ts';
import { root } from '../root.ts';

const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
/** The code blocks below a heading. */
const blocksBelow = (heading: string): string[] => {
  const [, section] = new RegExp(`^## ${heading}$([^]*?)(?=^## |(?![^]))`, 'm').exec(page) ?? [];
  return [...section!.matchAll(/^```\w+\n([^]*?)^```$/gm)].map((it) => it[1]!);
};
interface Step { run?: string; env?: Record<string, string>; shell?: string; id?: string }
const runLines = (steps: unknown): string[] => (steps as Step[]).flatMap((it) => it.run ?? []);

/** A folder with an `npx` for the PATH; words that it does not know are an error. */
function npxHere(): string {
  const folder = folderWith({
    npx: `#!/bin/sh
if [ "$1" = --yes ]; then shift; fi
if [ "$1" = -p ]; then case "$2" in eslint-plugin-fencepost|eslint-plugin-fencepost@*) shift 2 ;; *) exit 97 ;; esac; fi
case "$1" in
  fencepost) shift; exec '${process.execPath}' '${join(root, 'dist/cli.cjs')}' "$@" ;;
  eslint) shift; exec '${process.execPath}' '${join(root, 'node_modules/eslint/bin/eslint.js')}' "$@" ;;
esac
exit 98
`,
  });
  chmodSync(join(folder, 'npx'), 0o755);
  return folder;
}

function run(script: string, repository: Repository, { shell = ['bash', '-e'], env = {} }: { shell?: string[]; env?: Record<string, string> } = {}): { code: number | null; out: string; said: string } {
  const file = join(folderWith({ 'step.sh': script }), 'step.sh');
  const { CI: _, ...around } = process.env;
  const { status, stdout, stderr } = spawnSync(shell[0]!, [...shell.slice(1), file], { cwd: repository.folder, encoding: 'utf8', input: '', env: { ...around, PATH: `${npxHere()}:${process.env.PATH}`, ...env } });
  return { code: status, out: stdout, said: stderr };
}

/** A repository whose branch brings a blind release, seen against `origin/main`. */
function pullRequest(): Repository {
  const repository = repositoryWith({ 'src/a.ts': harmless, '.gitignore': 'node_modules\n' });
  repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  repository.git('checkout', '--quiet', '-b', 'change');
  repository.write({ 'src/a.ts': blind });
  repository.commit('A lock');
  return repository;
}

/** Puts the package where `npm install` would, with its binary's parser and ESLint beside it. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@typescript-eslint'), { recursive: true });
  symlinkSync(root, join(modules, 'eslint-plugin-fencepost'));
  for (const name of ['eslint', '@typescript-eslint/parser']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

describe('GitHub', () => {
  const action = yaml.load(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: Record<string, { default?: string }>; outputs: Record<string, { value: string }>; runs: { steps: Step[] } };

  /** Runs the action's steps as the runner does, with what stands in `${{ }}` filled in. */
  function act(repository: Repository, given: Record<string, string>): { code: number | null; out: string; said: string; summary: string; output: string; temp: string } {
    const temp = folderWith({ summary: '', output: '' });
    const inputs: Record<string, string> = { ...Object.fromEntries(Object.entries(action.inputs).map(([name, it]) => [name, it.default ?? ''])), ...given };
    let last = { code: 0 as number | null, out: '', said: '' };
    for (const step of action.runs.steps) {
      const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputs[input]!)]));
      last = run(step.run!, repository, { shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'], env: { ...env, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: join(temp, 'summary'), GITHUB_OUTPUT: join(temp, 'output') } });
      if (last.code !== 0) break;
    }
    return { ...last, temp, summary: readFileSync(join(temp, 'summary'), 'utf8'), output: readFileSync(join(temp, 'output'), 'utf8') };
  }

  test('the action writes the comment, annotates, and fails on what the change brings', () => {
    const repository = pullRequest();
    const { code, out, summary, output, said } = act(repository, { since: 'origin/main', 'comment-file': 'comment.md' });
    expect(said).toBe('');
    expect(summary).toMatch(/^### Fencepost: .*\n[^]*no-blind-release/);
    expect(readFileSync(join(repository.folder, 'comment.md'), 'utf8')).toBe(summary);
    expect(out).toMatch(/^::error file=src\/a\.ts,line=13,/m);
    expect(output).toBe('found=true\n');
    expect(code).toBe(1);
  });

  test('the action is green where the change brings nothing, and says so', () => {
    const repository = pullRequest();
    repository.write({ 'src/a.ts': `${harmless}// Moved.\n` });
    repository.commit('No lock');
    const { code, summary, output } = act(repository, { since: 'origin/main' });
    expect(summary).toContain('### Fencepost');
    expect(output).toBe('found=false\n');
    expect(code).toBe(0);
  });

  test('the action takes paths and a preset, and tells of a commit that is not there', () => {
    const repository = pullRequest();
    expect(act(repository, { since: 'origin/main', paths: 'docs other' }).output).toBe('found=false\n');
    expect(act(repository, { since: 'nowhere' })).toMatchObject({ code: 2, said: expect.stringContaining('no commit "nowhere"') });
  });

  test('its inputs and outputs are those that the page and the steps name', () => {
    const [workflow] = blocksBelow('GitHub Actions');
    const { jobs } = yaml.load(workflow!) as { jobs: { locks: { steps: { uses?: string; with?: Record<string, string> }[] } } };
    const used = jobs.locks.steps.find((it) => it.uses?.startsWith('fencepost-dev/fencepost@'))!;
    for (const name of Object.keys(used.with!)) expect(Object.keys(action.inputs)).toContain(name);
    expect(action.outputs.found!.value).toContain(`steps.${action.runs.steps[0]!.id}.outputs.found`);
  });

  test('the lines without it', () => {
    const [, review, scanning] = blocksBelow('GitHub Actions');
    const repository = pullRequest();
    const [line] = runLines(yaml.load(review!));
    const found = run(line!.replace('${{ github.base_ref }}', 'main'), repository);
    expect(found.out).toMatch(/^::error file=src\/a\.ts,line=13,/m);
    expect(found.code).toBe(1);
    const steps = yaml.load(scanning!) as (Step & { with?: { sarif_file: string } })[];
    expect(run(runLines(steps)[0]!, repository).code).toBe(0);
    const file = steps.find((it) => it.with)!.with!.sarif_file;
    expect(JSON.parse(readFileSync(join(repository.folder, file), 'utf8'))).toMatchObject({ version: '2.1.0', runs: [{ results: [{ ruleId: 'fencepost/no-blind-release' }] }] });
  });
});

test('GitLab', () => {
  const [text] = blocksBelow('GitLab CI');
  const { locks } = yaml.load(text!) as { locks: { script: string[]; artifacts: { reports: { codequality: string } } } };
  const repository = pullRequest();
  expect(run(locks.script.join('\n'), repository, { shell: ['sh', '-e'] }).code).toBe(0);
  expect(JSON.parse(readFileSync(join(repository.folder, locks.artifacts.reports.codequality), 'utf8'))).toMatchObject([{ check_name: 'fencepost/no-blind-release', location: { path: 'src/a.ts' } }]);
});

test('reviewdog is given what it reads', () => {
  const [line] = blocksBelow('reviewdog');
  const repository = pullRequest();
  // reviewdog itself asks a service; what it is told, and with which words it is called, is kept.
  const tools = folderWith({ reviewdog: '#!/bin/sh\necho "$@" > words\ncat > given.json\n' });
  chmodSync(join(tools, 'reviewdog'), 0o755);
  run(line!, repository, { env: { PATH: `${tools}:${npxHere()}:${process.env.PATH}` } });
  expect(readFileSync(join(repository.folder, 'words'), 'utf8')).toBe('-f=rdjson -reporter=github-pr-review\n');
  expect(JSON.parse(readFileSync(join(repository.folder, 'given.json'), 'utf8'))).toMatchObject({ diagnostics: [{ code: { value: 'fencepost/no-blind-release' }, location: { path: 'src/a.ts' } }] });
});

test('the hook keeps a commit back that brings a finding, and no other', () => {
  const [hook] = blocksBelow('Before a commit');
  const repository = repositoryWith({ 'src/a.ts': harmless });
  const file = join(repository.folder, '.git/hooks/pre-commit');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hook!);
  chmodSync(file, 0o755);
  const commit = (): number | null => spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'Change'], { cwd: repository.folder, env: { ...process.env, PATH: `${npxHere()}:${process.env.PATH}` } }).status;
  repository.write({ 'src/a.ts': blind });
  repository.git('add', '--all');
  expect(commit()).toBe(1);
  repository.write({ 'src/a.ts': unfenced });
  repository.git('add', '--all');
  expect(commit()).toBe(0);
});

describe('ESLint', () => {
  const [lintAll, lockHelpers] = blocksBelow('ESLint');
  const [, config] = /### In ESLint[^]*?^```js\n([^]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
  const typed = `${config!.replace('export default', "import parser from '@typescript-eslint/parser';\n\nexport default").replace('fencepost.configs.recommended,', "{ files: ['**/*.ts'], languageOptions: { parser } },\n  { files: ['**/*.ts'], ...fencepost.configs.recommended },")}`;

  /** Two packages of a workspace: the lock's helper in one, the write under it in the other. */
  function monorepo(): Repository {
    const helper = `import { randomUUID } from 'node:crypto';
import Redis from 'ioredis';
const redis = new Redis();
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
export async function alone<T>(key: string, work: () => Promise<T>): Promise<T | null> {
  const owner = randomUUID();
  if ((await redis.set(key, owner, 'PX', 5_000, 'NX')) !== 'OK') return null;
  try { return await work(); } finally { await redis.eval(RELEASE, 1, key, owner); }
}
`;
    const caller = `import { Pool } from 'pg';
import { alone } from '@farm/locks';
const pool = new Pool();
export const feed = (id: string, kg: number) => alone(\`feed:\${id}\`, async () => {
  await pool.query('UPDATE troughs SET kg = $1 WHERE id = $2', [kg, id]);
});
`;
    const repository = repositoryWith({
      'eslint.config.js': typed,
      'package.json': JSON.stringify({ name: 'farm', type: 'module', private: true, workspaces: ['packages/*'] }),
      'packages/locks/package.json': JSON.stringify({ name: '@farm/locks', type: 'module', main: 'src/index.ts' }),
      'packages/locks/src/index.ts': helper,
      'packages/barn/package.json': JSON.stringify({ name: '@farm/barn', type: 'module', dependencies: { '@farm/locks': '*' } }),
      'packages/barn/src/feed.ts': caller,
      'packages/barn/src/free.ts': blind,
    });
    install(repository.folder);
    return repository;
  }
  const told = ({ out }: { out: string }, folder: string): string[] =>
    (JSON.parse(out) as { filePath: string; messages: { ruleId: string; line: number }[] }[]).flatMap((it) => it.messages.map(({ ruleId, line }) => `${it.filePath.slice(folder.length + 1)}:${line} ${ruleId}`)).sort();

  test('one configuration at the root serves all packages, by itself, with a cache and with threads', () => {
    const repository = monorepo();
    // The folder may lie behind a link, as temporary folders do.
    const folder = execFileSync('pwd', ['-P'], { cwd: repository.folder, encoding: 'utf8' }).trim();
    const expected = ['packages/barn/src/feed.ts:5 fencepost/require-fencing-token', 'packages/barn/src/free.ts:13 fencepost/no-blind-release'];
    for (const words of ['', ' --cache', ' --cache', ' --concurrency 2']) {
      const found = run(`${lintAll!.trim()} --format json${words}`, repository);
      expect(told(found, folder), `${words}\n${found.said}`).toEqual(expected);
      expect(found.code).toBe(1);
    }
  });

  describe('--cache', () => {
    const cached = (repository: Repository) => run(`${lintAll!.trim()} --cache --format json`, repository);
    const rulesIn = ({ out }: { out: string }): string[] => (JSON.parse(out) as { messages: { ruleId: string }[] }[]).flatMap((it) => it.messages.map(({ ruleId }) => ruleId)).sort();
    const withoutLock = 'export const alone = async <T>(key: string, work: () => Promise<T>): Promise<T | null> => (key ? work() : null);\n';
    const both = ['fencepost/no-blind-release', 'fencepost/require-fencing-token'];

    test('keeps what was said of an unchanged caller when its helper changes, as the page says', () => {
      const repository = monorepo();
      const cache = join(repository.folder, '.eslintcache');
      expect(rulesIn(cached(repository))).toEqual(both);
      expect(readFileSync(cache, 'utf8')).toContain('fencepost/require-fencing-token');
      repository.write({ 'packages/locks/src/index.ts': withoutLock });
      expect(rulesIn(cached(repository))).toEqual(both);
      // A run without the cache tells what is so, and takes the cache away.
      expect(rulesIn(run(`${lintAll!.trim()} --format json`, repository))).toEqual(['fencepost/no-blind-release']);
      expect(existsSync(cache)).toBe(false);
    });

    test('knows the helpers that the configuration names', () => {
      const repository = monorepo();
      repository.write({ 'helpers.js': lockHelpers!, 'eslint.config.js': `import { lockHelpers } from './helpers.js';\n${typed.replace('export default [', 'export default [\n  lockHelpers,').replace('defineConfig([', 'defineConfig([\n  lockHelpers,')}` });
      expect(rulesIn(cached(repository))).toEqual(both);
      expect(rulesIn(cached(repository))).toEqual(both);
      repository.write({ 'packages/locks/src/index.ts': withoutLock });
      expect(rulesIn(cached(repository))).toEqual(['fencepost/no-blind-release']);
    });
  });

  test('what is known is left out by ESLint and by the command, from the same file', () => {
    const repository = monorepo();
    const [suppress, commands] = blocksBelow('Old code');
    rmSync(join(repository.folder, 'packages/barn/src/feed.ts'));
    expect(run(suppress!, repository).code).toBe(0);
    expect(run(lintAll!, repository).code).toBe(0);
    const [create, use, prune] = commands!.trim().split('\n');
    expect(run(use!, repository)).toMatchObject({ code: 0, out: expect.stringContaining('1 known finding left out') });
    expect(run(create!, repository).code).toBe(0);
    repository.write({ 'packages/barn/src/free.ts': harmless });
    expect(run(prune!, repository)).toMatchObject({ code: 0, said: expect.stringContaining('1 finding taken out') });
    expect(JSON.parse(readFileSync(join(repository.folder, 'eslint-suppressions.json'), 'utf8'))).toEqual({});
  });
});
