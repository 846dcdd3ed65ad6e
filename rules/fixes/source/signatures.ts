/** One more parameter for a function, and one more argument for its calls: behind those that every call has, before those that it may leave out. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Draft } from './draft.ts';
import { type FunctionNode, type Node, type Tree } from './tree.ts';

/** The position of a further parameter that every call gives; undefined where the function has more than one signature, or a written `this`. */
export function placeOfParameter(func: FunctionNode, tree: Tree): number | undefined {
  const [first] = func.params;
  if ((first?.type === 'Identifier' && first.name === 'this') || hasOverloads(func, tree)) return undefined;
  const open = func.params.findIndex((it) => it.type === 'RestElement' || it.type === 'AssignmentPattern' || (it.type === 'Identifier' && it.optional));
  return open < 0 ? func.params.length : open;
}

function hasOverloads(func: FunctionNode, tree: Tree): boolean {
  const member = tree.parent(func);
  const id = func.type === 'FunctionDeclaration' ? func.id : member?.type === 'MethodDefinition' && member.key.type === 'Identifier' ? member.key : undefined;
  return !!id && tree.identifiers(id.name).some((it) => {
    const parent = tree.parent(it);
    return parent?.type === 'TSDeclareFunction' || (parent?.type === 'MethodDefinition' && parent.key === it && parent.value.type === 'TSEmptyBodyFunctionExpression');
  });
}

/** Puts a parameter behind the last one, or at a position. */
export function addParameter(func: FunctionNode, text: string, draft: Draft, at = func.params.length): void {
  const { source } = draft.tree;
  const next = func.params[at];
  const last = func.params[at - 1];
  if (next) draft.insert(next.range[0], `${text}, `);
  else if (!last) draft.insert(openOf(func, draft.tree) + 1, text);
  else if (func.type === 'ArrowFunctionExpression' && /^\s*=>/.test(source.slice(last.range[1]))) {
    draft.insert(last.range[0], '(');
    draft.insert(last.range[1], `, ${text})`);
  } else draft.insert(last.range[1], `${gapBetween(func.params, draft.tree)}${text}`);
}

/** The bracket with which the parameters of a function without any begin. */
const openOf = (func: FunctionNode, tree: Tree): number => tree.source.indexOf('(', func.typeParameters?.range[1] ?? (func.type !== 'ArrowFunctionExpression' && func.id ? func.id.range[1] : func.range[0]));

/** Puts an argument behind the last one, or at a position; false where the call does not give those before it one by one. */
export function addArgument(call: TSESTree.CallExpression, text: string, draft: Draft, at = call.arguments.length): boolean {
  if (call.arguments.length < at || call.arguments.slice(0, at).some((it) => it.type === 'SpreadElement')) return false;
  const next: Node | undefined = call.arguments[at];
  const last: Node | undefined = call.arguments[at - 1];
  if (next) draft.insert(next.range[0], `${text}, `);
  else if (last) draft.insert(last.range[1], `${gapBetween(call.arguments, draft.tree)}${text}`);
  else draft.insert(draft.tree.source.indexOf('(', call.typeArguments?.range[1] ?? call.callee.range[1]) + 1, text);
  return true;
}

/** What stands between two of a list: a comma, and a new line where each has its own. */
function gapBetween(list: readonly Node[], { source }: Tree): string {
  const [a, b] = list.slice(-2);
  const gap = a && b ? source.slice(a.range[1], b.range[0]) : '';
  return /^,\s+$/.test(gap) ? gap : ', ';
}
