/** The proofs that need no server: the edits on engines that this process and its children have in themselves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { libraries } from '../../catalog/index.gen.ts';
import { engines } from './embedded.ts';
import { lacksFence, withoutFence } from './limits.ts';
import { programNames } from './program.ts';
import { proofs } from './proofs.ts';
import { nameOf, prove } from './prove.ts';
import type { StoreName } from './store-names.ts';
import { Stores } from './stores.ts';

const embedded = proofs.flatMap((proof) => proof.on.filter((on) => on.every((it) => it in engines)).map((on) => [nameOf(proof, on), proof, on] as const));

describe('edits, proven by running the code before and after', () => {
  const stores = new Stores();
  beforeAll(() => stores.start([...new Set(embedded.flatMap(([, , on]): readonly StoreName[] => on))]));
  afterAll(() => stores.stop());

  test.each(embedded)('%s', (_, proof, on) => prove(proof, on, stores));
});

test('every program has a proof, and every proof a program', () => {
  expect([...new Set(proofs.map((it) => it.program))].sort()).toEqual(programNames().sort());
});

test('where a client has no form of a fence, the page says why, and nowhere else', () => {
  expect(Object.keys(withoutFence).sort()).toEqual(libraries.filter(lacksFence).map((it) => it.key).sort());
});
