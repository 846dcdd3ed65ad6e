/** A renewal that keeps the lease alive around unfenced durable writes: the timer pauses with the process. */
import type { SectionStory } from '../model/story.ts';
import { sectionFenceEdits } from './fixes/fence.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { staleWrite } from './interleaving.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-renewal-as-fix',
  preset: 'recommended',
  severity: 'warn',
  description: 'A renewed lease still ends while its holder is paused: fence the writes as well.',
  messages: {
    renewal: '{{lock}} is renewed here, but the writes under it have no fence. A renewal pauses with its process: after a pause past the lease, {{target}} at {{where}} is overwritten all the same. Keep the renewal against needless expiry, and put a condition into the write.',
  },
  find: ({ story, settings }) => {
    const found: RuleFinding[] = [];
    for (const it of story.sections) {
      const [write] = it.isEfficiency ? [] : it.unfenced.filter((each) => each.event.op !== 'insert');
      const [renewal] = it.renewals;
      if (!write || !renewal) continue;
      const place = placeOfRenewal(it, renewal);
      if (place.file !== story.module.file || found.some((known) => known.place.start === place.start)) continue;
      found.push({
        messageId: 'renewal',
        data: { lock: lockName(it.section.lock), target: write.event.target.startsWith('`') ? write.event.target : `\`${write.event.target}\``, where: lineOf(at(write.call), place.file) },
        place,
        related: [
          { place: at(it.section.at), text: 'The lock is taken here.' },
          { place: at(write.call), text: 'This write has no fence.' },
          ...(renewal.deep && at(renewal.deep.site).start !== place.start ? [{ place: at(renewal.deep.site), text: 'The lease is prolonged here.' }] : []),
        ],
        interleaving: staleWrite(it, write),
        edits: () => sectionFenceEdits(it, story, settings),
      });
    }
    return found;
  },
});

/** The timer or the renewing call of the frame; for a wrapper that renews by itself, where the section starts it. */
function placeOfRenewal(story: SectionStory, renewal: SectionStory['renewals'][number]): ReturnType<typeof at> {
  return renewal.call.func.module === story.section.at.func.module ? at(renewal.call) : at(story.section.at);
}
