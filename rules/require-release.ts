/** A way out of the critical section on which the lock stays taken until its lease ends. */
import { leakOf } from '../model/leaks.ts';
import { placeOf } from '../model/story.ts';
import { sameSite } from '../model/value.ts';
import { leakEdits } from './fixes/leak.ts';
import { at, defineRule } from './rule.ts';
import { leaseLength, lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'require-release',
  preset: 'recommended',
  severity: 'warn',
  description: 'Release on every way out of the critical section: `try`/`finally` after the guard.',
  messages: {
    exit: '{{lock}} stays taken when the process exits at {{where}}. No `finally` runs there: everybody else is refused {{until}}. Release before the exit, or throw and exit outside the section.',
    return: '{{lock}} stays taken when the function returns at {{where}}. Everybody else is refused {{until}}. Release in a `finally` around the section.',
    throw: '{{lock}} stays taken when something throws at {{where}}. Everybody else is refused {{until}}. Release in a `finally` around the section.',
  },
  find: ({ story }) =>
    story.sections.flatMap(({ section }, i, all) => {
      // One call may take several locks.
      if (all.findIndex((other) => sameSite(other.section.at, section.at)) !== i) return [];
      const leak = leakOf(story.model, section);
      if (!leak) return [];
      const place = at(section.at);
      const exit = placeOf(section.frame.module, leak.span);
      const length = leaseLength(section.lock);
      return [
        {
          messageId: leak.how,
          data: { lock: lockName(section.lock), where: lineOf(exit, place.file), until: section.lock.kind === 'session' ? 'until the connection ends' : length ? `for the rest of its ${length}` : 'until its lease ends, if it has one' },
          place,
          related: [
            { place: exit, text: leak.how === 'exit' ? 'The process exits here with the lock taken.' : leak.how === 'return' ? 'The function returns here with the lock taken.' : 'What throws here leaves with the lock taken.' },
            ...section.releases.slice(0, 1).map((it) => ({ place: at(it.at), text: 'On other ways the lock is released here.' })),
          ],
          edits: () => leakEdits(leak, section, story),
        },
      ];
    }),
});
