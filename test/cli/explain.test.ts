/** `fencepost explain`: the story of a lock, or why there is none. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { startSession } from '../server/session.ts';
import { blind, fencepost, folderWith, harmless } from './run.ts';

test('tells the lock that a line is part of', () => {
  const cwd = folderWith({ 'a.ts': blind });
  const { code, out } = fencepost(['explain', 'a.ts:8'], { cwd });
  expect(code).toBe(0);
  expect(out).toContain('order:');
  expect(out).toMatch(/8/);
  expect(fencepost(['explain', 'a.ts'], { cwd }).out).toContain('order:');
});

test('says so where there is none', () => {
  expect(fencepost(['explain', 'a.ts'], { cwd: folderWith({ 'a.ts': harmless }) })).toEqual({ code: 0, out: 'a.ts mentions no lock, client or store that is known.\n', said: '' });
});

test('a file that speaks of a store and takes no lock is told so', () => {
  const counts = "import Redis from 'ioredis';\nconst redis = new Redis();\nexport const count = (id: string) => redis.incr(`seen:${id}`);\n";
  expect(fencepost(['explain', 'a.ts'], { cwd: folderWith({ 'a.ts': counts }) })).toEqual({ code: 0, out: 'No lock is taken or given back in a.ts, as far as it can be followed.\n', said: '' });
});

test.each([
  ['a file that is not there', 'b.ts', /b\.ts cannot be explained: there is no such file/],
  ['a syntax error', 'broken.ts', /line 1 has a syntax error/],
  ['a folder', '.', /cannot be explained/],
])('2 for %s', (_, file, sentence) => {
  const { code, said } = fencepost(['explain', file], { cwd: folderWith({ 'broken.ts': "const = redis.set(key, owner, 'NX');" }) });
  expect(said).toMatch(sentence);
  expect(code).toBe(2);
});

test('the server starts, answers and ends', async () => {
  const session = await startSession([join(root, 'dist/cli.cjs'), 'server', '--stdio']);
  expect(session.initialized.serverInfo?.name).toMatch(/fencepost/i);
  expect(await session.stop()).toBe(0);
});
