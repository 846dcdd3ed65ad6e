/**
 * The release of a function that is told the key and not the owner: a parameter is added, and every caller hands
 * in the owner value of the lock that it has taken. Offered only where every caller is known and has the value,
 * or can make it for acquire and release.
 */
import type { LockRelease, Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { Importers } from './callers/callers.ts';
import { HandedDown } from './callers/handed-down.ts';
import { CallersOwner } from './lock/callers-owner.ts';
import { releaseEdits, releaseWith } from './release.ts';
import { attempt } from './source/draft.ts';
import { treeOf } from './source/tree.ts';

/** What can be done in the file of the release alone: in its function, or in its callers as well where no other file has it. */
export function ownReleaseEdits(release: LockRelease, story: Story, settings: Settings): Edit[] {
  const edits = releaseEdits(release, story, settings);
  return edits.length > 0 ? edits : releaseEditsAcross(release, story, settings, undefined);
}

/** The edits that reach into the callers, in all files that the importers know of. */
export const releaseEditsAcross = (release: LockRelease, story: Story, settings: Settings, importers: Importers | undefined): Edit[] => attempt(() => handedIn(release, story, settings, importers));

function handedIn(release: LockRelease, story: Story, settings: Settings, importers: Importers | undefined): Edit[] {
  const { model } = story;
  const { func, span } = release.event.call;
  const tree = treeOf(func.module);
  const call = func.module === story.module || importers ? tree.callAt(span) : undefined;
  if (release.event.ownerChecked || !call) return [];
  let calls = 0;
  const edits = releaseWith(release, story, settings, (drafts) => {
    const owners = new CallersOwner(release.event, story, settings, drafts, importers);
    const down = new HandedDown({ names: ['owner', 'lockOwner'], type: 'string', at: (caller) => owners.at(caller) }, drafts, model, importers);
    const text = down.to(call, tree);
    ({ calls } = down);
    return text !== undefined && owners.finish() ? { text, isFresh: owners.isFresh } : undefined;
  });
  return edits.map((it) => {
    const isFar = it.changes.some(({ file }) => file !== undefined);
    return { ...it, kind: isFar ? 'compare-and-delete-across' : it.kind, title: `${it.title}, and hand in the owner value at ${calls === 1 ? 'its one call' : `its ${calls} calls`}${isFar ? ' in other files' : ''}` };
  });
}
