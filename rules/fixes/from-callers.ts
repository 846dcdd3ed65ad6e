/**
 * The release, or the renewal, of a function that is told the key and not the owner: a parameter is added, and every caller hands
 * in the owner value of the lock that it has taken. Offered only where every caller is known and has the value,
 * or can make it for acquire and release.
 */
import type { ReleaseEvent, RenewEvent } from '../../model/events.ts';
import type { LockRenewal } from '../../model/renewals.ts';
import type { LockRelease, Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { Importers } from './callers/callers.ts';
import { HandedDown } from './callers/handed-down.ts';
import { CallersOwner } from './lock/callers-owner.ts';
import type { Owner } from './lock/owner.ts';
import { releaseEdits, releaseWith } from './release.ts';
import { renewalEdits, renewalWith } from './renewal.ts';
import { attempt } from './source/draft.ts';
import type { Drafts } from './source/drafts.ts';
import { treeOf } from './source/tree.ts';

/** What can be done in the file of the release alone: in its function, or in its callers as well where no other file has it. */
export function ownReleaseEdits(release: LockRelease, story: Story, settings: Settings): Edit[] {
  const edits = releaseEdits(release, story, settings);
  return edits.length > 0 ? edits : releaseEditsAcross(release, story, settings, undefined);
}

/** The edits that reach into the callers, in all files that the importers know of. */
export const releaseEditsAcross = (release: LockRelease, story: Story, settings: Settings, importers: Importers | undefined): Edit[] => attempt(() => handedIn(release, story, settings, importers));

function handedIn(release: LockRelease, story: Story, settings: Settings, importers: Importers | undefined): Edit[] {
  const step = release.event;
  return step.ownerChecked ? [] : brought(step, { story, settings, importers }, 'compare-and-delete-across', (owner) => releaseWith(release, story, settings, owner));
}

/** What can be done for a renewal in its own file. */
export function ownRenewalEdits(renewal: LockRenewal, story: Story, settings: Settings): Edit[] {
  const edits = renewalEdits(renewal, story);
  return edits.length > 0 ? edits : renewalEditsAcross(renewal, story, settings, undefined);
}

/** The edits of a renewal that reach into its callers, in all files that the importers know of. */
export const renewalEditsAcross = (renewal: LockRenewal, story: Story, settings: Settings, importers: Importers | undefined): Edit[] =>
  attempt(() => (renewal.event.ownerChecked ? [] : brought(renewal.event, { story, settings, importers }, 'compare-and-extend-across', (owner) => renewalWith(renewal, story, owner))));

interface Job {
  story: Story;
  settings: Settings;
  importers: Importers | undefined;
}

/** Brings the owner value to a step, and tells of it in the title. */
function brought(step: ReleaseEvent | RenewEvent, { story, settings, importers }: Job, kind: string, write: (owner: (drafts: Drafts) => Owner | undefined) => Edit[]): Edit[] {
  const { func, span } = step.call;
  const tree = treeOf(func.module);
  const call = func.module === story.module || importers ? tree.callAt(span) : undefined;
  if (!call) return [];
  let calls = 0;
  const edits = write((drafts) => {
    const owners = new CallersOwner(step, story, settings, drafts, importers);
    const down = new HandedDown({ names: ['owner', 'lockOwner'], type: 'string', at: (caller) => owners.at(caller) }, drafts, story.model, importers);
    const text = down.to(call, tree);
    ({ calls } = down);
    return text !== undefined && owners.finish() ? { text, isFresh: owners.isFresh } : undefined;
  });
  return edits.map((it) => {
    const isFar = it.changes.some(({ file }) => file !== undefined);
    return { ...it, kind: isFar ? kind : it.kind, title: `${it.title}, and hand in the owner value at ${calls === 1 ? 'its one call' : `its ${calls} calls`}${isFar ? ' in other files' : ''}` };
  });
}
