/** What the command prints for people: the report, its timeline, colour, help. */
import { describe, expect, test } from 'vitest';
import colors from 'picocolors';
import { splitMessage, wrap } from '../../cli/prose.ts';
import { milliseconds } from '../../rules/words.ts';
import { drawTimeline } from '../../cli/timeline.ts';
import { blind, fencepost, folderWith } from './run.ts';

// eslint-disable-next-line no-control-regex -- the escape sequences are what is looked for
const escapes = /\u001b\[/;
const manifest = '../../package.json';

describe('the report', () => {
  test('names the file, the place, the rule, the user\'s own lines, and the interleaving', () => {
    const { out } = fencepost(['check'], { cwd: folderWith({ 'src/a.ts': blind }) });
    expect(out).toMatch(/^src\/a\.ts$/m);
    expect(out).toMatch(/^ +13:11 {2}error {2}\S.*\. {2}no-blind-release$/m);
    expect(out).toContain('13 │ await redis.del(`order:${id}`);');
    expect(out).toMatch(/^ +0 ms +●.* A +\S/m);
    expect(out).toMatch(/^ +8 *│|8 │ const granted/m);
    expect(out).toMatch(/✗ /);
    expect(out).toMatch(/1 error, 0 warnings in 1 file \(1 file checked\)/);
  });

  test('has no colour in a pipe, unless it is asked for, and never against NO_COLOR', () => {
    const cwd = folderWith({ 'a.ts': blind });
    expect(fencepost(['check'], { cwd }).out).not.toMatch(escapes);
    expect(fencepost(['check'], { cwd, env: { FORCE_COLOR: '1' } }).out).toMatch(escapes);
    expect(fencepost(['check'], { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).out).not.toMatch(escapes);
  });
});

describe('the timeline', () => {
  const canvas = { paint: colors.createColors(false), width: 100, lineOf: () => '  await redis.del(key);', nameOf: (it: { line: number }) => String(it.line) };
  const place = (line: number) => ({ file: 'a.ts', line, column: 0, endLine: line, endColumn: 1, start: 0, end: 1 });

  test('draws a lane for each instance, still while it is paused, and a line of code once', () => {
    expect(
      drawTimeline(
        [
          { at: 0, who: 'A', says: 'takes the lease', place: place(3) },
          { at: 5, who: 'A', says: 'pauses' },
          { at: 30_000, who: 'service', says: 'the lease ends' },
          { at: 30_100, who: 'B', says: 'takes the lease', place: place(3), resource: "B's" },
          { at: 45_000, who: 'A', says: 'deletes the key', place: place(9), loses: true },
        ],
        canvas,
      ),
    ).toEqual([
      '     0 ms  ●   A  takes the lease',
      '           │      3 │ await redis.del(key);',
      '     5 ms  ●   A  pauses',
      '30 000 ms  ┆   ◌  the lease ends',
      "30 100 ms  ┆ ● B  takes the lease (data: B's)",
      '45 000 ms  ●   A  ✗ deletes the key',
      '                  9 │ await redis.del(key);',
    ]);
  });
});

describe('sentences', () => {
  test('the first one ends at a period before a space, not inside a call', () => {
    expect(splitMessage('`redis.del(key)` removes the lock. The lease may have ended.')).toEqual({ first: '`redis.del(key)` removes the lock.', rest: 'The lease may have ended.' });
    expect(splitMessage('Alone.')).toEqual({ first: 'Alone.', rest: '' });
    expect(splitMessage('no period')).toEqual({ first: 'no period', rest: '' });
  });

  test('wraps, and leaves a long word alone', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a https://example.org/long b', 6)).toEqual(['a', 'https://example.org/long', 'b']);
  });

  test('groups milliseconds', () => expect([0, 999, 30_000, 1_234_567].map(milliseconds)).toEqual(['0 ms', '999 ms', '30 000 ms', '1 234 567 ms']));
});

describe('help and version', () => {
  test('without words, and asked for', async () => {
    const { version } = (await import(manifest)) as { version: string };
    expect(fencepost(['--version'])).toEqual({ code: 0, out: `${version}\n`, said: '' });
    for (const words of [[], ['--help'], ['-h'], ['help']]) expect(fencepost(words)).toMatchObject({ code: 0, out: expect.stringContaining('explain FILE[:LINE]'), said: '' });
    expect(fencepost(['check', '--help']).out).toMatch(/no-blind-release +error/);
    expect(fencepost(['help', 'explain']).out).toContain('FILE[:LINE]');
  });
});
