/** The project's own lint run: sound TypeScript, and the order of the house. */
import { defineConfig } from 'eslint/config';
import js from '@eslint/js';
import typescript from 'typescript-eslint';
import noPackageNames from './tools/lint/no-package-names.mjs';

/** For each floor, the floors and folders that it must not import from. */
const forbidden = {
  catalog: ['model', 'rules', 'server', 'extension', 'cli'],
  model: ['rules', 'server', 'extension', 'cli'],
  rules: ['server', 'extension', 'cli'],
  server: ['extension', 'cli'],
  extension: ['cli'],
  cli: ['extension'],
};

const floors = Object.entries(forbidden).map(([floor, others]) => ({
  files: [`${floor}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { regex: `^(?:\\.\\.?/)+(?:${others.join('|')})/`, message: `${floor}/ does not import from the floors that it feeds.` },
          { regex: '^(?:\\.\\.?/)+(?:test|tools|demo|bench|dist)/', message: 'What is published does not import from what is around it.' },
        ],
      },
    ],
  },
}));

export default defineConfig([
  { ignores: ['dist/', 'demo/', 'test/fixtures/', 'test/catalog/fixtures/', 'test-output/', '.cache/', '**/*.d.ts', '**/*.d.mts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,js,mjs}'],
    plugins: { house: { rules: { 'no-package-names': noPackageNames } } },
    extends: [js.configs.recommended, typescript.configs.strict, typescript.configs.stylistic],
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-else-return': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An index that is in range by construction needs no test that cannot fail.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `type` for unions and functions, `interface` for shapes; both are read easily.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-expressions': ['error', { allowTernary: true, allowShortCircuit: true }],
      // A walk along a chain begins with `this`.
      '@typescript-eslint/no-this-alias': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/unified-signatures': 'off',
    },
  },
  ...floors,
  { files: ['model/**/*.ts', 'rules/**/*.ts'], ignores: ['**/*.gen.ts'], rules: { 'house/no-package-names': 'error' } },
  {
    files: ['model/**/*.ts', 'catalog/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...[['Date', 'now'], ['Math', 'random'], ['performance', 'now']].map(([object, property]) => ({ object, property, message: 'The model has no clock and no randomness.' }))],
    },
  },
  { files: ['tools/**/*.mjs', 'bench/**', '.ci/**', 'test/**/*.mjs'], rules: { 'no-console': 'off' }, languageOptions: { globals: { console: 'readonly', process: 'readonly', Buffer: 'readonly', URL: 'readonly', performance: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly' } } },
]);
