/** Targets of assignments and patterns → what is assigned, name by name. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Expr, Target } from '../ir.ts';
import { keyName, logical, lowerExpression, propertyName } from './expressions.ts';
import type { FunctionLowering } from './functions.ts';
import { spanOf } from './scope.ts';

type Node = TSESTree.Node;

/** `=`, destructuring, and operators like `??=`, which assign what they compute. */
export function lowerAssignment(node: TSESTree.AssignmentExpression, f: FunctionLowering): Expr {
  const span = spanOf(node);
  if (node.operator === '=') {
    if (node.left.type === 'ObjectPattern' || node.left.type === 'ArrayPattern') {
      const value = lowerExpression(node.right, f);
      bindPattern(node.left, value, f, false);
      return value;
    }
    const target = lowerTarget(node.left, f);
    const value = lowerExpression(node.right, f);
    if (value.kind === 'function' && !value.func.name && target.kind === 'field') value.func.name = target.name;
    f.assign(target, value, span);
    return { kind: 'assign', target, value, span };
  }
  const left = lowerExpression(node.left, f);
  const target = lowerTarget(node.left, f);
  const short = node.operator.slice(0, -1);
  let value: Expr;
  if (short === '&&' || short === '||' || short === '??') {
    value = logical(short, left, () => lowerExpression(node.right, f), f, span);
  } else value = { kind: 'binary', op: short, left, right: lowerExpression(node.right, f), span };
  f.assign(target, value, span);
  return { kind: 'assign', target, value, span };
}

export function lowerTarget(node: Node, f: FunctionLowering): Target {
  if (node.type === 'Identifier') return { kind: 'variable', variable: f.find(node.name, node) };
  if (node.type === 'MemberExpression') {
    const object = lowerExpression(node.object, f);
    const name = node.computed ? propertyName(lowerExpression(node.property, f)) : keyName(node.property);
    return typeof name === 'string' ? { kind: 'field', object, name } : { kind: 'other' };
  }
  if (node.type === 'TSNonNullExpression' || node.type === 'TSAsExpression') return lowerTarget(node.expression, f);
  return { kind: 'other' };
}

/** Binds every name of a pattern to its part of `value`. */
export function bindPattern(pattern: Node, value: Expr, f: FunctionLowering, declares: boolean): void {
  const span = spanOf(pattern);
  switch (pattern.type) {
    case 'Identifier':
      f.assign({ kind: 'variable', variable: f.find(pattern.name, pattern) }, value, span, declares);
      return;
    case 'ObjectPattern':
      for (const it of pattern.properties) {
        if (it.type === 'RestElement') bindPattern(it.argument, { kind: 'opaque', why: 'the rest of an object', span }, f, declares);
        else {
          const name = it.computed ? undefined : keyName(it.key);
          bindPattern(it.value, name === undefined ? { kind: 'opaque', why: 'a computed part', span } : part(value, name, it.value, f), f, declares);
        }
      }
      return;
    case 'ArrayPattern':
      pattern.elements.forEach((it, i) => {
        if (!it) return;
        if (it.type === 'RestElement') bindPattern(it.argument, { kind: 'opaque', why: 'the rest of an array', span }, f, declares);
        else bindPattern(it, part(value, i, it, f), f, declares);
      });
      return;
    case 'AssignmentPattern':
      bindPattern(pattern.left, value, f, declares);
      return;
    case 'MemberExpression':
      f.assign(lowerTarget(pattern, f), value, span, false);
      return;
    default:
  }
}

function part(of: Expr, name: string | number, pattern: Node, f: FunctionLowering): Expr {
  const fallback = pattern.type === 'AssignmentPattern' ? lowerExpression(pattern.right, f) : undefined;
  return { kind: 'part', of, name, fallback, span: spanOf(pattern) };
}
