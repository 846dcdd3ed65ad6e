/** `fencepost check` on many files: each read once, several threads and one answer, progress for people, an end when asked for. */
import colors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { check } from '../../cli/check.ts';
import { progressOn } from '../../cli/run/progress.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { blind, fencepost, folderWith, harmless, unfenced } from './run.ts';

const each = (count: number, of: (n: number) => Record<string, string>): Record<string, string> => Object.assign({}, ...Array.from({ length: count }, (_, n) => of(n)));
const two = (n: number): string => String(n).padStart(2, '0');

/** Locks in three folders, none of which is worth a second thread by itself, and files around them that know of none. */
const locks = each(50, (n) => ({ [`a/f${two(n)}.ts`]: blind, [`b/f${two(n)}.ts`]: unfenced, [`c/f${two(n)}.ts`]: `import { exclusively } from '../a/f${two(n)}';\nexport const go = () => exclusively('${n}', async () => undefined);\n` }));
const plain = each(40, (n) => ({ [`d/f${two(n)}.ts`]: harmless, [`d/g${two(n)}.ts`]: `import { answer } from './f${two(n)}';\nexport const more = answer + 1;\n` }));

interface Told {
  files: { file: string; findings: { rule: string; line: number; edits: unknown[] }[] }[];
}
const told = (out: string): Told['files'] => (JSON.parse(out) as Told).files;

describe('a repository', () => {
  test('is told in the order of its paths, whichever thread was faster, as its folders by themselves are', () => {
    const cwd = folderWith({ ...locks, ...plain });
    const env = { FENCEPOST_THREADS: '2' };
    const whole = fencepost(['check', '--format', 'json', '--stats'], { cwd, env });
    const parts = ['a', 'b', 'c', 'd'].map((name) => fencepost(['check', name, '--format', 'json', '--stats'], { cwd, env }));
    expect(told(whole.out)).toEqual(parts.flatMap(({ out }) => told(out)));
    expect(told(whole.out).map(({ file }) => file)).toEqual(Object.keys(locks).filter((file) => !file.startsWith('c/')).sort());
    expect(told(whole.out).filter(({ file }) => file.startsWith('a/')).every(({ findings }) => findings.every((it) => it.edits.length > 0))).toBe(true);
    expect(whole.said).toContain('with 1 more thread,');
    for (const { said } of parts) expect(said).not.toContain('more thread');
  });

  test('is read once, and parsed where it speaks of locks', () => {
    const { said } = fencepost(['check', '--stats'], { cwd: folderWith({ ...plain, 'locks.ts': blind, 'job.ts': "import { exclusively } from './locks';\nimport { more } from './d/g00';\nexport const go = () => exclusively('a', async () => void more);\n" }) });
    expect(said).toContain('82 files found, 82 files read');
    expect(said).toContain('none twice');
    expect(said).toMatch(/ 2 looked into, [01] others? parsed/);
  });

  test('without locks loads no parser', () => {
    const { said, code } = fencepost(['check', '--stats'], { cwd: folderWith(plain) });
    expect(said).toContain(' 0 looked into, 0 others parsed');
    expect(said).not.toMatch(/^ {2}(?:parsing|analysis) /m);
    expect(code).toBe(0);
  });
});

describe('cancelled', () => {
  const asked = { command: 'check', paths: ['.'], format: 'stylish', preset: 'recommended', rules: undefined, baseline: undefined, isTold: false } as const;
  async function cancelledRun(signal: AbortSignal, tell: () => void = () => undefined) {
    const said: string[] = [];
    const out: string[] = [];
    let isEnded = false;
    const terminal: Terminal = { paint: colors.createColors(false), width: 100, print: (text) => void out.push(text), complain: (text) => void said.push(text), progress: { tell, end: () => void (isEnded = true) } };
    const code = await check({ ...asked, paths: [...asked.paths] }, terminal, { cwd: folderWith({ ...locks, ...plain }), signal });
    return { code, out, said, isEnded };
  }
  const nothing = { code: 130, out: [], said: ['Cancelled; nothing is said of what was not looked at.'], isEnded: true };

  test('before it begins', async () => expect(await cancelledRun(AbortSignal.abort())).toEqual(nothing));

  test('on its way', async () => {
    const controller = new AbortController();
    expect(await cancelledRun(controller.signal, () => controller.abort())).toEqual(nothing);
  });
});

describe('progress', () => {
  /** What is written to a stream of which this is known. */
  function written(isTTY: boolean, environment: NodeJS.ProcessEnv): string {
    let text = '';
    const progress = progressOn({ isTTY, columns: 20, write: (it: string) => (text += it) } as never, environment);
    // The first is told at once where a process has run for a moment, as this one has.
    progress.tell('3 of 10 files, of which none has anything to say');
    progress.end();
    return text;
  }

  test('on a terminal, in one line that is taken away', () => expect(written(true, {})).toBe('\r\u001b[K3 of 10 files, of w\r\u001b[K'));
  test.each([
    ['in a pipe', false, {}],
    ['in CI', true, { CI: 'true' }],
    ['on a terminal that cannot', true, { TERM: 'dumb' }],
  ])('none %s', (_, isTTY, environment) => expect(written(isTTY, environment)).toBe(''));
});
