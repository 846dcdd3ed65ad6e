// Owns one analysis from text to paths: parsing, the budget, and the numbers that name places.

import luaparse, { type Chunk, type Node } from 'luaparse';
import { runBlock } from './execute.ts';
import { outermost } from './scope.ts';
import { BudgetSpent, startState, type Run, type State } from './state.ts';

const mostSteps = 60_000;

/** The paths through a script, each from its first statement to its return. */
export interface Paths {
  readonly paths: readonly State[];
  readonly complete: boolean;
}

/** Follows all paths of a script; `undefined` when it is no Lua. */
export function runScript(text: string): Paths | undefined {
  const chunk = parse(text);
  if (!chunk) return undefined;
  const run = newRun();
  try {
    const paths = runBlock(chunk.body, outermost, [startState()], run);
    return { paths, complete: run.complete };
  } catch (error) {
    // A script with too much work, or nested too deep for the stack, is one that nobody wrote for a lock.
    if (error instanceof BudgetSpent || error instanceof RangeError) return { paths: [], complete: false };
    return undefined;
  }
}

function parse(text: string): Chunk | undefined {
  // Lua strings are bytes. Handing the parser bytes lets it accept any text and keeps escapes exact.
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  try {
    return luaparse.parse(bytes, { luaVersion: '5.1', comments: false, encodingMode: 'pseudo-latin1' });
  } catch {
    return undefined;
  }
}

function newRun(): Run {
  const nodes = new Map<Node, number>();
  const places = new Map<string, number>();
  let steps = 0;
  let last = 0;
  const run: Run = {
    complete: true,
    globals: new Map(),
    calls: [],
    block: runBlock,
    fresh: () => ++last,
    step: () => {
      if (++steps > mostSteps) throw new BudgetSpent();
    },
    at: (node) => {
      let number = nodes.get(node);
      if (number === undefined) nodes.set(node, (number = nodes.size + 1));
      const place = [...run.calls, number].join('/');
      let at = places.get(place);
      if (at === undefined) places.set(place, (at = places.size + 1));
      return at;
    },
  };
  return run;
}
