/** Two more callers of the helpers: the lock is taken in another file, the write is here. */
import { pool } from '../clients.js';
import { acquireLock, releaseLock } from './lock-helper.checked.js';

/** The row is overwritten by whoever comes last, be its numbers old or new. */
export async function storeTotal(day: string, sum: (day: string) => Promise<number>): Promise<void> {
  const owner = await acquireLock(`total:${day}`, 15_000);
  if (owner === null) return;
  try {
    const cents = await sum(day);
    await pool.query('UPDATE daily_totals SET cents = $1 WHERE day = $2', [cents, day]);
  } finally {
    await releaseLock(`total:${day}`, owner);
  }
}

/** The row is overwritten only if it is still the one that was read. */
export async function storeTotalOnce(day: string, sum: (day: string) => Promise<number>): Promise<void> {
  const owner = await acquireLock(`total:${day}`, 15_000);
  if (owner === null) return;
  try {
    const { rows } = await pool.query('SELECT version FROM daily_totals WHERE day = $1', [day]);
    const cents = await sum(day);
    const { rowCount } = await pool.query(
      'UPDATE daily_totals SET cents = $1, version = version + 1 WHERE day = $2 AND version = $3',
      [cents, day, rows[0].version],
    );
    if (rowCount === 0) throw new Error(`the total of ${day} was stored by a later holder`);
  } finally {
    await releaseLock(`total:${day}`, owner);
  }
}
