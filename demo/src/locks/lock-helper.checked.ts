/** The same pair; the release is told whose lock it is to give back, and asks. */
import { randomUUID } from 'node:crypto';
import { redis } from '../clients.js';

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0`;

export async function acquireLock(name: string, ttlMs: number): Promise<string | null> {
  const owner = randomUUID();
  const reply = await redis.set(`lock:${name}`, owner, 'PX', ttlMs, 'NX');
  return reply === 'OK' ? owner : null;
}

export async function releaseLock(name: string, owner: string): Promise<void> {
  await redis.eval(RELEASE, 1, `lock:${name}`, owner);
}
