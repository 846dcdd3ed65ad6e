/** A durable write in the critical section of a lease that no condition in the write itself guards. */
import type { SectionStory, UnfencedWrite } from '../model/story.ts';
import { sameSite } from '../model/value.ts';
import { fenceEdits } from './fixes/fence.ts';
import { staleWrite } from './interleaving.ts';
import { type RuleContext, type RuleFinding, at, defineRule } from './rule.ts';
import { calleeText, leaseLength, lineOf, lockName, targetText } from './words.ts';

export default defineRule({
  name: 'require-fencing-token',
  preset: 'recommended',
  severity: 'warn',
  description: 'Let the resource refuse a stale write: put a fencing token or a version into the condition of the write.',
  messages: {
    direct: '{{target}} is written under {{lock}} without a fence. The holder can pause past the lease{{lease}} taken at {{where}}, and this write then overwrites the next holder\'s. Put a condition into the write itself: a fencing token, or the version that was read.',
    called: '{{callee}} writes {{target}} under {{lock}} without a fence. The holder can pause past the lease{{lease}} taken at {{where}}, and the write at {{statement}} then overwrites the next holder\'s. Put a condition into the write itself: a fencing token, or the version that was read.',
  },
  schema: { type: 'object', properties: { inserts: { type: 'boolean', description: 'Report plain inserts too, which no conflict clause guards.' } }, additionalProperties: false },
  defaults: { inserts: false },
  strict: { inserts: true },
  find: (context) =>
    context.story.sections
      .filter((it) => !it.isEfficiency)
      .flatMap((it) => it.unfenced.filter((write) => !write.isUnchecked && (write.event.op !== 'insert' || context.options.inserts === true)).map((write) => finding(it, write, context))),
});

function finding(story: SectionStory, write: UnfencedWrite, { story: file, settings }: RuleContext): RuleFinding {
  const place = at(write.call);
  const acquire = at(story.section.at);
  const statement = at(write.event.call);
  const isCalled = !sameSite(write.call, write.event.call);
  const length = leaseLength(story.section.lock);
  return {
    messageId: isCalled ? 'called' : 'direct',
    data: {
      target: targetText(write.event.target),
      callee: `\`${calleeText(write.call)}\``,
      lock: lockName(story.section.lock),
      lease: length ? ` of ${length}` : '',
      where: lineOf(acquire, place.file),
      statement: lineOf(statement, place.file),
    },
    place,
    related: [
      { place: acquire, text: 'The lock is taken here.' },
      ...(sameSite(story.section.at, story.section.acquire.call) ? [] : [{ place: at(story.section.acquire.call), text: 'This is the acquire.' }]),
      ...(isCalled ? [{ place: statement, text: `The statement writes here (${operation(write.event.op)} of ${targetText(write.event.target)}), whoever holds the lock.` }] : []),
    ],
    interleaving: staleWrite(story, write),
    edits: () => fenceEdits(story, write, file, settings),
  };
}

/** What kind of write it is, for the related place. */
const operation = (op: UnfencedWrite['event']['op']): string => ({ insert: 'INSERT', update: 'UPDATE', delete: 'DELETE', upsert: 'upsert' } as Partial<Record<typeof op, string>>)[op] ?? 'write';
