/**
 * The figures of docs/performance.md, side by side in one run, as a table.
 *
 * usage: npm run bench [-- DIR...] [-- --scale] [-- --runs N]
 *   DIR      repositories of 3,000 files or more; without one, a generated monorepo of 5,000 files
 *   --scale  also 10,000 and 100,000 generated files with 1,000 lock sites, which takes minutes
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, platform, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../tools/load.mjs';
import { makeMonorepo } from './monorepo.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { scale: { type: 'boolean' }, runs: { type: 'string', default: '3' } } });
const runs = Number(values.runs);
const require = createRequire(join(root, 'package.json'));
const command = join(root, 'dist/cli.cjs');
const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
const astGrep = join(root, 'node_modules/@ast-grep', readdirSync(join(root, 'node_modules/@ast-grep')).find((it) => it.startsWith(`cli-${platform()}-${arch()}`)) ?? 'cli', 'ast-grep');
const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

const work = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
/** Files of each repository in which the plugin is measured: enough for its start to count no more than it does. */
const files = 2000;
const median = (of) => [...of].sort((a, b) => a - b)[of.length >> 1];

/** Wall and processor time of a command, in seconds, and its standard error. */
function timed(words, cwd) {
  const script = `TIMEFORMAT='%R %U %S'; time "$@" > '${join(work, 'out')}' 2> '${join(work, 'err')}'`;
  const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd, encoding: 'utf8' });
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (status === null || status > 1) throw new Error(`${words.join(' ')} ended with ${status}: ${readFileSync(join(work, 'err'), 'utf8').slice(0, 500)}`);
  return { wall, cpu: user + system, said: readFileSync(join(work, 'err'), 'utf8') };
}

/** Several commands in turn, so that what else the machine does meets all of them. */
function sideBySide(named, cwd, times = runs) {
  const seen = Object.fromEntries(Object.keys(named).map((name) => [name, []]));
  for (let n = 0; n < times; n++) for (const [name, words] of Object.entries(named)) seen[name].push(timed(words, cwd));
  return Object.fromEntries(Object.entries(seen).map(([name, of]) => [name, { wall: median(of.map((it) => it.wall)), cpu: median(of.map((it) => it.cpu)), said: of[0].said }]));
}

const rows = [];
const row = (what, figure, wanted) => {
  rows.push([what, figure, wanted]);
  console.error(`${what}: ${figure}`);
};
const seconds = ({ wall, cpu }) => `${wall.toFixed(2)} s (${cpu.toFixed(2)} s of processor)`;
const node = process.execPath;

function config(name, lines) {
  const file = join(root, 'node_modules/.cache/fencepost', `bench-${process.pid}-${name}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines);
  return file;
}
const glob = "files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}']";
const parsing = `{ ${glob}, linterOptions: { reportUnusedDisableDirectives: 'off' }, languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } } }`;
const bare = config('bare', `import parser from ${JSON.stringify(require.resolve('@typescript-eslint/parser'))};\nexport default [${parsing}];\n`);
// What ESLint itself spends as soon as any rule is on, whatever the rule does.
const idle = config('idle', `import parser from ${JSON.stringify(require.resolve('@typescript-eslint/parser'))};\nconst idle = { meta: { schema: [] }, create: () => ({}) };\nexport default [${parsing}, { ${glob}, plugins: { bench: { rules: { idle } } }, rules: { 'bench/idle': 'error' } }];\n`);
const withPlugin = config('plugin', `import parser from ${JSON.stringify(require.resolve('@typescript-eslint/parser'))};\nimport fencepost from ${JSON.stringify(join(root, 'dist/plugin.mjs'))};\nexport default [${parsing}, { ${glob}, ...fencepost.configs.recommended }];\n`);
const lint = (file) => [node, eslint, '--no-config-lookup', '-c', file, '--no-inline-config', '--quiet', '--pass-on-no-patterns', '.'];

/** A directory as a repository of its own, so that a change can be made to it. */
function repositoryOf(folder) {
  const copy = join(work, 'repository');
  cpSync(folder, copy, { recursive: true, filter: (it) => !/[\\/](?:node_modules|\.git)$/.test(it) });
  const git = (...words) => execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...words], { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'All');
  return { copy, git };
}

/** A change in ten files of a repository, reviewed. */
function reviewed(folder, of) {
  const { copy, git } = repositoryOf(folder);
  const sources = git('ls-files', '*.ts', '*.tsx').split('\n').filter((it) => it && !it.endsWith('.d.ts'));
  for (let n = 0; n < 10; n++) {
    const file = join(copy, sources[Math.floor((n + 0.5) * (sources.length / 10))]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nexport const added${n} = ${n};\n`);
  }
  const both = sideBySide({ review: [node, command, 'review'], whole: [node, command, 'check'] }, copy);
  row(`\`review\` of a change in ten files${of}`, seconds(both.review), '');
  row(`review : check${of}`, `${(both.review.wall / both.whole.wall).toFixed(2)} (processor ${(both.review.cpu / both.whole.cpu).toFixed(2)})`, 'under 0.5');
  rmSync(copy, { recursive: true });
}

try {
  const given = positionals.map((it) => resolve(it));
  if (given.length === 0) makeMonorepo((mkdirSync(join(work, 'generated')), (given[0] = join(work, 'generated'))), { files: 5000, locks: 50 });

  for (const folder of given) {
    const of = positionals.length > 0 ? `, ${basename(folder)}` : '';
    const { check, grep } = sideBySide({ check: [node, command, 'check', '--stats'], grep: [astGrep, 'run', '-p', '$R.del($K)'] }, folder);
    console.error(check.said);
    const { none } = sideBySide({ none: lint(bare) }, folder, 1);
    row(`\`fencepost check\`${of} (${/(\d+ files) found/.exec(check.said)?.[1]}, ${/(\d+ looked into)/.exec(check.said)?.[1]})`, seconds(check), '');
    row(`\`ast-grep run -p '$R.del($K)'\`${of}`, seconds(grep), '');
    row(`check : ast-grep${of}`, `${(check.wall / grep.wall).toFixed(2)} (processor ${(check.cpu / grep.cpu).toFixed(2)})`, 'at most 1');
    row(`\`eslint\`, TypeScript parser, no rules${of}`, seconds(none), '');
    row(`eslint : check${of}`, `${(none.wall / check.wall).toFixed(1)} (processor ${(none.cpu / check.cpu).toFixed(1)})`, 'at least 15');
    reviewed(folder, of);
  }
  for (const [name, locks, wanted] of [['without locks', 0, 'under 1 %'], ['with a lock in every fifth file', files / 5, 'under 5 %']]) {
    const folder = join(work, `plugin-${locks}`);
    mkdirSync(folder);
    makeMonorepo(folder, { files, locks });
    const { none, empty, within } = sideBySide({ none: lint(bare), empty: lint(idle), within: lint(withPlugin) }, folder, Math.max(runs, 5));
    const more = (than) => `${((within.cpu / than.cpu - 1) * 100).toFixed(1)} %`;
    row(`the plugin in \`eslint\`, ${files.toLocaleString('en')} files ${name}`, `${more(empty)} of processor, ${(((within.cpu - empty.cpu) / files) * 1000).toFixed(3)} ms a file (${empty.cpu.toFixed(2)} s with one empty rule, ${within.cpu.toFixed(2)} s)`, wanted);
    row(`the same against \`eslint\` without any rule`, `${more(none)} of processor (${none.cpu.toFixed(2)} s); one empty rule alone: ${((empty.cpu / none.cpu - 1) * 100).toFixed(1)} %`, wanted);
    rmSync(folder, { recursive: true });
  }

  if (values.scale) {
    for (const [files_, locks] of [[10_000, 1000], [100_000, 1000], [100_000, 100]]) {
      const folder = join(work, `scale-${files_}-${locks}`);
      mkdirSync(folder);
      makeMonorepo(folder, { files: files_, locks });
      const it = timed([node, command, 'check', '--stats', '--format', 'json'], folder);
      row(`${files_.toLocaleString('en')} files, ${locks} lock sites`, `${seconds(it)}; ${/at most (\d+ MB)/.exec(it.said)?.[1]}; ${/\(.*?, (.*? twice)\)/.exec(it.said)?.[1]}`, '');
      console.error(it.said);
      rmSync(folder, { recursive: true });
    }
  }
  console.log(`\n${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}; fencepost with oxc-parser ${existsSync(join(root, 'node_modules/oxc-parser')) ? versionOf('oxc-parser') : 'missing'}, eslint ${versionOf('eslint')}, @typescript-eslint/parser ${versionOf('@typescript-eslint/parser')}, ast-grep ${versionOf('@ast-grep/cli')}\n`);
  console.log('| what | figure | wanted |\n| --- | --- | --- |');
  for (const it of rows) console.log(`| ${it.join(' | ')} |`);
  console.log();
  execFileSync(node, [join(root, 'bench/model.mjs')], { stdio: 'inherit' });
} finally {
  rmSync(work, { recursive: true, force: true });
  for (const file of [bare, idle, withPlugin]) rmSync(file, { force: true });
}
