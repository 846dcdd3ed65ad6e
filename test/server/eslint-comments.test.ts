/** A text is given to ESLint only for comments that speak of our rules; what comes of it is what ESLint says of it. */
import { expect, test } from 'vitest';
import type { ModuleHost } from '../../model/host.ts';
import { setFace } from '../../rules/eslint.ts';
import { readEditorSettings } from '../../server/editor-settings.ts';
import { needsEslint } from '../../server/eslint-comments.ts';
import { runEslint } from '../../server/eslint-run.ts';
import { lint } from '../../server/lint.ts';
import { parseOnce } from '../../server/parser.ts';
import { severitiesOf } from '../../server/severities.ts';
import { blindRelease } from './texts.ts';

const { settings } = readEditorSettings(undefined);
const host: ModuleHost = { resolve: () => undefined, read: () => undefined, parse: () => undefined, packageRange: () => undefined };
const file = '/project/job.ts';

const isAsked = (text: string): boolean => {
  const parsed = parseOnce(file, text);
  if (!('program' in parsed)) throw new Error('The text has a syntax error.');
  return needsEslint(parsed.program);
};
const above = (comment: string) => blindRelease.replace('    await redis.del', `    ${comment}\n    await redis.del`);
const behind = (comment: string) => blindRelease.replace('redis.del(key);', `redis.del(key); ${comment}`);
const first = (comment: string) => `${comment}\n${blindRelease}`;

const cases: [what: string, text: string, isAsked: boolean, isReported: boolean][] = [
  ['none', blindRelease, false, true],
  ['of another rule, for the next line', above('// eslint-disable-next-line no-console'), false, true],
  ['of other rules, for the line', behind('// eslint-disable-line no-console, import/order -- as fencepost wants it'), false, true],
  ['of another rule, for the file', first('/* eslint-disable @typescript-eslint/no-explicit-any */'), false, true],
  ['that only looks like one', above('// we eslint-disable nothing here'), false, true],
  ['of all rules, for the next line', above('// eslint-disable-next-line'), true, false],
  ['of all rules, for the next line, and why', above('// eslint-disable-next-line -- by hand'), true, false],
  ['of all rules, for the file', first('/* eslint-disable */'), true, false],
  ['of all rules, switched on again', first('/* eslint-disable */\n/* eslint-enable */'), true, true],
  ['of ours among others', above('/* eslint-disable-next-line no-console, fencepost/no-blind-release */'), true, false],
  ['of another of ours', above('// eslint-disable-next-line fencepost/no-stale-read'), true, true],
  ['that configures ours', first('/* eslint fencepost/no-blind-release: "off" */'), true, false],
  ['in a line, which configures nothing', first('// eslint fencepost/no-blind-release: "off"'), false, true],
  ['below a #! line', `#!/usr/bin/env node\n${above('// eslint-disable-next-line fencepost/no-blind-release')}`, true, false],
];

test.each(cases)('a comment %s', (_what, text, asked, reported) => {
  expect(isAsked(text)).toBe(asked);
  const found = lint(text, file, settings, host).problems.map(({ rule, severity, message, span }) => ({ rule, severity, message, span }));
  expect(found.some((it) => it.rule === 'no-blind-release')).toBe(reported);
  // Asked for every one of them, ESLint says the same.
  setFace({ hostFor: () => host, failed: (_file, error) => { throw error; }, suggests: false });
  const run = runEslint(text, file, settings, severitiesOf(settings));
  if (run.is !== 'done') throw new Error('ESLint could not read it.');
  expect(run.problems.map(({ rule, severity, message, span }) => ({ rule, severity, message, span }))).toEqual(found);
});
