/**
 * oxc's parser: the native binary that npm installs for the machine, else the WebAssembly that lies in the
 * package, which starts a little later and is half as fast.
 */
import { createRequire } from 'node:module';
import type { Program } from '../../model/host.ts';
import { type Binding, type ParseSync, readAnswer } from './oxc-answer.ts';
import type * as OxcWasm from './oxc-wasm.ts';

export type Parse = (file: string, text: string) => Program | undefined;

/** In the package, the WebAssembly and what starts it are files beside this one; the build says which. During development the binary is there. */
declare const OXC_WASM: string | undefined;

const load = createRequire(import.meta.url);
const ways = {
  native: () => {
    const { parseSync } = binding();
    return { parseSync: ((...given) => readAnswer(parseSync(...given))) as ParseSync };
  },
  wasm: () => (typeof OXC_WASM === 'undefined' ? undefined : { parseSync: (load(OXC_WASM) as typeof OxcWasm).startOxc() }),
};

/** The binary without the package's entry point, which loads visitors and more ways to parse. */
const binding = (): Binding => load('oxc-parser/src-js/bindings') as Binding;

const started: Partial<Record<keyof typeof ways, Parse | false>> = {};
const startedOne = (way: keyof typeof ways): Parse | undefined => (started[way] ??= start(ways[way]) ?? false) || undefined;

/** Undefined where neither runs on this machine. Asked with one way, only that one is tried. */
export const fastParser = (only?: keyof typeof ways): Parse | undefined => (only ? startedOne(only) : (startedOne('native') ?? startedOne('wasm')));

function start(way: () => { parseSync: ParseSync } | undefined): Parse | undefined {
  try {
    const parseSync = way()?.parseSync;
    // What loads and does not work is as good as none.
    if (parseSync?.('a.ts', 'let a', { range: true }).program.body.length !== 1) return undefined;
    return (file, text) => {
      try {
        return nestsDeeply(text) ? undefined : tree(parseSync, file, text);
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

/** The binary does not throw when its stack is full, it ends the process; that takes some thousand brackets in each other. */
const deepest = 1000;

/** Brackets in texts and comments count as well: such a file is only read by the slower parser. */
function nestsDeeply(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return true;
    } else if (code === 0x29 || code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

const languageOf = (file: string): 'ts' | 'tsx' | 'jsx' => (/\.[cm]?ts$/.test(file) ? 'ts' : file.endsWith('.tsx') ? 'tsx' : 'jsx');

/** Undefined when oxc refuses the text: whether it has an error is for the more patient parser to say. */
function tree(parseSync: ParseSync, file: string, text: string): Program | undefined {
  // Whether a `return` may stand at the top of a CommonJS file is not written on it.
  for (const sourceType of file.endsWith('.cjs') || file.endsWith('.cts') ? (['commonjs'] as const) : (['module', 'commonjs'] as const)) {
    const parsed = parseSync(file, text, { lang: languageOf(file), sourceType, astType: 'ts', range: true, preserveParens: false });
    if (parsed.errors.some((it) => it.severity === 'Error')) continue;
    const program = parsed.program as unknown as Program;
    program.comments = parsed.comments.map((it) => ({ type: it.type, value: it.value, range: [it.start, it.end] }));
    return program;
  }
  return undefined;
}
