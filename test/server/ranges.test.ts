/** A finding of several lines is underlined on its first one; hovers and code actions are there, and nowhere inside. */
import { expect, test } from 'vitest';
import { servers } from './built.ts';
import { uri } from './texts.ts';

const server = servers();

const text = `import Redis from 'ioredis';
import Redlock from 'redlock';
import { Pool } from 'pg';

const redlock = new Redlock([new Redis()], { automaticExtensionThreshold: 500 });
const pool = new Pool();

export async function close(id: string) {
  await redlock.using([\`close:\${id}\`], 5_000, async (signal) => { // by hand
    const { rows } = await pool.query('SELECT total FROM sums WHERE id = $1', [id]);
    console.log(id, signal.aborted);
    await pool.query(
      'UPDATE closings SET total = $1 WHERE id = $2',
      [rows[0].total, id],
    );
  });
}
`;
const lines = text.split('\n');
const line = (of: string) => lines.findIndex((it) => it.includes(of));
const at = (of: string) => ({ line: line(of), character: lines[line(of)]!.indexOf(of) });
const touching = (position: { line: number; character: number }) => ({ start: position, end: position });

test('what is underlined ends with the line on which it begins', async () => {
  const session = await server.shared();
  session.open(uri, text);
  const found = await session.diagnostics(uri);
  const underlined = found.map(({ code, range }) => [code, lines[range.start.line]!.slice(range.start.character, range.end.character), range.end.line - range.start.line]);
  expect(underlined).toContainEqual(['no-renewal-as-fix', 'redlock.using([`close:${id}`], 5_000, async (signal) => { // by hand', 0]);
  expect(underlined).toContainEqual(['require-fencing-token', 'pool.query(', 0]);
  expect(found.flatMap((it) => it.relatedInformation ?? []).every(({ location: { range } }) => range.start.line === range.end.line)).toBe(true);
});

test('its hover and its code actions are on that line, and not in what the call is handed', async () => {
  const session = await server.shared();
  session.open(uri, text);
  expect(await session.hover(uri, 'redlock.using')).toContain('How this loses data');
  expect(await session.hover(uri, 'console.log')).toBeUndefined();
  const titles = async (of: string) => (await session.actions(uri, touching(at(of)))).map((it) => it.title);
  expect(await titles('redlock.using')).toContain('Disable no-renewal-as-fix for this line');
  expect(await titles('pool.query(\n'.trimEnd())).not.toContain('Disable no-renewal-as-fix for this line');
  expect(await titles('console.log')).toEqual([]);
  const lastQuery = { line: line("'UPDATE closings") - 1, character: 12 };
  expect((await session.actions(uri, touching(lastQuery))).map((it) => it.title)).toContain('Disable require-fencing-token for this line');
});

test('the comment that disables it stands above that line, and silences it', async () => {
  const session = await server.shared();
  const document = session.open(uri, text);
  const [action] = (await session.actions(uri, touching(at('redlock.using')))).filter((it) => it.title === 'Disable no-renewal-as-fix for this line');
  session.apply(action!);
  expect(document.getText()).toContain('  // eslint-disable-next-line fencepost/no-renewal-as-fix\n  await redlock.using(');
  expect((await session.diagnostics(uri)).map((it) => it.code)).not.toContain('no-renewal-as-fix');
});
