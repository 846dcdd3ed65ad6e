/** The settings of a file with what its project's ESLint configuration says about Fencepost. */
import type { TSESTree } from '@typescript-eslint/types';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EditorSettings } from './editor-settings.ts';
import { readEslintConfig, type ConfigElement, type ReadConfig } from './eslint-config.ts';
import { parseFile } from './parser.ts';

/** A configuration that uses the plugin. */
export interface ProjectConfig {
  file: string;
  folder: string;
  elements: readonly ConfigElement[];
}

/** In ESLint's own order. */
const names = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((it) => `eslint.config.${it}`);
export const isEslintConfig = (path: string): boolean => /[\\/]eslint\.config\.[cm]?[jt]s$/.test(path);

const byFolder = new Map<string, string | undefined>();
/** Kept beyond `forgetProjects`: an unchanged text is an unchanged configuration, and the same object. */
const read = new Map<string, { text: string; config: ProjectConfig | undefined; isFresh: boolean }>();
const combined = new WeakMap<EditorSettings, Map<ProjectConfig, EditorSettings>>();

/** `settings` as they hold for `file`: with the configuration above it, where that uses the plugin. `say` is told what could not be read, once per text. */
export function withProject(settings: EditorSettings, file: string, say: (sentence: string) => void): EditorSettings {
  const path = configAbove(dirname(file));
  const project = path === undefined ? undefined : readConfig(path, say);
  if (!project) return settings;
  let known = combined.get(settings);
  if (!known) combined.set(settings, (known = new Map()));
  let whole = known.get(project);
  if (!whole) known.set(project, (whole = { ...settings, project }));
  return whole;
}

/** Something has changed on disk. */
export function forgetProjects(): void {
  byFolder.clear();
  for (const it of read.values()) it.isFresh = false;
}

function configAbove(folder: string): string | undefined {
  if (byFolder.has(folder)) return byFolder.get(folder);
  const own = names.map((name) => join(folder, name)).find((it) => existsSync(it));
  const parent = dirname(folder);
  const found = own ?? (parent === folder ? undefined : configAbove(parent));
  byFolder.set(folder, found);
  return found;
}

function readConfig(path: string, say: (sentence: string) => void): ProjectConfig | undefined {
  const known = read.get(path);
  if (known?.isFresh) return known.config;
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // Gone, or not for us to read: as good as none.
  }
  if (known?.text === text) {
    known.isFresh = true;
    return known.config;
  }
  const found = readSafely(path, text, say);
  const config = found && { file: path, folder: dirname(path), elements: found.elements };
  if (found) say(`${path} uses the plugin: its rules and settings count, and those of the editor on top.`);
  for (const problem of found?.problems ?? []) say(`${path}: ${problem}`);
  read.set(path, { text, config, isFresh: true });
  return config;
}

/** A defect of ours must not cost the files of the project their findings. */
function readSafely(path: string, text: string, say: (sentence: string) => void): ReadConfig | undefined {
  try {
    const program = text.includes('eslint-plugin-fencepost') ? parseFile(path, text) : undefined;
    return program && readEslintConfig(program as unknown as TSESTree.Program, text);
  } catch (error) {
    say(`${path} is left aside, for reading it failed. Please report this. ${String(error).split('\n')[0]}`);
    return undefined;
  }
}
