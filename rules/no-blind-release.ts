/** A release that does not compare the owner value in the same atomic step, and an owner value that cannot be compared. */
import { isSharedOwner } from '../model/shared-owners.ts';
import type { LockRelease, Story } from '../model/story.ts';
import { sameSite } from '../model/value.ts';
import { freshOwnerEdits } from './fixes/fresh-owner.ts';
import { ownReleaseEdits } from './fixes/from-callers.ts';
import { blindRelease } from './interleaving.ts';
import { type RuleContext, type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-blind-release',
  preset: 'recommended',
  severity: 'error',
  description: 'Release a lock only while it is still yours: compare the owner value and delete in one step.',
  messages: {
    blind: '{{lock}} is released without checking who holds it. Once the lease has ended, this {{how}} frees the next holder\'s lock and lets a third one in.{{owner}} Compare the owner value and delete in one atomic step.',
    compared: '{{lock}} is compared at {{where}} and released in a step of its own. The lease can end between the two, and the {{how}} then frees the next holder\'s lock.{{owner}} Compare and delete in one atomic step.',
    constant: '{{lock}} is taken with {{value}} as owner value, so its release cannot tell holders apart. After the lease has ended, the compare-and-delete at {{where}} frees the next holder\'s lock. Use a fresh random value for each acquisition.',
  },
  find: ({ story, settings }) => story.releases.flatMap((it) => (it.event.ownerChecked ? constantOwner(it, story) : [blind(it, { story, settings, options: {} })])),
});

const ownerText = (it: LockRelease): string =>
  it.owner.kind === 'constant' ? ` Its owner value is the constant ${JSON.stringify(it.owner.text)}, which tells no holder from another.` : it.owner.kind === 'process' ? ' Its owner value is the same for every acquisition of a process.' : '';

function blind(it: LockRelease, { story, settings }: RuleContext): RuleFinding {
  const place = at(it.call);
  const acquire = it.acquireCall && at(it.acquireCall);
  const lock = lockName(it.lock?.key ? it.lock : { ...it.lock!, key: it.event.key });
  return {
    messageId: it.comparedBefore ? 'compared' : 'blind',
    data: { lock, how: it.event.how, owner: ownerText(it), where: it.comparedBefore ? lineOf(at(it.comparedBefore), place.file) : '' },
    place,
    related: [
      ...(acquire ? [{ place: acquire, text: 'The lock is taken here.' }] : []),
      ...(it.comparedBefore ? [{ place: at(it.comparedBefore), text: 'The owner is read here, in a step of its own.' }] : []),
      ...(sameSite(it.call, it.event.call) ? [] : [{ place: at(it.event.call), text: 'The key is removed here.' }]),
    ],
    interleaving: blindRelease(it),
    edits: () => ownReleaseEdits(it, story, settings),
  };
}

/** A checked release compares, but with what every holder has. Reported where the value is given: at the acquire. */
function constantOwner(it: LockRelease, story: Story): RuleFinding[] {
  const all = story.releases;
  if (!it.acquire || it.event.form === 'library' || !isSharedOwner(it, story)) return [];
  // Where the value is given: in this file, or where a helper's caller here chose it.
  const call = it.acquire.call.func.module === it.call.func.module ? it.acquire.call : it.acquireCall;
  if (!call || call.func.module !== it.call.func.module) return [];
  const isSame = (other: LockRelease): boolean => other.acquireCall !== undefined && (sameSite(other.acquireCall, it.acquireCall) || sameSite(other.acquire?.call, call));
  if (all.some((other) => !other.event.ownerChecked && isSame(other)) || all.find((other) => other.event.ownerChecked && isSame(other)) !== it) return [];
  const release = at(it.event.call);
  return [
    {
      messageId: 'constant',
      data: { lock: lockName(it.lock), value: it.owner.kind === 'constant' ? `the constant ${JSON.stringify(it.owner.text)}` : 'one value of the process', where: lineOf(release, at(call).file) },
      place: at(call),
      related: [{ place: release, text: 'The release compares with that value.' }],
      interleaving: blindRelease(it),
      edits: () => (it.owner.kind === 'constant' ? freshOwnerEdits(it, all, story) : []),
    },
  ];
}
