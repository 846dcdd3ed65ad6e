/**
 * The parser behind the server and the command. Nothing else here knows which one it is.
 *
 * Our rules look at the tree as a whole, once, and no other rules run here. So ESLint is given a tree of which
 * it need visit only the root, without tokens and without scopes: making those is half of what parsing costs.
 */
import { analyze } from '@typescript-eslint/scope-manager';
import { parse, type TSESTree } from '@typescript-eslint/typescript-estree';
import type { Linter } from 'eslint';
import type { Program } from '../model/host.ts';

/** Options that let one parser read every file without any configuration. */
export const parserOptions = { ecmaFeatures: { jsx: true }, jsDocParsingMode: 'none', warnOnUnsupportedTypeScriptVersion: false } as const;

const treeOf = (filePath: string, text: string): TSESTree.Program =>
  parse(text, { filePath, jsx: true, jsDocParsingMode: 'none', loggerFn: false, range: true, loc: true, comment: true, sourceType: 'module' });

/** The global scope of an empty module: ESLint puts the names of `global` comments there. */
const emptyScopes = () => analyze({ type: 'Program', body: [], range: [0, 0], sourceType: 'module' } as unknown as TSESTree.Program, { sourceType: 'module', lib: [] });

/** In the form that ESLint takes a parser. */
export const parser = {
  meta: { name: 'fencepost-parser', version: '1' },
  parseForESLint(text: string, { filePath }: { filePath: string }) {
    const ast = { ...treeOf(filePath, text), sourceType: 'module', tokens: [] };
    return { ast, scopeManager: emptyScopes(), visitorKeys: { Program: [] }, services: {} };
  },
} as unknown as Linter.Parser;

/** The tree of a file, or undefined when it has a syntax error. */
export function parseFile(file: string, text: string): Program | undefined {
  try {
    return treeOf(file, text) as unknown as Program;
  } catch {
    return undefined;
  }
}
