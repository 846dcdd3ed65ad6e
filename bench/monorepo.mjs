/** Makes a monorepo of so many files, of which so many take a lock; the rest is the code of any service: types, arithmetic, calls of what lies beside it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const perPackage = 100;

const plain = (n, before) => `${before === undefined ? '' : `import { total${before} } from './f${before}';\n`}
/** Lines of an order, and what they come to. */
export interface Line${n} {
  readonly name: string;
  readonly cents: number;
  readonly count: number;
}

export function total${n}(lines: readonly Line${n}[], discount = 0): number {
  const sum = lines.reduce((all, it) => all + it.cents * it.count, 0);
  return Math.max(0, sum - discount)${before === undefined ? '' : ` + total${before}([])`};
}

export class Basket${n} {
  private readonly lines: Line${n}[] = [];

  add(name: string, cents: number, count = 1): this {
    this.lines.push({ name, cents, count });
    return this;
  }

  get cents(): number {
    return total${n}(this.lines);
  }

  async shown(print: (text: string) => Promise<void>): Promise<void> {
    for (const { name, cents, count } of this.lines) await print(\`\${name} \${count} x \${(cents / 100).toFixed(2)}\`);
    await print(\`in all \${(this.cents / 100).toFixed(2)}\`);
  }
}
`;

const locking = (n) => `import Redis from 'ioredis';
import { Pool } from 'pg';
import { randomUUID } from 'node:crypto';

const redis = new Redis();
const pool = new Pool();

export async function settle${n}(id: string, cents: number): Promise<void> {
  const owner = randomUUID();
  if ((await redis.set(\`settle${n}:\${id}\`, owner, 'PX', 5_000, 'NX')) !== 'OK') return;
  try {
    await pool.query('UPDATE accounts SET cents = $1 WHERE id = $2', [cents, id]);
  } finally {
    await redis.del(\`settle${n}:\${id}\`);
  }
}
`;

/** Writes it into \`folder\`; lock sites are spread evenly. */
export function makeMonorepo(folder, { files, locks }) {
  const step = locks > 0 ? files / locks : Infinity;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bench', private: true, type: 'module', workspaces: ['packages/*'] }));
  for (let n = 0; n < files; n++) {
    const home = join(folder, 'packages', `p${Math.floor(n / perPackage)}`);
    const source = join(home, 'src');
    if (n % perPackage === 0) {
      mkdirSync(source, { recursive: true });
      writeFileSync(join(home, 'package.json'), JSON.stringify({ name: `@bench/p${n / perPackage}`, dependencies: { ioredis: '^5.4.0', pg: '^8.11.0' } }));
    }
    const isLocking = Math.floor((n + 1) / step) > Math.floor(n / step);
    const wasLocking = Math.floor(n / step) > Math.floor((n - 1) / step);
    writeFileSync(join(source, `f${n}.ts`), isLocking ? locking(n) : plain(n, n % perPackage === 0 || wasLocking ? undefined : n - 1));
  }
}
