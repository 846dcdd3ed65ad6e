/** A lease around what the database does by itself in one statement or one transaction. */
import { coordinatorOf, durableWrites, externalCalls, hasUnknownWork } from '../model/purpose.ts';
import { at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'prefer-database-coordination',
  preset: 'strict',
  severity: 'warn',
  description: 'Where one database holds all that a lock protects, let it do the coordination.',
  messages: {
    needless: '{{lock}} only surrounds a write of {{target}}, which its database can coordinate by itself. A lease beside the database can end before the write at {{where}}, and is one more service that can fail. Use a unique key, a condition in the `WHERE`, `SELECT … FOR UPDATE SKIP LOCKED` or a version column.',
  },
  find: ({ story }) =>
    story.sections.flatMap((it) => {
      const { section } = it;
      const writes = durableWrites(section);
      const [write] = writes;
      const isElsewhere = coordinatorOf(section) === 'timing' || coordinatorOf(section) === 'consensus';
      if (it.isEfficiency || !write || !isElsewhere || write.event.library?.family !== 'store') return [];
      if (writes.some((other) => other.event.target !== write.event.target || other.event.library !== write.event.library)) return [];
      if (externalCalls(section).length > 0 || hasUnknownWork(section, story.model)) return [];
      const place = at(section.at);
      return [
        {
          messageId: 'needless',
          data: { lock: lockName(section.lock), target: `\`${write.event.target.replaceAll('`', '')}\``, where: lineOf(at(write.at), place.file) },
          place,
          related: writes.map((each) => ({ place: at(each.at), text: 'This is all that lasts of the critical section.' })),
          edits: [],
        },
      ];
    }),
});
