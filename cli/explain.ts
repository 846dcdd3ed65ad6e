/** `fencepost explain FILE[:LINE]`: the story of each lock in a file, and what was not understood. */
import { resolve } from 'node:path';
import { fileHost } from '../rules/file-host.ts';
import { printStory } from '../rules/print.ts';
import { readEditorSettings } from '../server/editor-settings.ts';
import { lint } from '../server/lint.ts';
import { parseFile } from '../server/parser.ts';
import type { ExplainArguments } from './arguments.ts';
import { readSource } from './check.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export function explain({ file, line }: ExplainArguments, terminal: Terminal, cwd = process.cwd()): ExitCode {
  const path = resolve(cwd, file);
  const { settings } = readEditorSettings(undefined);
  const read = readSource(path, settings.maxFileSize);
  if ('why' in read) {
    terminal.complain(`${file} cannot be explained: ${read.why}.`);
    return 2;
  }
  const { analysis, syntaxError } = lint(read.text, path, settings, fileHost({ parse: parseFile }));
  if (syntaxError) {
    terminal.complain(`${file} cannot be explained: line ${syntaxError.line} has a syntax error (${syntaxError.message.replace(/\.$/, '')}).`);
    return 2;
  }
  if (!analysis) {
    terminal.print(`${file} mentions no lock, client or store that is known.`);
    return 0;
  }
  terminal.print(printStory(analysis.story, { line }).trimEnd());
  return 0;
}
