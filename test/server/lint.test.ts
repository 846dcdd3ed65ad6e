/** One text through ESLint's own Linter, where the outside or we ourselves fail. */
import { expect, test } from 'vitest';
import type { ModuleHost } from '../../model/host.ts';
import { readEditorSettings } from '../../server/editor-settings.ts';
import { lint } from '../../server/lint.ts';
import { blindRelease } from './texts.ts';

const { settings } = readEditorSettings(undefined);
const empty: ModuleHost = { resolve: () => undefined, read: () => undefined, parse: () => undefined, packageRange: () => undefined };

test('an analysis that fails is thrown, and the next file is checked as always', () => {
  const failing: ModuleHost = { ...empty, resolve: () => { throw new Error('No disk.'); } };
  expect(() => lint(`import { work } from './work';\n${blindRelease.slice(0, blindRelease.indexOf('async function work'))}`, '/project/job.ts', settings, failing)).toThrow('No disk.');
  expect(lint(blindRelease, '/project/job.ts', settings, empty).problems.map((it) => it.rule)).toContain('no-blind-release');
});

test('a text that does not parse has a line and a reason, whatever was read before', () => {
  const broken = `export const = 1;\n${blindRelease}`;
  expect(lint(broken, '/project/job.ts', settings, empty).syntaxError).toMatchObject({ line: 1 });
  expect(lint(broken, '/project/job.ts', { ...settings, project: { file: '/project/eslint.config.js', folder: '/project', elements: [] } }, empty).syntaxError).toMatchObject({ line: 1 });
});
