/** A caller of the helpers that names the lock when it gives it back, and cannot say whose it is. */
import { pool } from '../clients.js';
import { acquireLock, releaseLock } from './lock-helper.js';

/** Closes a till for the day. Whoever comes second finds it closed: the state that the row must have refuses the write. */
export async function closeRegister(register: string): Promise<boolean> {
  const owner = await acquireLock(`register:${register}`, 10_000);
  if (owner === null) return false;
  try {
    const { rowCount } = await pool.query("UPDATE registers SET state = 'closed' WHERE id = $1 AND state = 'open'", [register]);
    return rowCount === 1;
  } finally {
    await releaseLock(`register:${register}`);
  }
}
