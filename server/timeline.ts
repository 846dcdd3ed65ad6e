/** The answer to `fencepost/timeline`: how the findings at a position lose data, and what becomes of it once they are mended. */
import { locationOf } from './diagnostics.ts';
import { ruleNamed } from './severities.ts';
import type { Timeline, TimelineStep } from './messages.ts';
import type { Position, TextDocument } from './protocol.ts';
import type { Answer } from './workspace.ts';

/** One for each finding that has an interleaving, of the nearest first; none when the document has changed since. */
export function timelinesAt(position: Position, answer: Answer, document: TextDocument, documentOf: (file: string) => TextDocument | undefined): Timeline[] {
  if (answer.analysedVersion !== document.version) return [];
  const offset = document.offsetAt(position);
  const atLine = answer.problems.filter(({ span, finding }) => finding?.interleaving?.length && document.positionAt(span.start).line <= position.line && position.line <= document.positionAt(span.end).line);
  const atCursor = atLine.filter(({ span }) => span.start <= offset && offset <= span.end);
  return (atCursor.length > 0 ? atCursor : atLine).map(({ rule, message, finding }) => {
    const steps = finding!.interleaving!;
    const told = steps.map(({ place, at, who, says, resource, loses, mended }): TimelineStep => {
      const location = place && locationOf(place, document, answer.shift, documentOf);
      return { at, who, says, resource, loses, mended, ...(location && { uri: location.uri, line: location.range.start.line, character: location.range.start.character }) };
    });
    return { rule, message, page: ruleNamed.get(rule)!.url, uri: document.uri, steps: told };
  });
}
