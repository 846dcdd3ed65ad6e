/** `fencepost explain FILE[:LINE]`: the story of each lock in a file, and what was not understood. */
import { resolve } from 'node:path';
import { fileHost } from '../rules/file-host.ts';
import { printStory } from '../rules/print.ts';
import { readEditorSettings } from '../server/editor-settings.ts';
import { lint } from '../server/lint.ts';
import { parseFile } from '../server/parser.ts';
import type { ExplainArguments } from './arguments.ts';
import { readSource, textReader } from './sources.ts';
import { timelineSvg } from '../rules/timeline-svg.ts';
import { splitMessage } from './prose.ts';
import { pathFrom } from './report.ts';
import { drawTimeline } from './timeline.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export function explain({ file, line, timeline }: ExplainArguments, terminal: Terminal, cwd = process.cwd()): ExitCode {
  const path = resolve(cwd, file);
  const { settings } = readEditorSettings(undefined);
  const read = readSource(path, settings.maxFileSize);
  if ('why' in read) {
    terminal.complain(`${file} cannot be explained: ${read.why}.`);
    return 2;
  }
  const { analysis, syntaxError, problems } = lint(read.text, path, settings, fileHost({ parse: parseFile }));
  if (syntaxError) {
    terminal.complain(`${file} cannot be explained: line ${syntaxError.line} has a syntax error (${syntaxError.message.replace(/\.$/, '')}).`);
    return 2;
  }
  if (!analysis) {
    terminal.print(`${file} mentions no lock, client or store that is known.`);
    return 0;
  }
  if (timeline === undefined) {
    terminal.print(printStory(analysis.story, { line }).trimEnd() || `No lock is taken or given back ${line === undefined ? `in ${file}` : `at ${file}:${line}`}, as far as it can be followed.`);
    return 0;
  }
  const found = problems.flatMap(({ finding }) => (finding?.interleaving?.length && (line === undefined || (finding.place.line <= line && line <= finding.place.endLine)) ? [finding] : []));
  if (found.length === 0) {
    terminal.print(`No finding ${line === undefined ? `in ${file}` : `at ${file}:${line}`} has an interleaving to show.`);
    return 0;
  }
  const { paint, width } = terminal;
  const { linesOf } = textReader(settings.maxFileSize);
  const drawings = found.map(({ message, place, interleaving }) => {
    if (timeline === 'svg') return timelineSvg(interleaving!);
    const drawn = drawTimeline(interleaving!, { paint, width, lineOf: (it) => linesOf(it.file)[it.line - 1], nameOf: (it) => (it.file === path ? String(it.line) : `${pathFrom(cwd, it.file)}:${it.line}`) });
    return [paint.bold(`${file}:${place.line}  ${splitMessage(message).first}`), ...drawn].join('\n');
  });
  // A drawing is a document of its own: the first one, so that the output can go into a file.
  terminal.print(timeline === 'svg' ? drawings[0]! : drawings.join('\n\n'));
  return 0;
}
