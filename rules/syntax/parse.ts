/** A text → its tree, by the fastest parser that reads it. */
import type { Program } from '../../model/host.ts';
import { fastParser } from './oxc.ts';
import { loadTypeScriptParser } from './typescript.ts';

/** Options that let one parser read every file without any configuration. */
export const parserOptions = { ecmaFeatures: { jsx: true }, jsDocParsingMode: 'none', warnOnUnsupportedTypeScriptVersion: false } as const;

/** The parser that reads texts which it does not refuse. `FENCEPOST_PARSER=typescript` turns the fast one off. */
export const parserName: 'oxc' | 'typescript' = process.env.FENCEPOST_PARSER !== 'typescript' && fastParser() ? 'oxc' : 'typescript';

/** With what the model needs: types, ranges, comments. Throws as typescript-estree does when the text has a syntax error. */
export function throwingParse(file: string, text: string): Program {
  const tree = parserName === 'oxc' ? fastParser()!(file, text) : undefined;
  return tree ?? (loadTypeScriptParser().parse(text, { filePath: file, jsx: true, jsDocParsingMode: 'none', loggerFn: false, range: true, loc: true, comment: true, sourceType: 'module' }) as unknown as Program);
}

/** Undefined when the text has a syntax error. */
export function parseText(file: string, text: string): Program | undefined {
  try {
    return throwingParse(file, text);
  } catch {
    return undefined;
  }
}
