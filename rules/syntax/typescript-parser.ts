/** What is loaded of typescript-estree, as a file of its own in the package. */
export { parse } from '@typescript-eslint/typescript-estree';
