/** Edits of several files at once, as an editor offers and applies them. No test runner is needed for it. */
import * as typescriptParser from '@typescript-eslint/parser';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../../../model/host.ts';
import { analyse } from '../../../rules/analysis.ts';
import { fileHost, overlayHost } from '../../../rules/file-host.ts';
import type { Edit } from '../../../rules/finding.ts';
import { editsThroughCallers } from '../../../rules/fixes/through-callers.ts';
import { type Settings, defaultSettings } from '../../../rules/settings.ts';
import '../../../rules/analysing.ts';
import { importersIn } from '../../../server/importers.ts';

export type Texts = Map<string, string>;

function filesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((it) => (it.isDirectory() ? filesBelow(join(path, it.name)) : [join(path, it.name)]));
}

export const textsIn = (path: string): Texts => new Map(filesBelow(path).map((file) => [file, readFileSync(file, 'utf8')]));

const parse = (file: string, text: string): Program =>
  typescriptParser.parse(text, { filePath: file, range: true, loc: true, comment: true, tokens: true, sourceType: /\.c[jt]s$/.test(file) ? 'commonjs' : 'module' }) as unknown as Program;

/** The edits of all findings, those of their own file first, as an editor offers them. */
export function offered(texts: Texts, path: string, settings: Settings = defaultSettings): { rule: string; file: string; edit: Edit }[] {
  let version = 0;
  const versions = new Map([...texts].map(([file, text]) => [file, { text, version: `${file} ${++version} ${text.length}` }]));
  const host = overlayHost(fileHost({ parse }), (file) => versions.get(file));
  const importers = importersIn(() => [path], host);
  return [...texts].flatMap(([file, text]) => {
    const analysis = analyse({ file, text, program: parse(file, text) }, host, settings);
    return (analysis?.findings ?? []).flatMap((it) => {
      const edits = [...editsThroughCallers(it, analysis!.story, settings, importers), ...it.edits];
      return edits.slice(0, 1).map((edit) => ({ rule: it.rule, file, edit }));
    });
  });
}

export function applied(texts: Texts, file: string, { changes }: Edit): Texts {
  const after = new Map(texts);
  for (const it of [...changes].sort((a, b) => b.start - a.start)) {
    const at = it.file ?? file;
    const text = after.get(at)!;
    after.set(at, text.slice(0, it.start) + it.text + text.slice(it.end));
  }
  return after;
}
