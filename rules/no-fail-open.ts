/** Work that runs without its lock when the lock service cannot be asked. */
import { type FailOpen, failOpenWays } from '../model/fail-open.ts';
import { placeOf } from '../model/story.ts';
import type { Place } from '../model/place.ts';
import { sameSite } from '../model/value.ts';
import type { Step } from './finding.ts';
import { at, defineRule } from './rule.ts';
import { calleeText, leaseLength, lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-fail-open',
  preset: 'recommended',
  severity: 'warn',
  description: 'Do not run the work when the lock service cannot be asked for the lock.',
  messages: {
    runs: '{{lock}} is not held when this {{way}} runs the work. {{cause}} {{reached}} runs all the same, in every instance at once. Throw or leave instead; where duplicate work does no harm, say so: `// fencepost: efficiency -- why`.',
    reports: '{{lock}} is said to be granted when it was not asked for. {{cause}} The caller gets the answer of a grant and works, in every instance at once. Throw, or answer what a refusal answers; where duplicate work does no harm, say so: `// fencepost: efficiency -- why`.',
  },
  find: ({ story, settings }) =>
    failOpenWays(story, settings.efficiencyKeys).map((it) => {
      const { section, reached } = it;
      const place = placeOf(it.module, it.span);
      return {
        messageId: reached ? 'runs' : 'reports',
        data: {
          lock: lockName(section.lock),
          way: it.how === 'caught' ? '`catch`' : 'branch',
          cause: it.how === 'missing' ? 'The client is missing or not ready.' : 'The lock service could not be reached, or has refused by a throw.',
          reached: reached ? `\`${calleeText(reached)}\` at ${lineOf(at(reached), place.file)}` : '',
        },
        place,
        related: [
          { place: at(section.at), text: 'The lock is taken here.' },
          ...(sameSite(section.at, section.acquire.call) ? [] : [{ place: at(section.acquire.call), text: 'This is the acquire.' }]),
          ...(reached ? [{ place: at(reached), text: 'This runs without the lock.' }] : []),
        ],
        interleaving: unreachable(it, place),
        edits: [],
      };
    }),
});

/** One instance has lost the service and works beside the holder. */
function unreachable({ section, reached }: FailOpen, way: Place): Step[] {
  const name = lockName(section.lock);
  const length = leaseLength(section.lock);
  const work = reached && at(reached);
  return [
    { at: 0, who: 'A', says: `takes ${name}${length ? ` for ${length}` : ''} and works`, place: at(section.at), resource: "A's lock" },
    { at: 5, who: 'B', says: 'cannot reach the lock service', place: at(section.at) },
    { at: 10, who: 'B', says: 'goes on without the lock', place: way, resource: 'two holders' },
    { at: 15, who: 'B', says: 'works beside A', place: work ?? way, resource: 'written by both', loses: true },
  ];
}
