/** What the manifest promises to VS Code, against the sources that keep it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json';
import { languages } from '../../extension/languages.ts';
import { commands } from '../../server/messages.ts';
import { isChecked } from '../../server/workspace.ts';

const extension = join(import.meta.dirname, '../../extension');
const sources = readdirSync(extension)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(extension, name), 'utf8'))
  .join('\n');

test('it is activated by the languages that are checked, and by no others', () => {
  expect(manifest.activationEvents).toEqual(languages.map((language) => `onLanguage:${language}`));
  expect(languages.every(isChecked)).toBe(true);
  expect(isChecked('vue')).toBe(false);
});

test('every command of the manifest is registered, and every registered one is in it, but for those that only actions call', () => {
  const registered = [...sources.matchAll(/registerCommand\((?:'([^']+)'|commands\.(\w+))/g)].map((it) => it[1] ?? commands[it[2] as keyof typeof commands]);
  const byActions: string[] = [commands.markEfficiency, commands.openPage];
  expect(registered.filter((it) => !byActions.includes(it)).sort()).toEqual(manifest.contributes.commands.map((it) => it.command).sort());
});

test('it says that it works where nothing is trusted, because it runs nothing', () => {
  expect(manifest.capabilities.untrustedWorkspaces).toMatchObject({ supported: true, description: expect.stringMatching(/runs no code/) });
  expect(manifest.capabilities.virtualWorkspaces.supported).toBe('limited');
});

test('the icon is a PNG of the size that is wanted', () => {
  const icon = readFileSync(join(extension, 'icon.png'));
  expect(icon.toString('latin1', 1, 4)).toBe('PNG');
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([128, 128]);
});

test('the walkthrough has three steps, each with a picture that is there and packed, and calls commands that are', () => {
  const [walkthrough] = manifest.contributes.walkthroughs;
  expect(walkthrough!.steps).toHaveLength(3);
  const declared = new Set(manifest.contributes.commands.map((it) => it.command));
  const byActions: string[] = Object.values(commands);
  for (const { media, description, completionEvents } of walkthrough!.steps) {
    expect(readFileSync(join(extension, '..', media.image)).toString('latin1', 1, 4)).toBe('PNG');
    expect(manifest.files).toContain(media.image);
    expect(media.altText.length).toBeGreaterThan(40);
    for (const [, command] of description.matchAll(/\(command:([\w.]+)\)/g)) expect(declared).toContain(command);
    for (const event of completionEvents) expect([...declared, ...byActions]).toContain(event.replace(/^onCommand:/, ''));
  }
});

test('its README names every setting', () => {
  const readme = readFileSync(join(extension, 'README.md'), 'utf8');
  for (const name of Object.keys(manifest.contributes.configuration.properties)) expect(readme.includes(`\`${name}\``), name).toBe(true);
});
