/** A lock of one process around data that other processes write too. */
import { coordinatorOf, durableWrites } from '../model/purpose.ts';
import { at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-in-process-lock',
  preset: 'strict',
  severity: 'warn',
  description: 'Do not protect shared data by a lock that lives in one process.',
  messages: {
    local: '{{lock}} lives in this process, but {{target}} is shared. A second instance of the service has a lock of its own, and both write at {{where}}. Put the condition into the write, or lock in the database.',
  },
  find: ({ story }) =>
    story.sections.flatMap(({ section }) => {
      const write = durableWrites(section).find(({ event }) => event.library?.family === 'store' && event.library.coordinator !== 'machine' && event.fenced === 'no');
      if (section.lock.kind !== 'local' || coordinatorOf(section) !== 'process' || !write) return [];
      const place = at(section.at);
      return [
        {
          messageId: 'local',
          data: { lock: lockName(section.lock), target: `\`${write.event.target.replaceAll('`', '')}\``, where: lineOf(at(write.at), place.file) },
          place,
          related: [{ place: at(write.site), text: 'Other instances write this as well.' }],
          edits: [],
        },
      ];
    }),
});
