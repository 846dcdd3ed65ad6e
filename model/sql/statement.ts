/**
 * Owns the facts of one parsed statement: what kind it is, and which of its parts say what.
 */

import { incrementMints, readAssignments, readInsert, readMerge, resultNames } from './assignments.ts';
import { readConditions } from './conditions.ts';
import type { Mint, SqlFacts, StatementKind } from './facts.ts';
import { literalText } from './clock.ts';
import { findLockCalls, findRowLock } from './lock-calls.ts';
import { argumentTrees, functionName, readOperand } from './operands.ts';
import { allTables, placeholderAliases, type Relation, relationsOf, resolveTarget, tableAliases, writtenName } from './relations.ts';
import { NEXT_VALUE_FUNCTION } from './respell.ts';
import { at, lastName, listAt, nameParts, nodeOf, placeholderOf, type Reading, renderName, textAt, type Tree, walk } from './tree.ts';

/** Facts without anything in them. */
export function emptyFacts(kind: StatementKind): SqlFacts {
  return {
    kind, tables: [], set: [], where: [], returning: [], selected: [], lockCalls: [], mints: [], inner: [],
    params: [], style: 'none', holes: [], fragments: [],
  };
}

/** The facts of a statement and of those that it holds in branches: IF and BEGIN … END of T-SQL. */
export function readStatements(tree: Tree, reading: Reading): { tree: Tree; facts: SqlFacts }[] {
  const { name, body } = nodeOf(tree);
  if (name === 'If') {
    const guards: Tree[] = [];
    walk(at(body, 'if_block', 'condition'), (key, inner) => {
      if (key === 'Exists') guards.push(inner);
      return key !== 'Exists';
    });
    const asked = guards.map((guard) => {
      const query = { Query: at(guard, 'subquery') };
      return { tree: query, facts: readStatement(query, reading) };
    });
    const then = branch(at(body, 'if_block'), reading);
    // The branch runs when the guard finds no row; without NOT that is the ELSE branch.
    const negated = guards.length === 1 && at(guards[0], 'negated') === true;
    if (negated) for (const { facts } of then) if (facts.insert !== undefined) facts.insert.guardedBySelect = true;
    return [...asked, ...then, ...listAt(body, 'elseif_blocks').flatMap((block) => branch(block, reading)), ...branch(at(body, 'else_block'), reading)];
  }
  const block = listAt(body, 'statements');
  if (name === 'StartTransaction' && block.length > 0) return block.flatMap((inner) => readStatements(inner, reading));
  return [{ tree, facts: readStatement(tree, reading) }];
}

function branch(block: Tree, reading: Reading): { tree: Tree; facts: SqlFacts }[] {
  const { body } = nodeOf(at(block, 'conditional_statements'));
  return listAt(body, 'statements').flatMap((inner) => readStatements(inner, reading));
}

/** The facts of one statement or query. */
export function readStatement(tree: Tree, reading: Reading): SqlFacts {
  const facts = readKind(tree, reading);
  facts.tables = allTables(tree, reading);
  // `UPDATE q … FROM queue AS q` names one table, not two.
  if (facts.kind === 'update') {
    const aliases = tableAliases(tree, reading);
    facts.tables = facts.tables.filter((table) => table === facts.target || !aliases.has(table));
  }
  facts.lockCalls = findLockCalls(tree, reading);
  facts.mints = [...findSequences(tree), ...facts.mints, ...facts.inner.flatMap(({ facts: inner }) => inner.mints.filter((mint) => mint.expression !== 'nextval'))];
  facts.fragments = placeholderAliases(tree).flatMap((alias) => placeholderOf(alias, reading) ?? []);
  return facts;
}

function readKind(tree: Tree, reading: Reading): SqlFacts {
  const { name, body } = nodeOf(tree);
  switch (name) {
    case 'Query': return readQuery(body, reading);
    case 'Update': return readUpdate(body, reading);
    case 'Delete': return readDelete(body, reading);
    case 'Insert': return readInsertStatement(body, reading);
    case 'Merge': return readMergeStatement(body, reading);
    case 'Call': return { ...emptyFacts('call'), procedure: functionName(body) };
    case 'Execute': return { ...emptyFacts('call'), procedure: lastName(at(body, 'name'), reading) };
    case 'StartTransaction': return { ...emptyFacts('begin'), ...isolationOf(body) };
    case 'Commit': return emptyFacts('commit');
    case 'Rollback': return { ...emptyFacts('rollback'), ...savepointOf(at(body, 'savepoint')) };
    case 'Savepoint': case 'ReleaseSavepoint': return { ...emptyFacts('savepoint'), ...savepointOf(at(body, 'name')) };
    case 'Set': return readSet(body, reading);
    default: return emptyFacts(['Create', 'Alter', 'Drop', 'Truncate'].some((verb) => name.startsWith(verb)) ? 'ddl' : 'other');
  }
}

function savepointOf(name: Tree): { savepoint?: string } {
  const text = textAt(name, 'value');
  return text === undefined ? {} : { savepoint: text };
}

/** `{ IsolationLevel: 'RepeatableRead' }` among the modes of a transaction. */
function isolationOf(body: Tree): { isolation?: string } {
  const level = listAt(body, 'modes').map((mode) => textAt(mode, 'IsolationLevel')).find((found) => found !== undefined);
  if (level === undefined) return {};
  const spaced = [...level].map((letter, i) => (i > 0 && letter >= 'A' && letter <= 'Z' ? ` ${letter}` : letter)).join('');
  return { isolation: spaced.toLowerCase() };
}

function readSet(body: Tree, reading: Reading): SqlFacts {
  const { name, body: inner } = nodeOf(body);
  const pair = (variable: Tree, value: Tree): SqlFacts['set'] => [{ column: lastName(variable, reading), value: readOperand(value, reading) }];
  const set = name === 'SingleAssignment' ? pair(at(inner, 'variable'), at(inner, 'values', 0))
    : name === 'MultipleAssignments' ? listAt(inner, 'assignments').flatMap((item) => pair(at(item, 'name'), at(item, 'value')))
    : [];
  return { ...emptyFacts('set'), set, ...(name === 'SetTransaction' ? isolationOf(inner) : {}) };
}

function readQuery(query: Tree, reading: Reading): SqlFacts {
  const ctes = listAt(query, 'with', 'cte_tables').map((cte) => ({
    name: renderName(textAt(cte, 'alias', 'name', 'value') ?? '', reading).toLowerCase(),
    facts: readStatement({ Query: at(cte, 'query') }, reading),
  }));
  const { name, body } = nodeOf(at(query, 'body'));
  const facts = ['Insert', 'Update', 'Delete', 'Merge'].includes(name) ? readKind(body, reading)
    : name === 'Query' ? readQuery(body, reading)
    : name === 'Select' ? readSelect(body, listAt(query, 'locks'), reading)
    : name === 'SetOperation' ? readUnion(body, reading)
    : emptyFacts('select');
  facts.inner = [...ctes, ...facts.inner];
  // A write through a common table expression writes the one table behind it.
  const through = ctes.find((cte) => cte.name === facts.target);
  if (through?.facts.tables.length === 1) facts.target = through.facts.tables[0]!;
  return facts;
}

function readUnion(body: Tree, reading: Reading): SqlFacts {
  const sides = [at(body, 'left'), at(body, 'right')].map((side) => readStatement({ Query: { body: side } }, reading));
  return { ...emptyFacts('select'), selected: sides[0]!.selected, inner: sides.map((facts) => ({ facts })) };
}

function readSelect(select: Tree, locks: readonly Tree[], reading: Reading): SqlFacts {
  const relations = relationsOf(listAt(select, 'from'));
  return {
    ...emptyFacts('select'),
    where: readConditions(at(select, 'selection'), reading),
    selected: resultNames(listAt(select, 'projection'), reading),
    inner: [...derivedTables(relations, reading), ...selectedSubqueries(select, reading)],
    ...rowLockOf(locks, relations, reading),
  };
}

function rowLockOf(locks: readonly Tree[], relations: readonly Relation[], reading: Reading): Pick<SqlFacts, 'rowLock'> {
  const rowLock = findRowLock(locks, relations.map((relation) => relation.body), reading);
  return rowLock === undefined ? {} : { rowLock };
}

function derivedTables(relations: readonly Relation[], reading: Reading): SqlFacts['inner'] {
  return relations.filter((relation) => relation.name === 'Derived').map((relation) => ({
    ...(relation.alias === undefined ? {} : { name: renderName(relation.alias, reading).toLowerCase() }),
    facts: readStatement({ Query: at(relation.body, 'subquery') }, reading),
  }));
}

/** `SELECT (SELECT … FOR UPDATE)`. */
function selectedSubqueries(select: Tree, reading: Reading): SqlFacts['inner'] {
  const found: SqlFacts['inner'] = [];
  walk(at(select, 'projection'), (name, body) => {
    if (name === 'Subquery') found.push({ facts: readStatement({ Query: body }, reading) });
    return name !== 'Subquery';
  });
  return found;
}

function readUpdate(body: Tree, reading: Reading): SqlFacts {
  const own = relationsOf([at(body, 'table')]);
  const from = relationsOf([...listAt(body, 'from', 'AfterSet'), ...listAt(body, 'from', 'BeforeSet')]);
  const set = readAssignments(listAt(body, 'assignments'), reading);
  const returned = [...listAt(body, 'returning'), ...listAt(body, 'output', 'Output', 'select_items')];
  // MySQL's UPDATE of a join writes the table that its SET names.
  const qualifier = own.length > 1 ? set[0]?.table : undefined;
  const remembered = findRemembered(at(body, 'assignments'));
  return {
    ...emptyFacts('update'),
    target: resolveTarget(qualifier ?? writtenName(at(own[0]?.body, 'name'), reading), [...own, ...from], reading),
    set,
    where: readConditions(at(body, 'selection'), reading),
    returning: resultNames(returned, reading),
    mints: [...incrementMints(set, returned, reading), ...remembered],
    inner: derivedTables([...own, ...from], reading),
    ...rowLockOf([], [...own, ...from], reading),
  };
}

/** `LAST_INSERT_ID(n + 1)`: the connection can ask for the number afterwards. */
function findRemembered(assignments: Tree): Mint[] {
  const found: Mint[] = [];
  walk(assignments, (name, body) => {
    if (name === 'Function' && functionName(body) === 'last_insert_id' && argumentTrees(body).length === 1) found.push({ expression: 'last-insert-id' });
    return true;
  });
  return found;
}

function readDelete(body: Tree, reading: Reading): SqlFacts {
  const fromItems = nodeOf(at(body, 'from')).body;
  const from = relationsOf([...(Array.isArray(fromItems) ? fromItems : []), ...listAt(body, 'using')]);
  const named = listAt(body, 'tables')[0] ?? at(from[0]?.body, 'name');
  const returned = [...listAt(body, 'returning'), ...listAt(body, 'output', 'Output', 'select_items')];
  return {
    ...emptyFacts('delete'),
    target: resolveTarget(writtenName(named, reading), from, reading),
    where: readConditions(at(body, 'selection'), reading),
    returning: resultNames(returned, reading),
    inner: derivedTables(from, reading),
    ...rowLockOf([], from, reading),
  };
}

function readInsertStatement(body: Tree, reading: Reading): SqlFacts {
  const alias = textAt(body, 'insert_alias', 'row_alias', 0, 'Identifier', 'value')?.toLowerCase();
  const within: Reading = alias === undefined ? reading : { ...reading, proposedRows: new Set([...reading.proposedRows, alias]) };
  const { insert, set } = readInsert(body, within);
  const source = at(body, 'source');
  const hasSelect = nodeOf(at(source, 'body')).name !== 'Values' && source !== undefined;
  const returned = [...listAt(body, 'returning'), ...listAt(body, 'output', 'Output', 'select_items')];
  return {
    ...emptyFacts('insert'),
    target: lastName(at(body, 'table', 'TableName'), reading),
    set, insert,
    returning: resultNames(returned, reading),
    mints: [...incrementMints(insert.conflict?.set ?? [], returned, reading), ...findRemembered(at(body, 'on'))],
    inner: hasSelect ? [{ facts: readStatement({ Query: source }, reading) }] : [],
  };
}

function readMergeStatement(body: Tree, reading: Reading): SqlFacts {
  const own = openRelations(at(body, 'table'));
  const source = openRelations(at(body, 'source'));
  const names = source.flatMap((relation) => [relation.alias, nameParts(at(relation.body, 'name')).at(-1)]).flatMap((name) => name?.toLowerCase() ?? []);
  const within: Reading = { ...reading, proposedRows: new Set([...reading.proposedRows, ...names]) };
  const { insert, set } = readMerge(body, within);
  return {
    ...emptyFacts('merge'),
    target: resolveTarget(writtenName(at(own[0]?.body, 'name'), reading), own, reading),
    set, insert,
    where: readConditions(at(body, 'on'), within),
    returning: resultNames(listAt(body, 'output', 'Output', 'select_items'), reading),
    inner: derivedTables(source, reading),
    ...rowLockOf([], own, reading),
  };
}

function openRelations(factor: Tree): Relation[] {
  return relationsOf([{ relation: factor }]);
}

/** Calls of nextval and NEXT VALUE FOR, anywhere in a statement. */
function findSequences(tree: Tree): Mint[] {
  const mints: Mint[] = [];
  const search = (part: Tree, alias: string | undefined): void => walk(part, (name, body) => {
    if (name === 'ExprWithAlias') {
      search(at(body, 'expr'), textAt(body, 'alias', 'value'));
      return false;
    }
    if (name === 'Function' && ['nextval', NEXT_VALUE_FUNCTION].includes(functionName(body))) {
      const argument = argumentTrees(body)[0];
      const sequence = (literalText(argument) ?? literalText(at(argument, 'Cast', 'expr')) ?? textAt(argument, 'Identifier', 'value'))?.toLowerCase();
      mints.push({ expression: 'nextval', ...(sequence === undefined ? {} : { sequence }), ...(alias === undefined ? {} : { alias }) });
    }
    return true;
  });
  search(tree, undefined);
  return mints;
}

