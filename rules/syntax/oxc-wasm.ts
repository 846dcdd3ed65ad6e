/**
 * oxc's parser as WebAssembly, for where no binary of it is installed: the editors' packages, and machines
 * that npm has none for. A file of its own in the package, because most who load the analysis do without.
 */
import { instantiateNapiModuleSync } from '@emnapi/core';
import asyncWork from '@emnapi/core/plugins/async-work';
import threadsafeFunctions from '@emnapi/core/plugins/threadsafe-function';
import { createContext } from '@emnapi/runtime';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binding, type ParseSync, readAnswer } from './oxc-answer.ts';

/** As much of the engine as is used here; Node's types do not name it. */
interface Memory {
  readonly buffer: ArrayBuffer;
}
const { Memory: WasmMemory, Module } = (globalThis as unknown as { WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => Memory; Module: new (bytes: Uint8Array) => object } }).WebAssembly;

/** The memory that the module asks for at least, in pages of 64 KiB; what is not written to is not taken from the system. */
const leastPages = 980;
const maxPages = 65_536;

/** The parser of the module that lies beside this file. Throws where that cannot be read or does not run. */
export function startOxc(): ParseSync {
  let parse = start();
  return (file, text, options) => {
    try {
      return readAnswer(parse(file, text, options));
    } catch (error) {
      // A text that is nested too deep ends the module, which is of no use after that.
      parse = start();
      throw error;
    }
  };
}

function start(): Binding['parseSync'] {
  const memory = new WasmMemory({ initial: leastPages, maximum: maxPages });
  const { napiModule } = instantiateNapiModuleSync(new Module(readFileSync(join(__dirname, 'oxc-parser.wasm'))), {
    context: createContext(),
    asyncWorkPoolSize: 0,
    plugins: [asyncWork, threadsafeFunctions],
    wasi: systemFor(memory),
    overwriteImports: (all) => ({ ...all, env: { ...all.env, ...all.napi, ...all.emnapi, memory } }),
    beforeInit({ instance }) {
      for (const [name, register] of Object.entries(instance.exports)) if (name.startsWith('__napi_register__')) (register as () => void)();
    },
  });
  return (napiModule.exports as Binding).parseSync;
}

/** As much of a system as a parser asks for: chance for its hash tables, a clock, no environment, nothing to write to. */
function systemFor(memory: Memory) {
  const view = (): DataView => new DataView(memory.buffer);
  const done = 0;
  const badFile = 8;
  return {
    wasiImport: {
      random_get(at: number, length: number): number {
        crypto.getRandomValues(new Uint8Array(memory.buffer, at, length));
        return done;
      },
      clock_time_get(_clock: number, _precision: bigint, at: number): number {
        view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return done;
      },
      environ_get: (): number => done,
      environ_sizes_get(count: number, size: number): number {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return done;
      },
      fd_write: (): number => badFile,
      proc_exit(code: number): never {
        throw new Error(`The parser ended with ${code}.`);
      },
    },
    initialize: (instance: object): void => (instance as { exports: { _initialize(): void } }).exports._initialize(),
    start: (): number => done,
  };
}
