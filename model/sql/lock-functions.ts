/**
 * Owns the table of what takes a lock in SQL: functions, procedures and T-SQL's table hints. Data
 * only; what is not listed here is not a lock.
 */

import type { LockCall, RowLock } from './facts.ts';

type LockFunction = Pick<LockCall, 'scope' | 'mode' | 'shared'>;

/** Functions by their name in lower case. GET_LOCK waits, but answers 0 when the time is over. */
export const LOCK_FUNCTIONS: Record<string, LockFunction> = {
  pg_advisory_lock: { scope: 'session', mode: 'acquire', shared: false },
  pg_advisory_lock_shared: { scope: 'session', mode: 'acquire', shared: true },
  pg_try_advisory_lock: { scope: 'session', mode: 'try', shared: false },
  pg_try_advisory_lock_shared: { scope: 'session', mode: 'try', shared: true },
  pg_advisory_xact_lock: { scope: 'transaction', mode: 'acquire', shared: false },
  pg_advisory_xact_lock_shared: { scope: 'transaction', mode: 'acquire', shared: true },
  pg_try_advisory_xact_lock: { scope: 'transaction', mode: 'try', shared: false },
  pg_try_advisory_xact_lock_shared: { scope: 'transaction', mode: 'try', shared: true },
  pg_advisory_unlock: { scope: 'session', mode: 'release', shared: false },
  pg_advisory_unlock_shared: { scope: 'session', mode: 'release', shared: true },
  pg_advisory_unlock_all: { scope: 'session', mode: 'release', shared: false },
  get_lock: { scope: 'session', mode: 'try', shared: false },
  release_lock: { scope: 'session', mode: 'release', shared: false },
  release_all_locks: { scope: 'session', mode: 'release', shared: false },
};

interface LockProcedure {
  mode: LockCall['mode'];
  /** The parameters in their order, in lower case and without the `@`. */
  parameters: readonly string[];
  resource: string;
  owner: string;
  lockMode?: string;
  defaultScope: LockCall['scope'];
}

/** Procedures of SQL Server. Their failure is a return code, so taking one is a try. */
export const LOCK_PROCEDURES: Record<string, LockProcedure> = {
  sp_getapplock: {
    mode: 'try', parameters: ['resource', 'lockmode', 'lockowner', 'locktimeout', 'dbprincipal'],
    resource: 'resource', owner: 'lockowner', lockMode: 'lockmode', defaultScope: 'transaction',
  },
  sp_releaseapplock: {
    mode: 'release', parameters: ['resource', 'lockowner', 'dbprincipal'], resource: 'resource', owner: 'lockowner', defaultScope: 'transaction',
  },
};

/** T-SQL's table hints, in lower case; a hint without a strength only changes how one waits. */
export const LOCK_HINTS: Record<string, { strength?: RowLock['strength']; skipLocked?: true; noWait?: true }> = {
  updlock: { strength: 'update' },
  xlock: { strength: 'exclusive' },
  tablockx: { strength: 'exclusive' },
  holdlock: { strength: 'share' },
  serializable: { strength: 'share' },
  repeatableread: { strength: 'share' },
  readpast: { skipLocked: true },
  nowait: { noWait: true },
};
