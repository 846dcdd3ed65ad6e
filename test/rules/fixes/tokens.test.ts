/** Where no token can be had in the grant, or brought to the write: nothing is offered, and never a value without order. */
import { describe, expect, test } from 'vitest';
import { findingsIn, offersFor } from './edit-cases.ts';

const lines = (...list: string[]): string => `${list.join('\n')}\n`;
const fences = (text: string) => offersFor(text).filter((it) => it.rule === 'require-fencing-token');
const update = "await pool.query('UPDATE t SET a = $1 WHERE id = $2', [1, id]);";
const save = `async function save(id: string): Promise<void> {\n  ${update}\n}`;
const RELEASE = `const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";`;

/** A section: how it is entered, what it does, how it ends. */
const section = (imports: string, [enter, leave]: [string, string], { write = update, head = '', after = '' } = {}): string =>
  lines("import { randomUUID } from 'node:crypto';", "import { Pool } from 'pg';", imports, 'const pool = new Pool();', head, 'export async function run(id: string): Promise<void> {', '  const owner = randomUUID();', `  ${enter}`, '  try {', `    ${write}`, '  } finally {', `    ${leave}`, '  }', '}', after);

const ioredis = `import Redis from 'ioredis';\nconst redis = new Redis();\n${RELEASE}`;
const redisGrant: [string, string] = ["const reply = await redis.set('k', owner, 'PX', 5000, 'NX');\n  if (reply !== 'OK') return;", "await redis.eval(RELEASE, 1, 'k', owner);"];

describe('no token without an order', () => {
  const redlock = "import Redlock from 'redlock';\nimport Redis from 'ioredis';\nconst redlock = new Redlock([new Redis()]);";
  const byRedlock: [string, string] = ['const lock = await redlock.acquire([id], 5000);', 'await lock.release();'];
  const row = (take: string, give: string): [string, string] => [`const { rowCount } = await pool.query(${take}, [owner, id]);\n  if (rowCount === 0) return;`, `await pool.query(${give}, [owner, id]);`];
  const given = '"UPDATE locks SET owner = NULL, expires_at = now() WHERE owner = $1 AND name = $2"';
  const taken = '"UPDATE locks SET owner = $1, expires_at = now() + interval \'9 seconds\' WHERE name = $2 AND expires_at < now()"';

  test.each(Object.entries({
    'Redlock': section(redlock, byRedlock),
    'Redlock, and the write is in a function': section(redlock, byRedlock, { head: save, write: 'await save(id);' }),
    'a lock of etcd3, whose acquire drops the revision': section("import { Etcd3 } from 'etcd3';\nconst etcd = new Etcd3();", ['const lock = await etcd.lock(id).ttl(10).acquire();', 'await lock.release();']),
    'a row that is deleted when the lock is given back': section('', row('"INSERT INTO locks (owner, name, expires_at) VALUES ($1, $2, now() + interval \'9 seconds\') ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at WHERE locks.expires_at < now()"', '"DELETE FROM locks WHERE owner = $1 AND name = $2"')),
    'a row that is swept elsewhere in the file': section('', row(taken, given), { after: 'export const sweep = () => pool.query("DELETE FROM locks WHERE expires_at < now()");' }),
    'a row whose answer has a written type': section('', row(taken, given)).replace('await pool.query("UPDATE locks SET owner = $1', 'await pool.query<{ name: string }>("UPDATE locks SET owner = $1'),
  }))('%s', (_, text) => {
    expect(findingsIn(text).map((it) => it.rule)).toContain('require-fencing-token');
    expect(fences(text).map((it) => it.after)).toEqual([]);
  });

  test('the same row without these counts its grants', () => {
    const [offer] = fences(section('', row(taken, given)));
    expect(offer!.after).toContain('token = token + 1 WHERE name = $2 AND expires_at < now() RETURNING token');
    expect(offer!.edit.note).toContain('ALTER TABLE locks ADD COLUMN token BIGINT NOT NULL DEFAULT 0');
  });
});

describe('a token for a function that writes', () => {
  const text = (head: string, write = 'await save(id);', after = ''): string => section(ioredis, redisGrant, { head, write, after });

  test('is handed in', () => {
    expect(fences(text(save))[0]!.after).toContain('await save(id, token);');
  });

  const inClass = (member: string, call: string): string =>
    lines("import { randomUUID } from 'node:crypto';", "import { Pool } from 'pg';", ioredis, 'const pool = new Pool();', 'class Store {', `  ${member}`, '  async run(id: string): Promise<void> {', '    const owner = randomUUID();', `    ${redisGrant[0]}`, '    try {', `      await ${call}(id);`, '    } finally {', `      ${redisGrant[1]}`, '    }', '  }', '}', 'export const run = (id: string) => new Store().run(id);');
  const body = `(id: string): Promise<void> {\n    ${update}\n  }`;

  test.each(Object.entries({
    'a private name': inClass(`async #save${body}`, 'this.#save'),
    'a private method': inClass(`private async save${body}`, 'this.save'),
    'a private arrow function': inClass(`private readonly save = async (id: string): Promise<void> => {\n    ${update}\n  };`, 'this.save'),
    'an object of the file': inClass('', 'store.save').replace('class Store', `const store = {\n  async save${body},\n};\nclass Store`),
    'a static method of a class of the file': inClass('', 'Rows.save').replace('class Store', `class Rows {\n  static async save${body}\n}\nclass Store`),
  }))('is handed in to %s', (_, it) => {
    const [offer] = fences(it);
    expect(offer?.after).toMatch(/save(?: = async )?\(id: string, token: number\): Promise<void>/);
    expect(offer!.after).toContain('save(id, token);');
  });

  test.each(Object.entries({
    'of a class that others may have': inClass(`async save${body}`, 'this.save'),
    'of a class with a base that may call it': inClass(`protected override async save${body}`, 'this.save').replace('class Store', 'class Base { protected async save(_id: string): Promise<void> {} }\nclass Store extends Base'),
    'that a decorator wraps': inClass(`@logged private async save${body}`, 'this.save').replace('class Store', 'declare const logged: MethodDecorator;\nclass Store'),
    'that another function calls without a lock': text(save, 'await save(id);', "export const again = () => save('1');"),
    'that is exported': text(`export ${save}`),
    'that is handed on as a value': text(save, 'await save(id);', 'export const table = new Map([["save", save]]);'),
    'that is called with what stands in a list': text(save.replace('id: string', 'id: string, n: number'), 'await save(...([id, 1] as [string, number]));'),
    'that has two signatures': text(`function save(id: string): Promise<void>;\n${save}`),
    'whose section puts it off': text(save, 'setTimeout(() => save(id), 10);'),
  }))('none for one %s', (_, it) => {
    expect(findingsIn(it).map((each) => each.rule)).toContain('require-fencing-token');
    expect(fences(it).map((each) => each.after)).toEqual([]);
  });
});

describe('a helper that answers whether it took the lock', () => {
  const helper = "async function tryLock(key: string, owner: string): Promise<boolean> {\n  const reply = await redis.set(key, owner, 'PX', 5000, 'NX');\n  return reply === 'OK';\n}";
  const text = (head: string, enter: string, after = ''): string => section(ioredis, [enter, "await redis.eval(RELEASE, 1, 'k', owner);"], { head, after });
  const enter = "const isFree = await tryLock('k', owner);\n  if (!isFree) return;";

  test('answers the token, which is 0 for a refusal', () => {
    const [offer] = fences(text(helper, enter, "export const probe = async () => ((await tryLock('p', 'me')) ? 'free' : 'busy');"));
    expect(offer!.after).toContain('Promise<number>');
    expect(offer!.after).toContain("const token = await tryLock('k', owner);\n  if (token === 0) return;");
  });

  test.each(Object.entries({
    'whose answer is a truth to somebody': text(helper, enter, "export const probe = async (): Promise<boolean> => tryLock('p', 'me');"),
    'whose answer is compared with true': text(helper, enter, "export const probe = async () => ((await tryLock('p', 'me')) === true ? 'free' : 'busy');"),
    'whose answer is kept with a type': text(helper, "const isFree: boolean = await tryLock('k', owner);\n  if (!isFree) return;"),
    'that is exported': text(`export ${helper}`, enter),
    'that says the opposite': text(helper.replace("reply === 'OK'", "reply === null"), "const isTaken = await tryLock('k', owner);\n  if (isTaken) return;"),
    'that answers true without a grant': text(helper.replace('  const reply', "  if (key === 'none') return true;\n  const reply"), enter),
  }))('none from one %s', (_, it) => {
    expect(findingsIn(it).map((each) => each.rule)).toContain('require-fencing-token');
    expect(fences(it).map((each) => each.after)).toEqual([]);
  });
});
