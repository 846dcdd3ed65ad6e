/** Links between the project's pages lead somewhere. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

const markdownBelow = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => markdownBelow(join(path, name))) : path.endsWith('.md') ? [path] : [];
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs', 'demo'].flatMap((name) => markdownBelow(join(root, name)));

test.each(pages.map((path) => relative(root, path)))('%s', (name) => {
  const path = join(root, name);
  const prose = readFileSync(path, 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  const targets = [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
  expect(targets.filter((target) => !existsSync(join(dirname(path), target)))).toEqual([]);
});
