/** The settings of a team, as they stand in `settings.fencepost` of ESLint and in `fencepost.*` of an editor. */
import type { Library } from '../catalog/schema.ts';
import { analysing } from './load.ts';

export interface Settings {
  /** Rows for the team's own helpers, in the catalog's form. */
  catalog: Library[];
  /** Lock keys that are efficiency locks: patterns with `*` for any text. */
  efficiencyKeys: string[];
  fence: {
    /** Column, field or attribute that keeps the largest token seen. */
    column: string;
    /** Class thrown when a stale write was refused. */
    error: string;
    /** Module that exports the class; when empty the edit throws a plain `Error` unless the name is in scope. */
    errorImport: string;
  };
  /** Atomic commands that the server has: `DELEX` (Redis 8.4), `DELIFEQ` (Valkey 9). */
  serverCommands: ('DELEX' | 'DELIFEQ')[];
}

export const defaultSettings: Settings = {
  catalog: [],
  efficiencyKeys: [],
  fence: { column: 'last_token', error: 'StaleTokenError', errorImport: '' },
  serverCommands: [],
};

/**
 * Completes what a user wrote with the defaults. Unknown or ill-typed entries are named in
 * `problems` (one sentence each, with the path of the entry) and otherwise ignored; never throws.
 */
export function readSettings(given: unknown): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  const settings: Settings = structuredClone(defaultSettings);
  if (given === undefined || given === null) return { settings, problems };
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { settings, problems: ['settings.fencepost must be an object.'] };
  }
  for (const [name, value] of Object.entries(given)) {
    if (name === 'catalog' && Array.isArray(value) && value.length === 0) continue;
    if (name === 'catalog') {
      const own = analysing().readCatalog(value, 'settings.fencepost.catalog');
      settings.catalog = own.catalog;
      problems.push(...own.problems);
    } else if (name === 'efficiencyKeys') {
      if (isStrings(value)) settings.efficiencyKeys = value;
      else problems.push('settings.fencepost.efficiencyKeys must be an array of strings.');
    } else if (name === 'serverCommands') {
      if (isStrings(value)) settings.serverCommands = value.filter((it): it is 'DELEX' | 'DELIFEQ' => it === 'DELEX' || it === 'DELIFEQ');
      else problems.push('settings.fencepost.serverCommands must be an array of "DELEX" and "DELIFEQ".');
    } else if (name === 'fence') {
      if (typeof value !== 'object' || value === null) {
        problems.push('settings.fencepost.fence must be an object.');
        continue;
      }
      for (const [key, text] of Object.entries(value)) {
        if (key !== 'column' && key !== 'error' && key !== 'errorImport') problems.push(`settings.fencepost.fence.${key} is not known; use column, error or errorImport.`);
        else if (typeof text !== 'string') problems.push(`settings.fencepost.fence.${key} must be a string.`);
        else settings.fence[key] = text;
      }
    } else {
      problems.push(`settings.fencepost.${name} is not known; use catalog, efficiencyKeys, fence or serverCommands.`);
    }
  }
  return { settings, problems };
}

const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every((it) => typeof it === 'string');
