/** What is told at a position: on a finding, on a lock, elsewhere; in markup and in plain text. */
import { expect, test } from 'vitest';
import { servers } from './built.ts';
import { able } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();

test('on a finding: the interleaving, a row for each step', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const hover = (await session.hover(uri, 'redis.del(key)'))!;
  expect(hover).toMatch(/^\| 0\u00a0ms \| A \| takes .* \(\[line 7\]\(file:\/\/\/project\/job\.ts#L7\)\) \|$/m);
  expect(hover).toMatch(/\| A \| \*\*.*\*\* \(\[line 12\]\(file:\/\/\/project\/job\.ts#L12\)\) \|/);
});

test('the page is linked where a diagnostic cannot do it', async () => {
  const session = await server.start({ capabilities: { ...able, textDocument: { ...able.textDocument, publishDiagnostics: {} } } });
  session.open(uri, blindRelease);
  expect(await session.hover(uri, 'redis.del(key)')).toContain('[no-blind-release](https://github.com/fencepost-dev/fencepost/blob/main/docs/rules/no-blind-release.md)');
});

test('plain text for a client that shows no markup', async () => {
  const session = await server.start({ capabilities: { ...able, textDocument: { ...able.textDocument, hover: { contentFormat: ['plaintext'] } } } });
  session.open(uri, blindRelease);
  const hover = (await session.hover(uri, 'redis.del(key)'))!;
  expect(hover).not.toMatch(/\| ---|\]\(/);
});

test("on the acquire: the lock's facts; elsewhere nothing", async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const facts = (await session.hover(uri, 'redis.set(key'))!;
  for (const fact of ['"lock:{id}" (Redis, lease 5 s, owner value is the constant "1")', 'taken at line 7', 'a refusal: answers null', 'token: none of its own: INCR in the script that takes the lock', 'line 12  released: blindly']) expect(facts).toContain(fact);
  expect(await session.hover(uri, 'console.log(id)')).toBeUndefined();
});

test('fencepost/explain tells the story, and why there is none', async () => {
  const session = await server.shared();
  const explain = async (line: number) => (await session.request<{ text: string }>('fencepost/explain', { textDocument: { uri }, position: { line, character: 6 } })).text;
  expect(await explain(0)).toMatch(/not one that Fencepost checks/);
  session.open(uri, blindRelease);
  expect(await explain(6)).toMatch(/lock:/);
  expect(await explain(11)).toMatch(/^no-blind-release\n/);
  session.edit(uri, undefined, 'export const nothing = 1;\n');
  expect(await explain(0)).toMatch(/mentions no lock/);
});
