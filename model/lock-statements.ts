/**
 * Where statements that lock in the database run: session locks that go through a pool, locks of a
 * transaction that none encloses. A statement whose connection is handed in is judged at the callers
 * that are in sight; reported is the statement, or the call where only some callers are wrong.
 */
import { encloses } from './binding.ts';
import { comesFrom, connectionOf, isHandedIn, isSameConnection, mayBeAmbient } from './connections.ts';
import type { DatabaseLockEvent } from './events.ts';
import type { CallExpr, Func } from './ir.ts';
import type { Story } from './story.ts';
import type { Deep } from './deep.ts';
import { followTransactions, isAmbient, transactionalDecorator } from './transactions.ts';
import { type Value, alternatives, sameSite, sameValue } from './value.ts';

/** A lock statement that runs where it must not. */
export interface MisplacedLock {
  event: DatabaseLockEvent;
  /** What is reported: the statement, or the call that hands it its connection. */
  call: CallExpr;
  /** The transaction around it that it does not belong to. */
  transaction: CallExpr | undefined;
}

type Verdict = 'wrong' | 'right' | 'unknown';
type LockDeep = Deep & { event: DatabaseLockEvent };

interface Occurrence {
  func: Func;
  deep: LockDeep;
  verdict: Verdict;
}

const isLock = (it: Deep): it is LockDeep => it.kind === 'database-lock';

/** Session locks, and their releases, that are sent through a pool. */
export function pooledSessionLocks(story: Story): MisplacedLock[] {
  return judge(story, (it) => it.scope === 'session', (deep, func) => {
    const connection = connectionOf(deep.event, story.model);
    if (connection !== 'pool') return connection === undefined ? 'unknown' : 'right';
    return isInAmbient(deep, func, story) ? 'right' : 'wrong';
  });
}

/** Locks that end with a transaction, taken where none is open. */
export function locksOutsideTransaction(story: Story): MisplacedLock[] {
  return judge(story, (it) => it.scope === 'transaction' && it.step === 'acquire', (deep, func) => {
    const { model } = story;
    const connection = connectionOf(deep.event, model);
    if (connection === 'transaction') return 'right';
    if (connection === 'single') return deep.inTransaction ? 'right' : onConnection(deep, func, story);
    if (connection !== 'pool') return 'unknown';
    if (isInAmbient(deep, func, story)) return 'right';
    // A manager can open a transaction on itself.
    if (model.summaries.of(func).deep.some((it) => it.kind === 'begin' && isStep(it.site, story) && hangTogether(it.event.value, deep.event.receiver))) return 'unknown';
    return isPartOfAmbient(deep, func, story) ? 'unknown' : 'wrong';
  });
}

const isStep = (call: CallExpr, { model }: Story): boolean => model.calls.match(model.calls.site(call)).some((it) => it.effects.some((effect) => effect.kind === 'transaction'));

/** One is reached from the other, or both from a third: a manager and its repository. */
function hangTogether(a: Value | undefined, b: Value | undefined): boolean {
  const owners = (value: Value | undefined): Value[] => (!value || value.kind === 'this' ? [] : [value, ...owners(value.kind === 'field' ? value.of : value.kind === 'typed' ? value.base : undefined)]);
  const others = owners(b);
  return owners(a).some((it) => others.some((other) => sameValue(it, other)));
}

/** Runs in a transaction that its receiver does not name. */
function isInAmbient(deep: Deep, func: Func, { model }: Story): boolean {
  return (deep.inTransaction !== undefined && isAmbient(deep.inTransaction, model)) || [func, deep.at.func, ...deep.via.map((it) => it.func)].some((it) => transactionalDecorator(it, model) !== undefined);
}

/**
 * Where a transaction need not be named, whoever calls may have opened one: a function that only
 * locks and reads is taken for a part of it, unless the same file opens transactions elsewhere.
 */
function isPartOfAmbient(deep: LockDeep, func: Func, { model, module }: Story): boolean {
  if (!mayBeAmbient(module, deep.event.library, model)) return false;
  const writes = model.summaries.of(func).deep.some((it) => it.kind === 'write');
  const opens = module.functions.some((it) => it.decorators.some((each) => each.kind === 'call' && model.interpreter.opensTransaction(each)) || model.summaries.of(it).deep.some((each) => each.kind === 'runs' && each.event.inTransaction));
  return !writes && !opens && deep.event.receiver !== undefined;
}

/** On one connection that is made in sight, a transaction is open where a statement has begun it. */
function onConnection(deep: LockDeep, func: Func, { model }: Story): Verdict {
  const { receiver } = deep.event;
  const made = connectionMadeAt(receiver);
  // What is made elsewhere may be in a transaction by then.
  if (!made || (made.func !== func && encloses(made.func, func))) return 'unknown';
  // From outside of the function that makes it, its branches look like one line.
  if (made.func !== func && encloses(func, made.func)) return 'unknown';
  if (isHandedToUnknown(receiver!, func, deep, model)) return 'unknown';
  const found = followTransactions(func, receiver, model).filter((it) => it.deep.kind === 'database-lock' && sameSite(it.deep.site, deep.site) && sameSite(it.deep.at, deep.at));
  if (found.length === 0 || found.every((it) => it.states.size === 0)) return 'unknown';
  return found.every((it) => [...it.states].every((state) => state === 'outside')) ? 'wrong' : 'right';
}

function connectionMadeAt(value: Value | undefined): CallExpr | undefined {
  const sites = (value ? alternatives(value) : []).filter((it) => !(it.kind === 'const')).map((it) => {
    let at: Value | undefined = it;
    let site: CallExpr | undefined;
    while (at) {
      if (at.kind === 'typed' && at.site && at.site.use !== 'chained') site ??= at.site;
      at = at.kind === 'field' ? at.of : undefined;
    }
    return site;
  });
  return sites.length > 0 && sites.every((it) => it !== undefined) ? sites[0] : undefined;
}

/** A function that is not in sight gets the connection before the lock is taken: it may begin the transaction. */
function isHandedToUnknown(connection: Value, func: Func, deep: Deep, model: Story['model']): boolean {
  return func.graph().steps.some(({ op }) => {
    if (op.kind !== 'call' || sameSite(op.call, deep.at) || op.call.span.start > deep.at.span.end) return false;
    const meaning = model.interpreter.meaning(op.call);
    if (meaning.entered.length > 0) return false;
    const site = model.calls.site(op.call);
    if (site.args.some((it) => it.kind !== 'func' && isSameConnection(it, connection, model))) return meaning.unknown !== undefined;
    return model.calls.match(site).length === 0 && site.receiver !== undefined && isSameConnection(site.receiver, connection, model) && !harmless.has(site.name);
  });
}

/** What every connection has, and what begins nothing. */
const harmless = new Set(['on', 'once', 'off', 'removeListener', 'removeAllListeners', 'connect', 'release', 'end', 'then', 'catch', 'finally']);

/** Judges every occurrence of the lock statements in sight, and tells which are wrong, each once. */
function judge(story: Story, wanted: (event: DatabaseLockEvent) => boolean, verdictOf: (deep: LockDeep, func: Func) => Verdict): MisplacedLock[] {
  const { model, module } = story;
  const groups: Occurrence[][] = [];
  for (const func of module.functions) {
    for (const deep of model.summaries.of(func).known) {
      if (!isLock(deep) || !wanted(deep.event)) continue;
      const occurrence: Occurrence = { func, deep, verdict: verdictOf(deep, func) };
      const group = groups.find(([first]) => sameSite(first!.deep.site, deep.site) && first!.deep.event.step === deep.event.step);
      if (group) group.push(occurrence);
      else groups.push([occurrence]);
    }
  }
  const found: MisplacedLock[] = [];
  const report = ({ deep }: Occurrence, call: CallExpr): void => {
    if (call.func.module !== module || found.some((it) => sameSite(it.call, call))) return;
    found.push({ event: deep.event, call, transaction: deep.inTransaction && !comesFrom(deep.event.receiver, deep.inTransaction, model) ? deep.inTransaction : undefined });
  };
  for (const group of groups) {
    const { event } = group[0]!.deep;
    const isOwn = event.call.func.module === module;
    const own = group.find((it) => it.deep.via.length === 0 && sameSite(it.deep.at, event.call) && it.func === event.call.func);
    const callers = group.filter((it) => it !== own && it.verdict !== 'unknown');
    const wrong = callers.filter((it) => it.verdict === 'wrong' && !isKnownDeeper(it, verdictOf, model));
    if (isOwn && own?.verdict === 'wrong' && !(isHandedIn(own.deep.event.receiver) && callers.length > 0)) {
      // A caller's transaction may be one that need not be named.
      // The function around a transaction's body knows which transaction it is.
      if (!callers.some((it) => it.verdict === 'right')) report(group.find((it) => it.deep.inTransaction !== undefined && sameSite(it.deep.at, event.call)) ?? own, event.call);
      else wrong.forEach((it) => report(it, it.deep.at));
    } else if (isOwn && wrong.length > 0 && callers.every((it) => it.verdict === 'wrong')) report(wrong[0]!, event.call);
    else wrong.forEach((it) => report(it, it.deep.at));
  }
  return found;
}

/** The function that the call enters knows the connection already: what is wrong is said there. */
function isKnownDeeper({ deep }: Occurrence, verdictOf: (deep: LockDeep, func: Func) => Verdict, model: Story['model']): boolean {
  const [next] = deep.via;
  if (!next) return false;
  const inner = model.summaries.of(next.func).deep.find((it): it is LockDeep => isLock(it) && sameSite(it.at, next) && sameSite(it.site, deep.site));
  return inner !== undefined && verdictOf(inner, next.func) !== 'unknown';
}
