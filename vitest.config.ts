import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Builds once, before any worker starts: several tests run what is published.
  test: { include: ['test/**/*.test.ts'], exclude: ['test/fixtures/**', '**/node_modules/**'], globalSetup: ['tools/fresh.mjs'], testTimeout: 180_000, hookTimeout: 300_000 },
});
