/** How WebAssembly is compiled in a process of our own. */
import { setFlagsFromString } from 'node:v8';

/**
 * How much a function may do before V8 optimizes it: by itself it does so after a hundredth of this. The SQL
 * parser is a few functions of enormous size, of which a process that is asked for a handful of statements
 * would spend more time on optimizing than on all else that it does.
 */
const budget = 300_000_000;

/** Newer ones may not know the flags, and would say so where people read. */
const lastKnownNode = 24;

/**
 * Has V8 check a function when it is first called, for it compiles it only then, and optimize it later. To be
 * called before the first module is compiled.
 */
export function compileWasmLate(): void {
  if (Number.parseInt(process.versions.node) > lastKnownNode) return;
  setFlagsFromString('--wasm-lazy-validation');
  setFlagsFromString(`--wasm-tiering-budget=${budget}`);
}
