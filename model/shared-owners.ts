/** Owner values that several acquisitions of one lock have in common, so that a comparison cannot tell them apart. */
import type { LockRelease, Story } from './story.ts';
import { contains, sameSite } from './value.ts';

/**
 * A constant always is one. A value of the process is one where each call takes a lock of its own and
 * gives it back: two requests of a process can follow each other. A leader holds one lock for the life
 * of its process, whose value is then as good as a fresh one.
 */
export function isSharedOwner({ owner, acquire, lock, event }: LockRelease, story: Story): boolean {
  if (owner.kind === 'constant') return true;
  if (owner.kind !== 'process' || !acquire || !lock?.key) return false;
  // A job's row tells which worker has it, and outlives the lock.
  if (lock.space === 'row' && event.statement?.op !== 'delete') return false;
  const isPerCall = contains(lock.key, (it) => it.kind === 'param' && it.func.kind !== 'constructor');
  return isPerCall && story.sections.some(({ section }) => section.form !== 'body' && sameSite(section.acquire.call, acquire.call));
}
