/** What is loaded of ESLint and beside it, when the first text needs it, which most never do. */
import type { analyze } from '@typescript-eslint/scope-manager';
import type { Linter } from 'eslint';
import { createRequire } from 'node:module';

export interface EslintParts {
  Linter: typeof Linter;
  analyze: typeof analyze;
}

/** In the package, it is a file beside this one; the build says which. */
declare const ESLINT_LINTER: string | undefined;

const load = createRequire(import.meta.url);
let loaded: EslintParts | undefined;

export function eslintParts(): EslintParts {
  return (loaded ??= typeof ESLINT_LINTER === 'undefined' ? { ...(load('eslint/universal') as EslintParts), ...(load('@typescript-eslint/scope-manager') as EslintParts) } : (load(ESLINT_LINTER) as EslintParts));
}
