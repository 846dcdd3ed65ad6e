/**
 * Owns the reading of a WHERE: the conditions that must all hold, each turned so that the column
 * stands left.
 */

import type { ColumnCondition, ComparisonOp, Condition, Operand } from './facts.ts';
import { mentionsIn, readOperand, throughCoalesce } from './operands.ts';
import { CURSOR_CONDITION } from './respell.ts';
import { at, listAt, nodeOf, type Reading, textAt, type Tree } from './tree.ts';

const COMPARISONS: Record<string, ComparisonOp> = {
  Eq: '=', NotEq: '<>', Lt: '<', LtEq: '<=', Gt: '>', GtEq: '>=', Spaceship: 'is not distinct from', PGNotILikeMatch: 'is distinct from',
};

const TURNED: Partial<Record<ComparisonOp, ComparisonOp>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The conditions of an expression that hold together; none for a missing WHERE. */
export function readConditions(tree: Tree, reading: Reading): Condition[] {
  if (tree === undefined) return [];
  const { name, body } = nodeOf(tree);
  const unknown = (): Condition[] => [{ other: true, mentions: mentionsIn(tree, reading) }];
  const compare = (column: Tree, op: ComparisonOp, operand: Operand): Condition[] => {
    const condition = onColumn(readOperand(column, reading), op, operand);
    return condition === undefined ? unknown() : [condition];
  };
  const negated = at(body, 'negated') === true;
  switch (name) {
    case 'Nested': return readConditions(body, reading);
    case 'BinaryOp': return readBinary(body, reading) ?? unknown();
    case 'IsNull': return compare(body, 'is null', NULL);
    case 'IsNotNull': return compare(body, 'is not null', NULL);
    case 'IsTrue': return compare(body, '=', TRUE);
    case 'IsFalse': return compare(body, '=', FALSE);
    case 'InList': {
      const items = listAt(body, 'list').map((item) => readOperand(item, reading));
      return compare(at(body, 'expr'), negated ? 'not in' : 'in', { kind: 'list', items });
    }
    case 'InSubquery': return compare(at(body, 'expr'), negated ? 'not in' : 'in', subselect(at(body, 'subquery'), reading));
    case 'InUnnest': return compare(at(body, 'expr'), negated ? 'not in' : 'in', readOperand(at(body, 'array_expr'), reading));
    case 'AnyOp': case 'AllOp': {
      const op = textAt(body, 'compare_op');
      const right = readOperand(at(body, 'right'), reading);
      if (name === 'AnyOp' && op === 'Eq') return compare(at(body, 'left'), 'in', right);
      return name === 'AllOp' && op === 'NotEq' ? compare(at(body, 'left'), 'not in', right) : unknown();
    }
    case 'Between': {
      if (negated) return unknown();
      const low = compare(at(body, 'expr'), '>=', readOperand(at(body, 'low'), reading));
      return [...low, ...compare(at(body, 'expr'), '<=', readOperand(at(body, 'high'), reading))];
    }
    case 'Like': case 'ILike': return compare(at(body, 'expr'), negated ? 'not like' : 'like', readOperand(at(body, 'pattern'), reading));
    // `WHERE TRUE` says nothing; it also stands where the parser needs a WHERE.
    case 'Value': return at(body, 'value', 'Boolean') === true ? [] : unknown();
    case 'Exists': return [{ exists: reading.statement({ Query: at(body, 'subquery') }), negated }];
    case 'UnaryOp': return (textAt(body, 'op') === 'Not' ? readNegation(at(body, 'expr'), reading) : undefined) ?? unknown();
    case 'Identifier': case 'CompoundIdentifier': {
      const operand = readOperand(tree, reading);
      if (operand.kind === 'column' && operand.column === CURSOR_CONDITION) return [{ other: true, mentions: [] }];
      // A bare column is a flag; a bare placeholder is a condition that is not written here.
      return operand.kind === 'column' ? [{ ...place(operand), op: '=', operand: TRUE }] : unknown();
    }
    default: return unknown();
  }
}

const NULL: Operand = { kind: 'literal', value: null };
const TRUE: Operand = { kind: 'literal', value: true };
const FALSE: Operand = { kind: 'literal', value: false };

function subselect(query: Tree, reading: Reading): Operand {
  return { kind: 'subselect', select: reading.statement({ Query: query }) };
}

function readBinary(body: Tree, reading: Reading): Condition[] | undefined {
  const op = textAt(body, 'op') ?? '';
  const left = at(body, 'left');
  const right = at(body, 'right');
  if (op === 'And') return [...readConditions(left, reading), ...readConditions(right, reading)];
  if (op === 'Or') return [{ any: [...alternatives(left, reading), ...alternatives(right, reading)] }];
  const comparison = Object.hasOwn(COMPARISONS, op) ? COMPARISONS[op] : undefined;
  if (comparison === undefined) return undefined;
  const one = readOperand(left, reading);
  const two = readOperand(right, reading);
  if (one.kind === 'list' && two.kind === 'list') return comparison === '=' ? compareLists(one.items, two.items, reading) : undefined;
  const condition = compareSides(one, comparison, two, reading);
  return condition && [condition];
}

function alternatives(tree: Tree, reading: Reading): Condition[][] {
  const { name, body } = nodeOf(tree);
  if (name === 'Nested') return alternatives(body, reading);
  if (name === 'BinaryOp' && textAt(body, 'op') === 'Or') {
    return [...alternatives(at(body, 'left'), reading), ...alternatives(at(body, 'right'), reading)];
  }
  return [readConditions(tree, reading)];
}

/** `(a, b) = ($1, $2)`. */
function compareLists(left: Operand[], right: Operand[], reading: Reading): Condition[] | undefined {
  if (left.length !== right.length) return undefined;
  const conditions = left.map((item, i) => compareSides(item, '=', right[i]!, reading));
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

function compareSides(left: Operand, op: ComparisonOp, right: Operand, reading: Reading): ColumnCondition | undefined {
  const turned = TURNED[op] ?? op;
  const isStored = (operand: Operand): boolean => {
    const inner = throughCoalesce(operand);
    return (inner.kind === 'column' && !reading.proposedRows.has(inner.table ?? '')) || inner.kind === 'sum';
  };
  if (isStored(left)) return onColumn(left, op, right);
  if (isStored(right)) return onColumn(right, turned, left);
  if (throughCoalesce(left).kind === 'column') return onColumn(left, op, right);
  if (throughCoalesce(right).kind === 'column') return onColumn(right, turned, left);
  // Two placeholders: an embedded expression on the left is the name of the column.
  return left.kind === 'hole' && left.quoted === undefined ? onColumn({ kind: 'column', column: `\${${left.hole}}` }, op, right) : undefined;
}

function onColumn(subject: Operand, op: ComparisonOp, operand: Operand): ColumnCondition | undefined {
  // `stock - $1 >= 0` is `stock >= $1`.
  if (subject.kind === 'sum') {
    if (subject.sign !== '-' || operand.kind !== 'literal' || operand.value !== 0) return undefined;
    return { ...place(subject), op, operand: subject.by };
  }
  const inner = throughCoalesce(subject);
  if (inner.kind !== 'column') return undefined;
  return {
    ...place(inner), op, operand,
    ...(inner === subject ? {} : { through: 'coalesce' as const }),
    ...(operand.kind === 'subselect' ? { subselect: operand.select } : {}),
  };
}

function place(column: { column: string; table?: string }): { column: string; table?: string } {
  return { column: column.column, ...(column.table === undefined ? {} : { table: column.table }) };
}

/** `NOT locked`, `NOT a = b`, `NOT (…)`. */
function readNegation(tree: Tree, reading: Reading): Condition[] | undefined {
  const [only, ...more] = readConditions(tree, reading);
  if (only === undefined || more.length > 0) return undefined;
  if ('exists' in only) return [{ ...only, negated: !only.negated }];
  if (!('column' in only)) return undefined;
  if (only.operand.kind === 'literal' && typeof only.operand.value === 'boolean' && only.op === '=') {
    return [{ ...only, operand: only.operand.value ? FALSE : TRUE }];
  }
  const op = NEGATED[only.op];
  return op && [{ ...only, op }];
}

const NEGATED: Record<ComparisonOp, ComparisonOp> = {
  '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<', in: 'not in', 'not in': 'in', like: 'not like', 'not like': 'like',
  'is null': 'is not null', 'is not null': 'is null', 'is distinct from': 'is not distinct from', 'is not distinct from': 'is distinct from',
};
