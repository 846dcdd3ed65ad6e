/**
 * Writes what follows from the files that exist: the indexes of the catalog and the rules, the
 * headers of the rules' pages, the tables of README and docs. A library or a rule is registered by
 * being there.
 *
 * usage: node tools/gen.mjs [--check]      (--check writes nothing and fails on a difference)
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogIndex, gateWords, rulesIndex } from './gen/indexes.mjs';
import { catalogPage, docsIndex, readme, rulePages, settingsPage } from './gen/pages.mjs';
import { catalogSchema, catalogSchemaModule } from './gen/schema.mjs';
import { loadTypeScript, root } from './load.mjs';

const onlyChecks = process.argv.includes('--check');
const different = [];

/** Puts a text in its place, or notes that another one is there. */
function put(path, text) {
  const file = join(root, path);
  const old = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (old === text) return;
  different.push(path);
  if (onlyChecks) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`${old === undefined ? 'written' : 'changed'}  ${path}`);
}

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

// The indexes come first and from names alone: the modules that are loaded next import them.
put('catalog/index.gen.ts', catalogIndex());
put('rules/forms.gen.ts', catalogSchemaModule());
put('docs/catalog.schema.json', `${JSON.stringify(catalogSchema(), (key, value) => (key === 'undefinable' ? undefined : value), 2)}\n`);
const libraries = different.includes('catalog/index.gen.ts') && onlyChecks ? [] : (await loadTypeScript('catalog/index.gen.ts')).libraries;
put('rules/gate/words.gen.ts', await gateWords());
const { text, table, rules } = await rulesIndex();
put('rules/index.gen.ts', text);
put('rules/table.gen.ts', table);

const facts = { rules, libraries, manifest: JSON.parse(read('package.json')) };
for (const [path, page] of Object.entries({
  'README.md': readme(read('README.md'), facts),
  'docs/README.md': docsIndex(read('docs/README.md'), facts),
  'docs/settings.md': settingsPage(read('docs/settings.md'), facts),
  'docs/catalog.md': catalogPage(facts),
  ...rulePages(read, facts),
})) {
  put(path, page);
}

put('docs/fixes.md', (await loadTypeScript('test/proof/page.ts')).fixesPage());

if (onlyChecks && different.length > 0) {
  console.error(`Not what the sources say: ${different.join(', ')}. Run npm run gen.`);
  process.exit(1);
}
