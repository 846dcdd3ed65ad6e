/** A token that does not order the holders of a lock. */
import { placeOf } from '../model/story.ts';
import { type UnsoundToken, unsoundTokens } from '../model/token-soundness.ts';
import { soundTokenEdits } from './fixes/sound-token.ts';
import { lateToken } from './token-interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName, shorten, targetText } from './words.ts';

export default defineRule({
  name: 'no-unsound-token',
  preset: 'recommended',
  severity: 'error',
  description: 'Mint the fencing token inside the grant, from a counter that never ends: random values and clocks do not order holders.',
  messages: {
    random: '{{token}} is random, and {{target}} compares it by order. A random value is as often smaller as it is larger, so that stale writes pass and live ones are refused. Use a number that is counted up in the grant.',
    clock: '{{token}} is a time, and {{target}} compares it by order. Clocks differ between machines and step back, so that a stale holder can have the larger one. Use a number that is counted up in the grant.',
    identity: '`{{name}}` names a holder, and {{target}} compares it by order. It is {{says}}. Use a number that is counted up in the grant.',
    late: '{{token}} is minted after {{lock}} was taken, in a step of its own. A holder that pauses between the two mints the larger token after the lease has ended, and the fence then refuses the live holder. Mint it in the step that grants the lock.',
    ends: '{{token}} comes from a counter that ends. When it has expired or was removed it begins at 1 again, and the fence refuses every later holder. Keep the counter for ever, or count in the database that is written.',
    counter: '{{token}} is counted in Redis. A failover can lose increments, and two holders then have the same token. Count in the database that is written, or in a store that keeps its order across a failover.',
  },
  schema: { type: 'object', properties: { redisCounters: { type: 'boolean', description: 'Report counters of Redis too, though they are raised inside the grant.' } }, additionalProperties: false },
  defaults: { redisCounters: false },
  strict: { redisCounters: true },
  find: ({ story, options }) =>
    unsoundTokens(story.model, story.module.functions, story.sections)
      .filter((it) => it.at.func.module === story.module && (it.why.kind !== 'counter' || options.redisCounters === true))
      .filter((it, i, all) => all.findIndex((other) => other.at.span.start === it.at.span.start && other.at.span.end === it.at.span.end) === i)
      .map((it) => ({ ...finding(it), edits: () => soundTokenEdits(it, story) })),
});

function finding(it: UnsoundToken): RuleFinding {
  const place = placeOf(it.at.func.module, it.at.span);
  const text = shorten(it.at.func.module.text.slice(it.at.span.start, it.at.span.end).replace(/\s+/g, ' '), 40);
  const write = it.write && at(it.write.call);
  const ended = it.why.kind === 'ends' && at(it.why.ended);
  return {
    messageId: it.why.kind,
    data: { token: `\`${text}\``, target: it.write ? targetText(it.write.target) : 'the write', lock: lockName(it.acquire?.lock), name: 'name' in it.why ? it.why.name : '', says: 'says' in it.why ? it.why.says : '' },
    place,
    related: [
      ...(it.acquire && at(it.acquire.call).start !== place.start ? [{ place: at(it.acquire.call), text: 'The lock is taken here.' }] : []),
      ...(write ? [{ place: write, text: 'The token is used here.' }] : []),
      ...(ended && ended.start !== place.start ? [{ place: ended, text: `The counter ends here (${lineOf(ended, place.file)}).` }] : []),
    ],
    interleaving: it.why.kind === 'late' ? lateToken(it.acquire!, place, it.write) : undefined,
    edits: [],
  };
}
