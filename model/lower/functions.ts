/** One function's lowering: its scopes, its parameters, and the assignments that are recorded with the variables. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Expr, Func, Graph, Param, Target, TypeRef, Variable } from '../ir.ts';
import type { Span } from '../place.ts';
import { GraphBuilder } from './builder.ts';
import { lowerExpression } from './expressions.ts';
import type { ModuleLowering } from './module.ts';
import { bindPattern } from './patterns.ts';
import { Scope, declarePattern, hoistBlock, hoistVars, spanOf } from './scope.ts';
import { lowerStatements } from './statements.ts';
import { typeIn } from './types.ts';

export type FunctionNode = TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression | TSESTree.TSEmptyBodyFunctionExpression;

export class FunctionLowering {
  readonly builder: GraphBuilder;

  constructor(
    readonly lowering: ModuleLowering,
    readonly func: Func,
    public scope: Scope,
    /** The function whose `this` is seen here. */
    readonly thisFunc: Func,
  ) {
    this.builder = new GraphBuilder(func);
  }

  find(name: string, node: TSESTree.Node): Variable {
    return this.scope.find(name) ?? this.lowering.global(name, node);
  }

  type(node: TSESTree.TypeNode): TypeRef {
    return typeIn(node, this);
  }

  /** Runs `body` in the block's own scope; a block that is lowered again has the same variables. */
  inBlock(node: TSESTree.Node, statements: readonly TSESTree.Node[], body: () => void): void {
    const outer = this.scope;
    let scope = this.lowering.scopes.get(node);
    if (!scope) {
      scope = new Scope(outer, this.func, false);
      hoistBlock(statements, scope);
      this.lowering.scopes.set(node, scope);
    }
    this.scope = scope;
    this.hoistFunctions(statements);
    body();
    this.scope = outer;
  }

  /** Function declarations are there before the statements around them run. */
  private hoistFunctions(statements: readonly TSESTree.Node[]): void {
    for (const it of statements) {
      const node = it.type === 'ExportNamedDeclaration' || it.type === 'ExportDefaultDeclaration' ? it.declaration : it;
      if (node?.type === 'FunctionDeclaration') this.declareFunction(node);
    }
  }

  declareFunction(node: TSESTree.FunctionDeclaration): void {
    if (!node.id) return;
    const variable = this.find(node.id.name, node.id);
    if (!variable.values.length) variable.values.push({ kind: 'function', func: this.lowering.function(node, this), span: spanOf(node) });
  }

  declareClass(node: TSESTree.ClassDeclaration): void {
    const def = this.lowering.class(node, this);
    if (!node.id) return;
    const variable = this.find(node.id.name, node.id);
    if (!variable.values.length) variable.values.push({ kind: 'class', def, span: spanOf(node) });
  }

  declareEnum(node: TSESTree.TSEnumDeclaration): void {
    const members = node.body.members;
    const props = members.map((it) => ({
      name: it.id.type === 'Identifier' ? it.id.name : String((it.id as TSESTree.StringLiteral).value),
      value: it.initializer ? lowerExpression(it.initializer, this) : ({ kind: 'opaque', why: 'an enum member', span: spanOf(it) } satisfies Expr),
      span: spanOf(it),
    }));
    this.find(node.id.name, node.id).values.push({ kind: 'object', props, span: spanOf(node) });
  }

  assign(target: Target, value: Expr, span: Span, declares = false): void {
    this.builder.emit({ kind: 'assign', target, value, declares }, span);
    if (target.kind === 'variable') record(target.variable.values, value);
    if (target.kind === 'field') this.lowering.assignField(target.object, target.name, value, this);
  }

  run(node: FunctionNode): Graph {
    // `this: Lock` names no argument.
    const isThis = (it: TSESTree.Parameter): boolean => it.type === 'Identifier' && it.name === 'this';
    const receiver = node.params.find(isThis);
    if (receiver?.type === 'Identifier' && receiver.typeAnnotation) this.func.thisType = this.type(receiver.typeAnnotation.typeAnnotation);
    this.func.params = node.params.filter((it) => !isThis(it)).map((it, index) => this.param(it, index));
    const body = node.body;
    if (!body) return this.builder.finish(spanOf(node));
    if (body.type !== 'BlockStatement') {
      this.builder.return(lowerExpression(body, this, 'return'), spanOf(body));
    } else {
      hoistVars(body, this.scope);
      hoistBlock(body.body, this.scope);
      this.hoistFunctions(body.body);
      lowerStatements(body.body, this);
    }
    return this.builder.finish({ start: node.range[1] - 1, end: node.range[1] });
  }

  /** The statements of a module, or the initialisers of a class. */
  runStatements(nodes: readonly TSESTree.Node[], span: Span): Graph {
    for (const it of nodes) hoistVars(it, this.scope);
    hoistBlock(nodes, this.scope);
    this.hoistFunctions(nodes);
    lowerStatements(nodes, this);
    return this.builder.finish({ start: span.end, end: span.end });
  }

  private param(node: TSESTree.Parameter, index: number): Param {
    const decorated = node.type === 'TSParameterProperty' || 'decorators' in node ? (node.decorators ?? []) : [];
    const decorators = decorated.map((it) => lowerExpression(it.expression, this));
    const inner = node.type === 'TSParameterProperty' ? node.parameter : node;
    const rest = inner.type === 'RestElement';
    const pattern = inner.type === 'AssignmentPattern' ? inner.left : inner.type === 'RestElement' ? inner.argument : inner;
    declarePattern(pattern, 'param', this.scope);
    const fallback = inner.type === 'AssignmentPattern' ? lowerExpression(inner.right, this) : undefined;
    const written = 'typeAnnotation' in pattern && pattern.typeAnnotation ? pattern.typeAnnotation.typeAnnotation : 'typeAnnotation' in inner && inner.typeAnnotation ? inner.typeAnnotation.typeAnnotation : undefined;
    const annotation = written ? this.type(written) : undefined;
    const value: Expr = { kind: 'param', func: this.func, index, span: spanOf(pattern) };
    const param: Param = { index, annotation, fallback, rest, decorators, span: spanOf(pattern) };
    if (pattern.type === 'Identifier') {
      const variable = this.find(pattern.name, pattern);
      variable.index = index;
      variable.annotation = annotation;
      variable.values.unshift(value);
      param.variable = variable;
      if (node.type === 'TSParameterProperty') param.property = pattern.name;
    } else bindPattern(pattern, value, this, true);
    return param;
  }
}

/** A duplicated `finally` assigns the same again: what stands at the same place is recorded once. */
export function record(values: Expr[], value: Expr): void {
  if (!values.some((it) => it.span.start === value.span.start && it.span.end === value.span.end && it.kind === value.kind)) values.push(value);
}
