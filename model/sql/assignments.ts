/**
 * Owns the pairs of column and value: UPDATE's SET, INSERT's columns, and what happens on a
 * conflict.
 */

import type { Assignment, Conflict, InsertFacts, Mint, Operand } from './facts.ts';
import { readConditions } from './conditions.ts';
import { argumentTrees, functionName, readOperand } from './operands.ts';
import { at, lastName, listAt, nameParts, nodeOf, placeholderOf, type Reading, renderName, textAt, type Tree } from './tree.ts';

/** Reads a SET list. A placeholder that stands for whole assignments is left out. */
export function readAssignments(items: readonly Tree[], reading: Reading): Assignment[] {
  return items.flatMap((item): Assignment[] => {
    const column = at(item, 'target', 'ColumnName');
    const value = at(item, 'value');
    if (column !== undefined) {
      const name = nameParts(column).at(-1) ?? '';
      const isWhole = placeholderOf(name, reading) !== undefined && textAt(value, 'Identifier', 'value') === name;
      return isWhole ? [] : [readAssignment(column, value, reading)];
    }
    const columns = listAt(item, 'target', 'Tuple');
    const values = readOperand(value, reading);
    return columns.map((name, i) => assign(name, values.kind === 'list' ? values.items[i] ?? values : values, reading));
  });
}

function readAssignment(name: Tree, value: Tree, reading: Reading): Assignment {
  const choice = choiceOf(value);
  const kept = choice && readOperand(choice.otherwise, reading);
  if (choice === undefined || kept?.kind !== 'column' || kept.column !== lastName(name, reading)) return assign(name, readOperand(value, reading), reading);
  return { ...assign(name, readOperand(choice.then, reading), reading), onlyIf: readConditions(choice.when, reading) };
}

/** `IF(when, then, otherwise)` and `CASE WHEN when THEN then ELSE otherwise END`. */
function choiceOf(value: Tree): { when: Tree; then: Tree; otherwise: Tree } | undefined {
  const { name, body } = nodeOf(value);
  if (name === 'Nested') return choiceOf(body);
  if (name === 'Function' && ['if', 'iif'].includes(functionName(body))) {
    const [when, then, otherwise] = argumentTrees(body);
    return otherwise === undefined ? undefined : { when, then, otherwise };
  }
  const branches = listAt(body, 'conditions');
  if (name !== 'Case' || at(body, 'operand') !== undefined || branches.length !== 1) return undefined;
  return { when: at(branches[0], 'condition'), then: at(branches[0], 'result'), otherwise: at(body, 'else_result') };
}

function assign(name: Tree, value: Operand, reading: Reading): Assignment {
  const column = lastName(name, reading);
  const table = nameParts(name).at(-2);
  const base = { column, ...(table === undefined ? {} : { table: renderName(table, reading).toLowerCase() }) };
  // MySQL's LAST_INSERT_ID(n + 1) is n + 1 that the connection remembers.
  const inner = value.kind === 'call' && value.function === 'last_insert_id' ? value.args[0] ?? value : value;
  return inner.kind === 'sum' && inner.column === column ? { ...base, value: inner.by, relative: inner.sign } : { ...base, value };
}

/** The columns, rows and conflict clause of an INSERT, and the pairs of its first row. */
export function readInsert(body: Tree, reading: Reading): { insert: InsertFacts; set: Assignment[] } {
  // A placeholder for the whole row was shown to the parser as its own column and value.
  const only = nameParts(listAt(body, 'columns')[0])[0] ?? '';
  const isWhole = placeholderOf(only, reading) !== undefined && textAt(body, 'source', 'body', 'Values', 'rows', 0, 'content', 0, 'Identifier', 'value') === only;
  const names = isWhole ? [] : listAt(body, 'columns');
  const columns = names.map((column) => lastName(column, reading));
  const source = at(body, 'source', 'body');
  const rows = listAt(source, 'Values', 'rows').map((row) => listAt(row, 'content'));
  const select = at(source, 'Select');
  const values = rows[0] ?? listAt(select, 'projection').map((item) => at(item, 'UnnamedExpr') ?? at(item, 'ExprWithAlias', 'expr'));
  const assignments = listAt(body, 'assignments');
  const pairs = values.length === columns.length ? names.map((name, i): Assignment => assign(name, readOperand(values[i], reading), reading)) : [];
  const conflict = readConflict(body, reading);
  const guarded = readConditions(at(select, 'selection'), reading).some((condition) => 'exists' in condition && condition.negated);
  return {
    set: assignments.length > 0 ? readAssignments(assignments, reading) : pairs,
    insert: {
      columns, rows: assignments.length > 0 ? 1 : rows.length,
      ...(conflict === undefined ? {} : { conflict }),
      ...(guarded ? { guardedBySelect: true as const } : {}),
    },
  };
}

function readConflict(body: Tree, reading: Reading): Conflict | undefined {
  const simple = (action: Conflict['action']): Conflict => ({ action, set: [], where: [] });
  const or = textAt(body, 'or');
  if (at(body, 'replace_into') === true || or === 'Replace') return simple('replace');
  if (at(body, 'ignore') === true || or === 'Ignore') return simple('nothing');
  const duplicate = listAt(body, 'on', 'DuplicateKeyUpdate');
  if (duplicate.length > 0) return { ...simple('update'), set: readAssignments(duplicate, reading) };
  const action = at(body, 'on', 'OnConflict', 'action');
  if (action === undefined) return undefined;
  const update = at(action, 'DoUpdate');
  if (update === undefined) return simple('nothing');
  return { action: 'update', set: readAssignments(listAt(update, 'assignments'), reading), where: readConditions(at(update, 'selection'), reading) };
}

/** The branches of a MERGE, told as an upsert. */
export function readMerge(body: Tree, reading: Reading): { insert: InsertFacts; set: Assignment[] } {
  let conflict: Conflict | undefined;
  let insert: { insert: InsertFacts; set: Assignment[] } | undefined;
  for (const clause of listAt(body, 'clauses')) {
    const { name, body: action } = nodeOf(at(clause, 'action'));
    const where = readConditions(at(clause, 'predicate'), reading);
    if (name === 'Update') conflict ??= { action: 'update', set: readAssignments(listAt(action, 'assignments'), reading), where };
    if (name === 'Delete') conflict ??= { action: 'delete', set: [], where };
    if (name === 'Insert') insert ??= readInsert({ columns: at(action, 'columns'), source: { body: at(action, 'kind') } }, reading);
  }
  const empty: InsertFacts = { columns: [], rows: 0 };
  return { set: insert?.set ?? [], insert: { ...(insert?.insert ?? empty), ...(conflict === undefined ? {} : { conflict }) } };
}

/** The names of result columns: aliases and columns as written, `*` for all. */
export function resultNames(items: readonly Tree[], reading: Reading): string[] {
  return items.flatMap((item) => {
    const { name, body } = nodeOf(item);
    if (name === 'Wildcard' || name === 'QualifiedWildcard') return ['*'];
    if (name === 'ExprWithAlias') return [renderName(textAt(body, 'alias', 'value') ?? '', reading)];
    return resultColumn(body, reading) ?? [];
  });
}

function resultColumn(expression: Tree, reading: Reading): string | undefined {
  const name = textAt(expression, 'Identifier', 'value') ?? textAt(listAt(expression, 'CompoundIdentifier').at(-1), 'value');
  return name === undefined ? undefined : renderName(name, reading);
}

/** Counters that the statement raises and gives back: `SET n = n + 1 … RETURNING n`. */
export function incrementMints(assignments: readonly Assignment[], returned: readonly Tree[], reading: Reading): Mint[] {
  return assignments.filter((assignment) => assignment.relative === '+').flatMap(({ column }): Mint[] => {
    const item = returned.find((candidate) => {
      const { name, body } = nodeOf(candidate);
      const expression = name === 'ExprWithAlias' ? at(body, 'expr') : body;
      return name === 'Wildcard' || name === 'QualifiedWildcard' || resultColumn(expression, reading)?.toLowerCase() === column;
    });
    if (item === undefined) return [];
    const alias = textAt(item, 'ExprWithAlias', 'alias', 'value');
    return [{ expression: 'increment-returning', column, ...(alias === undefined ? {} : { alias }) }];
  });
}
