/** While a statement is half typed, the last good answer stays, at the places to which the edits move it. */
import { expect, test } from 'vitest';
import { servers } from './built.ts';
import { able, pushed, type Session } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();

async function start(capabilities = able): Promise<Session> {
  const session = capabilities === able ? await server.shared() : await server.start({ capabilities });
  session.open(uri, blindRelease);
  return session;
}

const linesOf = (diagnostics: { code?: unknown; range: { start: { line: number } } }[]) => diagnostics.filter((it) => it.code === 'no-blind-release').map((it) => it.range.start.line);

for (const [name, capabilities] of [['pulled', able], ['published', pushed]] as const) {
  test(`${name}: findings move with a half-typed statement above and come back to life with it`, async () => {
    const session = await start(capabilities);
    const lines = async () => linesOf(name === 'pulled' ? await session.diagnostics(uri) : (await session.publishedFor(uri)).diagnostics);
    expect(await lines()).toEqual([11]);
    session.edit(uri, 'export async', 'const x = {\n\nexport async');
    expect(await lines()).toEqual([13]);
    session.edit(uri, 'const x = {\n', 'const x = { a: \n');
    expect(await lines()).toEqual([13]);
    session.edit(uri, 'const x = { a: \n', 'export const x = { a: 1 };\n');
    expect(await lines()).toEqual([13]);
    session.edit(uri, 'await redis.del(key);', '');
    expect(await lines()).toEqual([]);
  });
}

test('a finding whose text is rewritten meanwhile goes', async () => {
  const session = await start();
  expect(linesOf(await session.diagnostics(uri))).toEqual([11]);
  session.edit(uri, 'export async', 'const x = {\nexport async');
  session.edit(uri, 'await redis.del(key);', 'await redi');
  expect(linesOf(await session.diagnostics(uri))).toEqual([]);
});

test('the status says which line does not parse', async () => {
  const session = await start();
  session.edit(uri, 'const redis = new', 'const = new');
  await session.pull(uri);
  expect(await session.status((it) => it.state === 'idle' && /Line 3 does not parse/.test(it.reason))).toMatchObject({ uri });
});

test('a file that never parsed has no diagnostics, and gets them when it does', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease.replace('if (ok', 'if ((ok'));
  expect(await session.diagnostics(uri)).toEqual([]);
  session.edit(uri, 'if ((ok', 'if (ok');
  expect(linesOf(await session.diagnostics(uri))).toEqual([11]);
});
