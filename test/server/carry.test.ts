/** Where a problem goes when the text around it is edited. `[` and `]` mark its span before and after. */
import { expect, test } from 'vitest';
import { carry } from '../../server/carry.ts';
import type { Problem } from '../../server/lint.ts';

function marked(text: string): { text: string; span: { start: number; end: number } } {
  const start = text.indexOf('[');
  return { text: text.replace('[', '').replace(']', ''), span: { start, end: text.indexOf(']') - 1 } };
}

const problemAt = (span: Problem['span']): Problem => ({ rule: 'no-blind-release', severity: 'error', message: '', span, takesCommentAbove: true });

for (const [before, after] of [
  ['a [b] c', 'a [b] c'],
  ['a [b] c', 'aaa [b] c'],
  ['a [b] c', 'a [b] c c c'],
  ['a [b] c', '[b] c'],
  ['x\n[del(key)]\ny', 'x\nz\n[del(key)]\ny'],
  ['[del(key)]', '[del(other)]'],
  ['[del(key)]', '[del(key, key)]'],
] as const) {
  test(`${JSON.stringify(before)} becomes ${JSON.stringify(after)}`, () => {
    const [from, to] = [marked(before), marked(after)];
    expect(carry([problemAt(from.span)], '/a.ts', from.text, to.text).map((it) => it.span)).toEqual([to.span]);
  });
}

for (const [before, after] of [
  ['a [del(key)] c', 'a c'],
  ['a [del(key)] c', 'a de'],
  ['a [del(key)] c', 'x(key) c'],
  ['a [del(key)] c', ''],
] as const) {
  test(`${JSON.stringify(before)} is gone in ${JSON.stringify(after)}`, () => {
    const from = marked(before);
    expect(carry([problemAt(from.span)], '/a.ts', from.text, after)).toEqual([]);
  });
}

test('related places of the file move too, those of other files stay, and edits go', () => {
  const place = (file: string, start: number) => ({ file, start, end: start + 1, line: 1, column: start, endLine: 1, endColumn: start + 1 });
  const problem: Problem = {
    ...problemAt({ start: 4, end: 5 }),
    finding: {
      rule: 'no-blind-release',
      messageId: '',
      message: '',
      place: place('/a.ts', 4),
      related: [
        { place: place('/a.ts', 2), text: 'here' },
        { place: place('/b.ts', 2), text: 'there' },
      ],
      edits: [{ kind: '', title: '', changes: [] }],
    },
  };
  const [carried] = carry([problem], '/a.ts', '  a b', '   a b');
  expect(carried!.finding!.related.map((it) => it.place.start)).toEqual([3, 2]);
  expect(carried!.finding!.edits).toEqual([]);
});
