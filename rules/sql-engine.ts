/** Where the SQL engine's bytes lie: beside the bundle, or in its package during development. Read at the first SQL text. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { provideSqlEngine } from '../model/sql/index.ts';

const bundled = typeof __dirname === 'string' ? join(__dirname, 'sqlparser.wasm') : undefined;

function engineFile(): string {
  if (bundled && existsSync(bundled)) return bundled;
  const entry = createRequire(import.meta.url).resolve('@guanmingchiu/sqlparser-ts');
  return join(dirname(dirname(entry)), 'wasm', 'sqlparser_rs_wasm_bg.wasm');
}

provideSqlEngine(() => readFileSync(engineFile()));
