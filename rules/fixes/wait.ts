/** Edits that wait for work of a section before its release. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Escape } from '../../model/escapes.ts';
import type { Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import { Draft, attempt } from './source/draft.ts';
import { assignmentsTo, namesRead, resolve } from './source/scopes.ts';
import { type Node, type Tree, childrenOf, isFunction, treeOf, unwrap } from './source/tree.ts';

/** `await` before what is let go or returned, and a loop in the place of `forEach`. What a timer outruns or starts is nobody's to wait for. */
export const waitEdits = (escape: Escape, story: Story): Edit[] => attempt(() => waited(escape, story));

function waited({ call, how }: Escape, { module }: Story): Edit[] {
  const tree = treeOf(module);
  const node = call.func.module === module ? tree.callAt(call.span) : undefined;
  if (!node || !mayAwait(node, tree)) return [];
  const draft = new Draft(tree);
  if (how === 'dropped' && awaitDropped(node, draft)) return draft.finish({ kind: 'await-work', title: 'Await it before the release' });
  if (how === 'returned' && awaitReturned(node, draft)) return draft.finish({ kind: 'await-work', title: 'Return it with `await`' });
  if (how === 'each' && node.type === 'CallExpression' && loop(node, draft)) return draft.finish({ kind: 'await-each', title: 'Do it in a loop that waits' });
  return [];
}

const mayAwait = (node: Node, tree: Tree): boolean => tree.functionOf(node)?.async === true;

/** The call with what only belongs to it: `?.` and `!`. */
function whole(node: Node, tree: Tree): Node {
  let at = node;
  for (let parent = tree.parent(at); parent?.type === 'ChainExpression' || parent?.type === 'TSNonNullExpression'; parent = tree.parent(at)) at = parent;
  return at;
}

function awaitDropped(node: Node, draft: Draft): boolean {
  const { tree } = draft;
  const value = whole(node, tree);
  const parent = tree.parent(value);
  if (parent?.type === 'UnaryExpression' && parent.operator === 'void' && tree.parent(parent)?.type === 'ExpressionStatement') {
    draft.replace({ start: parent.range[0], end: parent.range[0] + 'void'.length }, 'await');
    return true;
  }
  const isLast = parent?.type === 'LogicalExpression' && parent.right === value && tree.parent(parent)?.type === 'ExpressionStatement';
  if (parent?.type !== 'ExpressionStatement' && !isLast) return false;
  draft.insert(value.range[0], 'await ');
  return true;
}

function awaitReturned(node: Node, draft: Draft): boolean {
  const { tree } = draft;
  const value = whole(node, tree);
  let below: Node = value;
  let parent = tree.parent(below);
  while (parent?.type === 'ConditionalExpression' && parent.test !== below) [below, parent] = [parent, tree.parent(parent)];
  if (parent?.type !== 'ReturnStatement') return false;
  draft.insert(value.range[0], 'await ');
  return true;
}

/** `for (const it of list) …` in the place of `list.forEach(async (it) => …)`. */
function loop(call: TSESTree.CallExpression, draft: Draft): boolean {
  const { tree, style } = draft;
  const statement = tree.parent(call);
  const { callee } = call;
  const [body, ...others] = call.arguments;
  if (statement?.type !== 'ExpressionStatement' || callee.type !== 'MemberExpression' || callee.optional || callee.property.type !== 'Identifier' || callee.property.name !== 'forEach') return false;
  if (others.length > 0 || body?.type !== 'ArrowFunctionExpression' || body.params.length !== 1 || !isList(callee.object, tree)) return false;
  const [param] = body.params;
  const name = param && elementOf(param, callee.object, tree);
  if (name === undefined || leaves(body.body)) return false;
  const isBlock = body.body.type === 'BlockStatement';
  if (isBlock && !body.async) return false;
  draft.replace({ start: statement.range[0], end: body.body.range[0] }, `for (const ${name} of ${tree.text(callee.object)}) ${isBlock || body.body.type === 'AwaitExpression' ? '' : 'await '}`);
  draft.replace({ start: body.body.range[1], end: statement.range[1] }, isBlock ? '' : style.semi);
  return true;
}

/** How the element is written in a loop; its name must be no other's, nor given another value. */
function elementOf(param: TSESTree.Parameter, list: Node, tree: Tree): string | undefined {
  if (param.type !== 'Identifier' || param.optional) return undefined;
  const binding = resolve(param.name, param, tree);
  if (!binding || binding.id !== param || assignmentsTo(binding, tree).length > 0) return undefined;
  if (namesRead(list, tree).some((it) => it.name === param.name)) return undefined;
  return param.name;
}

/** A `return` of the callback would leave the whole function. */
function leaves(node: Node): boolean {
  if (node.type === 'ReturnStatement') return true;
  return !isFunction(node) && childrenOf(node).some(leaves);
}

/** Surely an array: what is run for each element of a map gets its values, a loop over it gets pairs. */
function isList(node: Node, tree: Tree): boolean {
  const it = unwrap(node);
  if (it.type === 'ArrayExpression') return true;
  if (it.type === 'CallExpression') return it.callee.type === 'MemberExpression' && it.callee.property.type === 'Identifier' && listMethods.has(it.callee.property.name) && (it.callee.property.name === 'split' || isList(it.callee.object, tree));
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  const type = binding?.id.typeAnnotation?.typeAnnotation;
  if (type) return isListType(type);
  const { declaration } = binding ?? {};
  return binding?.kind === 'const' && declaration?.type === 'VariableDeclarator' && declaration.id === binding.id && declaration.init !== null && isList(declaration.init, tree);
}

function isListType(type: TSESTree.TypeNode): boolean {
  if (type.type === 'TSTypeOperator') return type.typeAnnotation !== undefined && isListType(type.typeAnnotation);
  if (type.type === 'TSTypeReference') return type.typeName.type === 'Identifier' && (type.typeName.name === 'Array' || type.typeName.name === 'ReadonlyArray');
  return type.type === 'TSArrayType' || type.type === 'TSTupleType';
}

/** Methods that answer an array where their receiver is one; `split` in any case. */
const listMethods = new Set(['map', 'flatMap', 'filter', 'split']);
