/** The tests in the real VS Code: one after the other, in one window; what fails first ends the run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/vscode/**/*.e2e.ts'], bail: 1, testTimeout: 150_000, hookTimeout: 120_000, sequence: { concurrent: false } },
});
