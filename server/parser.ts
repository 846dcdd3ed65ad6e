/**
 * The parser behind the server and the command. Nothing else here knows which one it is: oxc where its
 * binary can be loaded, five times as fast, and typescript-estree where it cannot, or where it refuses a
 * text. The trees are equal in type and range, node by node, so that the findings are.
 */
import type { Program } from '../model/host.ts';
import { parseText, parserName, parserOptions, throwingParse } from '../rules/syntax/parse.ts';

export { parserName, parserOptions };

/** The text that was parsed last and what came of it: whoever asked for its tree gives the text to ESLint next. */
let last: { file: string; text: string; program: Program } | undefined;

/** The tree of what ESLint is given next; where it is another text, that one's. Throws where it has a syntax error. */
export const parsedFor = (file: string, text: string): Program => (last?.file === file && last.text === text ? last.program : throwingParse(file, text));

/** The tree of a text, or why it has none. ESLint, given the same text next, gets the same tree; `known` is that tree, where an earlier check has made it. */
export function parseOnce(file: string, text: string, known?: Program): { program: Program } | { syntaxError: { message: string; line: number } } {
  if (known) last = { file, text, program: known };
  if (last?.file === file && last.text === text) return last;
  try {
    last = { file, text, program: throwingParse(file, text) };
    return last;
  } catch (error) {
    const { message, location } = error as { message: string; location?: { start: { line: number } } };
    return { syntaxError: { message, line: location?.start.line ?? 1 } };
  }
}

/** The tree of a file that is only read along, or undefined when it has a syntax error. */
export const parseFile = parseText;
