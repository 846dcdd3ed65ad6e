/**
 * The parser behind the server and the command. Nothing else here knows which one it is: oxc where its
 * binary can be loaded, five times as fast, and typescript-estree where it cannot, or where it refuses a
 * text. The trees are equal in type and range, node by node, so that the findings are.
 *
 * Our rules look at the tree as a whole, once, and no other rules run here. So ESLint is given a tree of which
 * it need visit only the root, without tokens and without scopes: making those is half of what parsing costs.
 */
import { analyze } from '@typescript-eslint/scope-manager';
import type { TSESTree } from '@typescript-eslint/types';
import type { Linter } from 'eslint';
import type { Program } from '../model/host.ts';
import { lineAndColumn, lineStarts } from '../model/place.ts';
import { parseText, parserName, parserOptions, throwingParse } from '../rules/syntax/parse.ts';

export { parserName, parserOptions };

/** The global scope of an empty module: ESLint puts the names of `global` comments there. */
const emptyScopes = () => analyze({ type: 'Program', body: [], range: [0, 0], sourceType: 'module' } as unknown as TSESTree.Program, { sourceType: 'module', lib: [] });

/** The text that was parsed last and what came of it: whoever asked for its tree gives the text to ESLint next. */
let last: { file: string; text: string; program: Program } | undefined;

/** In the form that ESLint takes a parser. */
export const parser = {
  meta: { name: 'fencepost-parser', version: '1' },
  parseForESLint(text: string, { filePath }: { filePath: string }) {
    const program = last?.file === filePath && last.text === text ? last.program : throwingParse(filePath, text);
    return { ast: located(program, text), scopeManager: emptyScopes(), visitorKeys: { Program: [] }, services: {} };
  },
} as unknown as Linter.Parser;

/** The same tree, with as many places in lines as ESLint asks for: its own and its comments'. */
function located(program: Program, text: string): Program {
  const starts = lineStarts(text);
  const place = ([start, end]: readonly [number, number]) => ({ start: lineAndColumn(starts, start), end: lineAndColumn(starts, end) });
  const comments = (program.comments ?? []).map((it) => ({ ...it, loc: place(it.range) }));
  return Object.assign(program, { sourceType: 'module', tokens: [], comments, loc: place(program.range!) });
}

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
