/** What is loaded of ESLint, as a file of its own in the package. */
export { Linter } from 'eslint/universal';
