/** The edits of a finding that reach into other files: what ESLint cannot show, and an editor can. */
import type { CallExpr } from '../../model/ir.ts';
import { renewalsOf } from '../../model/renewals.ts';
import type { Story } from '../../model/story.ts';
import type { Edit, Finding } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { Importers } from './callers/callers.ts';
import { fenceEdits, sectionFenceEdits } from './fence.ts';
import { keptPerKey } from './release.ts';
import { releaseEditsAcross, renewalEditsAcross } from './from-callers.ts';

/** For a finding that cannot be mended in its own file, or not as well. */
export function editsThroughCallers({ rule, place, related, edits }: Finding, story: Story, settings: Settings, importers: Importers): Edit[] {
  if (!edits.every((it) => it.kind === keptPerKey)) return [];
  const isHere = ({ func, span }: CallExpr): boolean => func.module === story.module && span.start === place.start && span.end === place.end;
  if (rule === 'no-blind-release') return story.releases.filter((it) => isHere(it.call)).flatMap((it) => releaseEditsAcross(it, story, settings, importers)).slice(0, 1);
  if (rule === 'no-blind-renewal') return renewalsOf(story).filter((it) => isHere(it.call)).flatMap((it) => renewalEditsAcross(it, story, settings, importers)).slice(0, 1);
  // Both say first where the lock is taken.
  const [taken] = related;
  if (rule === 'no-renewal-as-fix' || rule === 'no-check-then-write') return story.sections.filter(({ section, isEfficiency }) => !isEfficiency && section.at.func.module.file === taken?.place.file && section.at.span.start === taken.place.start).flatMap((it) => sectionFenceEdits(it, story, settings, importers)).slice(0, 1);
  if (rule !== 'require-fencing-token') return [];
  return story.sections.flatMap((section) => section.unfenced.filter((it) => isHere(it.call)).flatMap((it) => fenceEdits(section, it, story, settings, importers))).slice(0, 1);
}
