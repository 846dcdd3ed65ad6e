/**
 * Owns `dist/`: what each entry becomes, what they share, and what lies beside them.
 *
 * The plugin, the command and the server are split into shared chunks, so that the package holds
 * the analysis and the TypeScript parser once. esbuild splits ES modules only, and VS Code and
 * `require` want CommonJS; so the entries are bundled as ES modules, and each output file is then
 * lowered to CommonJS by itself.
 *
 * usage: node tools/build.mjs [OUTDIR]
 */
import { build as bundle, transform } from 'esbuild';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thirdPartyNotices } from './notices.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The outputs that share chunks, by the module that each starts at. */
const entries = { plugin: 'rules/plugin.ts', cli: 'cli/main.ts', server: 'server/program.ts', analysis: 'rules/analysing.ts', resolving: 'rules/resolving/packages.ts', 'typescript-parser': 'rules/syntax/typescript-parser.ts', 'oxc-wasm': 'rules/syntax/oxc-wasm.ts', 'eslint-linter': 'server/linter-class.ts', 'check-worker': 'cli/run/worker.ts' };

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  logLevel: 'warning',
};

/** ESLint's own 290 rules are not used by the server or the command, which run only Fencepost's. */
const withoutCoreRules = {
  name: 'without-core-rules',
  setup: (build) =>
    build.onLoad({ filter: /node_modules[\\/]eslint[\\/]lib[\\/]rules[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = new Map();',
      loader: 'js',
    })),
};

/** Writes everything that is published beside the manifest into `outdir`; gives the names and sizes. */
export async function build({ outdir = join(root, 'dist') } = {}) {
  const [shared, extension] = await Promise.all([
    bundle({
      ...common,
      entryPoints: entries,
      outdir,
      format: 'esm',
      splitting: true,
      chunkNames: 'chunk-[hash]',
      // They are loaded when they are first needed: see rules/load.ts, rules/resolving/loaded.ts, rules/syntax/, server/eslint-parts.ts and cli/run/threads.ts.
      define: { ANALYSIS: '"./analysis.cjs"', RESOLVING: '"./resolving.cjs"', TYPESCRIPT_PARSER: '"./typescript-parser.cjs"', OXC_WASM: '"./oxc-wasm.cjs"', ESLINT_LINTER: '"./eslint-linter.cjs"', WORKER: '"./check-worker.cjs"' },
      outExtension: { '.js': '.cjs' },
      plugins: [withoutCoreRules],
    }),
    bundle({ ...common, entryPoints: { extension: 'extension/extension.ts' }, outdir, format: 'cjs', outExtension: { '.js': '.cjs' }, external: ['vscode'] }),
  ]);
  const files = new Map();
  for (const output of shared.outputFiles) files.set(basename(output.path), await toCommonJs(output));
  for (const output of extension.outputFiles) files.set(basename(output.path), output.contents);

  files.set('plugin.mjs', "import plugin from './plugin.cjs';\nexport default plugin;\nexport const { meta, rules, configs } = plugin;\n");
  const declaration = await readFile(join(root, 'tools/plugin.d.ts'), 'utf8');
  files.set('plugin.d.ts', declaration);
  files.set('plugin.d.cts', declaration.replace('export default plugin', 'export = plugin'));
  const inputs = [...Object.keys(shared.metafile.inputs), ...Object.keys(extension.metafile.inputs), ...Object.values(binaries)];
  files.set('third-party-notices.txt', await thirdPartyNotices(root, inputs));

  await mkdir(outdir, { recursive: true });
  for (const [name, contents] of files) await writeFile(join(outdir, name), contents);
  for (const [name, path] of Object.entries(binaries)) await copyFile(join(root, path), join(outdir, name));
  await chmod(join(outdir, 'cli.cjs'), 0o755);
  // What an earlier build left goes last, so that whoever runs from `dist/` meanwhile finds every file.
  for (const name of await readdir(outdir)) {
    if (!files.has(name) && !(name in binaries)) await rm(join(outdir, name), { recursive: true });
  }
  return files;
}

/** What lies beside the bundles as it is. */
const binaries = {
  'sqlparser.wasm': 'node_modules/@guanmingchiu/sqlparser-ts/wasm/sqlparser_rs_wasm_bg.wasm',
  'oxc-parser.wasm': 'node_modules/oxc-parser/parser.wasm32-wasip1.wasm',
};

/** One split ES module as CommonJS: dynamic imports stay lazy, `import.meta.url` stays the file's own. */
async function toCommonJs(output) {
  const isPlugin = basename(output.path) === 'plugin.cjs';
  const { code } = await transform(output.text, {
    format: 'cjs',
    platform: 'node',
    target: common.target,
    minify: true,
    legalComments: 'none',
    supported: { 'dynamic-import': false },
    ...(output.text.includes('import.meta.url') && {
      define: { 'import.meta.url': 'fencepostFileUrl' },
      banner: 'const fencepostFileUrl=require("node:url").pathToFileURL(__filename).href;',
    }),
    // `require` gives the plugin itself, as `import` does.
    ...(isPlugin && { footer: 'module.exports=module.exports.default;' }),
  });
  return code;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = await build(process.argv[2] ? { outdir: resolve(process.argv[2]) } : {});
  for (const [name, contents] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${name.padEnd(28)} ${(contents.length / 1024).toFixed(1)} KB`);
}
