/** A team's own rows, as the docs show them: they are read from the settings and mean what the catalog's own rows mean. */
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import plugin from '../../rules/plugin.ts';
import { root } from '../root.ts';

/** The settings that docs/settings.md shows, evaluated as written. */
function documentedSettings(): Record<string, unknown> {
  const page = readFileSync(join(root, 'docs/settings.md'), 'utf8');
  const section = page.slice(page.indexOf('## Your own lock helpers'));
  const block = /```js\n(settings: [\s\S]*?)```/.exec(section)![1]!;
  return (new Function(`return ({ ${block} }).settings`) as () => Record<string, unknown>)();
}

const source = `
import { Locks } from '@acme/locks';
import { Pool } from 'pg';
const locks = new Locks();
const pool = new Pool();
export const raise = (id: string, price: number) =>
  locks.hold(\`item:\${id}\`, 5, async () => {
    await pool.query('UPDATE items SET price = $1 WHERE id = $2', [price, id]);
  });
`;

function lint(settings: Record<string, unknown>): string[] {
  const messages = new Linter().verify(
    source,
    [{ files: ['**/*.ts'], plugins: { fencepost: plugin }, languageOptions: { parser: parser as Linter.Parser }, rules: { 'fencepost/require-fencing-token': 'warn' }, settings }],
    { filename: join(root, 'test/fixtures/own-rows.ts') },
  );
  return messages.map((message) => `${message.line} ${message.ruleId ?? message.message}`);
}

describe('settings.fencepost.catalog', () => {
  it('makes a helper of a package a lock', () => expect(lint(documentedSettings())).toEqual(['8 fencepost/require-fencing-token']));
  it('is what makes the difference', () => expect(lint({})).toEqual([]));
});
