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
  for (const fact of ['"lock:{id}" (Redis, lease 5 s, owner value is the constant "1")', 'taken at line 7', 'a refusal: answers null', 'token: none of its own: INCR in the script that takes the lock', 'line 12 released: blindly']) expect(asRead(facts)).toContain(fact);
  expect(facts).toContain('- [line 12](file:///project/job.ts#L12) released: blindly');
  expect(await session.hover(uri, 'console.log(id)')).toBeUndefined();
});

/** The hover on the first occurrence of a word, of a text of its own. */
async function factsAt(text: string, word: string): Promise<string> {
  const session = await server.shared();
  session.open(uri, text);
  return asRead((await session.hover(uri, word))!);
}

/** Markup as people see it. */
const asRead = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('**', '');

const fenced = (take: string, release: string) => `import { Etcd3 } from 'etcd3';
import Redlock from 'redlock';
import Redis from 'ioredis';
import { Pool } from 'pg';
import { load } from './elsewhere';

const etcd = new Etcd3();
const redis = new Redis();
const redlock = new Redlock([redis]);
const pool = new Pool();

export async function pay(id: string, ttl: number) {
  const owner = crypto.randomUUID();
  ${take}
  const rows = await load(id);
  await pool.query('UPDATE orders SET state = $1, version = $3 + 1 WHERE id = $2 AND version = $3', ['paid', id, rows.version]);
  ${release}
}
`;

test("of a lock: whether the order of a token outlives a failover, by what the grant rests on", async () => {
  const etcd = await factsAt(fenced('const lock = etcd.lock(`order/${id}`).ttl(30);\n  await lock.acquire();', 'await lock.release();'), 'lock.acquire()');
  expect(etcd).toMatch(/token: a revision: .*\n- its order: holds across a failover\n/);
  const redis = await factsAt(fenced("if ((await redis.set(`order:${id}`, owner, 'PX', 9_000, 'NX')) !== 'OK') return;", "await redis.eval(\"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0\", 1, `order:${id}`, owner);"), 'redis.set(');
  expect(redis).toMatch(/token: none of its own: INCR .*\n- its order: does not survive a failover/);
  const redlock = await factsAt(fenced('const lock = await redlock.acquire([`order:${id}`], 9_000);', 'await lock.release();'), 'redlock.acquire');
  expect(redlock).toContain('token: none: its owner value is random');
  expect(redlock).not.toContain('its order');
});

test('of a lock: the ways out on which it stays taken, what is not understood, what is not known', async () => {
  const facts = await factsAt(fenced("if ((await redis.set(`order:${id}`, owner, 'PX', ttl, 'NX')) !== 'OK') return;", "await redis.eval(\"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0\", 1, `order:${id}`, owner);"), 'redis.eval');
  for (const fact of ['lease of a length that is not constant, fresh owner value', 'line 17 released: only if still ours', 'line 15 not released when this throws', 'line 15 not understood: what load does', 'line 16 writes orders: fenced']) expect(facts).toContain(fact);
});

test('on an acquire that is reported, the finding and the facts of its lock', async () => {
  const facts = await factsAt(fenced("if ((await redis.set(`order:${id}`, owner, 'PX', 9_000, 'NX')) !== 'OK') return;", "await redis.eval(\"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0\", 1, `order:${id}`, owner);"), 'redis.set(');
  expect(facts).toContain('stays taken when something throws');
  expect(facts).toContain('"order:{id}" (Redis, lease 9 s, fresh owner value)');
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
