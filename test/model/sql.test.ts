/**
 * Owns the checks of the SQL room: tables of statements with what is read in them, and of writes
 * with their fenced form.
 */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  addFence, analyzeSql, type Dialect, type FenceOptions, provideSqlEngine, sqlText, type SqlText, statementsWithin, tellConditions, tellFacts,
  writesOf,
} from '../../model/sql/index.ts';

const wasm = new URL('../../node_modules/@guanmingchiu/sqlparser-ts/wasm/sqlparser_rs_wasm_bg.wasm', import.meta.url);

// First, because the parser's own module is shared by all copies of the room: once it runs, it runs.
describe('the engine', () => {
  it('answers undefined without bytes, and starts once at the first parse', async () => {
    vi.resetModules();
    const fresh = await import('../../model/sql/index.ts');
    const text = fresh.sqlText('SELECT 1');
    expect(fresh.analyzeSql(text)).toBeUndefined();
    expect(fresh.addFence(text, { column: 'c', tokenParam: 'next' })).toBeUndefined();

    fresh.provideSqlEngine(() => { throw new Error('no such file'); });
    expect(fresh.analyzeSql(text)).toBeUndefined();
    fresh.provideSqlEngine(() => new Uint8Array([1, 2, 3]));
    expect(fresh.analyzeSql(text)).toBeUndefined();

    const load = vi.fn(() => readFileSync(wasm));
    fresh.provideSqlEngine(load);
    expect(load).not.toHaveBeenCalled();
    expect(fresh.analyzeSql(text)).toHaveLength(1);
    expect(fresh.analyzeSql(fresh.sqlText('SELECT 2'))).toHaveLength(1);
    expect(load).toHaveBeenCalledTimes(1);
  });
});

/** `${n}` in a row stands for hole n. */
function textOf(row: string): SqlText {
  const parts = row.split(/\$\{(-?\d+)\}/).map((piece, i) => (i % 2 === 1 ? { hole: Number(piece) } : piece));
  return { parts };
}

function rowOf(text: SqlText): string {
  return text.parts.map((part) => (typeof part === 'string' ? part : `\${${part.hole}}`)).join('');
}

type Reading = [sql: string, facts: string, dialect?: Dialect];

const queriesAndWrites: Reading[] = [
  ['UPDATE accounts SET balance = $1, n = n + 1 WHERE id = $2 AND $3 > last_token RETURNING token AS t', 'update accounts | set balance = $1#0, n += 1 | where id = $2#1 & last_token < $3#2 | returning t'],
  ['update "Accounts" a set a.stock = stock - ? where a.id = ? and stock >= ?', 'update accounts | set a.stock -= ?#0 | where a.id = ?#1 & stock >= ?#2'],
  ["UPDATE public.jobs SET state = 'done', at = NOW() WHERE id = :id AND (lease_until IS NULL OR lease_until < :now AND owner = :me)", 'update jobs | set state = "done", at = now | where id = :id#0 & {lease_until is null | lease_until < :now#1 & owner = :me#2}'],
  ['UPDATE t SET a = $2::jsonb, b = DEFAULT, (c, d) = ($1, null) WHERE (x, y) = ($3, 4) AND k = ANY($4) AND NOT locked AND active', 'update t | set a = $2#1, b = default, c = $1#0, d = null | where x = $3#2 & y = 4 & k in $4#3 & locked = false & active = true'],
  ["UPDATE t SET a = 1 WHERE x IS DISTINCT FROM $1 AND y IS NOT DISTINCT FROM $2 AND z BETWEEN 1 AND 9 AND n NOT IN (1, 2) AND s LIKE 'a%' OR w = -1", 'update t | set a = 1 | where {x is distinct from $1#0 & y is not distinct from $2#1 & z >= 1 & z <= 9 & n not in [1, 2] & s like "a%" | w = -1}'],
  ['UPDATE t SET a = 1 WHERE COALESCE(last_token, 0) < $1 AND stock - $2 >= 0 AND lower(owner) = $3 AND NOT x = 5 AND NOT (y = 1 OR z = 2)', 'update t | set a = 1 | where coalesce(last_token) < $1#0 & stock >= $2#1 & ?{owner, $3#2} & x <> 5 & ?{y, z}'],
  ['UPDATE t SET a = 1 WHERE BINARY name = ? AND b <=> ? AND c DIV 2 = 1', 'update t | set a = 1 | where name = ?#0 & b is not distinct from ?#1 & ?{c}', 'mysql'],
  ["UPDATE t SET a = ?1 WHERE b IS ?2 AND c IS NOT ?1 AND d NOTNULL AND e GLOB 'x*'", 'update t | set a = ?1#0 | where b is not distinct from ?2#1 & c is distinct from ?1#0 & d is not null & ?{e}', 'sqlite'],
  ['UPDATE q SET s = $1 FROM picked p WHERE q.id = p.id AND q.token < p.token', 'update q | tables q, picked | set s = $1#0 | where q.id = p.id & q.token < p.token'],
  ['UPDATE a JOIN b ON a.id = b.id SET b.x = ? WHERE a.y = ?', 'update b | tables a, b | set b.x = ?#0 | where a.y = ?#1'],
  ['UPDATE a, b SET b.x = ? WHERE a.id = b.id', 'update b | tables a, b | set b.x = ?#0 | where a.id = b.id'],
  ['UPDATE TOP (1) q WITH (UPDLOCK, READPAST) SET state = @s OUTPUT inserted.id, deleted.* WHERE state = @old', 'update q | set state = @s#0 | where state = @old#1 | returning id, * | lock update skip'],
  ['UPDATE q SET q.n += 1 FROM dbo.[Queue] AS q WITH (ROWLOCK, XLOCK) WHERE q.id = @id', 'update queue | set q.n += 1 | where q.id = @id#0 | lock exclusive'],
  ['WITH next AS (SELECT TOP (1) * FROM work WITH (UPDLOCK, READPAST) WHERE done = 0) UPDATE next SET done = 1 OUTPUT inserted.id', 'update work | set done = 1 | returning id | inner next: (select | tables work | where done = 0 | selected * | lock update skip)'],
  ['WITH p AS (SELECT id FROM q WHERE s = 0 ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) UPDATE q SET s = $1 FROM p WHERE q.id = p.id RETURNING q.*', 'update q | set s = $1#0 | where q.id = p.id | returning * | inner p: (select | tables q | where s = 0 | selected id | lock update skip)'],
  ['UPDATE q SET s = 1 WHERE id IN (SELECT id FROM q WHERE s = 0 FOR UPDATE SKIP LOCKED LIMIT 5)', 'update q | set s = 1 | where id in (select | tables q | where s = 0 | selected id | lock update skip)'],
  ['UPDATE ONLY t SET a = 1 WHERE CURRENT OF c', 'update t | set a = 1 | where ?{}'],
  ['DELETE FROM locks WHERE key = $1 AND owner = $2 RETURNING *', 'delete locks | where key = $1#0 & owner = $2#1 | returning *'],
  ['DELETE q OUTPUT deleted.id WHERE a = 1', 'delete q | where a = 1 | returning id'], ['DELETE x FROM queue x JOIN b ON x.id = b.id WHERE b.y = 1', 'delete queue | tables queue, b | where b.y = 1'],
  ['DELETE TOP (1) FROM q WITH (READPAST, XLOCK) WHERE a = 1 OPTION (RECOMPILE)', 'delete q | where a = 1 | lock exclusive skip'],
  ['WITH gone AS (DELETE FROM q WHERE id = $1 RETURNING *) INSERT INTO archive SELECT * FROM gone', 'insert archive | tables q, archive | rows 0 | inner gone: (delete q | where id = $1#0 | returning *) (select | selected *)'],
  ['SELECT id AS "Id", u.name FROM t JOIN u ON t.id = u.id WHERE c = 1 FOR UPDATE OF t NOWAIT', 'select | tables t, u | where c = 1 | selected Id, name | lock update nowait'],
  ['SELECT * FROM t WHERE id = ? LOCK IN SHARE MODE', 'select | tables t | where id = ?#0 | selected * | lock share'],
  ['SELECT * FROM t WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED', 'select | tables t | where id = $1#0 | selected * | lock update skip'],
  ['SELECT 1 FROM t FOR KEY SHARE', 'select | tables t | lock share'], ['SELECT * FROM t (HOLDLOCK) WHERE id = @id', 'select | tables t | where id = @id#0 | selected * | lock share'],
  ['SELECT a FROM t WHERE x = 1 UNION ALL SELECT b FROM u WHERE EXISTS (SELECT 1 FROM v)', 'select | tables t, u, v | selected a | inner (select | tables t | where x = 1 | selected a) (select | tables u, v | where exists (select | tables v) | selected b)'],
  ['SELECT * FROM (SELECT id FROM q FOR UPDATE) s WHERE id < (SELECT max(id) FROM r)', 'select | tables q, r | where id < (select | tables r) | selected * | inner s: (select | tables q | selected id | lock update)'],
];

const insertsAndLocks: Reading[] = [
  ['INSERT INTO t (a, b) VALUES ($1, $2), ($3, 4) ON CONFLICT DO NOTHING', 'insert t | set a = $1#0, b = $2#1 | rows 2 | conflict nothing'],
  ['INSERT INTO t (id, v, tok) VALUES (:id, :v, :tok) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, tok = EXCLUDED.tok WHERE EXCLUDED.tok > t.tok', 'insert t | set id = :id#0, v = :v#1, tok = :tok#2 | rows 1 | conflict update v = excluded.v, tok = excluded.tok if t.tok < excluded.tok'],
  ['INSERT INTO t (id) VALUES ($1) ON CONFLICT (id) WHERE gone IS NULL DO UPDATE SET seen = now() RETURNING id', 'insert t | set id = $1#0 | rows 1 | conflict update seen = now | returning id'],
  ['INSERT INTO t (a) SELECT $1 ON CONFLICT (a) DO NOTHING', 'insert t | set a = $1#0 | rows 0 | conflict nothing | inner (select | selected $1)'],
  ['INSERT INTO t (a, b) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = ?)', 'insert t | set a = ?#0, b = ?#1 | rows 0 | guarded by select | inner (select | tables t | where not exists (select | tables t | where a = ?#2) | selected ?, ?)'],
  ['INSERT IGNORE INTO t (a) VALUES (?)', 'insert t | set a = ?#0 | rows 1 | conflict nothing'],
  ['INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = IF(tok < VALUES(tok), VALUES(b), b)', 'insert t | set a = ?#0, b = ?#1 | rows 1 | conflict update b = values(b) only if tok < values(tok)'],
  ['INSERT INTO t SET a = ?, b = NOW()', 'insert t | set a = ?#0, b = now | rows 1'], ['REPLACE INTO t (a) VALUES (?)', 'insert t | set a = ?#0 | rows 1 | conflict replace'],
  ['INSERT OR REPLACE INTO t (a) VALUES (?)', 'insert t | set a = ?#0 | rows 1 | conflict replace'], ['INSERT OR IGNORE INTO t VALUES (?, ?)', 'insert t | rows 1 | conflict nothing'],
  ['INSERT INTO t (a) OUTPUT inserted.id AS newId VALUES (@a)', 'insert t | set a = @a#0 | rows 1 | returning newId'],
  ['IF NOT EXISTS (SELECT 1 FROM t WITH (UPDLOCK, HOLDLOCK) WHERE a = @a) BEGIN INSERT INTO t (a) VALUES (@a); END ELSE UPDATE t SET n = @n WHERE a = @a', 'select | tables t | where a = @a#0 | lock update ;; insert t | set a = @a#0 | rows 1 | guarded by select ;; update t | set n = @n#1 | where a = @a#0'],
  ['MERGE t WITH (HOLDLOCK) AS d USING (VALUES (@id, @v)) AS s(id, v) ON d.id = s.id WHEN MATCHED AND s.v > d.v THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v) OUTPUT inserted.id;', 'merge t | set id = s.id, v = s.v | where d.id = s.id | rows 1 | conflict update v = s.v if d.v < s.v | returning id | lock share | inner s: (select)'],
  ['MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE', 'merge t | tables t, s | where t.id = s.id | rows 0 | conflict delete'],
  ['SELECT pg_try_advisory_lock(hashtext($1)) AS "gotIt"', 'select | selected gotIt | calls pg_try_advisory_lock(hashtext($1#0)) session try as gotIt'],
  ['SELECT pg_advisory_xact_lock_shared(1, $1::int), pg_advisory_unlock_all()', 'select | calls pg_advisory_xact_lock_shared(1, $1#0) transaction acquire shared; pg_advisory_unlock_all() session release'],
  ['SELECT * FROM pg_advisory_lock(42)', 'select | selected * | calls pg_advisory_lock(42) session acquire'],
  ['SELECT CASE WHEN pg_try_advisory_xact_lock($1) THEN 1 ELSE 0 END AS ok', 'select | selected ok | calls pg_try_advisory_xact_lock($1#0) transaction try as ok'],
  ["SELECT GET_LOCK(CONCAT('job:', ?), 10) = 1 AS got", 'select | selected got | calls get_lock(concat("job:", ?#0), 10) session try as got'],
  ["DO RELEASE_LOCK('x')", 'select | calls release_lock("x") session release'],
  ["EXEC @rc = dbo.sp_getapplock @Resource = @key, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0", 'call | calls sp_getapplock(@key#0) session try | procedure sp_getapplock'],
  ["EXEC sp_getapplock 'nightly', 'Shared'", 'call | calls sp_getapplock("nightly") transaction try shared | procedure sp_getapplock'],
  ["EXEC sp_getapplock @Resource = 'x', @LockOwner = @owner", 'call | calls sp_getapplock("x") unknown try | procedure sp_getapplock'],
  ["EXECUTE sp_releaseapplock @Resource = N'x', @LockOwner = N'Transaction'", 'call | calls sp_releaseapplock("x") transaction release | procedure sp_releaseapplock'],
  ['CALL refill($1)', 'call | procedure refill'], ['LOCK TABLE jobs IN EXCLUSIVE MODE', 'other | tables jobs | calls lock table("jobs") transaction acquire'],
  ['LOCK TABLES jobs WRITE, logs READ', 'other | tables jobs, logs | calls lock tables("jobs", "logs") session acquire'], ['UNLOCK TABLES', 'other | calls unlock tables() session release'],
  ["SELECT nextval('fence_seq'::regclass) AS token", 'select | selected token | mints nextval fence_seq as token'],
  ['SELECT NEXT VALUE FOR dbo.Fences AS token', 'select | selected token | mints nextval dbo.fences as token'],
  ["INSERT INTO leases (k, token) VALUES ($1, nextval('fences')) RETURNING token", 'insert leases | set k = $1#0, token = nextval("fences") | rows 1 | returning token | mints nextval fences'],
  ['UPDATE counters SET value = value + 1 WHERE name = \'fence\' RETURNING value AS "fenceToken"', 'update counters | set value += 1 | where name = "fence" | returning fenceToken | mints increment-returning value as fenceToken'],
  ['UPDATE leases SET token = COALESCE(token, 0) + 1, owner = ? OUTPUT inserted.token WHERE k = ?', 'update leases | set token += 1, owner = ?#0 | where k = ?#1 | returning token | mints increment-returning token'],
  ['INSERT INTO c (k, v) VALUES (?, 1) ON CONFLICT (k) DO UPDATE SET v = c.v + 1 RETURNING v', 'insert c | set k = ?#0, v = 1 | rows 1 | conflict update v += 1 | returning v | mints increment-returning v'],
  ['UPDATE c SET v = LAST_INSERT_ID(v + 1) WHERE k = ?', 'update c | set v += 1 | where k = ?#0 | mints last-insert-id'], ['UPDATE c SET v = v + 1', 'update c | set v += 1'],
  ['WITH m AS (UPDATE c SET v = v + 1 RETURNING v) SELECT v FROM m', 'select | tables c | selected v | mints increment-returning v | inner m: (update c | set v += 1 | returning v | mints increment-returning v)'],
  ['BEGIN', 'begin'], ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'begin | isolation repeatable read'], ['BEGIN IMMEDIATE', 'begin'],
  ['START TRANSACTION WITH CONSISTENT SNAPSHOT', 'begin'], ['BEGIN TRAN; UPDATE t SET a = 1; COMMIT TRAN;', 'begin ;; update t | set a = 1 ;; commit'],
  ['COMMIT', 'commit'], ['ROLLBACK', 'rollback'], ['ROLLBACK TO SAVEPOINT a', 'rollback | savepoint a'], ['SAVEPOINT a', 'savepoint | savepoint a'],
  ['RELEASE SAVEPOINT a', 'savepoint | savepoint a'], ['SAVE TRANSACTION a', 'savepoint | savepoint a'],
  ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'set | isolation serializable'], ["SET LOCAL lock_timeout = '5s'", 'set | set lock_timeout = "5s"'],
  ['SET @n := 5', 'set | set @n = 5'], ['CREATE TABLE t (id bigint)', 'ddl | tables t'],
  ['ALTER TABLE t ADD COLUMN last_token bigint NOT NULL DEFAULT 0', 'ddl | tables t'], ['TRUNCATE t', 'ddl | tables t'], ['DROP TABLE IF EXISTS t', 'ddl | tables t'],
];

const clocksAndPlaceholders: Reading[] = [
  ['INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = IF(tok < VALUES(tok), VALUES(b), b), tok = GREATEST(tok, VALUES(tok))', 'insert t | set a = ?#0, b = ?#1 | rows 1 | conflict update b = values(b) only if tok < values(tok), tok = greatest(tok, values(tok))'],
  ['INSERT INTO t (a, b) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE b = CASE WHEN new.tok > tok THEN new.b ELSE b END', 'insert t | set a = ?#0, b = ?#1 | rows 1 | conflict update b = new.b only if tok < new.tok'],
  ["UPDATE t SET a = now() + interval '30 seconds', b = NOW() - INTERVAL '1 hour 30 min', c = clock_timestamp() + interval '00:05:00'", 'update t | set a = now+30000, b = now-5400000, c = now+300000'],
  ['UPDATE t SET a = NOW(3) + INTERVAL 30 SECOND, b = DATE_ADD(UTC_TIMESTAMP(), INTERVAL ? SECOND), c = DATE_SUB(NOW(), INTERVAL 1 MINUTE), d = UNIX_TIMESTAMP() + 30', 'update t | set a = now+30000, b = now + ?#0*1000, c = now-60000, d = now*1000+30000', 'mysql'],
  ['UPDATE t SET a = DATEADD(second, 30, SYSUTCDATETIME()), b = DATEADD(ms, @ttl, GETUTCDATE())', 'update t | set a = now+30000, b = now + @ttl#0*1', 'mssql'],
  ["UPDATE t SET a = datetime('now', '+30 seconds'), b = unixepoch() + 30, c = strftime('%s', 'now'), d = unixepoch('now', '-1 minute')", 'update t | set a = now+30000, b = now*1000+30000, c = now*1000, d = now*1000-60000', 'sqlite'],
  ["UPDATE t SET a = now() + $1 * interval '1 second', b = now() + ($2 || ' ms')::interval, c = now() + $3::interval, d = now() + make_interval(secs => $4)", 'update t | set a = now + $1#0*1000, b = now + $2#1*1, c = now + $3#2, d = now + $4#3*1000'],
  ["UPDATE t SET a = extract(epoch from now()) * 1000 + $1, b = CURRENT_TIMESTAMP AT TIME ZONE 'utc', c = now() - created", 'update t | set a = now*1 + $1#0*1, b = now, c = ?{now, created}'],
  ["SELECT 1 FROM t WHERE expires < now() AND now() - interval '5 minutes' > seen AND now() - seen > interval '1 minute'", 'select | tables t | where expires < now & seen < now-300000 & ?{now, seen}'],
  ["UPDATE ${0} SET a = ${1}, b = now() + interval '${2} seconds' WHERE id = '${3}' AND name = 'x-${4}'", "update ${0} | set a = ${1}, b = now + ${2}*1000 | where id = '${3}' & name = ?{${4}}"],
  ['UPDATE lock_${0} SET ${1} = ${2} WHERE ${3}.owner = ${4} AND ${5} = ${6}', 'update lock_${0} | set ${1} = ${2} | where ${3}.owner = ${4} & ${5} = ${6}'],
  ['UPDATE users SET ${0} WHERE id = ${1}', 'update users | where id = ${1} | fragments ${0}'],
  ['UPDATE users SET a = 1, ${0}, b = 2 WHERE id IN ${1}', 'update users | set a = 1, b = 2 | where id in [${1}] | fragments ${0}'],
  ['UPDATE users SET ${0} b = 2 WHERE id = ${1} ${2}', 'update users | set b = 2 | where id = ${1} | fragments ${0}, ${2}'],
  ['UPDATE users SET ? WHERE id = ?', 'update users | where id = ?#1 | fragments ?#0'], ['INSERT INTO users ${0} RETURNING id', 'insert users | rows 1 | returning id | fragments ${0}'],
  ['INSERT INTO users (a, b) VALUES ${0} ON CONFLICT (a) ${1}', 'insert users | rows 1 | conflict nothing | fragments ${0}, ${1}'],
  ['SELECT * FROM jobs ${0} ORDER BY id FOR UPDATE${1} LIMIT ${2}', 'select | tables jobs | selected * | lock update | fragments ${0}, ${1}'],
  ['SELECT ${0} id FROM jobs ${1} AND state = 1', 'select | tables jobs | where ?{${1}} & state = 1 | selected id | fragments ${0}, ${1}'],
  ['WITH ${0} UPDATE t SET a = 1 WHERE ${1}', 'update t | set a = 1 | where ?{${1}} | fragments ${0} | inner ${0}: (select)'],
  ['WITH x AS (${0}) SELECT * FROM x WHERE a = 1 ${1} AND b = 2', 'select | where a = 1 & b = 2 | selected * | fragments ${0}, ${1} | inner x: (select | selected ${0})'],
  ['UPDATE t SET a = $1 WHERE id = $${0}', 'update t | set a = $1#0 | where id = $${0}#-1'],
  ['UPDATE t SET a = $(value) WHERE id = $<id> AND b = $/b/', 'update t | set a = $(value)#0 | where id = $<id>#1 & b = $/b/#2'],
  ['UPDATE t SET a = $a:raw WHERE id = $id AND a2 = $a', 'update t | set a = $a:raw#0 | where id = $id#1 & a2 = $a#0'],
  ["UPDATE t SET a = :a WHERE id IN (:...ids) AND b = :a AND c = '12:30'::time AND d[1:n] IS NULL", 'update t | set a = :a#0 | where id in [:...ids#1] & b = :a#0 & c = "12:30" & ?{d, n}'],
  ['UPDATE ?? SET a = ? WHERE id IN (?)', 'update ?? | set a = ?#1 | where id in [?#2]'],
  ["SELECT * FROM t WHERE data ? 'key' AND id = $1", 'select | tables t | where ?{data} & id = $1#0 | selected *'],
  ["SELECT * FROM t WHERE data ? 'key'", 'select | tables t | where ?{data} | selected *'],
  ['DECLARE @old int; SELECT @old = n FROM t WHERE id = @id; UPDATE t SET n = @old + 1 WHERE id = @id AND @@ROWCOUNT = 1', 'other ;; select | tables t | where id = @id#0 | selected @old ;; update t | set n = @old + 1 | where id = @id#0 & @@rowcount = 1'],
  ["BEGIN TRAN\nDECLARE @n int\nSELECT @n = n FROM t WITH (UPDLOCK) WHERE id = @id\nUPDATE t\n  SET n = @n WHERE id = @id\nIF @@ROWCOUNT = 0 THROW 50001, 'gone', 1\nCOMMIT", 'begin ;; other ;; select | tables t | where id = @id#0 | selected @n | lock update ;; update t | set n = @n | where id = @id#0 ;; other | un parsed ;; other ;; commit'],
  ['SELECT 1; this is not sql; DELETE FROM t', 'select ;; other | un parsed ;; delete t'],
  ['if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0', 'undefined'], ['please update the table', 'undefined'],
];

describe('analyzeSql', () => {
  beforeAll(() => provideSqlEngine(() => readFileSync(wasm)));

  it.each([...queriesAndWrites, ...insertsAndLocks, ...clocksAndPlaceholders])('%s', (sql, facts, dialect) => {
    expect(analyzeSql(textOf(sql), dialect)?.map(tellFacts).join(' ;; ') ?? 'undefined').toBe(facts);
  });

  it.each([
    ['UPDATE t SET a = $2 WHERE b = $1', 'numbered', ['$2 1', '$1 0']],
    ['UPDATE t SET a = ? WHERE b = ?', 'question', ['? 0', '? 1']],
    ['UPDATE t SET a = :b WHERE b = :a AND c = :b', 'colon', [':b 0', ':a 1', ':b 0']],
    ["EXEC sp_getapplock @Resource = @key, @LockMode = 'Shared'", 'at', ['@key 0']],
    ['UPDATE t SET a = $b WHERE b = ${0}', 'dollar', ['$b 0']],
    ['UPDATE t SET a = ${0} WHERE b = ${1}', 'holes', []],
    ["UPDATE t SET a = '$1' -- ?\n WHERE b = ':x' /* :y */", 'none', []],
  ])('finds the parameters of %s', (sql, style, params) => {
    const text = textOf(sql);
    const facts = analyzeSql(text)![0]!;
    expect(facts.style).toBe(style);
    expect(facts.params.map(({ name, index }) => `${name} ${index}`)).toEqual(params);
    for (const param of facts.params) expect((text.parts[param.part] as string).slice(param.start, param.end)).toBe(param.name);
  });

  it('gives each statement of a text its own parameters and holes', () => {
    const facts = analyzeSql(textOf('UPDATE t SET a = ?; DELETE FROM ${0} WHERE b = ? AND c = ?'))!;
    expect(facts.map(({ params }) => params.map(({ index }) => index))).toEqual([[0], [1, 2]]);
    expect(facts.map(({ holes }) => holes)).toEqual([[], [0]]);
  });

  it('reads an ambiguous text in the dialect that is asked for', () => {
    const text = sqlText('UPDATE t SET a = "x"');
    expect(tellFacts(analyzeSql(text)![0]!)).toBe('update t | set a = x');
    expect(tellFacts(analyzeSql(text, 'mysql')![0]!)).toBe('update t | set a = "x"');
    expect(analyzeSql(sqlText('UPDATE `t` SET a = 1'), 'postgresql')).toBeUndefined();
  });

  it('does not read dumps', () => {
    expect(analyzeSql(sqlText(`SELECT '${'x'.repeat(40_000)}'`))).toHaveLength(1);
    expect(analyzeSql(sqlText(`SELECT '${'x'.repeat(50_000)}'`))).toBeUndefined();
  });

  it('finds writes and locks at any depth', () => {
    const facts = analyzeSql(sqlText('WITH d AS (DELETE FROM q WHERE id IN (SELECT id FROM q FOR UPDATE) RETURNING *) SELECT * FROM d'))![0]!;
    expect(writesOf(facts).map(({ kind, target }) => `${kind} ${target}`)).toEqual(['delete q']);
    expect(statementsWithin(facts).filter(({ rowLock }) => rowLock !== undefined)).toHaveLength(1);
  });

  it('remembers a bounded number of answers', () => {
    const text = sqlText('SELECT remembered');
    const first = analyzeSql(text);
    expect(analyzeSql(sqlText('SELECT remembered'))).toBe(first);
    expect(analyzeSql(text, 'mysql')).not.toBe(first);
    for (let n = 0; n < 1000; n++) analyzeSql(sqlText(`SELECT ${n}`));
    expect(analyzeSql(text)).not.toBe(first);
    expect(analyzeSql(text)).toEqual(first);
  });
});

type Rewrite = [sql: string, fenced: string, params: string, options?: Partial<FenceOptions>];

/** `2x2` is a value to insert at position 2 that the text names twice, `=0` repeats parameter 0; then the token's name. */
const fenced: Rewrite[] = [
  ['UPDATE accounts SET balance = $1 WHERE id = $2', 'UPDATE accounts SET balance = $1, last_token = $3 WHERE id = $2 AND last_token < $3', '2x2'],
  ['UPDATE accounts SET balance = $2, n = n + 1 WHERE id = $1 RETURNING *', 'UPDATE accounts SET balance = $2, n = n + 1, last_token = $3 WHERE id = $1 AND last_token < $3 RETURNING *', '2x2'],
  ['update accounts set balance = ? where id = ? order by id limit 1', 'update accounts set balance = ?, last_token = ? where id = ? and last_token < ? order by id limit 1', '1x1 3x1'],
  ['UPDATE t SET a = ? WHERE b = ? OR c = ?', 'UPDATE t SET a = ?, last_token = ? WHERE (b = ? OR c = ?) AND last_token < ?', '1x1 4x1'],
  ['UPDATE t SET a = ?1 WHERE id = ?2', 'UPDATE t SET a = ?1, last_token = ?3 WHERE id = ?2 AND last_token < ?3', '2x2'],
  ['UPDATE t SET a = :a, b = :b WHERE id = :id', 'UPDATE t SET a = :a, b = :b, last_token = :token WHERE id = :id AND last_token < :token', '3x2 token'],
  ['UPDATE t SET a = :token WHERE id IN (:...ids)', 'UPDATE t SET a = :token, last_token = :token2 WHERE id IN (:...ids) AND last_token < :token2', '2x2 token2'],
  ['UPDATE t SET a = @a OUTPUT inserted.id WHERE id = @id OPTION (RECOMPILE)', 'UPDATE t SET a = @a, last_token = @token OUTPUT inserted.id WHERE id = @id AND last_token < @token OPTION (RECOMPILE)', '2x2 token'],
  ['UPDATE t SET a = $(a) WHERE id = $(id)', 'UPDATE t SET a = $(a), last_token = $(token) WHERE id = $(id) AND last_token < $(token)', '2x2 token'],
  ['update t set a = ${0} where id = ${1}', 'update t set a = ${0}, last_token = ${-1} where id = ${1} and last_token < ${-1}', ''],
  ['UPDATE ${0} SET a = ${1}', 'UPDATE ${0} SET a = ${1}, last_token = ${-1} WHERE last_token < ${-1}', ''],
  ['UPDATE t SET a = $1 WHERE id = $2', 'UPDATE t SET a = $1, last_token = $3 WHERE id = $2 AND last_token <= $3', '2x2', { inclusive: true }],
  ['UPDATE t SET a = $1 WHERE id = $2', 'UPDATE t SET a = $1, "lastToken" = $3 WHERE id = $2 AND "lastToken" < $3', '2x2', { column: '"lastToken"' }],
  ['UPDATE t SET a = @a WHERE id = @id', 'UPDATE t SET a = @a, last_token = @fence WHERE id = @id AND last_token < @fence', '2x2 fence', { tokenParam: '@fence' }],
  ['UPDATE t SET a = 1 WHERE id = 2', 'UPDATE t SET a = 1, last_token = ${-1} WHERE id = 2 AND last_token < ${-1}', '', { tokenParam: 'hole' }],
  ['UPDATE t SET a = 1', 'UPDATE t SET a = 1, last_token = $1 WHERE last_token < $1', '0x2', { dialect: 'postgresql' }],
  ['UPDATE t SET a = 1 WHERE b = 2 || c = 3', 'UPDATE t SET a = 1, last_token = ? WHERE (b = 2 || c = 3) AND last_token < ?', '0x1 1x1', { dialect: 'mysql' }],
  ['UPDATE TOP (1) t WITH (ROWLOCK) SET a = 1', 'UPDATE TOP (1) t WITH (ROWLOCK) SET a = 1, last_token = @token WHERE last_token < @token', '0x2 token', { dialect: 'mssql' }],
  ['UPDATE t\n   SET a = $1,\n       b = $2 -- both\n WHERE id = $3 -- the row\n   AND x = 1\nRETURNING *;', 'UPDATE t\n   SET a = $1,\n       b = $2,\n       last_token = $4 -- both\n WHERE id = $3 -- the row\n   AND x = 1\n   AND last_token < $4\nRETURNING *;', '3x2'],
  ['UPDATE t\nSET a = ?\n  , b = ?\nWHERE x = ? AND\n      y = ?', 'UPDATE t\nSET a = ?\n  , b = ?\n  , last_token = ?\nWHERE x = ? AND\n      y = ? AND\n      last_token < ?', '2x1 5x1'],
  ['UPDATE t\n  SET a = $1', 'UPDATE t\n  SET a = $1, last_token = $2\n  WHERE last_token < $2', '1x2'],
  ['UPDATE t SET a = $1 /* one */ WHERE id = $2 /* two */', 'UPDATE t SET a = $1, last_token = $3 /* one */ WHERE id = $2 AND last_token < $3 /* two */', '2x2'],
  ['UPDATE t SET a = CASE WHEN x OR y THEN $1 ELSE a END, output = a IS DISTINCT FROM $2 WHERE (p OR q) AND r IS NOT DISTINCT FROM $3', 'UPDATE t SET a = CASE WHEN x OR y THEN $1 ELSE a END, output = a IS DISTINCT FROM $2, last_token = $4 WHERE (p OR q) AND r IS NOT DISTINCT FROM $3 AND last_token < $4', '3x2'],
  ['UPDATE t SET a = (SELECT max(x) FROM u WHERE u.id = $1) WHERE id IN (SELECT id FROM v WHERE w = $2 ORDER BY id LIMIT 1)', 'UPDATE t SET a = (SELECT max(x) FROM u WHERE u.id = $1), last_token = $3 WHERE id IN (SELECT id FROM v WHERE w = $2 ORDER BY id LIMIT 1) AND last_token < $3', '2x2'],
  ['UPDATE q SET a = $1 FROM picked AS p WHERE q.id = p.id', 'UPDATE q SET a = $1, last_token = $2 FROM picked AS p WHERE q.id = p.id AND q.last_token < $2', '1x2'],
  ['WITH p AS (SELECT id FROM q FOR UPDATE SKIP LOCKED LIMIT 1) UPDATE public."Queue" SET a = $1 FROM p WHERE "Queue".id = p.id RETURNING "Queue".id', 'WITH p AS (SELECT id FROM q FOR UPDATE SKIP LOCKED LIMIT 1) UPDATE public."Queue" SET a = $1, last_token = $2 FROM p WHERE "Queue".id = p.id AND "Queue".last_token < $2 RETURNING "Queue".id', '1x2'],
  ['UPDATE ${0} AS x SET a = ${1} FROM y WHERE x.id = y.id', 'UPDATE ${0} AS x SET a = ${1}, last_token = ${-1} FROM y WHERE x.id = y.id AND x.last_token < ${-1}', ''],
  ['UPDATE ${0} SET a = ${1} FROM y WHERE y.id = ${2}', 'UPDATE ${0} SET a = ${1}, last_token = ${-1} FROM y WHERE y.id = ${2} AND ${0}.last_token < ${-1}', ''],
  ['UPDATE a JOIN b ON a.id = b.id SET b.x = ? WHERE a.y = ?', 'UPDATE a JOIN b ON a.id = b.id SET b.x = ?, b.last_token = ? WHERE a.y = ? AND b.last_token < ?', '1x1 3x1'],
  ['UPDATE q SET q.a = @a FROM dbo.Queue AS q JOIN b ON b.id = q.id WHERE b.x = @x', 'UPDATE q SET q.a = @a, q.last_token = @token FROM dbo.Queue AS q JOIN b ON b.id = q.id WHERE b.x = @x AND q.last_token < @token', '2x2 token'],
  ['UPDATE t SET a = 1 WHERE ${0}', 'UPDATE t SET a = 1, last_token = ${-1} WHERE (${0}) AND last_token < ${-1}', ''],
  ['DELETE FROM t WHERE id = $1 RETURNING id', 'DELETE FROM t WHERE id = $1 AND last_token < $2 RETURNING id', '1x1'],
  ['delete from t using u where t.id = u.id and u.x = ?', 'delete from t using u where t.id = u.id and u.x = ? and t.last_token < ?', '1x1'],
  ['DELETE x FROM queue x JOIN b ON x.id = b.id WHERE b.y = @y', 'DELETE x FROM queue x JOIN b ON x.id = b.id WHERE b.y = @y AND x.last_token < @token', '1x1 token'],
  ['INSERT INTO t (id, v) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v', 'INSERT INTO t (id, v, last_token) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, last_token = EXCLUDED.last_token WHERE t.last_token < EXCLUDED.last_token', '2x1'],
  ['insert into s.t as x (id,v) values (?,?), (?,1) on conflict (id) do update set v = excluded.v where x.a = 1 or x.b = ? returning *', 'insert into s.t as x (id,v,last_token) values (?,?,?), (?,1,?) on conflict (id) do update set v = excluded.v, last_token = excluded.last_token where (x.a = 1 or x.b = ?) and x.last_token < excluded.last_token returning *', '2x1 4x1'],
  ['INSERT INTO t (\n  id,\n  v\n) VALUES (\n  :id,\n  :v\n)\nON CONFLICT (id) DO UPDATE\n  SET v = EXCLUDED.v', 'INSERT INTO t (\n  id,\n  v,\n  last_token\n) VALUES (\n  :id,\n  :v,\n  :token\n)\nON CONFLICT (id) DO UPDATE\n  SET v = EXCLUDED.v, last_token = EXCLUDED.last_token\n  WHERE t.last_token < EXCLUDED.last_token', '2x1 token'],
  ['INSERT INTO ${0} (id, v) VALUES (${1}, ${2}) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v', 'INSERT INTO ${0} (id, v, last_token) VALUES (${1}, ${2}, ${-1}) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, last_token = EXCLUDED.last_token WHERE ${0}.last_token < EXCLUDED.last_token', ''],
  ['UPDATE t SET a = $1, last_token = $2 WHERE id = $3', 'UPDATE t SET a = $1, last_token = $2 WHERE id = $3 AND last_token < $2', ''],
  ['UPDATE t SET last_token = ?, a = ? WHERE id = ?', 'UPDATE t SET last_token = ?, a = ? WHERE id = ? AND last_token < ?', '3x1=0'],
  ['UPDATE t SET last_token = ${3} WHERE id = ${4}', 'UPDATE t SET last_token = ${3} WHERE id = ${4} AND last_token < ${3}', ''],
  ['UPDATE t SET last_token = :fence WHERE id = :id', 'UPDATE t SET last_token = :fence WHERE id = :id AND last_token < :fence', 'fence'],
  ['INSERT INTO t (id, last_token) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET last_token = EXCLUDED.last_token', 'INSERT INTO t (id, last_token) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET last_token = EXCLUDED.last_token WHERE t.last_token < EXCLUDED.last_token', ''],
  ['UPDATE jobs SET state = $1 WHERE id = $2', 'UPDATE jobs SET state = $1 WHERE id = $2 AND owner = $3', '2x1', { column: 'owner', equals: true }],
  ['UPDATE jobs SET owner = ? WHERE id = ?', 'UPDATE jobs SET owner = ? WHERE id = ? AND owner = ?', '2x1', { column: 'owner', equals: true }],
];

const unfenceable: [sql: string, options?: Partial<FenceOptions>][] = [
  ['DELETE FROM t'], ['UPDATE t SET a = $1 WHERE id = $2 AND last_token < $3'], ['UPDATE t SET a = $1 WHERE id = $2 AND (last_token IS NULL OR last_token < $3)'],
  ['UPDATE t SET a = $1 WHERE id = $2 AND last_token = $3'], ['DELETE FROM t WHERE $1 > LAST_TOKEN'], ['UPDATE t SET last_token = last_token + 1 WHERE id = $1'],
  ['UPDATE t SET last_token = now() WHERE id = $1'], ['UPDATE t SET a = 1 WHERE id = 2'], ['UPDATE t SET a = $1 WHERE id = $${0}'],
  ['UPDATE t SET ${0} WHERE id = ${1}'], ['UPDATE t SET a = ${0} WHERE id = ${1} ${2}'], ['UPDATE t SET a = $1 WHERE CURRENT OF c'],
  ['WITH q AS (SELECT TOP (1) * FROM w) UPDATE q SET a = @a'], ['UPDATE queue SET a = $1 FROM queue q WHERE q.id = queue.parent'],
  ['UPDATE a JOIN b ON a.id = b.id SET x = ? WHERE y = ?'], ['DELETE a, b FROM a JOIN b ON a.id = b.id WHERE a.x = ?'],
  ['WITH u AS (UPDATE t SET a = $1 RETURNING *) SELECT * FROM u'], ['UPDATE t SET a = $1 WHERE id = $2; DELETE FROM t'], ['INSERT INTO t (a) VALUES ($1)'],
  ['INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING'], ['INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = VALUES(b)'],
  ['INSERT INTO t (a) SELECT x FROM u WHERE y = $1 ON CONFLICT (a) DO UPDATE SET a = EXCLUDED.a'], ['INSERT INTO t (id, last_token) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET v = 1'],
  ['MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v'], ['SELECT * FROM t WHERE id = $1'], ['CREATE TABLE t (a int)'],
  ['INSERT INTO t (id, v) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v', { column: 'owner', equals: true }],
];

function fence(text: SqlText, options: Partial<FenceOptions> | undefined): ReturnType<typeof addFence> {
  return addFence(text, { column: 'last_token', tokenParam: 'next', ...options });
}

describe('addFence', () => {
  beforeAll(() => provideSqlEngine(() => readFileSync(wasm)));

  it.each(fenced)('%s', (sql, expected, params, options) => {
    const text = textOf(sql);
    const rewrite = fence(text, options)!;
    expect(rowOf(rewrite.text)).toBe(expected);
    const told = rewrite.insertedParams.map((param) => `${param.at}x${param.occurrences}${param.sameAs === undefined ? '' : `=${param.sameAs}`}`);
    expect([...told, ...(rewrite.tokenName === undefined ? [] : [rewrite.tokenName])].join(' ')).toBe(params);

    expect(fence(rewrite.text, options), 'a second fence').toBeUndefined();
    const facts = analyzeSql(rewrite.text, options?.dialect)![0]!;
    const where = tellConditions(facts.insert?.conflict?.where ?? facts.where);
    expect(where).toMatch(/(last_?token <=?|owner =) \S+$/);

    // From the back, so that the offsets stay true.
    const parts: (string | { hole: number })[][] = text.parts.map((part) => [part]);
    for (const { part, offset, parts: added } of rewrite.insertions.toReversed()) {
      const [first, ...rest] = parts[part]!;
      parts[part] = typeof first === 'string' ? [first.slice(0, offset), ...added, first.slice(offset), ...rest] : offset === 0 ? [...added, first!, ...rest] : [first!, ...added, ...rest];
    }
    expect(rowOf({ parts: parts.flat() })).toBe(expected);
  });

  it.each(unfenceable)('leaves alone: %s', (sql, options) => {
    expect(fence(textOf(sql), options)).toBeUndefined();
  });

  it('inserts into a text that is put together from strings', () => {
    const rewrite = fence({ parts: ['UPDATE t SET a = ?', ' WHERE id = ', { hole: 7 }] }, undefined)!;
    expect(rewrite.insertions).toEqual([
      { part: 0, offset: 18, parts: [', last_token = ?'] },
      { part: 2, offset: 1, parts: [' AND last_token < ?'] },
    ]);
  });
});
