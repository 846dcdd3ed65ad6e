import { defineConfig } from 'vitest/config';

/** Proofs of the edits on real servers: `npm run test:proof`. */
export default defineConfig({
  test: { include: ['test/proof/**/*.proof.ts'], testTimeout: 180_000, hookTimeout: 300_000 },
});
