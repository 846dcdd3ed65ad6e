/** Where the SQL engine's bytes lie: beside the bundle, or in the package during development. Read at the first SQL text. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideSqlEngine } from '../model/sql/index.ts';

const bundled = typeof __dirname === 'string' ? join(__dirname, 'sqlparser.wasm') : undefined;

function engineFile(): string {
  if (bundled && existsSync(bundled)) return bundled;
  const here = dirname(fileURLToPath(import.meta.url));
  return join(here, '..', 'node_modules', '@guanmingchiu', 'sqlparser-ts', 'wasm', 'sqlparser_rs_wasm_bg.wasm');
}

provideSqlEngine(() => readFileSync(engineFile()));
