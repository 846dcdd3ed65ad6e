/**
 * Test runners: Vitest, Jest, Mocha, `node:test` and others. Names from their documentation. What stands in
 * a test takes locks to see what becomes of them, and leaves them, gives them back twice or does not look at
 * the answer on purpose.
 */
import { library } from './schema.ts';

export default library({
  key: 'test-runners',
  packages: ['vitest', '@jest/globals', 'node:test', 'mocha', 'ava', 'tap', 'tape', 'uvu', 'bun:test', '@playwright/test', '@japa/runner', 'jasmine', 'qunit', '@cloudflare/vitest-pool-workers'],
  title: 'Test runners',
  family: 'language',
  calls: [],
  tests: ['describe', 'context', 'suite', 'it', 'test', 'specify', 'fdescribe', 'fit', 'xdescribe', 'xit', 'xtest', 'before', 'beforeAll', 'beforeEach', 'after', 'afterAll', 'afterEach'],
  facts: ['A module that hands functions to a test runner is a test: nothing in it is reported.'],
});
