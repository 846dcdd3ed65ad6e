/** The command line: what is wanted, or a sentence about the slip. */
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../cli/arguments.ts';

const check = { command: 'check', paths: ['.'], format: 'stylish', preset: 'recommended', rules: undefined, baseline: undefined, isTold: false };
const review = { command: 'review', paths: ['.'], format: 'stylish', preset: 'recommended', rules: undefined, since: undefined, diff: undefined, isStaged: false };
const explain = { command: 'explain', line: undefined, timeline: undefined };

test.each([
  [['check'], check],
  [['check', 'src', 'lib/a.ts'], { ...check, paths: ['src', 'lib/a.ts'] }],
  [['check', '--format', 'json', '-p', 'strict'], { ...check, format: 'json', preset: 'strict' }],
  [['check', '--rules', 'no-a, fencepost/no-b', '-r', 'no-c'], { ...check, rules: ['no-a', 'no-b', 'no-c'] }],
  [['check', '--', '-odd.ts'], { ...check, paths: ['-odd.ts'] }],
  [['check', '--baseline', 'known.json'], { ...check, baseline: { file: 'known.json', how: 'use' } }],
  [['check', '--baseline', 'known.json', '--create-baseline'], { ...check, baseline: { file: 'known.json', how: 'create' } }],
  [['check', '--baseline', 'known.json', '--prune-baseline'], { ...check, baseline: { file: 'known.json', how: 'prune' } }],
  [['check', '--stats'], { ...check, isTold: true }],
  [['review'], review],
  [['review', 'src', '--since', 'main', '-f', 'sarif'], { ...review, paths: ['src'], since: 'main', format: 'sarif' }],
  [['review', '--diff', '-'], { ...review, diff: '-' }],
  [['review', '--staged'], { ...review, isStaged: true }],
  [['explain', 'a.ts'], { ...explain, file: 'a.ts' }],
  [['explain', 'a.ts:12'], { ...explain, file: 'a.ts', line: 12 }],
  [['explain', 'C:\\a.ts:12:4'], { ...explain, file: 'C:\\a.ts', line: 12 }],
  [['explain', 'a.ts', '--timeline'], { ...explain, file: 'a.ts', timeline: 'text' }],
  [['explain', 'a.ts', '--timeline', '--format', 'svg'], { ...explain, file: 'a.ts', timeline: 'svg' }],
  [['server', '--stdio'], { command: 'server' }],
  [['--version'], { command: 'version' }],
  [[], { command: 'help', topic: undefined }],
  [['check', '--help'], { command: 'help', topic: 'check' }],
  [['help', 'explain'], { command: 'help', topic: 'explain' }],
] as const)('%j', (words, wanted) => expect(readArguments(words)).toEqual(wanted));

describe('slips', () => {
  test.each([
    [['check', '--fast'], /--fast/],
    [['explain', 'a.ts', '--format', 'json'], /text or svg, with --timeline/],
    [['check', '--create-baseline'], /--baseline FILE/],
    [['check', '--baseline', 'a.json', '--create-baseline', '--prune-baseline'], /created or pruned, not both/],
    [['review', '--since', 'main', '--staged'], /one of --since, --diff and --staged/],
    [['check', '--since', 'main'], /check has no option --since/],
    [['check', '--stdio'], /check has no option --stdio/],
    [['check', '--format', 'xml'], /sarif or html, not "xml"/],
    [['check', '--preset', 'some'], /recommended, strict or all, not "some"/],
    [['check', '--rules', ' , '], /--rules wants names/],
    [['check', '--format'], /--format/],
    [['chekc'], /no command "chekc"/],
    [['help', 'chekc'], /no command "chekc"/],
    [['--format', 'json'], /Name a command/],
    [['server'], /--stdio/],
    [['server', '--stdio', 'src'], /takes no paths/],
    [['explain'], /FILE or FILE:LINE/],
    [['explain', 'a.ts', 'b.ts'], /FILE or FILE:LINE/],
    [['explain', 'a.ts:0'], /counted from 1/],
  ])('%j', (words, sentence) => {
    const asked = readArguments(words);
    expect(asked).toMatchObject({ command: 'problem', problem: expect.stringMatching(sentence) });
    // One sentence, which ends.
    expect('problem' in asked && asked.problem).toMatch(/^[^\n]*\.$/);
  });
});
