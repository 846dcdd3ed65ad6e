/** Locks of the database itself → events: lock functions and row locks in SQL text, lock steps of a chain, lock options of a read. */
import type { Build, Connection, Read, Sql } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import { tableName } from './chains.ts';
import { targetName } from './documents.ts';
import type { DatabaseLockEvent, EventSource, Through } from './events.ts';
import type { CallExpr } from './ir.ts';
import { type LockCall, type Operand, type SqlFacts, lockProcedure, writesOf } from './sql/index.ts';
import { boundParameters } from './requests.ts';
import { type Params, operandValue } from './statements.ts';
import { type Value, alternatives, constant } from './value.ts';

/** What a call of a row sends its statement through; undefined when the statement is only made here, and sent who knows where. */
export function through(effect: { connection?: Connection; transaction?: Sql['transaction'] }, { site, row }: Matched, calls: Calls): Through | undefined {
  if (row.lazy && !isSent(site.call)) return undefined;
  const transaction = givenTransaction(effect.transaction && calls.at(effect.transaction, site, row));
  if (transaction) return { connection: 'receiver', receiver: transaction };
  const names = typeof row.name === 'string' ? [row.name] : row.name;
  const isValue = names.includes('`') || names.includes('()');
  return { connection: effect.connection ?? 'receiver', receiver: isValue ? site.callee : site.receiver };
}

/** A statement that is built, and sent when its promise is asked for. */
const isSent = (call: CallExpr): boolean => call.use === 'await' || call.use === 'return' || call.use === 'drop' || call.use === 'void' || (call.use === 'chained' && isAsked(call));

/** `statement.catch(() => null)`: the promise is asked for by a step of its own. */
const isAsked = (call: CallExpr): boolean =>
  call.func.graph().steps.some(({ op }) => op.kind === 'call' && op.call.callee.kind === 'member' && op.call.callee.object === call && ['then', 'catch', 'finally'].includes(op.call.callee.name as string));

/** A transaction that is handed over; one that may be missing is taken to be there. */
const givenTransaction = (value: Value | undefined): Value | undefined =>
  value === undefined || alternatives(value).every((it) => it.kind === 'const' && (it.value === undefined || it.value === null)) ? undefined : value;

/** The locks that the statements of one text take and give back. */
export function locksOf(statements: readonly SqlFacts[], params: Params, source: EventSource, sent: Through): DatabaseLockEvent[] {
  const found: DatabaseLockEvent[] = [];
  for (const facts of statements) {
    // One statement that locks and writes needs no transaction around it; several in one text may be one.
    const isWhole = writesOf(facts).length === 0 && statements.length === 1 && !facts.unparsed;
    for (const it of facts.lockCalls) {
      if (it.scope === 'unknown' || (it.scope === 'transaction' && !isWhole)) continue;
      found.push({ ...lockEvent(it, source, sent), key: it.args[0] && operandValue(it.args[0], params), keyFunctions: it.args.flatMap(functionsIn), keyParts: it.args.length });
    }
    if (facts.rowLock && facts.kind === 'select' && isWhole) {
      const name = facts.rowLock.strength === 'share' ? 'FOR SHARE' : 'FOR UPDATE';
      found.push({ kind: 'database-lock', ...source, scope: 'transaction', step: 'acquire', name, key: facts.tables[0] === undefined ? undefined : constant(facts.tables[0]), ...sent });
    }
  }
  // Taken and given back in one text: both are on the connection that runs it.
  const isSelfContained = statements.length > 1 && found.some((it) => it.step === 'acquire') && found.some((it) => it.step === 'release');
  return isSelfContained ? [] : found;
}

const functionsIn = (it: Operand): string[] => (it.kind === 'call' ? [it.function, ...it.args.flatMap(functionsIn)] : it.kind === 'other' ? it.mentions.flatMap(functionsIn) : []);

const lockEvent = (it: LockCall, source: EventSource, sent: Through): DatabaseLockEvent =>
  ({ kind: 'database-lock', ...source, scope: it.scope as DatabaseLockEvent['scope'], step: it.mode === 'release' ? 'release' : 'acquire', name: it.function, ...sent });

/** The lock that a stored procedure takes, whose parameters were bound before. */
export function procedureLock(name: Value | undefined, request: Value | undefined, matched: Matched, calls: Calls, sent: Through | undefined): DatabaseLockEvent[] | undefined {
  if (name?.kind !== 'const' || !sent) return undefined;
  const bound = boundParameters(request, matched, calls);
  const literal = (parameter: string): string | undefined => {
    const value = bound.get(parameter);
    return value?.kind === 'const' ? String(value.value) : undefined;
  };
  const lock = lockProcedure(String(name.value), (parameter) => (bound.has(parameter) ? (literal(parameter) ?? 'unknown') : undefined));
  if (!lock || lock.scope === 'unknown') return undefined;
  return [{ ...lockEvent(lock, { call: matched.site.call, library: matched.library }, sent), key: bound.get('resource') }];
}

/** The row lock of a statement that a chain has built and sends. */
export function lockOfChain(steps: readonly { effect: Build; matched: Matched }[], calls: Calls): DatabaseLockEvent[] {
  const first = steps[0]!.matched;
  const last = steps.at(-1)!;
  const lock = steps.findLast((it) => it.effect.lock)?.effect.lock;
  if (!last.effect.sends && !(last.matched.row.lazy && last.matched.site.call.use === 'await')) return [];
  const connection = steps.findLast((it) => it.effect.connection)?.effect.connection;
  const transaction = steps.map(({ effect, matched: { site, row } }) => givenTransaction(effect.transaction && calls.at(effect.transaction, site, row))).find((it) => it !== undefined);
  // A step that says so by itself binds the chain to a connection, whatever it began on.
  const isBound = steps.some((it, i) => i > 0 && it.effect.connection !== undefined);
  const sent = transaction ? { connection: 'receiver' as const, receiver: transaction } : isBound ? { connection: connection!, receiver: undefined } : through({ connection }, { ...first, row: { ...first.row, lazy: false } }, calls);
  const table = steps.flatMap(({ effect, matched: { site, row } }) => (effect.table ? (calls.at(effect.table, site, row) ?? []) : [])).map(tableName)[0];
  return [{ kind: 'database-lock', call: last.matched.site.call, library: last.matched.library, scope: 'transaction', step: 'acquire', name: lock === 'share' ? 'FOR SHARE' : 'FOR UPDATE', key: table === undefined ? undefined : constant(table), ...sent! }];
}

/** The lock that a read is asked to take by an option. */
export function lockOfRead(effect: Read, matched: Matched, calls: Calls): DatabaseLockEvent[] {
  const lock = effect.lock && calls.at(effect.lock, matched.site, matched.row);
  if (!lock || !asksForLock(lock)) return [];
  const sent = through(effect, matched, calls);
  return sent ? [{ kind: 'database-lock', call: matched.site.call, library: matched.library, scope: 'transaction', step: 'acquire', name: 'a pessimistic lock', key: constant(targetName(effect, matched, calls)), ...sent }] : [];
}

/** An option whose value the caller hands in may as well be off. */
function asksForLock(value: Value): boolean {
  return alternatives(value).every((it) => (it.kind === 'const' ? Boolean(it.value) : it.kind === 'object' || it.kind === 'export' || (it.kind === 'field' && it.name === it.name.toUpperCase())));
}
