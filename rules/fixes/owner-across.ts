/** The owner value at a release that stands in another function than the acquire: kept in an object, a field or a parameter. */
import type { LockRelease } from '../../model/story.ts';
import type { Draft } from './draft.ts';
import type { Owner, Pair } from './owner.ts';

export function ownerAcross(_release: LockRelease, _pair: Pair, _draft: Draft): (Owner & { note?: string }) | undefined {
  return undefined;
}
