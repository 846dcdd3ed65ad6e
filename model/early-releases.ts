/**
 * Releases that come before the commit of the transaction which the lock protects: in its callback,
 * in a method that a decorator runs in a transaction, or between BEGIN and COMMIT.
 */
import { connectionOf } from './connections.ts';
import type { AcquireEvent, DatabaseLockEvent, Lock, ReleaseEvent } from './events.ts';
import type { CallExpr, Func } from './ir.ts';
import { isReleaseOf } from './sections.ts';
import type { Story } from './story.ts';
import type { Deep } from './deep.ts';
import { belongsTo, followTransactions, isAmbient, isHanded, transactionalDecorator } from './transactions.ts';
import { sameSite } from './value.ts';

export interface EarlyRelease {
  /** What is reported. */
  call: CallExpr;
  lock: Lock | undefined;
  /** The database's own lock, where it is one. */
  statement: DatabaseLockEvent | undefined;
  acquire: CallExpr | undefined;
  /** A write of the transaction that the next holder does not see yet. */
  write: CallExpr;
  target: string | undefined;
  /** What commits: the statement, the call that runs the callback, the decorator. */
  commit: CallExpr;
  how: 'statement' | 'callback' | 'decorator';
}

/** The transaction that something happens in. */
interface Scope {
  call: CallExpr;
  how: EarlyRelease['how'];
  isAmbient: boolean;
}

/** Releases of the file that precede the commit of what they protect, each once. */
export function earlyReleases(story: Story): EarlyRelease[] {
  const found: EarlyRelease[] = [];
  const add = (it: EarlyRelease | undefined): void => {
    if (it && it.call.func.module === story.module && !found.some((known) => sameSite(known.call, it.call))) found.push(it);
  };
  for (const func of story.module.functions) {
    const summary = story.model.summaries.of(func);
    if (!summary.known.some((it) => isEnd(it) || it.kind === 'acquire')) continue;
    const decorator = transactionalDecorator(func, story.model);
    if (!decorator && !summary.known.some((it) => it.inTransaction && isEnd(it)) && !mayCommit(func, story.model)) continue;
    const { deep } = summary;
    if (decorator) inScope(func, deep.filter((it) => !it.inTransaction), { call: decorator, how: 'decorator', isAmbient: true }, story).forEach(add);
    if (decorator) lockingDecorators(func, decorator, story).forEach(add);
    for (const call of new Set(deep.flatMap((it) => it.inTransaction ?? []))) {
      const scope: Scope = { call, how: 'callback', isAmbient: isAmbient(call, story.model) };
      inScope(func, deep.filter((it) => sameSite(it.inTransaction, call)), scope, story).forEach(add);
    }
    if (deep.some((it) => it.kind === 'commit')) betweenStatements(func, story).forEach(add);
  }
  return found;
}

/** Something may end a transaction: a call, or a function of the project that knows no lock and speaks of it. */
const mayCommit = (func: Func, model: Story['model']): boolean =>
  func.graph().steps.some(({ op }) => op.kind === 'call' && (model.summaries.atCall(op.call, func).known.some((it) => it.kind === 'commit') || model.interpreter.meaning(op.call).entered.some(({ callee }) => /commit/i.test(callee.func.module.text))));

const isDatabaseRelease = (it: Deep): boolean => it.kind === 'database-lock' && it.event.scope === 'session' && it.event.step === 'release';
const isEnd = (it: Deep): boolean => it.timing === 'now' && (it.kind === 'release' || isDatabaseRelease(it));

/** Releases among what runs in one transaction, after a write of it. */
function inScope(func: Func, items: readonly Deep[], scope: Scope, story: Story): EarlyRelease[] {
  const found: EarlyRelease[] = [];
  items.forEach((it, i) => {
    const before = items.slice(0, i);
    if (isDatabaseRelease(it)) {
      const event = it.event as DatabaseLockEvent;
      const write = before.find((each) => isWriteIn(each, scope, event.library, story));
      const isInside = scope.isAmbient ? connectionOf(event, story.model) === 'pool' : belongsTo(event.receiver, scope.call, story.model);
      if (isInside && write) found.push({ ...placed(it, write, undefined), lock: undefined, statement: event, acquire: undefined, commit: scope.call, how: scope.how });
    }
    if (it.kind === 'release' && it.timing === 'now') {
      const known = lockOf(it, before, func, story);
      if (!known || isPartOf(it.event, known.lock, scope, items, story)) return;
      const write = before.slice(known.from).find((each) => isWriteIn(each, scope, it.event.library, story));
      if (write) found.push({ ...placed(it, write, known.deep), lock: known.lock, statement: undefined, acquire: known.at, commit: scope.call, how: scope.how });
    }
    // A function of a library that takes the lock, runs its body and gives the lock back.
    if (it.kind === 'acquire' && it.event.body && it.timing === 'now' && isLease(it.event.lock)) {
      const { call } = it.event;
      const write = items.slice(i + 1).find((each) => each.under.some((held) => sameSite(held.acquire.call, call)) && isWriteIn(each, scope, it.event.library, story));
      if (write) found.push({ ...placed(it, write, undefined), lock: it.event.lock, statement: undefined, acquire: undefined, commit: scope.call, how: scope.how });
    }
  });
  return found;
}

const isLease = (lock: Lock): boolean => lock.kind === 'lease' || lock.kind === 'session';

/** A write that becomes visible with the commit. */
function isWriteIn({ event, timing }: Deep, scope: Scope, of: Deep['event']['library'], { model }: Story): boolean {
  if (timing === 'later' || timing === 'repeatedly') return false;
  if (!scope.isAmbient && isHanded(event, scope.call, model)) return true;
  if (event.kind !== 'write' || event.op === 'put' || event.op === 'data' || !event.connection) return false;
  if (belongsTo(event.connection, scope.call, model)) return true;
  // Nothing says that it belongs to the transaction but that it is a write of the database.
  return scope.isAmbient && event.library?.family === 'store' && event.library !== of && connectionOf({ connection: 'receiver', receiver: event.connection }, model) !== 'single';
}

/** A lock row that is given back by the transaction itself is freed by its commit. */
function isPartOf(event: ReleaseEvent, lock: Lock, scope: Scope, items: readonly Deep[], { model }: Story): boolean {
  if (lock.space !== 'row' && event.form !== 'statement') return false;
  if (event.connection && belongsTo(event.connection, scope.call, model)) return true;
  if (!scope.isAmbient) return event.connection === undefined;
  return items.some((it) => it.kind === 'write' && it.event.library === event.library && !belongsTo(it.event.connection, scope.call, model));
}

/** The lock that a release gives back, where it was taken, and whether it is known for a lock. */
function lockOf(release: Deep, before: readonly Deep[], func: Func, { model, module }: Story): { lock: Lock; at: CallExpr; from: number; deep: Deep | undefined } | undefined {
  const event = release.event as ReleaseEvent;
  const from = before.findIndex((it) => it.kind === 'acquire' && isLease(it.event.lock) && isReleaseOf(event, { lock: it.event.lock, acquire: it.event }));
  const taken = from < 0 ? undefined : before[from]!;
  const frames = new Set<Func>([func, ...module.functions, ...[release, ...(taken ? [taken] : [])].flatMap((it) => [it.at, ...it.via].map((call) => call.func))]);
  for (const frame of frames) {
    for (const section of model.summaries.of(frame).sections) {
      if (!isLease(section.lock) || !section.releases.some((it) => sameSite(it.site, event.call))) continue;
      const isSame = taken ? sameSite(section.acquire.call, (taken.event as AcquireEvent).call) : frame === func;
      if (isSame) return { lock: taken ? (taken.event as AcquireEvent).lock : section.lock, at: taken ? taken.at : section.at, from: Math.max(from, 0), deep: taken };
    }
  }
  return undefined;
}

/** The release in the innermost function that takes, writes and gives back. */
function placed(release: Deep, write: Deep, taken: Deep | undefined): Pick<EarlyRelease, 'call' | 'write' | 'target'> {
  const chainOf = ({ at, via, event }: Deep): CallExpr[] => [at, ...via, event.call];
  const chain = chainOf(release);
  const others = [chainOf(write), ...(taken ? [chainOf(taken)] : [])];
  let depth = 0;
  while (depth < chain.length - 1 && others.every((it) => depth < it.length - 1 && sameSite(it[depth], chain[depth]))) depth++;
  const home = chain[0]!.func.module;
  while (depth > 0 && chain[depth]!.func.module !== home) depth--;
  return { call: chain[depth]!, write: others[0]![Math.min(depth, others[0]!.length - 1)]!, target: write.kind === 'write' ? write.event.target : undefined };
}

/** A decorator that takes a lock around a method, inside the one that opens the transaction. */
function lockingDecorators(func: Func, transaction: CallExpr, { model }: Story): EarlyRelease[] {
  const scope: Scope = { call: transaction, how: 'decorator', isAmbient: true };
  const outer = func.decorators.indexOf(transaction);
  return model.summaries.of(func).sections.flatMap((it) => {
    const inner = func.decorators.indexOf(it.at);
    const write = it.items.find((each) => isWriteIn(each, scope, it.acquire.library, { model } as Story));
    if (it.form !== 'body' || outer < 0 || inner < outer || !isLease(it.lock) || !write) return [];
    return [{ call: it.at, lock: it.lock, statement: undefined, acquire: undefined, write: write.at, target: write.kind === 'write' ? write.event.target : undefined, commit: transaction, how: 'decorator' as const }];
  });
}

/** Releases between the statements that begin and commit. */
function betweenStatements(func: Func, story: Story): EarlyRelease[] {
  const all = followTransactions(func, undefined, story.model);
  return all.flatMap(({ deep, commit, states }, i): EarlyRelease[] => {
    const run = deep.kind === 'acquire' && deep.event.body && deep.timing === 'now' && isLease(deep.event.lock) && !deep.inTransaction ? deep.event : undefined;
    if (run && (states.has('begun') || states.has('written'))) {
      // What a function of a library runs under the lock is done when that function gives it back.
      const inside = all.slice(i + 1).find((it) => it.commit && it.deep.kind === 'write' && it.deep.event.op !== 'put' && it.deep.event.op !== 'data' && it.deep.under.some((held) => sameSite(held.acquire.call, run.call)));
      return inside && !sameSite(inside.commit!.at, deep.at) ? [{ ...placed(deep, inside.deep, undefined), lock: run.lock, statement: undefined, acquire: undefined, commit: inside.commit!.at, how: 'statement' }] : [];
    }
    // What one call does as a whole is told where that call's function stands.
    if (!commit || !states.has('written') || !isEnd(deep) || deep.inTransaction || sameSite(commit.at, deep.at)) return [];
    const before = all.slice(0, i).map((it) => it.deep);
    const write = before.findLast((it) => it.kind === 'write' && it.event.op !== 'put' && it.event.op !== 'data');
    if (!write) return [];
    if (deep.kind === 'database-lock') {
      if (connectionOf(deep.event, story.model) === 'pool') return [];
      return [{ ...placed(deep, write, undefined), lock: undefined, statement: deep.event, acquire: undefined, commit: commit.at, how: 'statement' }];
    }
    const known = lockOf(deep, before, func, story);
    // A row of the same database may be a part of the transaction.
    if (!known || ((known.lock.space === 'row' || (deep.event as ReleaseEvent).form === 'statement') && deep.event.library === write.event.library)) return [];
    return [{ ...placed(deep, write, known.deep), lock: known.lock, statement: undefined, acquire: known.at, commit: commit.at, how: 'statement' }];
  });
}
