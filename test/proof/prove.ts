/** Plays a proof: the program as it is and as its edits leave it, on one set of stores. */
import { expect } from 'vitest';
import { Instance } from './instance.ts';
import { buildProgram, mend } from './program.ts';
import type { Proof } from './proofs.ts';
import { scenarios } from './scenarios.ts';
import type { StoreName } from './store-names.ts';
import type { Stores } from './stores.ts';

export async function prove(proof: Proof, on: readonly StoreName[], stores: Stores): Promise<void> {
  const mended = mend(proof.program, proof.settings);
  expect(mended.edits, 'edits are offered').not.toEqual([]);
  const facts = [];
  for (const variant of ['before', 'after'] as const) {
    const program = await buildProgram(proof.program, variant, mended);
    await stores.reset(on);
    try {
      facts.push(await scenarios[proof.scenario].play({ program, stores, on }));
    } finally {
      Instance.endAll();
    }
  }
  expect(facts).toEqual([proof.before, proof.after]);
}

export const nameOf = (proof: Proof, on: readonly StoreName[]): string => `${proof.edit} by ${proof.client} (${proof.program}) on ${on.join(' and ')}`;
