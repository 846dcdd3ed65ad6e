/** What is loaded of ESLint, as a file of its own in the package. */
export { analyze } from '@typescript-eslint/scope-manager';
export { Linter } from 'eslint/universal';
