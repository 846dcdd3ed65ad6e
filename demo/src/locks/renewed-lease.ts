/** A lock as a class. It compares its owner value wherever it should; what it is used for is another matter. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';

const EXTEND = `
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0`;

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0`;

export class RenewedLease {
  private readonly owner = randomUUID();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly ttlMs: number,
  ) {}

  async tryAcquire(): Promise<boolean> {
    const reply = await this.redis.set(this.key, this.owner, 'PX', this.ttlMs, 'NX');
    return reply === 'OK';
  }

  /** Prolongs the lease every third of it, and tells when that is refused. */
  keepAlive(onLoss: (why: Error) => void): void {
    this.timer = setInterval(() => {
      this.redis.eval(EXTEND, 1, this.key, this.owner, this.ttlMs).then((kept) => {
        if (kept !== 1) onLoss(new Error(`the lease on ${this.key} was lost`));
      }, onLoss);
    }, this.ttlMs / 3);
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.redis.eval(RELEASE, 1, this.key, this.owner);
  }
}

/** Takes over a supplier's prices. The lease is renewed, the loss is noticed, and the gap is still there. */
export async function importPrices(redis: Redis, pool: Pool, supplier: string, prices: Map<string, number>): Promise<void> {
  const lease = new RenewedLease(redis, `prices:${supplier}`, 10_000);
  if (!(await lease.tryAcquire())) return;
  let lost: Error | undefined;
  lease.keepAlive((why) => (lost = why));
  try {
    for (const [sku, cents] of prices) {
      await pool.query('UPDATE prices SET cents = $1 WHERE sku = $2', [cents, sku]);
    }
  } finally {
    await lease.release();
  }
  if (lost) throw lost;
}

/** The same import, each row with the revision of the supplier's list: an older list cannot overwrite a newer one. */
export async function importPriceList(redis: Redis, pool: Pool, supplier: string, revision: number, prices: Map<string, number>): Promise<void> {
  const lease = new RenewedLease(redis, `prices:${supplier}`, 10_000);
  if (!(await lease.tryAcquire())) return;
  let lost: Error | undefined;
  lease.keepAlive((why) => (lost = why));
  try {
    for (const [sku, cents] of prices) {
      const { rowCount } = await pool.query('UPDATE prices SET cents = $1, revision = $2 WHERE sku = $3 AND revision < $2', [cents, revision, sku]);
      if (rowCount === 0) throw new Error(`${sku} has a price of a later list`);
    }
  } finally {
    await lease.release();
  }
  if (lost) throw lost;
}
