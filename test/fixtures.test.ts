/** Every fixture through ESLint: what its comments expect, and nothing else. */
import { describe, expect, test } from 'vitest';
import { check } from './check.ts';
import { allFixtures, compare, existingRules, expectationsIn } from './fixture.ts';

const fixtures = allFixtures();

describe('fixtures', () => {
  test.each(fixtures.map((it) => [it.name, it] as const))('%s', (_, fixture) => check(fixture));
});

describe('every rule', () => {
  const about = (rule: string) => fixtures.filter((it) => it.name.startsWith(`${rule}/`));
  const isSilent = (name: string): boolean => name.split('/')[1]!.startsWith('silent-');

  test.each([...existingRules])('%s has fixtures that are wrong and others that are silent, named so', (rule) => {
    for (const { name, files } of about(rule)) {
      const expected = files.flatMap(({ text }) => expectationsIn(text));
      expect(expected.some((it) => it.rule === rule), name).toBe(!isSilent(name));
    }
    expect(about(rule).filter((it) => !isSilent(it.name)).length).toBeGreaterThanOrEqual(5);
    expect(about(rule).filter((it) => isSilent(it.name)).length).toBeGreaterThanOrEqual(5);
  });
});

describe('the helper itself', () => {
  const report = (rule: string, line: number, endLine = line) => ({ rule, line, endLine, message: 'Said.' });
  const rules = new Set(['no-a', 'no-b']);

  test('reads expectations, with their edits and related places, of rules that exist', () => {
    expect(expectationsIn('a(); // expect: no-a, no-b\nb(); // expect-fix: no-a // related: the lock\nc(); // expect: no-c\n', rules)).toEqual([
      { rule: 'no-a', line: 1, wantsEdit: false },
      { rule: 'no-b', line: 1, wantsEdit: false },
      { rule: 'no-a', line: 2, wantsEdit: true, related: 'the lock' },
    ]);
  });

  test('tells what is missing and what is too much', () => {
    const wanted = expectationsIn('a(); // expect: no-a\nb();\n', rules);
    expect(compare(wanted, [report('no-a', 1)]).problems).toEqual([]);
    expect(compare(wanted, []).problems).toEqual(['missing: no-a at line 1']);
    expect(compare(wanted, [report('no-a', 1), report('no-a', 2)]).problems).toEqual(['unexpected: no-a at line 2: Said.']);
    expect(compare(wanted, [report('no-b', 1)]).problems).toHaveLength(2);
  });

  test('gives each report to one expectation, the nearest', () => {
    const wanted = expectationsIn('using(() => { // expect: no-a\n  write(); // expect: no-a\n});\n', rules);
    expect(compare(wanted, [report('no-a', 1, 3), report('no-a', 2)]).problems).toEqual([]);
    expect(compare(wanted, [report('no-a', 1, 3)]).problems).toEqual(['missing: no-a at line 2']);
  });
});
