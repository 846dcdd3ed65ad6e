/** Edits as tests ask for them: of a text, with settings, without ESLint in between. */
import * as typescriptParser from '@typescript-eslint/parser';
import { join } from 'node:path';
import type { ModuleHost, Program } from '../../../model/host.ts';
import { analyse } from '../../../rules/analysis.ts';
import type { Edit, Finding } from '../../../rules/finding.ts';
import '../../../rules/sql-engine.ts';
import { defaultSettings, type Settings } from '../../../rules/settings.ts';
import { root } from '../../root.ts';

/** A case is one file, and nothing else can be read. */
const alone: ModuleHost = { resolve: () => undefined, read: () => undefined, parse: () => undefined, packageRange: () => undefined };

export interface Offer {
  rule: string;
  edit: Edit;
  /** The text after the edit. */
  after: string;
}

interface Options {
  name?: string;
  settings?: Partial<Settings>;
}

/** What is found in a text. */
export function findingsIn(text: string, { name = 'case.ts', settings = {} }: Options = {}): Finding[] {
  const file = join(root, 'test', name);
  const program = typescriptParser.parse(text, { filePath: file, range: true, loc: true, comment: true, tokens: true, sourceType: 'module' }) as unknown as Program;
  return analyse({ file, text, program }, alone, { ...defaultSettings, ...settings })?.findings ?? [];
}

/** Every edit that is offered for a text, by rule, with the text that it makes. */
export const offersFor = (text: string, options: Options = {}): Offer[] => findingsIn(text, options).flatMap(({ rule, edits }) => edits.map((edit) => ({ rule, edit, after: applied(text, edit) })));

function applied(text: string, { changes }: Edit): string {
  return [...changes].sort((a, b) => b.start - a.start).reduce((at, it) => at.slice(0, it.start) + it.text + at.slice(it.end), text);
}
