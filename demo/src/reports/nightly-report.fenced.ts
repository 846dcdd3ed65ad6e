/**
 * The same report, done right: a fresh owner value, a release that compares it, and a token that
 * grows with every grant and that the row itself refuses when it is not the largest.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost:6379');
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

/** The token is minted in the step that grants the lease. The counter never expires. */
const GRANT = `
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return redis.call('incr', KEYS[2])
end
return 0`;

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0`;

export async function computeReport(day: string): Promise<boolean> {
  const key = `report:${day}`;
  const owner = randomUUID();
  const token = Number(await redis.eval(GRANT, 2, key, `${key}:token`, owner, 30_000));
  if (token === 0) return false;

  try {
    const { rows } = await pool.query('SELECT coalesce(sum(cents), 0) AS cents FROM orders WHERE sold_on = $1', [day]);
    const stored = await pool.query(
      'UPDATE sales_reports SET cents = $1, last_token = $2 WHERE day = $3 AND last_token < $2',
      [rows[0].cents, token, day],
    );
    if (stored.rowCount === 0) throw new Error(`a later holder has written the report of ${day}`);
    return true;
  } finally {
    await redis.eval(RELEASE, 1, key, owner);
  }
}
