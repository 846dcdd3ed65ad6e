/** A caller of the helpers. Its write ends the state that it asks for, and so needs no other fence. */
import { pool } from '../clients.js';
import { acquireLock, releaseLock } from './lock-helper.checked.js';

export async function expireOffers(): Promise<number> {
  const owner = await acquireLock('offers', 60_000);
  if (owner === null) return 0;
  try {
    const { rowCount } = await pool.query("UPDATE offers SET state = 'expired' WHERE state = 'open' AND ends_at < now()");
    return rowCount ?? 0;
  } finally {
    await releaseLock('offers', owner);
  }
}
