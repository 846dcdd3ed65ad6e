/**
 * Owns which tables a statement names and which of them it writes.
 */

import type { SqlFacts } from './facts.ts';
import { hasOnlyHints } from './lock-calls.ts';
import { at, lastName, listAt, nameParts, nodeOf, type Reading, renderName, textAt, type Tree, walk } from './tree.ts';

/** One table or sub-select of a FROM, with its joins opened out. */
export interface Relation { name: 'Table' | 'Derived' | 'other'; body: Tree; alias?: string }

/** The relations of a list of FROM items. */
export function relationsOf(items: readonly Tree[]): Relation[] {
  return items.flatMap((item) => [at(item, 'relation'), ...listAt(item, 'joins').map((join) => at(join, 'relation'))].flatMap(openRelation));
}

function openRelation(factor: Tree): Relation[] {
  const { name, body } = nodeOf(factor);
  if (name === 'NestedJoin') return relationsOf([at(body, 'table_with_joins')]);
  const alias = textAt(body, 'alias', 'name', 'value');
  const kind = name === 'Table' || name === 'Derived' ? name : 'other';
  return [{ name: kind, body, ...(alias === undefined ? {} : { alias }) }];
}

/** The name of the table behind a relation, or undefined for a call and a sub-select. */
export function tableName(relation: Relation, reading: Reading): string | undefined {
  if (relation.name !== 'Table') return undefined;
  const isCall = at(relation.body, 'args') !== undefined && !hasOnlyHints(relation.body, reading);
  return isCall ? undefined : lastName(at(relation.body, 'name'), reading);
}

/** Every table that a statement names, at any depth, in the order of the tree. */
export function allTables(tree: Tree, reading: Reading): string[] {
  const tables = new Set<string>();
  const add = (name: string): void => {
    if (name !== '' && !reading.cteNames.has(name)) tables.add(name);
  };
  walk(tree, (name, body) => {
    if (name === 'Table') add(tableName({ name: 'Table', body }, reading) ?? '');
    else if (name === 'TableName') add(lastName(body, reading));
    else if (name === 'table_names' || name === 'tables') {
      // TRUNCATE and LOCK TABLE; DELETE's list of tables holds aliases of its FROM.
      for (const item of Array.isArray(body) ? body : []) add(lastName(at(item, 'name'), reading) || (textAt(item, 'table', 'value') ?? '').toLowerCase());
    } else if (name === 'CreateTable' || name === 'AlterTable' || name === 'CreateIndex') {
      add(lastName(at(body, 'name'), reading) && name !== 'CreateIndex' ? lastName(at(body, 'name'), reading) : lastName(at(body, 'table_name'), reading));
    } else if (name === 'Drop') {
      for (const dropped of listAt(body, 'names')) add(lastName(dropped, reading));
    }
    return true;
  });
  return [...tables];
}

/** The table that a name means here: an alias is followed to what it stands for. */
export function resolveTarget(name: string, relations: readonly Relation[], reading: Reading): string {
  const wanted = name.toLowerCase();
  const behind = relations.find((relation) => relation.alias !== undefined && renderName(relation.alias, reading).toLowerCase() === wanted);
  return (behind && tableName(behind, reading)) ?? wanted;
}

/** The aliases in a statement that are placeholders: `FROM jobs ${where}` reads as an alias. */
export function placeholderAliases(tree: Tree): string[] {
  const found: string[] = [];
  walk(tree, (name, body) => {
    if (name !== 'alias') return;
    const alias = textAt(body, 'value') ?? textAt(body, 'name', 'value');
    if (alias?.includes('fencepost_') && at(body, 'explicit') !== true) found.push(alias);
  });
  return found;
}

/** The aliases of the tables in a statement, in lower case. */
export function tableAliases(tree: Tree, reading: Reading): Set<string> {
  const aliases = new Set<string>();
  walk(tree, (name, body) => {
    const alias = name === 'Table' ? textAt(body, 'alias', 'name', 'value') : undefined;
    if (alias !== undefined) aliases.add(renderName(alias, reading).toLowerCase());
  });
  return aliases;
}

/** The names of the common table expressions in a statement, in lower case. */
export function cteNamesIn(tree: Tree): Set<string> {
  const names = new Set<string>();
  walk(tree, (name, body) => {
    if (name !== 'cte_tables' || !Array.isArray(body)) return;
    for (const cte of body) names.add((textAt(cte, 'alias', 'name', 'value') ?? '').toLowerCase());
  });
  return names;
}

/** The name of the written table, as the statement says it. */
export function writtenName(body: Tree, reading: Reading): string {
  return renderName(nameParts(body).at(-1) ?? '', reading);
}

/**
 * Must a column of the written table be qualified, because other tables are in sight? Unclear
 * where a qualifier could name another table than the written one.
 */
export function qualifierNeeded(tree: Tree, facts: SqlFacts): 'yes' | 'no' | 'unclear' {
  const statement = at(tree, 'Query', 'body') ?? tree;
  const update = at(statement, 'Update', 'Update') ?? at(statement, 'Update');
  const remove = at(statement, 'Delete', 'Delete') ?? at(statement, 'Delete');
  const removed = nodeOf(at(remove, 'from')).body;
  const own = relationsOf(update === undefined ? (Array.isArray(removed) ? removed : []) : [at(update, 'table')]);
  const others = update === undefined ? relationsOf(listAt(remove, 'using')) : relationsOf([...listAt(update, 'from', 'AfterSet'), ...listAt(update, 'from', 'BeforeSet')]);
  const name = (relation: Relation | undefined): string => (nameParts(at(relation?.body, 'name')).at(-1) ?? '').toLowerCase();
  if (cteNamesIn(tree).has(name(own[0])) || listAt(remove, 'tables').length > 1) return 'unclear';
  // `UPDATE queue … FROM queue q` is the same row in T-SQL and a self-join in PostgreSQL.
  if (others.some((relation) => relation.alias !== undefined && name(relation) === name(own[0]) && name(relation) !== '')) return 'unclear';
  if (update !== undefined && own.length > 1 && facts.set.some(({ table }) => table === undefined || table !== facts.set[0]!.table)) return 'unclear';
  return own.length + others.length > 1 ? 'yes' : 'no';
}
