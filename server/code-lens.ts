/** A line above each acquire: the lease, and how many writes under it have a fence. */
import type { SectionStory } from '../model/story.ts';
import { durableWrites } from '../model/purpose.ts';
import { leaseLength, lockName } from '../rules/words.ts';
import { commands } from './messages.ts';
import { rangeOf, type ClientAbilities, type CodeLens, type TextDocument } from './protocol.ts';
import type { Answer } from './workspace.ts';

/** None when the document has changed since it was analysed: they would stand on other lines. */
export function codeLensesFor(answer: Answer, document: TextDocument, client: ClientAbilities): CodeLens[] {
  const { analysis, shift } = answer;
  if (!analysis || answer.analysedVersion !== document.version) return [];
  const lenses: CodeLens[] = [];
  const seen = new Set<number>();
  for (const it of analysis.story.sections) {
    const { func, span } = it.section.at;
    if (func.module !== analysis.story.module || seen.has(span.start)) continue;
    seen.add(span.start);
    lenses.push({ range: rangeOf(document, { start: span.start + shift, end: span.start + shift }), command: { title: titleOf(it), command: '' } });
  }
  if (!client.commands) return lenses;
  for (const { span, finding } of answer.problems) {
    if (!finding?.interleaving?.length) continue;
    const start = document.positionAt(span.start);
    const args = { textDocument: { uri: document.uri }, position: start };
    lenses.push({ range: { start, end: start }, command: { title: 'Show how this loses data', command: commands.showTimeline, arguments: [args] } });
  }
  return lenses;
}

function titleOf({ section, isEfficiency }: SectionStory): string {
  const length = leaseLength(section.lock);
  const kind = section.lock.kind === 'lease' ? `lease ${length ?? 'of unknown length'}` : section.lock.kind === 'local' ? 'lock of this process' : `${section.lock.kind} lock`;
  const writes = durableWrites(section);
  const unfenced = writes.filter((it) => it.event.fenced === 'no').length;
  const told = writes.length === 0 ? 'no durable write in sight' : `${writes.length} ${writes.length === 1 ? 'write' : 'writes'}, ${unfenced === 0 ? 'all fenced' : `${unfenced} without a fence`}`;
  return `${lockName(section.lock)}: ${kind}, ${told}${isEfficiency && section.lock.kind === 'lease' ? ' (efficiency lock)' : ''}`;
}
