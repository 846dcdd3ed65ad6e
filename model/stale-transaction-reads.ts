/** Values that are read before a transaction takes its database lock, and written back in it: as old as the read. */
import { isAnswerUnread } from './answer-use.ts';
import { encloses } from './binding.ts';
import { isSameConnection } from './connections.ts';
import type { DatabaseLockEvent, WriteEvent } from './events.ts';
import type { CallExpr } from './ir.ts';
import { isAbout, readsOf } from './stale-reads.ts';
import { conditionsOf } from './rows.ts';
import type { Model, Story, UnfencedWrite } from './story.ts';
import type { Deep } from './deep.ts';
import { contains, sameSite } from './value.ts';

export interface StaleTransactionRead {
  lock: DatabaseLockEvent;
  /** Where the lock is taken. */
  at: CallExpr;
  read: CallExpr;
  write: UnfencedWrite;
}

/** The reads of a file whose values are written back under a lock of the writing transaction that was taken after them, each once. */
export function staleTransactionReadsOf({ model, module }: Story): StaleTransactionRead[] {
  const found: StaleTransactionRead[] = [];
  for (const func of module.functions) {
    const summary = model.summaries.of(func);
    const locks = summary.known.filter((it): it is Deep & { event: DatabaseLockEvent } => it.kind === 'database-lock' && it.event.scope === 'transaction' && it.event.step === 'acquire' && it.timing === 'now' && it.at.func === func);
    if (locks.length === 0) continue;
    const { deep } = summary;
    for (const { event: lock, at } of locks) {
      for (const it of deep) {
        if (it.kind !== 'write' || it.at.func !== func || !isOverwritten(it.event) || it.at.span.start < at.span.end || !isSameConnection(lock.receiver, it.event.connection, model)) continue;
        const { event } = it;
        const write: UnfencedWrite = { event, call: it.at, via: it.via, isUnchecked: false };
        // The row that is written is the one that the lock has found: what was read before is another.
        if (isChosenBy(event, at)) continue;
        // Something of it is read again with the lock, or by it, unless nobody looks at that.
        if (deep.some((other) => !(other.via.length === 0 && isAnswerUnread(other.at, [[]], model)) && other.at.span.start >= at.span.start && other.at.span.start < it.at.span.start && isAbout(other, event))) continue;
        for (const { call } of readsOf(write, model)) {
          // A transaction may take several locks: what one of them has gone before is as new as that one.
          if (locks.some((earlier) => earlier.at.span.end <= call.span.start && earlier.at.span.start < at.span.start && isSameConnection(lock.receiver, earlier.event.receiver, model))) continue;
          if (isLocking(call, model) || call.span.start >= at.span.start || !(call.func === func || encloses(call.func, func)) || found.some((other) => sameSite(other.read, call))) continue;
          found.push({ lock, at, read: call, write });
        }
      }
    }
  }
  return found;
}

/** The read locks what it reads: nobody changes it before the transaction ends. */
const isLocking = (call: CallExpr, model: Model): boolean =>
  model.summaries.atCall(call, call.func).deep.some((it) => (it.kind === 'database-lock' && it.event.step === 'acquire') || (it.kind === 'read' && 'locksOn' in it.event && it.event.locksOn !== undefined));

const isChosenBy = ({ row }: WriteEvent, lock: CallExpr): boolean =>
  [row?.by, ...conditionsOf(row?.filter ?? []).filter((it) => it.op === '=').map((it) => it.value)].some((it) => it !== undefined && contains(it, (each) => (each.kind === 'result' || each.kind === 'typed') && sameSite(each.site, lock)));

const isOverwritten = ({ op, fenced }: WriteEvent): boolean => fenced === 'no' && op !== 'insert' && op !== 'delete' && op !== 'other';
