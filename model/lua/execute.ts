// Owns statements: how a block changes the paths that enter it, and which paths leave it.

import type { Expression, ForGenericStatement, ForNumericStatement, IfStatement, Identifier, Node, Statement } from 'luaparse';
import { branch, evaluate, evaluateList, operandOf, valueAt, type Outcome } from './evaluate.ts';
import type { LuaOperand } from './facts.ts';
import { declare, lookUp, type Scope } from './scope.ts';
import { fork, isOperand, join, type Run, type State, type Value } from './state.ts';
import { itemsOf, writeField } from './tables.ts';

/** A loop over a few known values is run through; one over KEYS is run once, for each key at a time. */
const mostTurns = 8;

/** Runs a block on all paths that reach it. */
export function runBlock(body: readonly Node[], outer: Scope, states: State[], run: Run): State[] {
  let left: State[] = [];
  let live = states;
  let scope = outer;
  for (const statement of body as readonly Statement[]) {
    const names = declaredBy(statement);
    const inner = names.length > 0 ? declare(scope, new Map(names.map((name) => [name, run.fresh()]))) : scope;
    const after = runStatement(statement, scope, inner, live, run);
    scope = inner;
    left = [...left, ...after.filter((state) => state.flow !== 'next')];
    live = join(after.filter((state) => state.flow === 'next'), run);
    if (live.length === 0) break;
  }
  return [...left, ...live];
}

function declaredBy(statement: Statement): string[] {
  if (statement.type === 'LocalStatement') return statement.variables.map((variable) => variable.name);
  const isLocal = statement.type === 'FunctionDeclaration' && statement.isLocal && statement.identifier?.type === 'Identifier';
  return isLocal && statement.identifier?.type === 'Identifier' ? [statement.identifier.name] : [];
}

/** Runs one statement. `inner` also holds what it declares: a local's value is still read in `scope`, a function knows itself. */
function runStatement(node: Statement, scope: Scope, inner: Scope, states: State[], run: Run): State[] {
  run.step();
  switch (node.type) {
    case 'LocalStatement':
      return runLocal(node.variables, node.init, scope, inner, states, run);
    case 'AssignmentStatement':
      return states.flatMap((state) =>
        evaluateList(node.init, scope, state, run).flatMap(({ value, state: s }) =>
          node.variables.reduce<State[]>((after, target, index) => after.flatMap((t) => assign(target, valueAt(value, index, run.at(node)), scope, t, run)), [s])));
    case 'CallStatement':
      return states.flatMap((state) => evaluate(node.expression, scope, state, run).map((outcome) => outcome.state));
    case 'FunctionDeclaration':
      return runFunctionDeclaration(node, inner, states, run);
    case 'ReturnStatement':
      return states.flatMap((state) => runReturn(node.arguments, scope, state, run));
    case 'IfStatement':
      return runIf(node, scope, states, run);
    case 'DoStatement':
      return runBlock(node.body, scope, states, run);
    case 'WhileStatement':
      return runWhile(node.condition, node.body, scope, states, run);
    case 'RepeatStatement':
      return leaveLoop(runBlock(node.body, scope, states, run));
    case 'ForNumericStatement':
      return states.flatMap((state) => runNumericFor(node, scope, state, run));
    case 'ForGenericStatement':
      return states.flatMap((state) => runGenericFor(node, scope, state, run));
    case 'BreakStatement':
      return states.map((state) => Object.assign(state, { flow: 'break' as const }));
    default:
      return states;
  }
}

function runLocal(variables: readonly Identifier[], init: readonly Expression[], scope: Scope, inner: Scope, states: State[], run: Run): State[] {
  return states.flatMap((state) =>
    evaluateList(init, scope, state, run).map(({ value, state: s }) => {
      variables.forEach((variable, index) => s.cells.set(inner.cells.get(variable.name)!, valueAt(value, index, run.at(variable))));
      return s;
    }));
}

function runFunctionDeclaration(node: Extract<Statement, { type: 'FunctionDeclaration' }>, scope: Scope, states: State[], run: Run): State[] {
  const { identifier } = node;
  return identifier ? states.flatMap((state) => assign(identifier, { kind: 'function', node, scope }, scope, state, run)) : states;
}

function assign(target: Expression, value: Value, scope: Scope, state: State, run: Run): State[] {
  if (target.type === 'Identifier') {
    let cell = lookUp(scope, target.name) ?? run.globals.get(target.name);
    if (cell === undefined) run.globals.set(target.name, (cell = run.fresh()));
    state.cells.set(cell, value);
    return [state];
  }
  if (target.type !== 'MemberExpression' && target.type !== 'IndexExpression') return [state];
  return evaluate(target.base, scope, state, run).flatMap((base) => {
    const keys: Outcome[] = target.type === 'MemberExpression'
      ? [{ value: { kind: 'const', value: target.identifier.name }, state: base.state }]
      : evaluate(target.index, scope, base.state, run);
    return keys.map((key) => {
      writeField(base.value, key.value, value, key.state);
      return key.state;
    });
  });
}

function runReturn(values: readonly Expression[], scope: Scope, state: State, run: Run): State[] {
  return evaluateList(values, scope, state, run).flatMap(({ value, state: s }) => {
    if (s.flow === 'halt') return [s];
    const first = value.values[0];
    // A returned comparison is true on some paths and false on others.
    const settled: Outcome[] = first?.kind === 'comparison'
      ? branch(first, s).map((outcome) => ({ value: { kind: 'const', value: outcome.value }, state: outcome.state }))
      : [{ value: first ?? valueAt(value, 0, 0), state: s }];
    return settled.map((outcome) => Object.assign(outcome.state, { flow: 'return' as const, returned: [outcome.value, ...value.values.slice(1)] }));
  });
}

function runIf(node: IfStatement, scope: Scope, states: State[], run: Run): State[] {
  let undecided = states;
  const after: State[] = [];
  for (const clause of node.clauses) {
    if (clause.type === 'ElseClause') {
      after.push(...runBlock(clause.body, scope, undecided, run));
      undecided = [];
      break;
    }
    const { passed, failed, gone } = runTest(clause.condition, scope, undecided, run);
    after.push(...gone, ...(passed.length > 0 ? runBlock(clause.body, scope, passed, run) : []));
    undecided = failed;
  }
  return [...after, ...undecided];
}

function runTest(condition: Expression, scope: Scope, states: State[], run: Run): { passed: State[]; failed: State[]; gone: State[] } {
  const result = { passed: [] as State[], failed: [] as State[], gone: [] as State[] };
  for (const state of states) {
    for (const { value, state: s } of evaluate(condition, scope, state, run)) {
      if (s.flow === 'halt') result.gone.push(s);
      else for (const outcome of branch(value, s)) result[outcome.value ? 'passed' : 'failed'].push(outcome.state);
    }
  }
  return { ...result, passed: join(result.passed, run), failed: join(result.failed, run) };
}

function runWhile(condition: Expression, body: readonly Statement[], scope: Scope, states: State[], run: Run): State[] {
  const { passed, failed, gone } = runTest(condition, scope, states, run);
  return [...gone, ...failed, ...leaveLoop(runBlock(body, scope, passed, run))];
}

function leaveLoop(states: State[]): State[] {
  for (const state of states) if (state.flow === 'break') state.flow = 'next';
  return states;
}

function runNumericFor(node: ForNumericStatement, scope: Scope, state: State, run: Run): State[] {
  const bounds = [node.start, node.end, ...(node.step ? [node.step] : [])];
  return evaluateList(bounds, scope, state, run).flatMap(({ value, state: s }) => {
    const [start, end, step] = value.values.map((bound) => (bound.kind === 'const' && typeof bound.value === 'number' ? bound.value : undefined));
    const turns = start !== undefined && end !== undefined && (step !== undefined || !node.step) ? countUp(start, end, step ?? 1) : undefined;
    if (turns) return runTurns(turns.map((number) => [{ kind: 'const', value: number }]), [node.variable], node.body, scope, [s], run);
    const overKeys = value.values[1]?.kind === 'count';
    return runEach([{ kind: 'index' }], [node.variable], node.body, overKeys ? value.values[1] : undefined, scope, s, run);
  });
}

function countUp(start: number, end: number, step: number): number[] | undefined {
  const numbers: number[] = [];
  for (let n = start; step > 0 ? n <= end : n >= end; n += step) {
    if (numbers.length === mostTurns || step === 0) return undefined;
    numbers.push(n);
  }
  return numbers;
}

function runGenericFor(node: ForGenericStatement, scope: Scope, state: State, run: Run): State[] {
  const at = run.at(node);
  return evaluateList(node.iterators, scope, state, run).flatMap(({ value, state: s }) => {
    const over = valueAt(value, 0, at);
    if (over.kind === 'inputs') {
      const item: LuaOperand = over.of === 'keys' ? { kind: 'key', index: 'each' } : { kind: 'arg', index: 'each' };
      return runEach([{ kind: 'index' }, item], node.variables, node.body, { kind: 'count', of: over.of }, scope, s, run);
    }
    const items = itemsOf(over, s);
    if (items && items.length <= mostTurns) {
      return runTurns(items.map((item, index) => [{ kind: 'const', value: index + 1 }, item]), node.variables, node.body, scope, [s], run);
    }
    const item: LuaOperand = over.kind === 'other' || !isOperand(over) ? { kind: 'other', at } : { kind: 'field', of: operandOf(over, at), name: '*' };
    return runEach([{ kind: 'index' }, item], node.variables, node.body, undefined, scope, s, run);
  });
}

function runTurns(turns: readonly Value[][], variables: readonly Identifier[], body: readonly Statement[], outer: Scope, states: State[], run: Run): State[] {
  let live = states;
  const left: State[] = [];
  for (const values of turns) {
    const after = runTurn(values, variables, body, outer, live, run);
    left.push(...after.filter((state) => state.flow !== 'next'));
    live = join(after.filter((state) => state.flow === 'next'), run);
  }
  return [...leaveLoop(left), ...live];
}

/** Runs a loop once, for any of its turns. Only one over KEYS is sure to have a turn: no lock script is sent without a key. */
function runEach(values: readonly Value[], variables: readonly Identifier[], body: readonly Statement[], count: Value | undefined, outer: Scope, state: State, run: Run): State[] {
  const skipped = count?.kind === 'count' && count.of === 'keys' ? [] : [fork(state)];
  const before = new Map(state.cells);
  const after = leaveLoop(runTurn(values, variables, body, outer, [state], run));
  if (count?.kind === 'count') for (const s of after) raiseCounters(s, before, count);
  return [...skipped, ...after];
}

function runTurn(values: readonly Value[], variables: readonly Identifier[], body: readonly Statement[], outer: Scope, states: State[], run: Run): State[] {
  const scope = declare(outer, new Map(variables.map((variable) => [variable.name, run.fresh()])));
  for (const state of states) {
    variables.forEach((variable, index) => state.cells.set(scope.cells.get(variable.name)!, values[index] ?? { kind: 'other', at: run.at(variable) }));
  }
  return runBlock(body, scope, states, run);
}

/** A number that the turn raised by one counts the turns. */
function raiseCounters(state: State, before: ReadonlyMap<number, Value>, count: Extract<LuaOperand, { kind: 'count' }>): void {
  for (const [cell, old] of before) {
    const now = state.cells.get(cell);
    if (!now || old.kind !== 'const' || typeof old.value !== 'number') continue;
    if (now.kind === 'const' && now.value === old.value + 1) state.cells.set(cell, old.value === 0 ? count : { kind: 'arithmetic', operator: '+', left: old, right: count });
    if (now.kind === 'arithmetic' && now.operator === '+' && now.left.kind === 'const' && now.left.value === old.value && old.value === 0 && now.right.kind === 'reply') state.cells.set(cell, count);
  }
}
