/** The editor's settings: the manifest's defaults, what is refused, and that ESLint's defaults are the same. */
import { expect, test } from 'vitest';
import { contributes } from '../../package.json';
import { defaultSettings } from '../../rules/settings.ts';
import { readEditorSettings } from '../../server/editor-settings.ts';

test('nothing given is the defaults, which are those of ESLint', () => {
  const { settings, problems } = readEditorSettings(undefined);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({ enable: true, run: 'onType', rules: {}, analysis: defaultSettings });
});

test('what VS Code gives, every setting with its default, is what nothing gives', () => {
  const given: Record<string, unknown> = {};
  for (const [name, { default: value }] of Object.entries(contributes.configuration.properties)) {
    const path = name.split('.').slice(1);
    let at = given;
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>;
    at[path.at(-1)!] = value;
  }
  expect(readEditorSettings(given)).toEqual(readEditorSettings(undefined));
});

test('each setting does what it says', () => {
  const { settings, problems } = readEditorSettings({
    enable: false,
    run: 'onSave',
    rules: { 'no-blind-release': 'off' },
    efficiencyKeys: ['cache:*'],
    serverCommands: ['DELEX'],
    fence: { column: 'token', error: 'Stale', errorImport: './stale.js' },
    maxFileSize: 2048,
    codeLens: true,
    baseline: 'known.json',
    trace: { server: 'verbose' },
  });
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    enable: false,
    run: 'onSave',
    rules: { 'no-blind-release': 'off' },
    maxFileSize: 2048,
    codeLens: true,
    baseline: 'known.json',
    analysis: { catalog: [], efficiencyKeys: ['cache:*'], serverCommands: ['DELEX'], fence: { column: 'token', error: 'Stale', errorImport: './stale.js' } },
  });
});

for (const given of [7, 'all', [], { fence: 'x' }, { fence: [] }, { maxFileSize: 1 }, { maxFileSize: 2.5 }, { rules: [] }, { enable: 'yes' }, { efficiencyKeys: [1] }]) {
  test(`${JSON.stringify(given)} is refused in one sentence, and the defaults hold`, () => {
    const { settings, problems } = readEditorSettings(given);
    expect(problems).toEqual([expect.stringMatching(/^fencepost.*\.$/)]);
    expect(settings).toEqual(readEditorSettings(undefined).settings);
  });
}

test('a rule that does not exist is named, and the others hold', () => {
  const { settings, problems } = readEditorSettings({ rules: { 'no-such-rule': 'warn', 'no-blind-release': 'off' } });
  expect(problems).toEqual(['fencepost.rules names "no-such-rule", which is not a rule.']);
  expect(settings.rules['no-blind-release']).toBe('off');
});

test('null is nothing', () => {
  expect(readEditorSettings({ fence: null, rules: null, run: null })).toEqual(readEditorSettings(null));
});
