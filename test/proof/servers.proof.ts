/**
 * The proofs on real servers. What is not installed is skipped with a message, but not where
 * FENCEPOST_PROOF is `all`: there it is a failure.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from './embedded.ts';
import { isPrismaInstalled, prismaInstall } from './prisma-client.ts';
import { usesPrisma } from './program.ts';
import { proofs } from './proofs.ts';
import { nameOf, prove } from './prove.ts';
import { type ServerName, servers } from './servers.ts';
import { Stores } from './stores.ts';

const onServers = proofs.flatMap((proof) => proof.on.filter((on) => on.some((it) => !(it in engines))).map((on) => ({ name: nameOf(proof, on), proof, on })));
const names = Object.keys(servers) as ServerName[];
const missing = names.filter((it) => !servers[it].isInstalled());
const isComplete = process.env.FENCEPOST_PROOF === 'all';

describe('edits, proven on real servers', () => {
  const stores = new Stores();
  const can = onServers.filter(({ on }) => !on.some((it) => missing.includes(it as ServerName)));
  beforeAll(() => stores.start([...new Set(can.flatMap(({ on }) => on))]));
  afterAll(() => stores.stop());

  for (const { name, proof, on } of onServers) {
    const lacks = on.filter((it) => missing.includes(it as ServerName)).map((it) => servers[it as ServerName].from);
    if (usesPrisma(proof.program) && !isPrismaInstalled()) lacks.push(`prisma (${prismaInstall})`);
    test(name, async (context) => {
      if (lacks.length > 0 && !isComplete) context.skip(`${lacks.join(', ')} is not installed`);
      expect(lacks, 'servers that are not installed').toEqual([]);
      await prove(proof, on, stores);
    });
  }
});
