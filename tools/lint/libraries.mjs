/** The catalog, as far as the lint run needs it. Without its index (before the first `npm run gen`) it is empty. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadTypeScript, root } from '../load.mjs';

export const libraries = existsSync(join(root, 'catalog/index.gen.ts')) ? (await loadTypeScript('catalog/index.gen.ts')).libraries : [];
