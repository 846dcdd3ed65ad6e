/**
 * Owns the reading of one expression as an `Operand`.
 */

import { clockCall, literalText, shiftClock } from './clock.ts';
import type { Operand } from './facts.ts';
import { findMarkers, markedOperand, soleMarker } from './flat-text.ts';
import { NEXT_VALUE_FUNCTION } from './respell.ts';
import { at, listAt, nameParts, nodeOf, placeholderOf, type Reading, renderName, textAt, type Tree } from './tree.ts';

/** Reads an expression. Casts, brackets and collations say nothing about where a value is from. */
export function readOperand(tree: Tree, reading: Reading): Operand {
  const { name, body } = nodeOf(tree);
  switch (name) {
    case 'Nested': return readOperand(body, reading);
    case 'Cast': case 'Convert': case 'Collate': return readOperand(at(body, 'expr'), reading);
    case 'AtTimeZone': return readOperand(at(body, 'timestamp'), reading);
    case 'Identifier': return readName([textAt(body, 'value') ?? ''], reading);
    case 'CompoundIdentifier': return readName(listAt(body).map((part) => textAt(part, 'value') ?? ''), reading);
    case 'Value': return readLiteral(tree, reading);
    case 'UnaryOp': return readUnary(tree, reading);
    case 'BinaryOp': return readArithmetic(tree, reading);
    case 'Function': return readCall(body, reading) ?? other(tree, reading);
    case 'Extract': return readExtract(body, reading) ?? other(tree, reading);
    case 'Tuple': return { kind: 'list', items: listAt(body).map((item) => readOperand(item, reading)) };
    case 'Array': return { kind: 'list', items: listAt(body, 'elem').map((item) => readOperand(item, reading)) };
    case 'Subquery': return { kind: 'subselect', select: reading.statement({ Query: body }) };
    default: return other(tree, reading);
  }
}

function readName(parts: string[], reading: Reading): Operand {
  const last = parts.at(-1)!;
  const placeholder = parts.length === 1 ? placeholderOf(last, reading) : undefined;
  if (placeholder !== undefined) return placeholder;
  const column = renderName(last, reading).toLowerCase();
  const table = parts.at(-2);
  return { kind: 'column', column, ...(table === undefined ? {} : { table: renderName(table, reading).toLowerCase() }) };
}

function readLiteral(tree: Tree, reading: Reading): Operand {
  const value = at(tree, 'Value', 'value');
  if (value === 'Null') return { kind: 'literal', value: null };
  const { name, body } = nodeOf(value);
  if (name === 'Boolean') return { kind: 'literal', value: body === true };
  const text = literalText(tree);
  if (text === undefined) return other(tree, reading);
  if (name === 'Number') {
    const number = Number(text);
    return { kind: 'literal', value: Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number };
  }
  if (findMarkers(text).length === 0) return { kind: 'literal', value: text };
  const marker = soleMarker(text);
  const operand = marker && markedOperand(marker, reading.flat, reading.params);
  return operand?.kind === 'hole' ? { ...operand, quoted: true } : other(tree, reading);
}

function readUnary(tree: Tree, reading: Reading): Operand {
  const operand = readOperand(at(tree, 'UnaryOp', 'expr'), reading);
  const op = textAt(tree, 'UnaryOp', 'op');
  if (operand.kind === 'literal' && typeof operand.value === 'number' && (op === 'Minus' || op === 'Plus')) {
    return { kind: 'literal', value: op === 'Minus' ? -operand.value : operand.value };
  }
  return other(tree, reading);
}

function readArithmetic(tree: Tree, reading: Reading): Operand {
  const op = textAt(tree, 'BinaryOp', 'op');
  const left = at(tree, 'BinaryOp', 'left');
  const right = at(tree, 'BinaryOp', 'right');
  if (op === 'Multiply' || op === 'Divide') return scaleClock(op, left, right, reading) ?? other(tree, reading);
  if (op !== 'Plus' && op !== 'Minus') return other(tree, reading);
  const sign = op === 'Plus' ? '+' : '-';
  const first = throughCoalesce(readOperand(left, reading));
  if (first.kind === 'now') {
    const now = isColumn(right, reading) ? undefined : shiftClock(first, sign, right, reading, readOperand);
    return now ?? other(tree, reading);
  }
  const second = throughCoalesce(readOperand(right, reading));
  if (second.kind === 'now' && sign === '+') {
    return (isColumn(left, reading) ? undefined : shiftClock(second, '+', left, reading, readOperand)) ?? other(tree, reading);
  }
  if (first.kind === 'column') return { ...first, kind: 'sum', sign, by: second };
  if (second.kind === 'column' && sign === '+') return { ...second, kind: 'sum', sign, by: first };
  return other(tree, reading);
}

function isColumn(tree: Tree, reading: Reading): boolean {
  return readOperand(tree, reading).kind === 'column';
}

/** `COALESCE(column, literal)` is the column, for a row that has no value yet. */
export function throughCoalesce(operand: Operand): Operand {
  if (operand.kind !== 'call' || !['coalesce', 'ifnull', 'isnull', 'nvl'].includes(operand.function)) return operand;
  const [first, second] = operand.args;
  return first?.kind === 'column' && second?.kind === 'literal' ? first : operand;
}

/** `extract(epoch FROM now()) * 1000` is the clock, read in milliseconds. */
function scaleClock(op: string, left: Tree, right: Tree, reading: Reading): Operand | undefined {
  const now = readOperand(left, reading);
  const factor = readOperand(right, reading);
  if (now.kind !== 'now' || now.unitMs === undefined || now.plus !== undefined) return undefined;
  if (factor.kind !== 'literal' || typeof factor.value !== 'number' || factor.value === 0) return undefined;
  return { ...now, unitMs: op === 'Multiply' ? now.unitMs / factor.value : now.unitMs * factor.value };
}

function readExtract(body: Tree, reading: Reading): Operand | undefined {
  const operand = readOperand(at(body, 'expr'), reading);
  return at(body, 'field') === 'Epoch' && operand.kind === 'now' ? { ...operand, unitMs: 1000 } : undefined;
}

/** The name of a function node's function, in lower case. */
export function functionName(body: Tree): string {
  return (nameParts(at(body, 'name')).at(-1) ?? '').toLowerCase();
}

/** The arguments of a function node, named or not. */
export function argumentTrees(body: Tree): Tree[] {
  return listAt(body, 'args', 'List', 'args').map((argument) =>
    at(argument, 'Unnamed', 'Expr') ?? at(argument, 'Named', 'arg', 'Expr') ?? at(argument, 'ExprNamed', 'arg', 'Expr') ?? argument);
}

function readCall(body: Tree, reading: Reading): Operand | undefined {
  const name = functionName(body);
  if (name === '') return undefined;
  const args = argumentTrees(body);
  const now = clockCall(name, args, reading, readOperand);
  if (now !== undefined) return now;
  return { kind: 'call', function: name === NEXT_VALUE_FUNCTION ? 'nextval' : name, args: args.map((arg) => readOperand(arg, reading)) };
}

function other(tree: Tree, reading: Reading): Operand {
  return { kind: 'other', mentions: mentionsIn(tree, reading) };
}

/** The parameters, holes, columns and clocks that occur in a tree, sub-selects left out. */
export function mentionsIn(tree: Tree, reading: Reading): Operand[] {
  if (tree === null || typeof tree !== 'object') return [];
  if (Array.isArray(tree)) return tree.flatMap((item) => mentionsIn(item, reading));
  return Object.entries(tree).flatMap(([name, body]): Operand[] => {
    switch (name) {
      case 'span': case 'Subquery': case 'Exists': case 'subquery': return [];
      case 'Identifier': case 'CompoundIdentifier': return [readOperand({ [name]: body }, reading)];
      case 'Function': {
        const call = readCall(body, reading);
        return call?.kind === 'now' ? [call] : mentionsIn(at(body, 'args'), reading);
      }
      case 'Value': {
        const text = literalText({ Value: body });
        if (text === undefined) return [];
        return findMarkers(text).flatMap((marker) => markedOperand(marker, reading.flat, reading.params) ?? []);
      }
      default: return mentionsIn(body, reading);
    }
  });
}
