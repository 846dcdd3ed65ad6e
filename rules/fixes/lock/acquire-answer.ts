/** The answer of an acquire as a name: the constant that keeps it, or a new one that takes it out of the test in which it stands. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Draft } from '../source/draft.ts';
import { type Binding, isReassigned, resolve } from '../source/scopes.ts';
import { indentAt } from '../source/style.ts';
import { type Node, type Statement, type Tree, isBlock } from '../source/tree.ts';

export interface KeptAnswer {
  kind: 'kept';
  name: string;
  binding: Binding;
  statement: TSESTree.VariableDeclaration;
  /** The awaited call. */
  value: TSESTree.AwaitExpression;
}

export interface TestedAnswer {
  kind: 'tested';
  statement: Statement;
  value: TSESTree.AwaitExpression;
}

/** How the answer of an awaited acquire is used; undefined where it is not evaluated first, always and once. */
export function answerOf(acquire: Node, tree: Tree): KeptAnswer | TestedAnswer | undefined {
  const value = tree.parent(acquire);
  if (value?.type !== 'AwaitExpression') return undefined;
  const declarator = tree.parent(value);
  if (declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier') {
    const statement = tree.parent(declarator);
    const binding = resolve(declarator.id.name, declarator.id, tree);
    if (statement?.type !== 'VariableDeclaration' || statement.declarations.length !== 1 || !binding || isReassigned(binding, tree) || !isInBlock(statement, tree)) return undefined;
    return { kind: 'kept', name: binding.name, binding, statement, value };
  }
  const statement = tree.statementOf(value);
  if (!statement || !isInBlock(statement, tree) || !isFirst(value, statement, tree)) return undefined;
  return { kind: 'tested', statement, value };
}

const isInBlock = (statement: Node, tree: Tree): boolean => {
  const parent = tree.parent(statement);
  return parent !== undefined && isBlock(parent) && parent.type !== 'SwitchCase';
};

/** Nothing of the statement runs before the expression, and it always runs. */
function isFirst(value: Node, statement: Statement, tree: Tree): boolean {
  let below: Node = value;
  for (let it = tree.parent(below); it; below = it, it = tree.parent(it)) {
    if (it === statement) {
      return (it.type === 'IfStatement' && it.test === below) || it.type === 'ReturnStatement' || (it.type === 'VariableDeclaration' && it.declarations[0] === below);
    }
    const isLeft =
      ((it.type === 'BinaryExpression' || it.type === 'LogicalExpression') && it.left === below) ||
      it.type === 'UnaryExpression' ||
      (it.type === 'MemberExpression' && it.object === below && !it.computed) ||
      (it.type === 'VariableDeclarator' && it.init === below && it.id.type === 'Identifier') ||
      (it.type === 'CallExpression' && tree.text(it.callee) === 'Boolean' && it.arguments[0] === below);
    if (!isLeft) return false;
  }
  return false;
}

/**
 * Takes the awaited call out of its test: `const name = wrap(await …)`, the lines of `then`, and the
 * statement with `instead` in the place of `whole`, the call or the test around it. What stands inside
 * the call may be changed as well.
 */
export function takeOut({ statement, value }: TestedAnswer, name: string, instead: string, draft: Draft, { wrap = '', then = [] as string[], whole = value as Node } = {}): void {
  const { tree, style } = draft;
  const { source } = tree;
  const indent = indentAt(source, statement.range[0]);
  const end = statement.type === 'IfStatement' ? Math.max(statement.test.range[1], whole.range[1]) : statement.range[1];
  let head = source.slice(statement.range[0], whole.range[0]);
  let tail = source.slice(whole.range[1], end);
  // Brackets around what was awaited are not needed around a name; those of a call or an `if` are.
  while (head.endsWith('(') && tail.startsWith(')') && !/(?:\bif|Boolean)\s*\($/.test(head)) {
    head = head.slice(0, -1);
    tail = tail.slice(1);
  }
  const lines = [...then, `${head}${instead}${tail}`].map((it) => `${style.newline}${indent}${it}`);
  draft.replace({ start: statement.range[0], end: value.range[0] }, `const ${name} = ${wrap}${wrap && '('}`);
  draft.replace({ start: value.range[1], end }, `${wrap && ')'}${style.semi}${lines.join('')}`);
}

/** A name for what the acquire answers, free around its statement. */
export const answerName = (statement: Statement, draft: Draft, ...wanted: string[]): string => draft.freeName(draft.tree.parent(statement)!, ...wanted);
