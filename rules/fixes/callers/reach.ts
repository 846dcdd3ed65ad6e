/** By which names a function is reached: its own, those of its exports, and the one that it has in a class or an object. */
import type { TSESTree } from '@typescript-eslint/types';
import { type Binding, referencesTo, resolve } from '../source/scopes.ts';
import { type FunctionNode, type Node, type Tree } from '../source/tree.ts';

export interface Reach {
  /** Calls in its own file by its own name. */
  calls: TSESTree.CallExpression[];
  /** What it is exported as; `=` where it is the whole of a CommonJS module. */
  exports: string[];
  member?: Member;
}

/** A method of a class, or a function in an object. */
export interface Member {
  name: string;
  /** No other file can have the object: it is private to its class, or a constant that is used in place. */
  isOwn: boolean;
}

/** How a function can be called; undefined where it is handed on as a value, or something else says what it looks like. */
export function reachOf(func: FunctionNode, tree: Tree): Reach | undefined {
  const parent = tree.parent(func);
  switch (parent?.type) {
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === func ? ofMember(parent, tree) : undefined;
    case 'Property':
      return parent.value === func ? inObject(parent, tree) : undefined;
    case 'AssignmentExpression':
      return parent.right === func ? asExport(parent) : undefined;
    default:
      return ofName(func, tree);
  }
}

function ofName(func: FunctionNode, tree: Tree): Reach | undefined {
  const parent = tree.parent(func);
  const declared = parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' && !parent.id.typeAnnotation ? parent.id : undefined;
  const id = func.type === 'FunctionDeclaration' ? func.id : declared;
  if (!id) return parent?.type === 'ExportDefaultDeclaration' ? { calls: [], exports: ['default'] } : undefined;
  const binding = resolve(id.name, id, tree);
  if (!binding || binding.kind === 'let' || binding.id !== id) return undefined;
  const reach: Reach = { calls: [], exports: exportedWhereDeclared(binding, tree) };
  for (const it of referencesTo(binding, tree)) {
    const use = useOf(it, tree);
    if (!use || (use.member && reach.member)) return undefined;
    reach.calls.push(...use.calls);
    reach.exports.push(...use.exports);
    reach.member ??= use.member;
  }
  return reach;
}

/** What one mention of the name does. */
function useOf(id: TSESTree.Identifier, tree: Tree): Reach | undefined {
  const parent = tree.parent(id);
  switch (parent?.type) {
    case 'CallExpression':
      return parent.callee === id && !parent.optional ? { calls: [parent], exports: [] } : undefined;
    case 'ExportSpecifier':
      return { calls: [], exports: [nameOf(parent.exported)] };
    case 'ExportDefaultDeclaration':
      return { calls: [], exports: ['default'] };
    case 'AssignmentExpression':
      return parent.right === id ? asExport(parent) : undefined;
    case 'Property':
      return parent.value === id ? inObject(parent, tree) : undefined;
    default:
      return undefined;
  }
}

export const nameOf = (node: TSESTree.Identifier | TSESTree.StringLiteral): string => (node.type === 'Identifier' ? node.name : node.value);

function exportedWhereDeclared(binding: Binding, tree: Tree): string[] {
  for (const it of tree.upwards(binding.declaration)) {
    if (it.type === 'ExportDefaultDeclaration') return ['default'];
    if (it.type === 'ExportNamedDeclaration') return [binding.name];
    if (it === binding.scope) break;
  }
  return [];
}

/** `exports.name = …`, `module.exports.name = …`, `module.exports = …`. */
function asExport({ left, operator }: TSESTree.AssignmentExpression): Reach | undefined {
  if (operator !== '=' || left.type !== 'MemberExpression' || left.computed || left.property.type !== 'Identifier') return undefined;
  if (isWhole(left)) return { calls: [], exports: ['='] };
  const isExports = (left.object.type === 'Identifier' && left.object.name === 'exports') || isWhole(left.object);
  return isExports ? { calls: [], exports: [left.property.name] } : undefined;
}

/** `module.exports`. */
export const isWhole = (node: Node): boolean =>
  node.type === 'MemberExpression' && !node.computed && node.object.type === 'Identifier' && node.object.name === 'module' && node.property.type === 'Identifier' && node.property.name === 'exports';

function ofMember(member: TSESTree.MethodDefinition | TSESTree.PropertyDefinition, tree: Tree): Reach | undefined {
  const { key } = member;
  if (member.computed || member.decorators.length > 0 || (member.type === 'MethodDefinition' ? member.kind !== 'method' : !!member.typeAnnotation)) return undefined;
  if (key.type === 'PrivateIdentifier') return { calls: [], exports: [], member: { name: key.name, isOwn: true } };
  if (key.type !== 'Identifier') return undefined;
  const cls = tree.parent(tree.parent(member)!);
  if (cls?.type !== 'ClassDeclaration' && cls?.type !== 'ClassExpression') return undefined;
  const isPrivate = member.accessibility === 'private';
  // What a base class or an interface says of the method is said for others as well.
  if (!isPrivate && (cls.superClass || cls.implements.length > 0 || member.override)) return undefined;
  const isOwn = isPrivate || (member.static && cls.type === 'ClassDeclaration' && isUsedInPlace(cls.id, tree));
  return { calls: [], exports: [], member: { name: key.name, isOwn } };
}

/** A class or an object of this file of which nothing is used but its members. */
function isUsedInPlace(id: TSESTree.Identifier | null, tree: Tree): boolean {
  const binding = id ? resolve(id.name, id, tree) : undefined;
  if (!binding || binding.kind === 'let' || exportedWhereDeclared(binding, tree).length > 0) return false;
  return referencesTo(binding, tree).every((it) => {
    const parent = tree.parent(it);
    return parent?.type === 'MemberExpression' && parent.object === it && !parent.computed;
  });
}

/** A function in an object: one that is a constant, exported, or what a function answers. */
function inObject(property: TSESTree.Property, tree: Tree): Reach | undefined {
  const object = tree.parent(property);
  const { key } = property;
  const parent = object && tree.parent(object);
  if (object?.type !== 'ObjectExpression' || !parent || property.computed || property.kind !== 'init' || key.type !== 'Identifier') return undefined;
  const member = (isOwn: boolean): Reach => ({ calls: [], exports: [], member: { name: key.name, isOwn } });
  switch (parent.type) {
    case 'VariableDeclarator':
      if (parent.id.type !== 'Identifier' || parent.id.typeAnnotation || resolve(parent.id.name, parent.id, tree)?.kind === 'let') return undefined;
      return member(isUsedInPlace(parent.id, tree));
    case 'ExportDefaultDeclaration':
      return member(false);
    case 'AssignmentExpression':
      return isWhole(parent.left) ? { calls: [], exports: [key.name] } : undefined;
    case 'ReturnStatement': {
      const func = tree.functionOf(parent);
      return func && !func.returnType ? member(false) : undefined;
    }
    case 'ArrowFunctionExpression':
      return parent.body === object && !parent.returnType ? member(false) : undefined;
    default:
      return undefined;
  }
}
