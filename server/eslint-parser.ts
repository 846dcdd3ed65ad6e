/**
 * The parser of the server and the command in the form that ESLint takes one. Our rules look at the tree as a
 * whole, once, and no other rules run here. So ESLint is given a tree of which it need visit only the root,
 * without tokens and without scopes: making those is half of what parsing costs.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Linter } from 'eslint';
import type { Program } from '../model/host.ts';
import { lineAndColumn, lineStarts } from '../model/place.ts';
import { eslintParts } from './eslint-parts.ts';
import { parsedFor } from './parser.ts';

export const parser = {
  meta: { name: 'fencepost-parser', version: '1' },
  parseForESLint(text: string, { filePath }: { filePath: string }) {
    return { ast: located(parsedFor(filePath, text), text), scopeManager: emptyScopes(), visitorKeys: { Program: [] }, services: {} };
  },
} as unknown as Linter.Parser;

/** The global scope of an empty module: ESLint puts the names of `global` comments there. */
const emptyScopes = () => eslintParts().analyze({ type: 'Program', body: [], range: [0, 0], sourceType: 'module' } as unknown as TSESTree.Program, { sourceType: 'module', lib: [] });

/** The same tree, with as many places in lines as ESLint asks for: its own and its comments'. */
function located(program: Program, text: string): Program {
  const starts = lineStarts(text);
  const place = ([start, end]: readonly [number, number]) => ({ start: lineAndColumn(starts, start), end: lineAndColumn(starts, end) });
  const comments = (program.comments ?? []).map((it) => ({ ...it, loc: place(it.range) }));
  return Object.assign(program, { sourceType: 'module', tokens: [], comments, loc: place(program.range!) });
}
