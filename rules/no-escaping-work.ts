/** Work of a critical section that is not waited for, and goes on when the lock is somebody else's. */
import { type Escape, targetOf } from '../model/escapes.ts';
import type { SectionStory } from '../model/story.ts';
import { waitEdits } from './fixes/wait.ts';
import { escapedWrite } from './interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { calleeText, lockName } from './words.ts';

export default defineRule({
  name: 'no-escaping-work',
  preset: 'recommended',
  severity: 'error',
  description: 'Wait for all work of the critical section before the release.',
  messages: {
    dropped: '`{{callee}}` is not awaited before {{lock}} is released. {{writes}} when the lock is already somebody else\'s. Await it inside the section.',
    each: '`{{callee}}` does not wait for its async callback, and {{lock}} is released meanwhile. {{writes}} when the lock is already somebody else\'s. Use `for … of` with `await`, or `await Promise.all(….map(…))`.',
    returned: '`{{callee}}` is returned without `await`, so {{lock}} is released before it is done. {{writes}} when the lock is already somebody else\'s. Write `return await`.',
    raced: '`{{callee}}` lets a timer win, and {{lock}} is released while the work goes on. {{writes}} when the lock is already somebody else\'s. Stop the work when the time is up, or wait for it before the release.',
    later: '`{{callee}}` puts work off past the release of {{lock}}. {{writes}} when the lock is already somebody else\'s. Do it inside the section, and await it.',
  },
  find: ({ story }) =>
    story.sections
      .flatMap((it) => it.escapes.filter(({ call }) => call.func.module === story.module).map((escape) => ({ ...finding(it, escape), edits: () => waitEdits(escape, story) }))),
});

function finding(story: SectionStory, escape: Escape): RuleFinding {
  const { call, how, write } = escape;
  const target = write && targetOf(write);
  const named = target && (target.startsWith('`') ? target : `\`${target}\``);
  const statement = write && at(write.site);
  const place = at(call);
  return {
    messageId: how,
    data: { callee: calleeText(call), lock: lockName(story.section.lock), writes: named ? `It then writes ${named}` : 'The work that was handed in then goes on' },
    place,
    related: [
      { place: at(story.section.at), text: 'The lock is taken here.' },
      ...(statement && (statement.file !== place.file || statement.start !== place.start) ? [{ place: statement, text: `The statement writes ${named} here.` }] : []),
      ...story.section.releases.slice(0, 1).map((it) => ({ place: at(it.at), text: 'The lock is released here.' })),
    ],
    interleaving: write && escapedWrite(story, write, place),
    edits: [],
  };
}
