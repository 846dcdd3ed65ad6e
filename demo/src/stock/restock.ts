/**
 * Books a delivery into the stock. Redlock's `using` extends the lease while the body runs, which
 * keeps the lock of a healthy process, and protects nothing from one that has stood still.
 * restock.versioned.ts is the right form.
 */
import { Redlock } from '@sesamecare-oss/redlock';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const redlock = new Redlock([new Redis(process.env.REDIS_URL ?? 'redis://localhost:6379')]);
const pool = new Pool({ connectionString: process.env.DATABASE_URL });

export async function bookDelivery(sku: string, delivered: number): Promise<number> {
  return redlock.using([`stock:${sku}`], 5_000, async () => {
    const { rows } = await pool.query('SELECT pieces FROM stock WHERE sku = $1', [sku]);
    const pieces = rows[0].pieces + delivered;
    await pool.query('UPDATE stock SET pieces = $1 WHERE sku = $2', [pieces, sku]);
    return pieces;
  });
}
