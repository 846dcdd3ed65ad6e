/** Edits that put a fencing token into the condition of a write. */
import type { SectionStory, Story, UnfencedWrite } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';

export function fenceEdits(_section: SectionStory, _write: UnfencedWrite, _story: Story, _settings: Settings): Edit[] {
  return [];
}
