/** A lease length in another unit than the call reads it in. */
import { unitMismatches } from '../model/units.ts';
import { unitEdits } from './fixes/unit.ts';
import { at, defineRule } from './rule.ts';
import { duration, lockName } from './words.ts';

const words = { s: 'seconds', ms: 'milliseconds' };

export default defineRule({
  name: 'no-lease-unit-mismatch',
  preset: 'recommended',
  severity: 'error',
  description: 'Give a lease its length in the unit that the call reads.',
  messages: {
    named: 'The lease of {{lock}} is read as {{read}}, but `{{name}}` says {{given}}. {{effect}} Convert the length to {{read}}.',
    long: 'The lease of {{lock}} is {{n}} seconds, which is {{length}}. It looks like milliseconds: after a crash nobody gets the lock for that time. Give the length in seconds.',
    short: 'The lease of {{lock}} is {{n}} milliseconds. It looks like seconds: the lease ends before the work has begun, and others come in. Give the length in milliseconds.',
  },
  find: ({ story }) =>
    unitMismatches(story).map((it) => ({
      messageId: it.by.kind === 'name' ? 'named' : it.readAs === 's' ? 'long' : 'short',
      data: {
        lock: lockName(it.lock),
        read: words[it.readAs],
        given: words[it.readAs === 's' ? 'ms' : 's'],
        name: it.by.kind === 'name' ? it.by.name : '',
        n: it.by.kind === 'size' ? String(it.by.n) : '',
        length: it.by.kind === 'size' ? inWords(it.by.n * 1000) : '',
        effect: it.readAs === 's' ? 'The lock then stays a thousand times longer than meant after a crash.' : 'The lease then ends a thousand times sooner than meant, in the middle of the work.',
      },
      place: it.place,
      related: at(it.acquire.call).file === it.place.file && at(it.acquire.call).start <= it.place.start && it.place.end <= at(it.acquire.call).end ? [] : [{ place: at(it.acquire.call), text: `The lock is taken here: the length is read as ${words[it.readAs]}.` }],
      edits: () => unitEdits(it, story),
    })),
});

const inWords = (ms: number): string => (ms >= 86_400_000 ? `${Math.round(ms / 8_640_000) / 10} days` : ms >= 3_600_000 ? `${Math.round(ms / 360_000) / 10} hours` : duration(ms));
