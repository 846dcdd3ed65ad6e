/** Where edits are offered by the settings, and where none can be right. */
import { describe, expect, test } from 'vitest';
import { findingsIn, offersFor } from './edit-cases.ts';

const lines = (...list: string[]): string => `${list.join('\n')}\n`;

/** A section of an ioredis lock, with one line that gives it back. */
const released = (release: string, { owner = 'const owner = randomUUID();', value = 'owner', imports = "import Redis from 'ioredis';", client = 'new Redis()', set = '' } = {}): string =>
  lines(
    "import { randomUUID } from 'node:crypto';",
    imports,
    `const redis = ${client};`,
    'export async function run(key: string, work: () => Promise<void>): Promise<void> {',
    `  ${owner}`,
    `  const reply = await redis.set(${set || `key, ${value}, 'PX', 5000, 'NX'`});`,
    "  if (reply !== 'OK') return;",
    '  try {',
    '    await work();',
    '  } finally {',
    `    ${release}`,
    '  }',
    '}',
  );

describe('atomic commands', () => {
  const by = (text: string, ...serverCommands: ('DELEX' | 'DELIFEQ')[]) => offersFor(text, { settings: { serverCommands } }).map(({ edit, after }) => [edit.title, after.split('\n').find((it) => /DEL|delEx|RELEASE_IF_OURS[,)]/.test(it))?.trim()]);

  test('ioredis, by name, before the script', () => {
    expect(by(released('await redis.del(key);'), 'DELEX')).toEqual([
      ['Release only if still ours (DELEX)', "await redis.call('DELEX', key, 'IFEQ', owner);"],
      ['Release only if still ours (Lua)', 'await redis.eval(RELEASE_IF_OURS, 1, key, owner);'],
    ]);
  });

  test('iovalkey', () => {
    expect(by(released('await redis.del(key);', { imports: "import Redis from 'iovalkey';" }), 'DELIFEQ')[0]).toEqual(['Release only if still ours (DELIFEQ)', "await redis.call('DELIFEQ', key, owner);"]);
  });

  const nodeRedis = { imports: "import { createClient } from 'redis';", client: 'createClient()', set: 'key, owner, { NX: true, PX: 5000 }' };

  test('node-redis has a method for one of them', () => {
    expect(by(released('await redis.del(key);', nodeRedis), 'DELEX', 'DELIFEQ').map(([, line]) => line)).toEqual([
      "await redis.delEx(key, { condition: 'IFEQ', matchValue: owner });",
      "await redis.sendCommand(['DELIFEQ', key, owner]);",
      'await redis.eval(RELEASE_IF_OURS, { keys: [key], arguments: [owner] });',
    ]);
  });

  test('Upstash and GLIDE', () => {
    const upstash = { imports: "import { Redis } from '@upstash/redis';", client: 'Redis.fromEnv()', set: 'key, owner, { nx: true, px: 5000 }' };
    expect(by(released('await redis.del(key);', upstash), 'DELEX')[0]![1]).toBe("await redis.exec(['DELEX', key, 'IFEQ', owner]);");
    const glide = lines("import { GlideClient } from '@valkey/valkey-glide';", 'export async function run(redis: GlideClient, owner: string, work: () => Promise<void>) {', "  const reply = await redis.set('k', owner, { conditionalSet: 'onlyIfDoesNotExist' });", "  if (reply !== 'OK') return;", "  try { await work(); } finally { await redis.del(['k']); }", '}');
    expect(by(glide, 'DELIFEQ')[0]![1]).toContain("finally { await redis.customCommand(['DELIFEQ', 'k', owner]); }");
  });

  test('none without the setting', () => {
    expect(by(released('await redis.del(key);')).map(([title]) => title)).toEqual(['Release only if still ours (Lua)']);
  });
});

describe('no edit for a release', () => {
  const none: Record<string, string> = {
    'that removes other keys too': released("await redis.del(key, 'other');"),
    'whose old value is used': released('const was = await redis.getdel(key);\n    console.info(was);'),
    'with a comment among its arguments': released('await redis.del(/* the lock */ key);'),
    'by a script that does more': released(`await redis.eval("redis.call('publish', 'c', KEYS[1]) return redis.call('del', KEYS[1])", 1, key);`),
    'whose owner is assigned twice': released('await redis.del(key);', { owner: 'let owner = randomUUID();\n  owner = randomUUID();' }),
    'of a pair of exported functions': lines(
      "import Redis from 'ioredis';",
      'const redis = new Redis();',
      'export async function acquireLock(name: string): Promise<boolean> {',
      "  return (await redis.set(`lock:${name}`, '1', 'PX', 5000, 'NX')) === 'OK';",
      '}',
      'export async function releaseLock(name: string): Promise<void> {',
      '  await redis.del(`lock:${name}`);',
      '}',
    ),
    'of a lock whose constant a renewal compares': lines(
      "import Redis from 'ioredis';",
      'const redis = new Redis();',
      `const EXTEND = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";`,
      'export async function run(work: () => Promise<void>): Promise<void> {',
      "  const reply = await redis.set('k', 'me', 'PX', 5000, 'NX');",
      "  if (reply !== 'OK') return;",
      "  const timer = setInterval(() => redis.eval(EXTEND, 1, 'k', 'me', 5000), 1000);",
      "  try { await work(); } finally { clearInterval(timer); await redis.del('k'); }",
      '}',
    ),
  };
  test.each(Object.entries(none))('%s', (_, text) => {
    expect(findingsIn(text).map((it) => it.rule)).toContain('no-blind-release');
    expect(offersFor(text).filter((it) => it.rule === 'no-blind-release').map((it) => it.after)).toEqual([]);
  });

  test('the same release without these is offered one', () => {
    expect(offersFor(released('await redis.del(key);')).map((it) => it.rule)).toEqual(['no-blind-release']);
  });
});

describe('a fence', () => {
  /** One write under a lock that is given back well. */
  const written = (write: string, { guard = "const reply = await redis.set('k', owner, 'PX', 5000, 'NX');\n  if (reply !== 'OK') return;", head = '' } = {}): string =>
    lines(
      "import { randomUUID } from 'node:crypto';",
      "import Redis from 'ioredis';",
      "import { Pool } from 'pg';",
      head,
      'const redis = new Redis();',
      'const pool = new Pool();',
      `const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";`,
      'export async function run(id: string, values: string[]): Promise<unknown> {',
      '  const owner = randomUUID();',
      `  ${guard}`,
      '  try {',
      `    ${write}`,
      '  } finally {',
      "    await redis.eval(RELEASE, 1, 'k', owner);",
      '  }',
      '}',
    );
  const update = "await pool.query('UPDATE t SET a = $1 WHERE id = $2', [1, id]);";
  const fences = (text: string, settings = {}) => offersFor(text, { settings }).filter((it) => it.rule === 'require-fencing-token');

  test('shows the migration and names column and class by the settings', () => {
    const [offer] = fences(written(update), { fence: { column: 'fence', error: 'Superseded', errorImport: './errors' } });
    expect(offer!.edit.note).toContain('ALTER TABLE t ADD COLUMN fence BIGINT NOT NULL DEFAULT 0');
    expect(offer!.after).toContain("import { Superseded } from './errors';");
    expect(offer!.after).toContain('a = $1, fence = $3 WHERE id = $2 AND fence < $3');
    expect(offer!.after).toContain('throw new Superseded(');
  });

  test('throws a plain Error where the class cannot be had', () => {
    expect(fences(written(update))[0]!.after).toContain("throw new Error('t was not written: the token is stale');");
    expect(fences(written(update, { head: 'class StaleTokenError extends Error { constructor(readonly code: number) { super(); } }' }))[0]!.after).toContain('throw new Error(');
    expect(fences(written(update, { head: 'class StaleTokenError extends Error { constructor() { super(); } }' }))[0]!.after).toContain('throw new StaleTokenError();');
  });

  test('leaves a count alone that the code looks at already', () => {
    const [offer] = fences(written("const res = await pool.query('UPDATE t SET a = $1 WHERE id = $2', [1, id]);\n    return res.rowCount === 1;"));
    expect(offer!.after).toContain('last_token < $3');
    expect(offer!.after).not.toContain('throw');
  });

  const none: Record<string, string> = {
    'parameters that stand elsewhere': written("await pool.query('UPDATE t SET a = $1 WHERE id = $2', values);"),
    'parameters that are spread': written("await pool.query('UPDATE t SET a = $1 WHERE id = $2', [...values]);"),
    'a text that two statements share': written("const text = 'UPDATE t SET a = $1 WHERE id = $2';\n    await pool.query(text, [1, id]);\n    await pool.query(text, [2, id]);"),
    'an answer whose test says nothing of the grant': written(update, { guard: "const reply = await redis.set('k', owner, 'PX', 5000, 'NX');\n  if (reply === 'BUSY') return;" }),
    'an answer that is handed on': written(update, { guard: "const reply = await redis.set('k', owner, 'PX', 5000, 'NX');\n  console.info(reply);\n  if (reply !== 'OK') return;" }),
    'an acquire in a loop': written(update, { guard: "while ((await redis.set('k', owner, 'PX', 5000, 'NX')) !== 'OK') await Promise.resolve();" }),
    'a lease that ends at a point in time': written(update, { guard: "const reply = await redis.set('k', owner, 'PXAT', Date.now() + 5000, 'NX');\n  if (reply !== 'OK') return;" }),
    'the last write beside work that cannot be seen, with a renewal whose answer nobody hears': written(`const timer = setInterval(() => void redis.eval(RENEW, 1, 'k', owner, 5000), 1000);\n    await publish(values);\n    ${update}\n    clearInterval(timer);`, {
      head: "import { publish } from 'somewhere';\nconst RENEW = \"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0\";",
    }),
    'a DELETE, whose count of nothing is no refusal': written("await pool.query('DELETE FROM t WHERE id = $1', [id]);"),
    'a callback': written("pool.query('UPDATE t SET a = $1 WHERE id = $2', [1, id], () => undefined);"),
  };
  test.each(Object.entries(none))('none for %s', (_, text) => {
    expect(findingsIn(text).map((it) => it.rule)).toContain('require-fencing-token');
    expect(fences(text).map((it) => it.after)).toEqual([]);
  });

  describe('by the version that was read', () => {
    const head = "import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';\nimport { Storage } from '@google-cloud/storage';\nconst s3 = new S3Client({});\nconst file = new Storage().bucket('b').file('f');";
    const read = "const object = await s3.send(new GetObjectCommand({ Bucket: 'b', Key: id }));";
    const put = (more = ''): string => `await s3.send(new PutObjectCommand({ Bucket: 'b', Key: id, Body: 'x'${more} }));`;

    test('the read stands in the section, before the write', () => {
      const [offer] = fences(written(`${read}\n    ${put()}`, { head }));
      expect(offer!.edit.title).toBe('Write only over the version that was read (`IfMatch`)');
      expect(offer!.after).toContain("Body: 'x', IfMatch: object.ETag }");
    });

    const not: Record<string, string> = {
      'nothing was read': written(put(), { head }),
      'it was read before the lock was taken': written(put(), { head, guard: `${read}\n  const reply = await redis.set('k', owner, 'PX', 5000, 'NX');\n  if (reply !== 'OK') return;` }),
      'another object was read': written(`const object = await s3.send(new GetObjectCommand({ Bucket: 'b', Key: 'other' }));\n    ${put()}`, { head }),
      'the version was read after the content': written("const [content] = await file.download();\n    const [metadata] = await file.getMetadata();\n    await file.save(`${content} ${metadata.size}`);", { head }),
      'the answer of the read has no version': written("const [content] = await file.download();\n    await file.save(`${content}.`);", { head }),
      'the answer has no name': written(`const text = await (await s3.send(new GetObjectCommand({ Bucket: 'b', Key: id }))).Body!.transformToString();\n    ${put(', Metadata: { text }')}`, { head }),
      'it is written twice': written(`${read}\n    ${put()}\n    ${put()}`, { head }),
      'it is written in a loop': written(`${read}\n    for (const value of values) ${put(', Metadata: { value }')}`, { head }),
      'the options are spread': written(`${read}\n    const more = { Body: 'x' };\n    await s3.send(new PutObjectCommand({ Bucket: 'b', Key: id, ...more }));`, { head }),
    };
    test.each(Object.entries(not))('none where %s', (_, text) => {
      expect(findingsIn(text).map((it) => it.rule)).toContain('require-fencing-token');
      expect(fences(text).map((it) => it.after)).toEqual([]);
    });
  });

  test('none under Redlock, which has no token', () => {
    const text = lines(
      "import Redlock from 'redlock';",
      "import Redis from 'ioredis';",
      "import { Pool } from 'pg';",
      'const redlock = new Redlock([new Redis()]);',
      'const pool = new Pool();',
      'export async function run(id: string): Promise<void> {',
      '  const lock = await redlock.acquire([id], 5000);',
      '  try {',
      `    ${update}`,
      '  } finally {',
      '    await lock.release();',
      '  }',
      '}',
    );
    expect(fences(text)).toEqual([]);
  });
});
