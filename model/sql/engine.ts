/**
 * Owns the SQL parser: a WebAssembly module that is started at the first parse, once. The bytes
 * are handed in, because reading a file is the business of whoever starts the program.
 */

// The package's entry point starts asynchronously, and rules are synchronous; the module below is
// not in its `exports`, so it is imported by path.
import { initSync, parse_sql } from '../../node_modules/@guanmingchiu/sqlparser-ts/wasm/sqlparser_rs_wasm.js';

let provider: (() => Uint8Array) | undefined;
let state: 'idle' | 'running' | 'failed' = 'idle';

/**
 * Says where the bytes of `sqlparser_rs_wasm_bg.wasm` come from. Nothing is loaded before the
 * first parse; a second call matters only while nothing has been started.
 */
export function provideSqlEngine(load: () => Uint8Array): void {
  if (state === 'running') return;
  provider = load;
  state = 'idle';
}

/** Whether a text can be parsed at all. Starts the engine. */
export function isEngineReady(): boolean {
  if (state === 'idle' && provider !== undefined) {
    try {
      initSync({ module: provider() as Uint8Array<ArrayBuffer> });
      state = 'running';
    } catch {
      state = 'failed';
    }
  }
  return state === 'running';
}

/** The statements of a text as the parser's own trees, or undefined where it cannot read them. */
export function parseTrees(dialect: string, sql: string): unknown[] | undefined {
  if (!isEngineReady()) return undefined;
  try {
    const trees: unknown = parse_sql(dialect, sql);
    return Array.isArray(trees) ? trees : undefined;
  } catch {
    return undefined;
  }
}
