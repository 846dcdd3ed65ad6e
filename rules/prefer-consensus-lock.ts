/** A lock that data depends on, granted by a service whose grant rests on timing. */
import { coordinatorOf } from '../model/purpose.ts';
import { at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'prefer-consensus-lock',
  preset: 'strict',
  severity: 'warn',
  description: 'Where data depends on a lock, take it from a consensus store or from the database itself, or fence the writes.',
  messages: {
    timing: '{{lock}} protects {{target}}, but its grant rests on timing. One Redis node can lose a lock in a failover, and Redlock assumes clocks and pauses to be bounded. Take it from etcd, Consul, ZooKeeper or the database itself, or fence the write at {{where}}.',
  },
  find: ({ story }) =>
    story.sections.flatMap((it) => {
      const [write] = it.isEfficiency ? [] : it.unfenced.filter((each) => each.event.op !== 'insert');
      if (!write || coordinatorOf(it.section) !== 'timing') return [];
      const place = at(it.section.at);
      return [
        {
          messageId: 'timing',
          data: { lock: lockName(it.section.lock), target: write.event.target.startsWith('`') ? write.event.target : `\`${write.event.target}\``, where: lineOf(at(write.call), place.file) },
          place,
          related: [{ place: at(write.call), text: 'This write depends on the lock, and nothing else refuses a stale one.' }],
          edits: [],
        },
      ];
    }),
});
