/** Edits that make a release compare the owner value and delete in one atomic step. */
import type { LockRelease, Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';

export function releaseEdits(_release: LockRelease, _story: Story, _settings: Settings): Edit[] {
  return [];
}
