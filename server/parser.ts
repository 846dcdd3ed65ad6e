/** The parser behind the server and the command. Nothing else here knows which one it is. */
import * as typescriptParser from '@typescript-eslint/parser';
import type { Linter } from 'eslint';
import type { Program } from '../model/host.ts';

/** In the form that ESLint takes a parser. */
export const parser = typescriptParser as Linter.Parser;

/** Options that let one parser read every file without any configuration. */
export const parserOptions = { ecmaFeatures: { jsx: true }, jsDocParsingMode: 'none', warnOnUnsupportedTypeScriptVersion: false } as const;

/** The tree of a file, or undefined when it has a syntax error. */
export function parseFile(file: string, text: string): Program | undefined {
  try {
    return typescriptParser.parse(text, { ...parserOptions, filePath: file, range: true, loc: true, comment: true, sourceType: 'module' }) as unknown as Program;
  } catch {
    return undefined;
  }
}
