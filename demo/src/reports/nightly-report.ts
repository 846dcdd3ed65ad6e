/**
 * The sales report of a day, computed at night by whichever of the two instances comes first.
 * As it was first written; nightly-report.fenced.ts is the right form.
 */
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost:6379');
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

export async function computeReport(day: string): Promise<boolean> {
  const key = `report:${day}`;
  // Every instance writes the same value, so that none can tell its own lock from another's.
  const granted = await redis.set(key, 'running', 'PX', 30_000, 'NX');
  if (granted !== 'OK') return false;

  try {
    const { rows } = await pool.query('SELECT coalesce(sum(cents), 0) AS cents FROM orders WHERE sold_on = $1', [day]);
    // A pause of more than 30 s before this line, and the other instance has already written newer numbers.
    await pool.query('UPDATE sales_reports SET cents = $1 WHERE day = $2', [rows[0].cents, day]);
    return true;
  } finally {
    // Whose lock is this by now?
    await redis.del(key);
  }
}
