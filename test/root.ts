/** Where the project lies: the folder above this file, also where it has been bundled into another one, that has the project's `package.json`. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const above = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder)));

export const root = above(dirname(fileURLToPath(import.meta.url)));
