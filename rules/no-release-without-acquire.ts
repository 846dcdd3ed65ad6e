/** A release that also runs where the lock was not taken, and then frees somebody else's. */
import { type StrayRelease, strayReleasesIn } from '../model/stray-releases.ts';
import { sameSite } from '../model/value.ts';
import { strayEdits } from './fixes/stray.ts';
import { strayRelease } from './interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-release-without-acquire',
  preset: 'recommended',
  severity: 'error',
  description: 'Release only what was acquired: open the `try` after the guard.',
  messages: {
    refused: '{{lock}} is released here also where the acquire was refused. Whoever was refused then frees the lock of its holder, and lets a third one in. Open the `try` after the guard at {{where}}, or compare the owner value in the release.',
    before: '{{lock}} is released here also where the acquire failed or had not run yet. That frees the lock of whoever holds it, and lets another one in. Open the `try` after the acquire at {{where}}, or compare the owner value in the release.',
    registered: '{{lock}} is released here by a handler that is registered before the guard. It also runs where the acquire at {{where}} was refused, and then frees the lock of its holder. Register it after the guard, or compare the owner value in the release.',
  },
  find: ({ story }) => strayReleasesIn(story).map((it) => ({ ...finding(it), edits: () => strayEdits(it, story) })),
});

function finding(it: StrayRelease): RuleFinding {
  const { section, release } = it;
  const place = at(it.call);
  const acquire = at(section.at);
  return {
    messageId: it.how,
    data: { lock: lockName(section.lock.key ? section.lock : { ...section.lock, key: release.kind === 'release' ? release.event.key : undefined }), where: lineOf(acquire, place.file) },
    place,
    related: [{ place: acquire, text: 'The lock is taken here, or refused.' }, ...(sameSite(it.call, release.site) ? [] : [{ place: at(release.site), text: 'The key is removed here.' }])],
    interleaving: strayRelease(it),
    edits: [],
  };
}
