/** A module as it is kept from file to file, with what was asked about it. */
import type { Program } from './host.ts';
import type { Module } from './ir.ts';
import { lowerModule } from './lower/module.ts';
import type { Touch } from './project.ts';

/** A tree that a host hands out again is lowered once. */
export const byProgram = new WeakMap<Program, Module>();

export function lowered(file: string, text: string, program: Program): Module {
  let module = byProgram.get(program);
  if (!module || module.file !== file) byProgram.set(program, (module = lowerModule(file, text, program)));
  return module;
}

/** A file as it was read, and where its imports that were followed have led. */
export interface Kept {
  text: string | undefined;
  module: Module | undefined;
  /** Only its text was asked for until now. */
  isUnparsed?: boolean;
  /** By specifier: the file, or undefined where none was found. */
  edges: Map<string, string | undefined>;
  /** Whether it may reach what is done to a lock, where that was asked. */
  reaches: Partial<Record<Touch, boolean>>;
  /** By word: the files beside it that say so. */
  beside: Map<string, readonly string[]>;
}

/** Marks a word that is looked for in the folders above. */
export const upwards = '../';
const maxFoldersAbove = 4;

/** A path in each of the folders above that of `file`. */
export function foldersAbove(file: string): string[] {
  const found: string[] = [];
  const parent = (path: string): string => path.replace(/[\\/][^\\/]*$/, '');
  for (let at = parent(file); found.length < maxFoldersAbove && /[\\/]/.test(at); at = parent(at)) found.push(at);
  return found;
}

/** A text that was not parsed is its host's, which has it anyway. */
export const roomOf = ({ text, isUnparsed }: Kept): number => (isUnparsed ? 0 : (text?.length ?? 0));
