/** A lease of which neither the code nor a comment says whether two holders at once would corrupt data. */
import { durableWrites, fillsCache } from '../model/purpose.ts';
import { at, defineRule } from './rule.ts';
import { lockName } from './words.ts';

export default defineRule({
  name: 'require-lock-purpose',
  preset: 'strict',
  severity: 'warn',
  description: 'Say what a lock is for: saving duplicate work, or keeping data correct.',
  messages: {
    unstated: 'What {{lock}} is for is not said. A reader cannot tell whether two holders at once cost duplicate work or corrupt data, and so which other findings matter. Write `// fencepost: efficiency -- why it is harmless` or `// fencepost: correctness -- what it protects` above the acquire.',
  },
  find: ({ story }) =>
    story.sections
      .filter(({ section, purpose }) => section.lock.kind === 'lease' && purpose === undefined && !fillsCache(section))
      // A fence says it: somebody has thought of the second holder.
      .filter(({ section }) => !durableWrites(section).some((it) => it.event.fenced === 'yes'))
      // A wrapper that locks what its caller names has as many purposes as callers: each is asked.
      .filter(({ section }) => section.lock.key?.kind !== 'param')
      .map(({ section }) => ({ messageId: 'unstated', data: { lock: lockName(section.lock) }, place: at(section.at), related: [], edits: [] })),
});
