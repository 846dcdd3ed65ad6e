/** Functions that only this file can call, where they are called, and one more parameter for them. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Draft } from './draft.ts';
import { classAround } from './paths.ts';
import { type Binding, referencesTo, resolve } from './scopes.ts';
import { type FunctionNode, type Node, type Tree, isFunction } from './tree.ts';

/** The name of a function that no other file can call. */
export function ownName(func: FunctionNode | undefined, tree: Tree): Binding | undefined {
  const parent = func && tree.parent(func);
  const id = func?.type === 'FunctionDeclaration' ? func.id : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id : undefined;
  const binding = id ? resolve(id.name, id, tree) : undefined;
  if (!binding || binding.kind === 'let') return undefined;
  for (const it of tree.upwards(binding.declaration)) if (it.type.startsWith('Export')) return undefined;
  const isHandedOut = referencesTo(binding, tree).some((it) => tree.parent(it)?.type === 'ExportSpecifier');
  return isHandedOut ? undefined : binding;
}

/** The function that a call runs, where it is the only call of it that there can be. */
export function onlyCalledBy(call: TSESTree.CallExpression, tree: Tree): FunctionNode | undefined {
  const { callee } = call;
  if (call.optional || call.arguments.some((it) => it.type === 'SpreadElement')) return undefined;
  if (callee.type === 'Identifier') {
    const binding = resolve(callee.name, callee, tree);
    const { declaration } = binding ?? {};
    const func = declaration?.type === 'VariableDeclarator' && declaration.id === binding!.id && !binding!.id.typeAnnotation ? declaration.init : declaration;
    if (!func || !isFunction(func) || ownName(func, tree)?.id !== binding?.id) return undefined;
    return referencesTo(binding!, tree).length === 1 ? func : undefined;
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'ThisExpression' || callee.property.type !== 'Identifier') return undefined;
  const { name } = callee.property;
  const cls = classAround(call, tree);
  const members = cls?.type === 'ClassDeclaration' || cls?.type === 'ClassExpression' ? cls.body.body : [];
  const method = members.find((it): it is TSESTree.MethodDefinition => it.type === 'MethodDefinition' && it.key.type === 'Identifier' && it.key.name === name);
  if (method?.accessibility !== 'private' || method.decorators.length > 0 || !isFunction(method.value)) return undefined;
  return tree.identifiers(name).every((it) => it === method.key || it === callee.property || tree.parent(it)?.type !== 'MemberExpression') ? method.value : undefined;
}

/** Whether one more parameter can go behind the others, and one more argument behind what the call has. */
export const mayTakeMore = (func: FunctionNode, call: TSESTree.CallExpression): boolean =>
  call.arguments.length === func.params.length && func.params.every((it) => it.type !== 'RestElement' && it.type !== 'AssignmentPattern' && !(it.type === 'Identifier' && it.optional));

export function addParameter(func: FunctionNode, text: string, draft: Draft): void {
  const { source } = draft.tree;
  const last = func.params[func.params.length - 1];
  if (!last) draft.insert(source.indexOf('(', func.range[0]) + 1, text);
  else if (func.type === 'ArrowFunctionExpression' && /^\s*=>/.test(source.slice(last.range[1]))) {
    draft.insert(last.range[0], '(');
    draft.insert(last.range[1], `, ${text})`);
  } else draft.insert(last.range[1], `, ${text}`);
}

export function addArgument(call: TSESTree.CallExpression, text: string, draft: Draft): void {
  const last: Node | undefined = call.arguments[call.arguments.length - 1];
  draft.insert(last?.range[1] ?? call.range[1] - 1, last ? `, ${text}` : text);
}
