/** A write that has a token which nothing compares in the write itself. */
import { placeOf } from '../model/story.ts';
import { type UncheckedToken, uncheckedInHelpers } from '../model/token-checks.ts';
import type { SectionStory, Story } from '../model/story.ts';
import { sameSite } from '../model/value.ts';
import { compareEdits } from './fixes/compare.ts';
import { staleWrite } from './interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName, targetText } from './words.ts';

export default defineRule({
  name: 'no-unchecked-token',
  preset: 'recommended',
  severity: 'error',
  description: 'Compare the fencing token in the statement that writes: a token that nothing compares refuses nobody.',
  messages: {
    stored: '{{target}} takes {{token}} without comparing it. A holder that has paused past its lease{{lock}} writes all the same, with its old token. Compare it in the same statement, so that a smaller token than the stored one is refused.',
    earlier: '{{target}} is written after {{token}} was compared in a step of its own. A holder of the lease{{lock}} can pause between the comparison at {{where}} and this write, and then overwrites the next holder\'s. Compare it in the statement that writes.',
    inverted: '{{target}} compares {{token}} the wrong way round. It refuses the newer holder of the lease{{lock}} and lets the stale one write. Let the write pass only where the stored token is the smaller one.',
  },
  find: ({ story, settings }) => {
    const found: RuleFinding[] = [];
    const add = (it: UncheckedToken, section?: SectionStory): void => {
      const place = at(it.event.call);
      if (place.file === story.module.file && !found.some((known) => known.place.start === place.start && known.place.end === place.end)) found.push({ ...finding(it, section, story), edits: () => compareEdits(it, section, story, settings) });
    };
    for (const section of story.sections) if (!section.isEfficiency) for (const it of section.unchecked) add(it, section);
    for (const it of uncheckedInHelpers(story.model, story.module.functions)) add(it);
    return found;
  },
});

function finding(it: UncheckedToken, story: SectionStory | undefined, { module }: Story): RuleFinding {
  const place = at(it.event.call);
  const earlier = it.earlier && placeOf(it.earlier.func.module, it.earlier.span);
  const section = story?.section;
  const isCalled = section && !section.items.some((each) => sameSite(each.at, it.event.call));
  const caller = isCalled && section.items.find((each) => sameSite(each.event.call, it.event.call))?.at;
  return {
    messageId: it.how,
    data: { target: targetText(it.event.target), token: it.column ? `the token in \`${it.column}\`` : 'the token', lock: section ? ` on ${lockName(section.lock)}` : '', where: earlier ? lineOf(earlier, place.file) : '' },
    place,
    related: [
      ...(section ? [{ place: at(section.at), text: 'The lock is taken here.' }] : []),
      ...(caller && caller.func.module === module ? [{ place: at(caller), text: 'The section calls it here.' }] : []),
      ...(earlier ? [{ place: earlier, text: 'The token is compared here, in a step of its own.' }] : []),
    ],
    interleaving: story && staleWrite(story, { event: it.event, call: it.event.call, via: [], isUnchecked: true }),
    edits: [],
  };
}
