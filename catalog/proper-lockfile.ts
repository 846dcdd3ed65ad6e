/**
 * proper-lockfile 4: locks of one machine, or of the machines that share a file system. Facts from the
 * package's own types (`@types/proper-lockfile`) and source; measured on 4.1.2: a refused lock, and
 * releases of one that is not held.
 */
import { arg, exported, library, type Acquire } from './schema.ts';

const lock = {
  kind: 'acquire',
  key: arg(0),
  lock: 'local',
  lease: [{ at: arg(1, 'stale'), unit: 'ms', default: 10_000 }],
  granted: { releases: true },
  refused: 'throws',
  renews: 'always',
  onLost: arg(1, 'onCompromised'),
} as const satisfies Acquire;

export default library({
  key: 'proper-lockfile',
  packages: ['proper-lockfile'],
  title: 'proper-lockfile',
  family: 'lock',
  coordinator: 'machine',
  calls: [
    { on: 'module', name: exported('lock', 'lockSync'), does: lock },
    { on: 'module', name: exported('unlock', 'unlockSync'), does: { kind: 'release', key: arg(0), ownerChecked: true, lost: 'throws' } },
    { on: 'module', name: exported('check', 'checkSync'), does: { kind: 'holds', handle: arg(0) } },
  ],
  facts: [
    '`stale` counts milliseconds, 10,000 by default; the lock touches its directory at half of it.',
    'A refused lock throws ELOCKED; the release of a lock that is not held throws.',
    'A lost lock calls `onCompromised`, which throws from a timer by default. There is no token.',
  ],
});
