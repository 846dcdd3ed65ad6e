import { defineConfig } from 'vitest/config';

/** Hours of typing in a minute: `npm run test:soak`. */
export default defineConfig({
  test: { include: ['test/server/**/*.soak.ts'], testTimeout: 240_000, hookTimeout: 120_000 },
});
