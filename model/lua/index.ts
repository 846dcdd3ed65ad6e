// Owns the one question that the rest of the project asks about Lua: what does this script do?

import { findAcquires } from './acquires.ts';
import type { LuaFacts } from './facts.ts';
import { findMints, findWrites } from './fences.ts';
import { findReleases, findRenewals } from './releases.ts';
import { distinct, returnOf } from './returns.ts';
import { runScript } from './run.ts';
import { gatherCalls } from './sites.ts';

export type * from './facts.ts';
export { leavesOf, operandId, sameOperand } from './operands.ts';

const mostRemembered = 512;
const remembered = new Map<string, LuaFacts | undefined>();

/** What a Redis Lua script does; `undefined` when the text is no Lua. Never throws; equal texts get the same answer. */
export function analyzeLua(text: string): LuaFacts | undefined {
  if (remembered.has(text)) return remembered.get(text);
  const facts = analyzeSafely(text);
  const oldest = remembered.keys().next();
  if (remembered.size >= mostRemembered && !oldest.done) remembered.delete(oldest.value);
  remembered.set(text, facts);
  return facts;
}

function analyzeSafely(text: string): LuaFacts | undefined {
  try {
    return analyze(text);
  } catch {
    // A defect here must not end the caller's whole run; a script without facts is one that nothing is known of.
    return undefined;
  }
}

function analyze(text: string): LuaFacts | undefined {
  const script = runScript(text);
  if (!script) return undefined;
  const { paths, complete } = script;
  const calls = gatherCalls(paths);
  const { acquires, grants } = findAcquires(paths, calls);
  const releases = findReleases(paths, calls, grants);
  const renewals = findRenewals(paths, calls, grants);
  const mints = findMints(paths, calls, grants);
  const writes = findWrites(paths, calls, grants, { releases, renewals, mints });
  return { calls: calls.calls, acquires, releases, renewals, mints, writes, returns: distinct(paths.map((path) => returnOf(path))), complete };
}
