/** Texts that the server's tests open. */

/** A lease that is released without comparing the owner value, in the commonest form. */
export const blindRelease = `import Redis from 'ioredis';

const redis = new Redis();

export async function f(id: string) {
  const key = \`lock:\${id}\`;
  const ok = await redis.set(key, '1', 'PX', 5000, 'NX');
  if (ok !== 'OK') return;
  try {
    await work(id);
  } finally {
    await redis.del(key);
  }
}

async function work(id: string) {
  console.log(id);
}
`;

export const uri = 'file:///project/job.ts';
