/** typescript-estree, loaded when a text first needs it: it is nine tenths of what the package weighs. */
import type * as TypeScriptParser from './typescript-parser.ts';
import { createRequire } from 'node:module';

/** In the package, the parser is a file beside this one; the build says which. */
declare const TYPESCRIPT_PARSER: string | undefined;

const load = createRequire(import.meta.url);
let loaded: typeof TypeScriptParser | undefined;

export function loadTypeScriptParser(): typeof TypeScriptParser {
  return (loaded ??= load(typeof TYPESCRIPT_PARSER === 'undefined' ? '@typescript-eslint/typescript-estree' : TYPESCRIPT_PARSER) as typeof TypeScriptParser);
}
