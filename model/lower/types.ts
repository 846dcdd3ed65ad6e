/** Written types → what they name. Everything that does not lead to a class or a library's type is `other`. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Expr, TypeRef } from '../ir.ts';
import type { FunctionLowering } from './functions.ts';
import { type Scope, spanOf } from './scope.ts';

const other: TypeRef = { kind: 'other' };

/** The type that an annotation writes; `typeofExpr` says what the expression of `typeof x` is. */
export function lowerType(node: TSESTree.TypeNode | null | undefined, scope: Scope, typeofExpr: (node: TSESTree.Node) => TypeRef): TypeRef {
  if (!node) return other;
  const lower = (it: TSESTree.TypeNode): TypeRef => lowerType(it, scope, typeofExpr);
  switch (node.type) {
    case 'TSTypeReference': {
      const path = typeName(node.typeName);
      if (!path) return other;
      const args = node.typeArguments?.params.map(lower) ?? [];
      // What these add to their argument does not matter to who the value is.
      if (transparent.has(path[0]!) && args[0]) return args[0];
      if ((path[0] === 'Omit' || path[0] === 'Pick') && args[0]) return { kind: 'part', of: args[0], how: path[0], names: node.typeArguments!.params[1] ? memberNames(node.typeArguments!.params[1]) : [] };
      if (path[0] === 'ReturnType' && args[0]) return { kind: 'returns', of: args[0] };
      if (path[0] === 'InstanceType' && args[0]) return { kind: 'instance', of: args[0] };
      const [name, ...rest] = path as [string, ...string[]];
      return { kind: 'name', name: path[path.length - 1]!, variable: scope.find(name), path: rest, args };
    }
    case 'TSTypeQuery':
      return node.exprName.type === 'TSImportType' ? other : typeofExpr(node.exprName);
    case 'TSUnionType':
    case 'TSIntersectionType': {
      const of = node.types.map(lower).filter((it) => it.kind !== 'other');
      return of.length === 1 ? of[0]! : of.length ? { kind: 'union', of } : other;
    }
    case 'TSTypeLiteral':
      return { kind: 'object', members: lowerMembers(node.members, lower) };
    case 'TSArrayType':
      return { kind: 'array', of: lower(node.elementType) };
    case 'TSTypeOperator':
      return lowerType(node.typeAnnotation, scope, typeofExpr);
    case 'TSFunctionType':
      return { kind: 'function', returns: lowerType(node.returnType?.typeAnnotation, scope, typeofExpr), isPromised: isPromise(node.returnType?.typeAnnotation) };
    case 'TSOptionalType':
    case 'TSRestType':
      return lower(node.typeAnnotation);
    default:
      return other;
  }
}

const isPromise = (node: TSESTree.TypeNode | undefined): boolean => node?.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && /^Promise(?:Like)?$/.test(node.typeName.name);

const transparent = new Set(['Promise', 'PromiseLike', 'Awaited', 'Readonly', 'Partial', 'Required', 'NonNullable', 'Provider']);

/** `'a' | 'b'` as its names; what is called by a name of its own, by that. */
function memberNames(node: TSESTree.TypeNode): string[] {
  if (node.type === 'TSUnionType') return node.types.flatMap(memberNames);
  if (node.type === 'TSLiteralType') return node.literal.type === 'Literal' ? [String(node.literal.value)] : [];
  const path = node.type === 'TSTypeReference' ? typeName(node.typeName) : undefined;
  return [path ? `<${path[path.length - 1]!}>` : '<?>'];
}

export function lowerMembers(members: readonly TSESTree.TypeElement[], lower: (it: TSESTree.TypeNode) => TypeRef): Map<string, TypeRef> {
  const found = new Map<string, TypeRef>();
  for (const it of members) {
    if (it.type === 'TSPropertySignature' && it.key.type === 'Identifier' && it.typeAnnotation) found.set(it.key.name, lower(it.typeAnnotation.typeAnnotation));
    if (it.type === 'TSMethodSignature' && it.key.type === 'Identifier') {
      found.set(it.key.name, { kind: 'function', returns: it.returnType ? lower(it.returnType.typeAnnotation) : undefined });
    }
  }
  return found;
}

function typeName(node: TSESTree.EntityName): string[] | undefined {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'TSQualifiedName') {
    const left = typeName(node.left);
    return left && [...left, node.right.name];
  }
  return undefined;
}

/** A written type seen from inside a function. */
export function typeIn(node: TSESTree.TypeNode | null | undefined, f: FunctionLowering): TypeRef {
  return lowerType(node, f.scope, (name) => ({ kind: 'typeof', expr: entityName(name, f) }));
}

function entityName(node: TSESTree.Node, f: FunctionLowering): Expr {
  const span = spanOf(node);
  if (node.type === 'Identifier') return { kind: 'var', variable: f.find(node.name, node), span };
  if (node.type === 'TSQualifiedName') return { kind: 'member', object: entityName(node.left, f), name: node.right.name, optional: false, span };
  if (node.type === 'ThisExpression') return { kind: 'this', func: f.thisFunc, span };
  return { kind: 'opaque', why: 'a type', span };
}
