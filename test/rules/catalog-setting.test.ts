/** A team's own rows, as the docs show them: they are read from the settings and mean what the catalog's own rows mean. */
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { libraries } from '../../catalog/index.gen.ts';
import '../../rules/analysing.ts';
import plugin from '../../rules/plugin.ts';
import { readSettings } from '../../rules/settings.ts';
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

describe('a row with a fault', () => {
  const acquire = { kind: 'acquire', key: { arg: 0 }, lock: 'lease', lease: [{ at: { arg: 1 }, unit: 's' }], granted: { of: 'unknown' }, refused: 'throws' };
  const call = (does: object, more: object = {}): object => ({ on: 'our-locks:Locks', name: 'hold', does, ...more });
  const ours = (...calls: object[]): object => ({ key: 'our-locks', packages: ['@acme/locks'], title: 'ours', family: 'lock', calls });
  const read = (...libraries: unknown[]) => readSettings({ catalog: libraries });
  const at = 'settings.fencepost.catalog[0]';

  it.each([
    ['a unit', ours(call({ ...acquire, lease: [{ at: { arg: 1 }, unit: 'seconds' }] })), `${at}.calls[0].does.lease[0].unit is "seconds"; use "ms", "s", "epoch-ms", "epoch-s" or "duration".`],
    ['a place', ours(call({ ...acquire, key: { arg: '0' } })), `${at}.calls[0].does.key.arg must be a number, not "0".`],
    ['what is missing', ours(call({ kind: 'release' })), `${at}.calls[0].does.ownerChecked is missing; it must be a boolean.`],
    ['a name', ours(call(acquire, { named: 'x' })), `${at}.calls[0].named is not known; use on, name, from, versions, when, does, answers, chains, delivery, sends, watches, lazy, isSync, lasts, timeout or note.`],
    ['a type without key', ours({ ...call(acquire), on: 'Locks' }), `${at}.calls[0].on is "Locks"; write a type as KEY:NAME, such as "our-locks:Locks", or use "module", "any" or "global".`],
    ['a type of nobody', ours({ ...call(acquire), on: 'our-lock:Locks' }), `${at}.calls[0].on is "our-lock:Locks", but no library has the key "our-lock".`],
  ])('tells %s', (_, library, problem) => {
    const { settings, problems } = read(library);
    expect(problems).toEqual([problem]);
    expect(settings.catalog[0]!.calls).toEqual([]);
  });

  it('tells the kinds that there are', () => expect(read(ours(call({ kind: 'lock' }))).problems[0]).toMatch(/^settings\.fencepost\.catalog\[0\]\.calls\[0\]\.does\.kind is "lock"; use "acquire", "release"/));
  it('leaves the other rows as they are', () => expect(read(ours(call({ kind: 'lock' }), call(acquire))).settings.catalog[0]!.calls).toHaveLength(1));
  it('a library without its frame is left out', () => expect(read({ ...ours(), family: 'locks' }, ours(call(acquire)))).toMatchObject({ problems: [`${at}.family is "locks"; use "lock", "store", "language" or "service".`], settings: { catalog: [{ calls: [{}] }] } }));
  it('a key that is taken is told', () => expect(read({ ...ours(), key: 'pg' }).problems).toEqual([`${at}.key "pg" is a library that Fencepost knows already; choose another key.`]));
  it('what is no array is told', () => expect(readSettings({ catalog: {} }).problems).toEqual(['settings.fencepost.catalog must be an array of libraries.']));

  it('the catalog itself has none', () => {
    const plain = libraries.map(({ edits: _edits, ...it }) => ({ ...it, key: `own-${it.key}` }));
    expect(read(...plain).problems).toEqual([]);
  });
});
