/** `npm run new:rule NAME`: lays out a rule, its page and its first fixtures, and says what to do next. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './load.mjs';

const [name] = process.argv.slice(2);
if (!name || !/^(?:no|require|prefer)-[a-z]+(?:-[a-z]+)*$/.test(name)) {
  console.error('Say which rule: npm run new:rule NAME, where the name begins with no-, require- or prefer-, for example no-guessed-lease.');
  process.exit(2);
}

lay(
  `rules/${name}.ts`,
  `/** Say here in a sentence what the rule finds. */
import { at, defineRule } from './rule.ts';
import { lockName } from './words.ts';

export default defineRule({
  name: '${name}',
  preset: 'strict',
  severity: 'warn',
  description: 'Say in a line what to do instead.',
  messages: {
    found: '{{lock}} is not what it should be. Say why that loses data. Say what to do.',
  },
  // A query over the story: which sections, which of their events. Ask the model for what is missing here.
  find: ({ story }) =>
    story.sections
      .filter(() => false)
      .map(({ section }) => ({
        messageId: 'found',
        data: { lock: lockName(section.lock) },
        place: at(section.at),
        related: [],
        edits: [],
      })),
});
`,
);
lay(
  `docs/rules/${name}.md`,
  `<!-- generated: header -->
<!-- end -->

## Why

What goes wrong, as an interleaving of two instances.

## Wrong

\`\`\`ts
// wrong
import Redis from 'ioredis';

const redis = new Redis();
await redis.get('key'); // reported
\`\`\`

## Right

\`\`\`ts
// right
import Redis from 'ioredis';

const redis = new Redis();
await redis.get('key');
\`\`\`

## Options

None.

## When not to use it

Say for which code the rule asks too much.
`,
);
lay(
  `test/fixtures/${name}/what-it-shows.ts`,
  `// Say in a sentence what is wrong here, and name the file after it.
import Redis from 'ioredis';

const redis = new Redis();
await redis.get('key'); // expect: ${name}
`,
);
lay(
  `test/fixtures/${name}/silent-what-it-shows.ts`,
  `// Say in a sentence what is similar here and right, and name the file after it: silent-….
import Redis from 'ioredis';

const redis = new Redis();
await redis.get('key');
`,
);
console.log(`
Next:
  1. Fixtures in test/fixtures/${name}/: at least eight that are wrong, and at least eight that are similar and right.
  2. The query in rules/${name}.ts. If it does not fit on a screen, the model lacks a question.
  3. The page docs/rules/${name}.md; its examples are run.
  4. npm run gen, npm test.`);

function lay(path, text) {
  const file = join(root, path);
  if (existsSync(file)) return console.log(`there already  ${path}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`laid out       ${path}`);
}
