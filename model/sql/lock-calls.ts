/**
 * Owns the finding of locks in a statement: calls of lock functions and procedures, LOCK TABLE,
 * and the row locks of FOR UPDATE and of table hints.
 */

import type { LockCall, Operand, RowLock } from './facts.ts';
import { LOCK_FUNCTIONS, LOCK_HINTS, LOCK_PROCEDURES } from './lock-functions.ts';
import { argumentTrees, functionName, readOperand } from './operands.ts';
import { at, lastName, listAt, nameParts, nodeOf, type Reading, textAt, type Tree, walk } from './tree.ts';

/** Every call of a lock function in a statement, sub-selects included. */
export function findLockCalls(tree: Tree, reading: Reading): LockCall[] {
  const calls: LockCall[] = [];
  const add = (name: string, args: Tree[], alias: string | undefined): void => {
    if (!Object.hasOwn(LOCK_FUNCTIONS, name)) return;
    calls.push({
      function: name, ...LOCK_FUNCTIONS[name]!, args: args.map((arg) => readOperand(arg, reading)), ...(alias === undefined ? {} : { alias }),
    });
  };
  const search = (part: Tree, alias: string | undefined): void => walk(part, (name, body) => {
    if (name === 'ExprWithAlias') {
      search(at(body, 'expr'), textAt(body, 'alias', 'value'));
      return false;
    }
    if (name === 'Function' || name === 'Call') add(functionName(body), argumentTrees(body), alias);
    // `SELECT * FROM pg_advisory_lock(1)`.
    if (name === 'Table') {
      add(functionName(body), listAt(body, 'args', 'args').map((arg) => at(arg, 'Unnamed', 'Expr')), textAt(body, 'alias', 'name', 'value') ?? alias);
    }
    return true;
  });
  search(tree, undefined);
  return [...calls, ...procedureCall(tree, reading), ...tableLocks(tree)];
}

function procedureCall(tree: Tree, reading: Reading): LockCall[] {
  const execute = at(tree, 'Execute');
  const name = (nameParts(at(execute, 'name')).at(-1) ?? '').toLowerCase();
  const procedure = Object.hasOwn(LOCK_PROCEDURES, name) ? LOCK_PROCEDURES[name] : undefined;
  if (procedure === undefined) return [];
  const values = new Map<string, Operand>();
  listAt(execute, 'parameters').forEach((parameter, i) => {
    const argument = textAt(parameter, 'BinaryOp', 'left', 'Identifier', 'value');
    const isNamed = argument?.startsWith('@') === true && textAt(parameter, 'BinaryOp', 'op') === 'Eq';
    const key = isNamed ? argument.slice(1).toLowerCase() : procedure.parameters[i];
    if (key !== undefined) values.set(key, readOperand(isNamed ? at(parameter, 'BinaryOp', 'right') : parameter, reading));
  });
  const literal = (key: string | undefined): string | undefined => {
    const value = key === undefined ? undefined : values.get(key);
    return value?.kind === 'literal' && typeof value.value === 'string' ? value.value.toLowerCase() : undefined;
  };
  const owner = literal(procedure.owner);
  const scope = !values.has(procedure.owner) ? procedure.defaultScope : owner === 'session' || owner === 'transaction' ? owner : 'unknown';
  const resource = values.get(procedure.resource);
  return [{
    function: name, scope, mode: procedure.mode, shared: (literal(procedure.lockMode) ?? '').endsWith('shared'),
    args: resource === undefined ? [] : [resource],
  }];
}

/** LOCK TABLE lasts as long as the transaction, MySQL's LOCK TABLES as long as the session. */
function tableLocks(tree: Tree): LockCall[] {
  const named = (name: string): Operand => ({ kind: 'literal', value: name.toLowerCase() });
  const { name, body } = nodeOf(tree);
  if (name === 'Lock') {
    const shared = (textAt(body, 'lock_mode') ?? '').toLowerCase().includes('share');
    const args = listAt(body, 'tables').map((table) => named(nameParts(at(table, 'name')).at(-1) ?? ''));
    return [{ function: 'lock table', scope: 'transaction', mode: 'acquire', shared, args }];
  }
  if (name === 'LockTables') {
    const tables = listAt(body, 'tables');
    const shared = tables.every((table) => nodeOf(at(table, 'lock_type')).name === 'Read');
    return [{ function: 'lock tables', scope: 'session', mode: 'acquire', shared, args: tables.map((table) => named(textAt(table, 'table', 'value') ?? '')) }];
  }
  return name === 'UnlockTables' ? [{ function: 'unlock tables', scope: 'session', mode: 'release', shared: false, args: [] }] : [];
}

const STRENGTHS: readonly RowLock['strength'][] = ['share', 'update', 'exclusive'];

/** The row lock of one query level: its lock clauses and the hints on its own tables. */
export function findRowLock(lockClauses: readonly Tree[], tables: readonly Tree[], reading: Reading): RowLock | undefined {
  const found = lockClauses.map((clause) => ({
    strength: textAt(clause, 'lock_type') === 'Share' ? 'share' as const : 'update' as const,
    skipLocked: at(clause, 'nonblock') === 'SkipLocked',
    noWait: at(clause, 'nonblock') === 'Nowait',
  }));
  const hints = tables.flatMap((table) => hintNames(table, reading)).flatMap((name) => (Object.hasOwn(LOCK_HINTS, name) ? [LOCK_HINTS[name]!] : []));
  const strengths = [...found, ...hints].flatMap((lock) => lock.strength ?? []);
  if (strengths.length === 0) return undefined;
  return {
    strength: strengths.reduce((a, b) => (STRENGTHS.indexOf(a) < STRENGTHS.indexOf(b) ? b : a)),
    skipLocked: [...found, ...hints].some((lock) => lock.skipLocked === true),
    noWait: [...found, ...hints].some((lock) => lock.noWait === true),
  };
}

/** `q WITH (UPDLOCK, READPAST)`, and the older `q (UPDLOCK)`, which reads as a call. */
function hintNames(table: Tree, reading: Reading): string[] {
  const bare = listAt(table, 'args', 'args').map((arg) => at(arg, 'Unnamed', 'Expr'));
  return [...listAt(table, 'with_hints'), ...bare].map((hint) => lastName([hint], reading));
}

/** Are the arguments of a table nothing but hints? */
export function hasOnlyHints(table: Tree, reading: Reading): boolean {
  return listAt(table, 'args', 'args').length > 0 && hintNames(table, reading).every((name) => Object.hasOwn(LOCK_HINTS, name) || name === 'rowlock');
}

/** What a stored procedure does to a lock, by its name and its parameters in lower case; undefined when it is no lock procedure. */
export function lockProcedure(name: string, parameter: (name: string) => string | undefined): LockCall | undefined {
  const found = name.split('.').at(-1)!.toLowerCase();
  const procedure = Object.hasOwn(LOCK_PROCEDURES, found) ? LOCK_PROCEDURES[found] : undefined;
  if (!procedure) return undefined;
  const owner = parameter(procedure.owner)?.toLowerCase();
  const scope = owner === undefined ? procedure.defaultScope : owner === 'session' || owner === 'transaction' ? owner : 'unknown';
  return { function: found, scope, mode: procedure.mode, shared: false, args: [] };
}
