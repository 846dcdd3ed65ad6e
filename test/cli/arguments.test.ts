/** The command line: what is wanted, or a sentence about the slip. */
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../cli/arguments.ts';

const check = { command: 'check', paths: ['.'], format: 'stylish', preset: 'recommended', rules: undefined };

test.each([
  [['check'], check],
  [['check', 'src', 'lib/a.ts'], { ...check, paths: ['src', 'lib/a.ts'] }],
  [['check', '--format', 'json', '-p', 'strict'], { ...check, format: 'json', preset: 'strict' }],
  [['check', '--rules', 'no-a, fencepost/no-b', '-r', 'no-c'], { ...check, rules: ['no-a', 'no-b', 'no-c'] }],
  [['check', '--', '-odd.ts'], { ...check, paths: ['-odd.ts'] }],
  [['explain', 'a.ts'], { command: 'explain', file: 'a.ts', line: undefined }],
  [['explain', 'a.ts:12'], { command: 'explain', file: 'a.ts', line: 12 }],
  [['explain', 'C:\\a.ts:12:4'], { command: 'explain', file: 'C:\\a.ts', line: 12 }],
  [['server', '--stdio'], { command: 'server' }],
  [['--version'], { command: 'version' }],
  [[], { command: 'help', topic: undefined }],
  [['check', '--help'], { command: 'help', topic: 'check' }],
  [['help', 'explain'], { command: 'help', topic: 'explain' }],
] as const)('%j', (words, wanted) => expect(readArguments(words)).toEqual(wanted));

describe('slips', () => {
  test.each([
    [['check', '--fast'], /--fast/],
    [['explain', 'a.ts', '--format', 'json'], /explain has no option --format/],
    [['check', '--stdio'], /check has no option --stdio/],
    [['check', '--format', 'xml'], /stylish or json, not "xml"/],
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
