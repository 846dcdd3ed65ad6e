/** A text → its tree, by the fastest parser that reads it. */
import type { Program } from '../../model/host.ts';
import { fastParser, type Parse } from './oxc.ts';
import { loadTypeScriptParser } from './typescript.ts';

/** Options that let one parser read every file without any configuration. */
export const parserOptions = { ecmaFeatures: { jsx: true }, jsDocParsingMode: 'none', warnOnUnsupportedTypeScriptVersion: false } as const;

/** `FENCEPOST_PARSER=typescript` turns the fast parser off; `native` and `wasm` want one form of it. */
const wanted = process.env.FENCEPOST_PARSER;

const fast = (): Parse | undefined => (wanted === 'typescript' ? undefined : fastParser(wanted === 'native' || wanted === 'wasm' ? wanted : undefined));

const sources = /\.[cm]?[jt]sx?$/;

/** By the binary, where it is installed and reads the text; undefined else. Files that a parser of their own is needed for are not tried. */
export function parseNatively(file: string, text: string): Program | undefined {
  if (wanted === 'typescript' || wanted === 'wasm' || !sources.test(file)) return undefined;
  return fastParser('native')?.(file, text);
}

/** The parser that reads texts which it does not refuse. */
export const parserName = (): 'oxc' | 'typescript' => (fast() ? 'oxc' : 'typescript');

/** With what the model needs: types, ranges, comments. Throws as typescript-estree does when the text has a syntax error. */
export function throwingParse(file: string, text: string): Program {
  return fast()?.(file, text) ?? (loadTypeScriptParser().parse(text, { filePath: file, jsx: true, jsDocParsingMode: 'none', loggerFn: false, range: true, loc: true, comment: true, sourceType: 'module' }) as unknown as Program);
}

/** Undefined when the text has a syntax error. */
export function parseText(file: string, text: string): Program | undefined {
  try {
    return throwingParse(file, text);
  } catch {
    return undefined;
  }
}
