/** How V8 compiles in a process of our own. */
import { setFlagsFromString } from 'node:v8';

/**
 * How much a function of WebAssembly may do before V8 optimizes it: by itself it does so after a hundredth of
 * this. The SQL parser is a few functions of enormous size, of which a process that is asked for a handful of
 * statements would spend more time on optimizing than on all else that it does.
 */
const wasmBudget = 300_000_000;

/**
 * How much a function may run before V8 optimizes it: by itself it does so after an eighth of this, counted in
 * bytes of its code until Node 20, and in calls since Node 22. An analysis is many functions that run for some
 * seconds at most. What V8 spends on optimizing most of them, and on forgetting it when a file of another kind
 * comes, they do not give back.
 */
const budget = 500_000;
const calls = 24_000;

/** Newer ones may not know the flags, and would say so where people read. */
const lastKnownNode = 24;
const node = Number.parseInt(process.versions.node);

/**
 * Has V8 check a function of WebAssembly when it is first called, for it compiles it only then, and optimize it
 * later. To be called before the first module is compiled.
 */
export function compileWasmLate(): void {
  if (node > lastKnownNode) return;
  setFlagsFromString('--wasm-lazy-validation');
  setFlagsFromString(`--wasm-tiering-budget=${wasmBudget}`);
}

/** For a process that ends soon: has V8 optimize only what runs most. To be called first of all. */
export function optimizeLate(): void {
  if (node === 20) setFlagsFromString(`--interrupt-budget=${budget}`);
  else if (node >= 22 && node <= lastKnownNode) setFlagsFromString(`--invocation-count-for-turbofan=${calls}`);
}
