/** The answer to `fencepost/explain`: the story of the lock at a position, in plain text. */
import { printInterleaving, printStory } from '../rules/print.ts';
import type { Position, TextDocument } from './protocol.ts';
import type { Answer, Status } from './workspace.ts';

/** The story at `position`, the findings there with their interleaving, or why there is none. */
export function explainAt(position: Position, answer: Answer, document: TextDocument, status: Status): string {
  const { analysis } = answer;
  if (!analysis || answer.analysedVersion !== document.version) return `${status.reason}\n`;
  const line = position.line + 1;
  const offset = document.offsetAt(position);
  const atLine = answer.problems.filter(({ span }) => document.positionAt(span.start).line <= position.line && position.line <= document.positionAt(span.end).line);
  const atCursor = atLine.filter(({ span }) => span.start <= offset && offset <= span.end);
  const findings = (atCursor.length > 0 ? atCursor : atLine).map(({ rule, message, finding }) => {
    const steps = finding?.interleaving;
    // A sentence on each line: the text is read in a narrow column beside the code.
    return `${rule}\n${message.replace(/(?<=[.!?]) (?=[A-Z"`])/g, '\n')}\n${steps?.length ? `\n${printInterleaving(steps)}\n` : ''}`;
  });
  const story = printStory(analysis.story, { line, isWhole: true }).trim() || printStory(analysis.story, { isWhole: true }).trim();
  return `${[...findings, story || 'No lock is taken in this file.'].join('\n')}\n`;
}
