/** `npm run new:library NAME`: lays out the files of a library of the catalog, and says what to do next. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './load.mjs';

const [name] = process.argv.slice(2);
if (!name || !/^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*$/.test(name)) {
  console.error('Say which package: npm run new:library NAME, for example npm run new:library redis-semaphore.');
  process.exit(2);
}
const key = name.replace(/^@/, '').replace(/[/.]/g, '-');

lay(
  `catalog/${key}.ts`,
  `/** ${name}. Say here which versions the rows were checked against, and how. */
import { arg, library } from './schema.ts';

const CLIENT = '${key}:Client';

export default library({
  key: '${key}',
  packages: ['${name}'],
  title: '${name}',
  family: 'lock',
  obtain: [{ type: CLIENT, by: 'new', name: 'default' }],
  calls: [
    {
      on: CLIENT,
      name: 'acquire',
      does: { kind: 'acquire', key: arg(0), lock: 'lease', lease: [{ at: arg(1), unit: 'ms' }], granted: { of: 'object' }, refused: 'throws' },
    },
    { on: CLIENT, name: 'release', does: { kind: 'release', handle: arg(0), ownerChecked: true } },
  ],
  facts: [],
});
`,
);
lay(
  `test/catalog/fixtures/${key}.ts`,
  `/** ${name}: every row is called here, as the types of the package allow. */
import Client from '${name}';

const client = new Client();

export async function hold(id: string) {
  const lock = await client.acquire(\`lock:\${id}\`, 10_000);
  await client.release(lock);
}
`,
);
lay(
  `test/fixtures/${key}/taken-and-released.ts`,
  `// What the right use of ${name} looks like: nothing is reported.
import Client from '${name}';

const client = new Client();

export async function exclusively(work: () => Promise<void>): Promise<void> {
  const lock = await client.acquire('resource', 10_000);
  try {
    await work();
  } finally {
    await client.release(lock);
  }
}
`,
);
console.log(`
Next:
  1. Write the rows in catalog/${key}.ts; the types of catalog/schema/ say what a row can say.
  2. Add the package, or its types, to test/catalog/package.json, and call every row in test/catalog/fixtures/${key}.ts.
     npm run gen, then FENCEPOST_WRITE=1 npx vitest run test/catalog writes what each call means beside it: read that and judge it.
  3. Show wrong uses and right ones in test/fixtures/${key}/; \`// expect: rule\` marks a reported line.
  4. npm test.`);

function lay(path, text) {
  const file = join(root, path);
  if (existsSync(file)) return console.log(`there already  ${path}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`laid out       ${path}`);
}
