/**
 * Owns how facts are told: one line per statement, for explanations and for reading in tests.
 */

import type { Condition, Operand, SqlFacts } from './facts.ts';

function tellOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'param': return `${operand.name}#${operand.index}`;
    case 'hole': return operand.quoted === true ? `'\${${operand.hole}}'` : `\${${operand.hole}}`;
    case 'literal': return JSON.stringify(operand.value);
    case 'column': return qualified(operand);
    case 'sum': return `${qualified(operand)} ${operand.sign} ${tellOperand(operand.by)}`;
    case 'call': return `${operand.function}(${operand.args.map(tellOperand).join(', ')})`;
    case 'list': return `[${operand.items.map(tellOperand).join(', ')}]`;
    case 'subselect': return `(${tellFacts(operand.select)})`;
    case 'other': return `?{${operand.mentions.map(tellOperand).join(', ')}}`;
    case 'now': {
      const { unitMs, plusMs, plus } = operand;
      const fixed = plusMs === undefined ? '' : `${plusMs < 0 ? '' : '+'}${plusMs}`;
      const value = plus === undefined ? '' : ` ${plus.sign} ${tellOperand(plus.by)}${plus.unitMs === undefined ? '' : `*${plus.unitMs}`}`;
      return `now${unitMs === undefined ? '' : `*${unitMs}`}${fixed}${value}`;
    }
  }
}

function qualified(column: { column: string; table?: string }): string {
  return column.table === undefined ? column.column : `${column.table}.${column.column}`;
}

/** Conditions that hold together, joined by `&`; alternatives in braces. */
export function tellConditions(conditions: readonly Condition[]): string {
  return conditions.map((condition) => {
    if ('exists' in condition) return `${condition.negated ? 'not ' : ''}exists (${tellFacts(condition.exists)})`;
    if ('any' in condition) return `{${condition.any.map(tellConditions).join(' | ')}}`;
    if ('other' in condition) return `?{${condition.mentions.map(tellOperand).join(', ')}}`;
    const column = condition.through === undefined ? qualified(condition) : `${condition.through}(${qualified(condition)})`;
    return `${column} ${condition.op}${condition.op.endsWith('null') ? '' : ` ${tellOperand(condition.operand)}`}`;
  }).join(' & ');
}

function tellSet(set: SqlFacts['set']): string {
  return set.map((assignment) => {
    const guard = assignment.onlyIf === undefined ? '' : ` only if ${tellConditions(assignment.onlyIf)}`;
    return `${qualified(assignment)} ${assignment.relative ?? ''}= ${tellOperand(assignment.value)}${guard}`;
  }).join(', ');
}

/** The facts of a statement in one line; what is empty is left out. */
export function tellFacts(facts: SqlFacts): string {
  const { insert, rowLock } = facts;
  const conflict = insert?.conflict;
  const conflictWhere = tellConditions(conflict?.where ?? []);
  const sections: [string, string | undefined][] = [
    ['tables', facts.tables.join() === facts.target ? '' : facts.tables.join(', ')],
    ['set', tellSet(facts.set)],
    ['where', tellConditions(facts.where)],
    ['rows', insert && String(insert.rows)],
    ['guarded', insert?.guardedBySelect && 'by select'],
    ['conflict', conflict && [conflict.action, tellSet(conflict.set), conflictWhere && `if ${conflictWhere}`].filter(Boolean).join(' ')],
    ['returning', facts.returning.join(', ')],
    ['selected', facts.selected.join(', ')],
    ['lock', rowLock && [rowLock.strength, rowLock.skipLocked && 'skip', rowLock.noWait && 'nowait'].filter(Boolean).join(' ')],
    ['calls', facts.lockCalls.map((call) => [
      `${call.function}(${call.args.map(tellOperand).join(', ')})`, call.scope, call.mode, call.shared && 'shared', call.alias && `as ${call.alias}`,
    ].filter(Boolean).join(' ')).join('; ')],
    ['mints', facts.mints.map((mint) => [mint.expression, mint.sequence ?? mint.column, mint.alias && `as ${mint.alias}`].filter(Boolean).join(' ')).join('; ')],
    ['procedure', facts.procedure], ['isolation', facts.isolation], ['savepoint', facts.savepoint],
    ['fragments', facts.fragments.map(tellOperand).join(', ')],
    ['inner', facts.inner.map(({ name, facts: inner }) => `${name === undefined ? '' : `${name}: `}(${tellFacts(inner)})`).join(' ')],
    ['un', facts.unparsed && 'parsed'],
  ];
  const told = sections.filter(([, text]) => text).map(([label, text]) => `${label} ${text}`);
  return [facts.target === undefined ? facts.kind : `${facts.kind} ${facts.target}`, ...told].join(' | ');
}
