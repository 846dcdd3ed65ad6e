/** The worked examples of docs/own-helpers.md, executed: with their rows the marked lines are reported, without them none is. */
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '../../rules/analysing.ts';
import plugin from '../../rules/plugin.ts';
import { readSettings } from '../../rules/settings.ts';
import { root } from '../root.ts';

const page = readFileSync(join(root, 'docs/own-helpers.md'), 'utf8');
const examples = page.split('<!-- example -->').slice(1).map((part, i) => {
  const title = [...page.split('<!-- example -->').slice(0, i + 1).join('').matchAll(/^## (.*)$/gm)].at(-1)![1]!;
  const settings = (new Function(`return ({ ${/```js\n([\s\S]*?)```/.exec(part)![1]!} }).settings`) as () => Record<string, unknown>)();
  return { title, settings, source: /```ts\n([\s\S]*?)```/.exec(part)![1]! };
});

function lint(source: string, settings: Record<string, unknown>): string[] {
  const messages = new Linter().verify(
    source,
    [{ files: ['**/*.ts'], plugins: { fencepost: plugin }, languageOptions: { parser: parser as Linter.Parser }, rules: { 'fencepost/require-fencing-token': 'warn', 'fencepost/no-blind-release': 'warn' }, settings }],
    { filename: join(root, 'test/fixtures/own-rows.ts') },
  );
  return messages.map((message) => `${message.line} ${message.ruleId?.replace('fencepost/', '') ?? message.message}`);
}

const marked = (source: string): string[] => source.split('\n').flatMap((line, i) => [.../\/\/ reported: (\S+)/.exec(line)?.slice(1) ?? []].map((rule) => `${i + 1} ${rule}`));

test('there are three', () => expect(examples).toHaveLength(3));

describe.each(examples.map((it) => [it.title, it] as const))('%s', (_, { settings, source }) => {
  test('its rows have no fault', () => expect(readSettings(settings.fencepost).problems).toEqual([]));
  test('with its rows the marked lines are reported', () => expect(lint(source, settings)).toEqual(marked(source)));
  test('without them nothing is', () => expect(lint(source, {})).toEqual([]));
});
