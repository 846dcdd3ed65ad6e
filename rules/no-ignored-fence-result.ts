/** A fenced write whose refusal is lost, because nobody looks at what the statement answers. */
import { type IgnoredResult, ignoredResults } from '../model/fence-results.ts';
import type { Edit } from './finding.ts';
import { lookEdits } from './fixes/look.ts';
import { ignoredRefusal } from './token-interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { shorten, targetText } from './words.ts';

export default defineRule({
  name: 'no-ignored-fence-result',
  preset: 'recommended',
  severity: 'error',
  description: 'Look at how many rows a fenced write has touched: a refusal that nobody reads is a lost write.',
  messages: {
    write: '{{target}} refuses a stale write by {{fence}}, and nobody looks whether it did. The client does not throw for it: whoever is refused goes on as if the data were saved. Read {{teller}} and throw.',
    renewal: 'The lease in {{target}} is prolonged only if still ours, and nobody looks whether it was. The client does not throw for it: a holder that has lost the lock works on. Read {{teller}} and stop.',
  },
  find: ({ story, settings }) => ignoredResults(story.model, story.module.functions, story.sections).map((it) => finding(it, () => lookEdits(it, story, settings))),
});

function finding(it: IgnoredResult, edits: () => Edit[]): RuleFinding {
  const place = at(it.call);
  const { event } = it;
  const target = event.kind === 'write' ? targetText(event.target) : 'the lock row';
  const statement = at(event.call);
  return {
    messageId: event.kind === 'write' ? 'write' : 'renewal',
    data: { target: event.kind === 'write' ? target : target, fence: /^\w+$/.test(it.fence) ? `\`${shorten(it.fence, 40)}\`` : it.fence, teller: it.teller ? `\`${it.teller}\`` : 'the answer' },
    place,
    related: [
      ...(it.section ? [{ place: at(it.section.section.at), text: 'The lock is taken here.' }] : []),
      ...(statement.file === place.file && statement.start === place.start ? [] : [{ place: statement, text: 'The statement is sent here.' }]),
    ],
    interleaving: ignoredRefusal(it.section, event, place, target),
    edits,
  };
}
