/** What is loaded to resolve by the rules of Node and TypeScript, as a file of its own in the package. */
export { default as enhanced } from 'enhanced-resolve';
export { createPathsMatcher, getTsconfig } from 'get-tsconfig';
export { default as JSON5 } from 'json5';
