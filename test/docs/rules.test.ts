/**
 * The rules' pages: their examples are run. A block that opens with `// wrong` reports exactly at
 * the lines that end with `// reported` (this page's rule) or `// reported: rule`; one that opens
 * with `// right` reports nothing, by any rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lint } from '../check.ts';
import { compare, existingRules, type Expectation } from '../fixture.ts';
import { root } from '../root.ts';

const folder = join(root, 'docs/rules');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md')).sort();

interface Example {
  kind: string;
  /** Line of the page at which the code begins. */
  line: number;
  code: string;
}

const examplesOf = (page: string): Example[] =>
  [...page.matchAll(/^```(?:ts|js)\n([^]*?)^```$/gm)].map((match) => ({
    kind: /^\/\/ (\w+)/.exec(match[1]!)?.[1] ?? 'unmarked',
    line: page.slice(0, match.index).split('\n').length + 1,
    code: match[1]!,
  }));

function expectedIn(code: string, rule: string): Expectation[] {
  return code.split('\n').flatMap((line, index) => {
    const match = /\/\/ reported(?:: ([a-z, -]+))?$/.exec(line);
    const rules = match ? (match[1]?.split(',').map((it) => it.trim()) ?? [rule]) : [];
    return rules.filter((it) => existingRules.has(it)).map((it) => ({ rule: it, line: index + 1, wantsEdit: false }));
  });
}

test('every rule has a page, and every page a rule', () => {
  expect(pages.map((name) => name.slice(0, -3))).toEqual([...existingRules].sort());
});

describe.each(pages)('%s', (name) => {
  const rule = name.slice(0, -3);
  const page = readFileSync(join(folder, name), 'utf8');
  const examples = examplesOf(page);

  test('says why, what is wrong, what is right, the options, and when not to use it', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(headings).toEqual(expect.arrayContaining(['Why', 'Wrong', 'Right', 'Options', 'When not to use it']));
    expect(examples.filter((it) => it.kind === 'wrong').length).toBeGreaterThan(0);
    expect(examples.filter((it) => it.kind === 'right').length).toBeGreaterThan(0);
    expect(examples.filter((it) => it.kind !== 'wrong' && it.kind !== 'right')).toEqual([]);
  });

  test.each(examples.map((it) => [`${it.kind}, line ${it.line}`, it] as const))('%s', (_, { kind, code }) => {
    const expected = expectedIn(code, rule);
    expect(expected.some((it) => it.rule === rule)).toBe(kind === 'wrong');
    expect(compare(expected, lint(code, join(root, 'docs/example.ts'), rule)).problems).toEqual([]);
  });
});
