// Owns expressions: what a Lua expression is worth on a path, and the paths that it splits into.

import type { Expression, FunctionDeclaration, TableConstructorExpression } from 'luaparse';
import { callBuiltin } from './builtins.ts';
import { comparison, decide, assume, negate, truthOf } from './conditions.ts';
import type { LuaComparison, LuaOperand } from './facts.ts';
import { declare, lookUp, type Scope } from './scope.ts';
import { fork, isOperand, join, type Run, type State, type Value } from './state.ts';
import { newTable, readField, stringMethods, tableWith } from './tables.ts';

/** A list of values at the end of an expression list. `rest` goes on with inputs, as `unpack(KEYS)` does. */
export interface Values {
  readonly values: readonly Value[];
  readonly rest: { readonly of: 'keys' | 'args' | 'unknown'; readonly from: number } | undefined;
}

/** A value and the path on which it is that. */
export interface Outcome<V = Value> {
  readonly value: V;
  readonly state: State;
}

export const nothing: LuaOperand = { kind: 'const', value: null };
const deepestCall = 8;

/** A list of known length. */
export function list(...values: Value[]): Values {
  return { values, rest: undefined };
}

/** The value at a place of a list, as an assignment takes it. */
export function valueAt(list: Values, index: number, at: number): Value {
  const value = list.values[index];
  if (value) return value;
  if (!list.rest) return nothing;
  const from = list.rest.from + index - list.values.length;
  if (list.rest.of === 'keys') return { kind: 'key', index: from };
  return list.rest.of === 'args' ? { kind: 'arg', index: from } : { kind: 'other', at };
}

/** The operand that stands for a value outside the interpreter. */
export function operandOf(value: Value, at: number): LuaOperand {
  return isOperand(value) ? value : { kind: 'other', at };
}

/** The values of an expression: one value per path that it splits into. */
export function evaluate(node: Expression, scope: Scope, state: State, run: Run): Outcome[] {
  const at = run.at(node);
  return evaluateAll(node, scope, state, run).map((outcome) => ({ value: valueAt(outcome.value, 0, at), state: outcome.state }));
}

/** The values of a list of expressions, of which the last may stand for several. */
export function evaluateList(nodes: readonly Expression[], scope: Scope, state: State, run: Run): Outcome<Values>[] {
  let outcomes: Outcome<Values>[] = [{ value: list(), state }];
  nodes.forEach((node, index) => {
    const last = index === nodes.length - 1;
    outcomes = outcomes.flatMap(({ value: before, state: s }) =>
      evaluateAll(node, scope, s, run).map(({ value, state: after }) => ({
        value: last ? { values: [...before.values, ...value.values], rest: value.rest } : list(...before.values, valueAt(value, 0, run.at(node))),
        state: after,
      })),
    );
  });
  return outcomes;
}

function evaluateAll(node: Expression, scope: Scope, state: State, run: Run): Outcome<Values>[] {
  run.step();
  const one = (value: Value): Outcome<Values>[] => [{ value: list(value), state }];
  const other = () => one({ kind: 'other', at: run.at(node) });
  switch (node.type) {
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NilLiteral':
      return one({ kind: 'const', value: node.value });
    case 'StringLiteral':
      return one({ kind: 'const', value: Buffer.from(node.value, 'latin1').toString('utf8') });
    case 'Identifier':
      return one(readVariable(node.name, scope, state, run));
    case 'FunctionDeclaration':
      return one({ kind: 'function', node, scope });
    case 'TableConstructorExpression':
      return singles(evaluateTable(node, scope, state, run));
    case 'LogicalExpression':
      return singles(evaluate(node.left, scope, state, run).flatMap((left) =>
        branch(left.value, left.state).flatMap(({ value: truth, state: s }) =>
          truth === (node.operator === 'and') ? evaluate(node.right, scope, s, run) : [{ value: settled(left.value, truth), state: s }])));
    case 'UnaryExpression':
      return singles(evaluate(node.argument, scope, state, run).flatMap((argument) => unary(node.operator, argument, run.at(node))));
    case 'BinaryExpression':
      return singles(evaluate(node.left, scope, state, run).flatMap((left) =>
        evaluate(node.right, scope, left.state, run).map((right) => ({ value: binary(node.operator, left.value, right.value, run.at(node)), state: right.state }))));
    case 'MemberExpression':
      return singles(evaluate(node.base, scope, state, run).map((base) => ({
        value: readField(base.value, { kind: 'const', value: node.identifier.name }, base.state, run.at(node)), state: base.state,
      })));
    case 'IndexExpression':
      return singles(evaluate(node.base, scope, state, run).flatMap((base) =>
        evaluate(node.index, scope, base.state, run).map((index) => ({ value: readField(base.value, index.value, index.state, run.at(node)), state: index.state }))));
    case 'CallExpression':
      return evaluateCall(node, node.base, node.arguments, scope, state, run);
    case 'StringCallExpression':
      return evaluateCall(node, node.base, [node.argument], scope, state, run);
    case 'TableCallExpression':
      return evaluateCall(node, node.base, [node.arguments as Expression], scope, state, run);
    default:
      return other();
  }
}

function singles(outcomes: Outcome[]): Outcome<Values>[] {
  return outcomes.map(({ value, state }) => ({ value: list(value), state }));
}

function readVariable(name: string, scope: Scope, state: State, run: Run): Value {
  const cell = lookUp(scope, name) ?? run.globals.get(name);
  if (cell !== undefined) return state.cells.get(cell) ?? nothing;
  if (name === 'KEYS') return { kind: 'inputs', of: 'keys' };
  if (name === 'ARGV') return { kind: 'inputs', of: 'args' };
  return { kind: 'builtin', name };
}

/** A comparison is a plain boolean once a path has decided it. */
function settled(value: Value, truth: boolean): Value {
  return value.kind === 'comparison' ? { kind: 'const', value: truth } : value;
}

/** The paths on which a value counts as true and as false. */
export function branch(value: Value, state: State): Outcome<boolean>[] {
  if (!isOperand(value) && value.kind !== 'comparison') return [{ value: true, state }];
  const known = isOperand(value) ? truthOf(value) : undefined;
  if (known !== undefined) return [{ value: known, state }];
  const condition = isOperand(value) ? ({ operator: 'truthy', left: value } as const) : value.condition;
  const decided = decide(state, condition);
  if (decided !== undefined) return [{ value: decided, state }];
  const otherwise = fork(state);
  assume(state, condition);
  assume(otherwise, negate(condition));
  return [{ value: true, state }, { value: false, state: otherwise }];
}

function evaluateTable(node: TableConstructorExpression, scope: Scope, state: State, run: Run): Outcome[] {
  let outcomes: Outcome<Map<string, Value>>[] = [{ value: new Map(), state }];
  let place = 0;
  let open = false;
  for (const field of node.fields) {
    const index = field.type === 'TableValue' ? String(++place) : undefined;
    outcomes = outcomes.flatMap(({ value: fields, state: s }) =>
      evaluateAll(field.value, scope, s, run).map(({ value, state: after }) => {
        const next = new Map(fields);
        const name = index ?? (field.type === 'TableKeyString' ? field.key.name : constantName(field.type === 'TableKey' ? field.key : undefined));
        if (name === undefined) open = true;
        else next.set(name, valueAt(value, 0, run.at(node)));
        if (field.type === 'TableValue' && field === node.fields.at(-1)) {
          value.values.slice(1).forEach((more, offset) => next.set(String(place + 1 + offset), more));
          if (value.rest) open = true;
        }
        return { value: next, state: after };
      }));
  }
  return outcomes.map(({ value, state: s }) => ({ value: newTable(s, run, tableWith(value, open)), state: s }));
}

function constantName(key: Expression | undefined): string | undefined {
  return key?.type === 'StringLiteral' || key?.type === 'NumericLiteral' ? String(key.value) : undefined;
}

function unary(operator: string, argument: Outcome, at: number): Outcome[] {
  const { value, state } = argument;
  if (operator === 'not') {
    if (value.kind === 'comparison') return [{ value: { kind: 'comparison', condition: negate(value.condition) }, state }];
    const known = isOperand(value) ? truthOf(value) : true;
    if (known !== undefined) return [{ value: { kind: 'const', value: !known }, state }];
    return [{ value: { kind: 'comparison', condition: { operator: 'falsy', left: value as LuaOperand } }, state }];
  }
  if (operator === '-' && value.kind === 'const' && typeof value.value === 'number') return [{ value: { kind: 'const', value: -value.value }, state }];
  if (operator === '-' && isOperand(value)) {
    return [{ value: { kind: 'arithmetic', operator: '-', left: { kind: 'const', value: 0 }, right: value }, state }];
  }
  if (operator === '#' && value.kind === 'inputs') return [{ value: { kind: 'count', of: value.of }, state }];
  const table = value.kind === 'table' ? state.heap.get(value.id) : undefined;
  if (operator === '#' && table && !table.open && !table.base) return [{ value: { kind: 'const', value: table.fields.size }, state }];
  return [{ value: { kind: 'other', at }, state }];
}

function binary(operator: string, left: Value, right: Value, at: number): Value {
  const a = operandOf(left, at);
  const b = operandOf(right, at);
  switch (operator) {
    case '==':
    case '~=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, left, right, at);
    case '..':
      if (a.kind === 'const' && b.kind === 'const') return { kind: 'const', value: `${a.value}${b.value}` };
      return { kind: 'concat', parts: [...(a.kind === 'concat' ? a.parts : [a]), ...(b.kind === 'concat' ? b.parts : [b])] };
    default:
      if (left.kind === 'index' || right.kind === 'index') return { kind: 'index' };
      if (a.kind === 'const' && b.kind === 'const' && typeof a.value === 'number' && typeof b.value === 'number') {
        const number = compute(operator, a.value, b.value);
        if (number !== undefined) return { kind: 'const', value: number };
      }
      return { kind: 'arithmetic', operator, left: a, right: b };
  }
}

function compute(operator: string, a: number, b: number): number | undefined {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' && b !== 0 ? a / b : undefined;
}

function compare(operator: LuaComparison, left: Value, right: Value, at: number): Value {
  const equality = operator === '==' || operator === '~=';
  const [decidable, constant] = left.kind === 'const' ? [right, left] : [left, right];
  if (equality && constant.kind === 'const' && (constant.value === null || typeof constant.value === 'boolean')) {
    const wanted = (constant.value === true) === (operator === '==');
    if (decidable.kind === 'comparison') return { kind: 'comparison', condition: wanted ? decidable.condition : negate(decidable.condition) };
    if (!isOperand(decidable)) return { kind: 'const', value: wanted && constant.value !== true };
  }
  // A status reply is a table in Lua, and a table never equals a text.
  if (equality && decidable.kind === 'table' && constant.kind === 'const') return { kind: 'const', value: operator === '~=' };
  const result = comparison(operator, operandOf(left, at), operandOf(right, at));
  return typeof result === 'boolean' ? { kind: 'const', value: result } : { kind: 'comparison', condition: result };
}

function evaluateCall(node: Expression, callee: Expression, args: readonly Expression[], scope: Scope, state: State, run: Run): Outcome<Values>[] {
  const method = callee.type === 'MemberExpression' && callee.indexer === ':' ? callee : undefined;
  return evaluate(method ? method.base : callee, scope, state, run).flatMap((base) =>
    evaluateList(args, scope, base.state, run).flatMap(({ value, state: s }) => {
      if (!method) return applyTo(base.value, value, node, s, run);
      const name = stringMethods.has(method.identifier.name) ? `string.${method.identifier.name}` : method.identifier.name;
      return applyTo({ kind: 'builtin', name }, { ...value, values: [base.value, ...value.values] }, node, s, run);
    }));
}

/** The values of a call. A function written in the script is run; what it halts is gone from here on. */
export function applyTo(callee: Value, args: Values, node: Expression, state: State, run: Run): Outcome<Values>[] {
  if (state.flow === 'halt') return [{ value: list(), state }];
  if (callee.kind === 'builtin') return callBuiltin(callee.name, args, node, state, run);
  const at = run.at(node);
  if (callee.kind !== 'function' || run.calls.length >= deepestCall) return [{ value: list({ kind: 'other', at }), state }];
  run.calls.push(at);
  const scope = bindParameters(callee.node, args, callee.scope, state, run, at);
  const after = join(run.block(callee.node.body, scope, [state], run), run);
  run.calls.pop();
  return after.map((s): Outcome<Values> => {
    const returned: Values = s.flow === 'return' ? { values: s.returned, rest: undefined } : list();
    if (s.flow !== 'halt') Object.assign(s, { flow: 'next', returned: [] });
    return { value: returned, state: s };
  });
}

function bindParameters(fn: FunctionDeclaration, args: Values, outer: Scope, state: State, run: Run, at: number): Scope {
  const cells = new Map<string, number>();
  fn.parameters.forEach((parameter, index) => {
    if (parameter.type !== 'Identifier') return;
    const cell = run.fresh();
    cells.set(parameter.name, cell);
    state.cells.set(cell, valueAt(args, index, at));
  });
  return declare(outer, cells);
}
