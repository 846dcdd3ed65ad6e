/**
 * The pair of helpers that half of all services have. The release knows only the key, so it can
 * only be blind: the fault is here, once, and not in each of its callers.
 */
import { randomUUID } from 'node:crypto';
import { redis } from '../clients.js';

export async function acquireLock(name: string, ttlMs: number): Promise<string | null> {
  const owner = randomUUID();
  const reply = await redis.set(`lock:${name}`, owner, 'PX', ttlMs, 'NX');
  return reply === 'OK' ? owner : null;
}

export async function releaseLock(name: string): Promise<void> {
  await redis.del(`lock:${name}`);
}
