/** The affected count of a write, looked at in the client's own way: a refusal is thrown where nobody would learn of it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Count } from '../../../catalog/schema.ts';
import type { Draft } from '../source/draft.ts';
import { type Binding, referencesTo, resolve } from '../source/scopes.ts';
import { indentAt } from '../source/style.ts';
import { type Node, type Tree, isBlock } from '../source/tree.ts';

export interface Look {
  count: Count;
  /** The statement that throws. */
  refusal: string;
  /** The answer is there at once, without a promise. */
  isSync: boolean;
}

/** Lets the code look at the count of a call's answer; false where its place does not allow it. */
export function lookAtCount(call: Node, given: Look, draft: Draft): boolean {
  const { tree } = draft;
  const look = given.count.miss === 'array-of-zero' ? { ...given, count: { path: [...given.count.path, '0'], miss: 0 } } : given;
  let value = call;
  let parent = tree.parent(value);
  while (parent && (parent.type === 'ChainExpression' || parent.type === 'TSNonNullExpression')) [value, parent] = [parent, tree.parent(parent)];
  if (parent?.type === 'AwaitExpression') [value, parent] = [parent, tree.parent(parent)];
  const isThere = look.isSync || value.type === 'AwaitExpression';
  switch (parent?.type) {
    case 'ExpressionStatement':
      return isThere && lookAfter(parent, value, look, draft);
    case 'VariableDeclarator':
      return isThere && parent.init === value && lookAtVariable(parent, look, draft);
    case 'AssignmentExpression':
      return isThere && parent.right === value && lookAtAssigned(parent, look, draft);
    case 'MemberExpression': {
      if (parent.object !== value || parent.property.type !== 'Identifier') return false;
      const { name } = parent.property;
      // `(await …).rowCount`: somebody reads it.
      if (isThere) return name === look.count.path[0];
      return (name === 'then' || name === 'catch' || name === 'finally') && lookByThen(value, look, draft);
    }
    case 'ReturnStatement':
      return lookBeforeReturn(parent, value, isThere, look, draft);
    case 'ArrowFunctionExpression':
      return parent.body === value && lookInArrow(parent, value, isThere, look, draft);
    case 'ArrayExpression': {
      const around = tree.parent(parent);
      return !isThere && around?.type === 'CallExpression' && tree.text(around.callee).startsWith('Promise.') && lookByThen(value, look, draft);
    }
    case 'CallExpression':
      return !isThere && tree.text(parent.callee).endsWith('.push') && lookByThen(value, look, draft);
    default:
      return false;
  }
}

/** The test that tells a miss, of an answer or of what a path of it leads to. */
function missOf(name: string, path: readonly string[], { miss }: Count): string {
  const reached = name + path.map((it) => (/^\d+$/.test(it) ? `[${it}]` : `.${it}`)).join('');
  if (miss === 'empty-array') return `${reached}.length === 0`;
  return `${reached} === ${miss === 'bigint-zero' ? '0n' : String(miss)}`;
}

const check = (name: string, path: readonly string[], { count, refusal }: Look): string => `if (${missOf(name, path, count)}) ${refusal}`;

const canHaveNeighbours = (statement: Node, tree: Tree): boolean => {
  const parent = tree.parent(statement);
  return parent !== undefined && (isBlock(parent) || parent.type === 'IfStatement' || ((parent.type === 'ForOfStatement' || parent.type === 'WhileStatement' || parent.type === 'ForStatement') && parent.body === statement));
};

function lookAfter(statement: TSESTree.ExpressionStatement, value: Node, look: Look, draft: Draft): boolean {
  const { tree } = draft;
  if (!canHaveNeighbours(statement, tree)) return false;
  const name = draft.freeName(tree.parent(statement)!, 'written');
  const [first, ...rest] = look.count.path;
  // The first of a tuple has a name of its own.
  const isTuple = first === '0';
  // First the neighbour, which may need braces before the declaration.
  draft.after(statement, check(name, isTuple ? rest : look.count.path, look));
  draft.insert(value.range[0], `const ${isTuple ? `[${name}]` : name} = `);
  return true;
}

function lookAtVariable(declarator: TSESTree.VariableDeclarator, look: Look, draft: Draft): boolean {
  const { tree } = draft;
  const { path } = look.count;
  const statement = tree.parent(declarator);
  if (statement?.type !== 'VariableDeclaration' || !isBlock(tree.parent(statement)!)) return false;
  const [first, ...rest] = path;
  const { id } = declarator;
  const add = (name: string, reach: readonly string[], isNew = false): boolean => {
    if (isNew || !isRead(resolve(name, declarator, tree), reach, tree)) draft.after(statement, check(name, reach, look));
    return true;
  };
  if (id.type === 'Identifier') return add(id.name, path);
  const [element, inner] = id.type === 'ArrayPattern' && first === '0' ? [id.elements[0], rest] : [id, path];
  if (element?.type === 'Identifier') return add(element.name, inner);
  if (element?.type !== 'ObjectPattern' || inner.length !== 1) return false;
  const [name] = inner as [string];
  const known = element.properties.find((it) => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === name);
  if (known?.type === 'Property') return known.value.type === 'Identifier' && add(known.value.name, []);
  const last = element.properties[element.properties.length - 1];
  if (last?.type !== 'Property') return false;
  const local = draft.freeName(tree.parent(statement)!, name, 'written');
  draft.insert(last.range[1], `, ${local === name ? name : `${name}: ${local}`}`);
  return add(local, [], true);
}

function lookAtAssigned(assignment: TSESTree.AssignmentExpression, look: Look, draft: Draft): boolean {
  const { tree } = draft;
  const statement = tree.parent(assignment);
  if (statement?.type !== 'ExpressionStatement' || assignment.operator !== '=' || assignment.left.type !== 'Identifier' || !canHaveNeighbours(statement, tree)) return false;
  const { name } = assignment.left;
  if (!isRead(resolve(name, assignment, tree), look.count.path, tree)) draft.after(statement, check(name, look.count.path, look));
  return true;
}

/** Whether the code reads the count already. */
function isRead(binding: Binding | undefined, path: readonly string[], tree: Tree): boolean {
  if (!binding) return false;
  // What is there only on a hit is looked at by a test of itself, not by what is read from it.
  if (path.length === 0) return referencesTo(binding, tree).some((it) => isAsked(it, tree));
  return referencesTo(binding, tree).some((it) => {
    let at: Node = it;
    for (const name of path) {
      const member = tree.parent(at);
      if (member?.type !== 'MemberExpression' || member.object !== at) return false;
      const written = member.property.type === 'Identifier' && !member.computed ? member.property.name : member.property.type === 'Literal' ? String(member.property.value) : '';
      if (written !== name) return false;
      at = member;
    }
    return true;
  });
}

/** Whether a value is tested, or handed to somebody who can. */
function isAsked(node: Node, tree: Tree): boolean {
  const parent = tree.parent(node);
  switch (parent?.type) {
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'ReturnStatement':
    case 'CallExpression':
      return true;
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    default:
      return false;
  }
}

function lookBeforeReturn(statement: TSESTree.ReturnStatement, value: Node, isThere: boolean, look: Look, draft: Draft): boolean {
  const { tree, style } = draft;
  const block = tree.parent(statement);
  if (!isThere && !tree.functionOf(statement)?.async) return lookByThen(value, look, draft);
  if (!block || !isBlock(block) || block.type === 'SwitchCase') return false;
  const name = draft.freeName(block, 'written');
  const indent = indentAt(tree.source, statement.range[0]);
  draft.replace({ start: statement.range[0], end: value.range[0] }, `const ${name} = ${isThere ? '' : 'await '}`);
  const lines = [check(name, look.count.path, look), `return ${name}${style.semi}`];
  draft.replace({ start: value.range[1], end: statement.range[1] }, style.semi + lines.map((it) => style.newline + indent + it).join(''));
  return true;
}

/** `() => write()` gets a body in which the answer can be looked at. */
function lookInArrow(arrow: TSESTree.ArrowFunctionExpression, value: Node, isThere: boolean, look: Look, draft: Draft): boolean {
  const { tree, style } = draft;
  const arrowEnd = tree.source.lastIndexOf('=>', value.range[0]) + 2;
  if (tree.source.slice(arrowEnd, value.range[0]).trim() !== '') return false;
  const outer = indentAt(tree.source, arrow.range[0]);
  const line = (text: string): string => `${style.newline}${outer}${style.indent}${text}`;
  const name = draft.freeName(arrow, 'written');
  if (!isThere && !arrow.async) draft.insert(arrow.range[0], 'async ');
  draft.replace({ start: arrowEnd, end: value.range[0] }, ` {${line(`const ${name} = ${isThere ? '' : 'await '}`)}`);
  draft.insert(value.range[1], `${style.semi}${line(check(name, look.count.path, look))}${line(`return ${name}${style.semi}`)}${style.newline}${outer}}`);
  return true;
}

/** A promise that is handed on is looked at where it ends. */
function lookByThen(value: Node, look: Look, draft: Draft): boolean {
  if (look.isSync) return false;
  const { tree, style } = draft;
  const outer = indentAt(tree.source, value.range[0]);
  const line = (text: string): string => `${style.newline}${outer}${style.indent}${text}`;
  const name = draft.freeName(tree.functionOf(value) ?? tree.program, 'written');
  draft.insert(value.range[1], `.then((${name}) => {${line(check(name, look.count.path, look))}${line(`return ${name}${style.semi}`)}${style.newline}${outer}})`);
  return true;
}
