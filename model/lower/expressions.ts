/** Expressions → `Expr`, emitting a step for every call, await and assignment in evaluation order. */
import type { TSESTree } from '@typescript-eslint/types';
import type { CallExpr, Expr, Variable } from '../ir.ts';
import { type FunctionLowering, record } from './functions.ts';
import { lowerAssignment, lowerTarget } from './patterns.ts';
import { spanOf } from './scope.ts';

type Node = TSESTree.Node;

export function lowerExpression(node: Node, f: FunctionLowering, use: CallExpr['use'] = 'value'): Expr {
  const span = spanOf(node);
  const opaque = (why: string): Expr => ({ kind: 'opaque', why, span });
  switch (node.type) {
    case 'Literal':
      if ('regex' in node && node.regex) return opaque('a regular expression');
      return { kind: 'const', value: node.value as string | number | boolean | bigint | null, span };
    case 'Identifier':
      if (node.name === 'undefined') return { kind: 'const', value: undefined, span };
      return { kind: 'var', variable: f.find(node.name, node), span };
    case 'ThisExpression':
      return { kind: 'this', func: f.thisFunc, span };
    case 'Super':
      return { kind: 'this', func: f.thisFunc, span };
    case 'TemplateLiteral':
      return template(node, f);
    case 'TaggedTemplateExpression': {
      const callee = lowerCallee(node.tag, f);
      const quasi = template(node.quasi, f);
      return call(node, callee, [quasi], { isTag: true, typeArgs: node.typeArguments?.params }, f, use);
    }
    case 'MemberExpression': {
      const object = lowerExpression(node.object, f, isCall(node.object) ? 'chained' : 'value');
      const name = node.computed ? propertyName(lowerExpression(node.property, f)) : node.property.type === 'PrivateIdentifier' ? `#${node.property.name}` : (node.property as TSESTree.Identifier).name;
      return { kind: 'member', object, name, optional: node.optional, span };
    }
    case 'ChainExpression':
      return lowerExpression(node.expression, f, use);
    case 'CallExpression':
      return lowerCall(node, f, use);
    case 'NewExpression': {
      const callee = lowerCallee(node.callee, f);
      return call(node, callee, lowerArguments(node.arguments, f), { isNew: true, typeArgs: node.typeArguments?.params }, f, use);
    }
    case 'ImportExpression': {
      if (node.source.type === 'Literal' && typeof node.source.value === 'string') {
        f.lowering.specifier(node.source.value);
        return { kind: 'module', specifier: node.source.value, module: f.func.module, span };
      }
      lowerExpression(node.source, f);
      return opaque('a module that is named at run time');
    }
    case 'AwaitExpression': {
      const of = lowerExpression(node.argument, f, 'await');
      if (of.kind === 'call' && use === 'drop') of.dropped = true;
      const it: Expr = { kind: 'await', of, span };
      f.builder.emit({ kind: 'await', expr: it }, span);
      return it;
    }
    case 'YieldExpression': {
      if (!node.argument) return opaque('a yield');
      const of = lowerExpression(node.argument, f, 'await');
      if (of.kind === 'call' && use === 'drop') of.dropped = true;
      const it: Expr = { kind: 'await', of, span };
      f.builder.emit({ kind: 'await', expr: it }, span);
      return it;
    }
    case 'ObjectExpression':
      return noted({ kind: 'object', span, props: node.properties.map((it) => lowerProperty(it, f)) }, f);
    case 'ArrayExpression':
      return { kind: 'array', span, items: node.elements.map((it) => (it ? lowerExpression(it, f) : opaque('a hole'))) };
    case 'SpreadElement':
      return { kind: 'spread', of: lowerExpression(node.argument, f), span };
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { kind: 'function', func: f.lowering.function(node, f), span };
    case 'ClassExpression':
      return { kind: 'class', def: f.lowering.class(node, f), span };
    case 'UnaryExpression': {
      const of = lowerExpression(node.argument, f, node.operator === 'void' ? 'void' : 'value');
      if (node.operator === '!') return { kind: 'not', of, span };
      if (node.operator === 'void') return { kind: 'const', value: undefined, span };
      if (node.operator === '-' && of.kind === 'const' && typeof of.value === 'number') return { kind: 'const', value: -of.value, span };
      return { kind: 'unary', op: node.operator, of, span };
    }
    case 'BinaryExpression': {
      if (node.left.type === 'PrivateIdentifier') return opaque('a private brand check');
      const left = lowerExpression(node.left, f);
      return { kind: 'binary', op: node.operator, left, right: lowerExpression(node.right, f), span };
    }
    case 'LogicalExpression':
      return logical(node.operator, lowerExpression(node.left, f), () => lowerExpression(node.right, f), f, span);
    case 'ConditionalExpression': {
      const test = lowerExpression(node.test, f);
      let yes!: Expr;
      let no!: Expr;
      branchIfNeeded(f, test, span, [node.consequent, node.alternate], () => (yes = lowerExpression(node.consequent, f, use)), () => (no = lowerExpression(node.alternate, f, use)));
      return { kind: 'conditional', test, yes, no, span };
    }
    case 'AssignmentExpression':
      return lowerAssignment(node, f);
    case 'UpdateExpression': {
      const target = lowerTarget(node.argument, f);
      const value = opaque('a counter');
      f.assign(target, value, span);
      return value;
    }
    case 'SequenceExpression': {
      node.expressions.slice(0, -1).forEach((it) => lowerExpression(it, f, 'drop'));
      return lowerExpression(node.expressions[node.expressions.length - 1]!, f, use);
    }
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (node.expression.type === 'ObjectExpression' && node.expression.properties.length === 0) return { kind: 'claimed', type: f.type(node.typeAnnotation), module: f.func.module, span };
      return lowerExpression(node.expression, f, use);
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSInstantiationExpression':
      return lowerExpression(node.expression, f, use);
    case 'MetaProperty':
      return opaque('a meta property');
    case 'JSXElement':
    case 'JSXFragment':
      return opaque('markup');
    default:
      f.lowering.unknown(span, `${node.type} is not followed`);
      return opaque(`a ${node.type}`);
  }
}

const isCall = (node: Node): boolean => node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression' || (node.type === 'ChainExpression' && isCall(node.expression)) || (node.type === 'TSNonNullExpression' && isCall(node.expression));

export const propertyName = (of: Expr): string | Expr => (of.kind === 'const' && (typeof of.value === 'string' || typeof of.value === 'number') ? String(of.value) : of);

function template(node: TSESTree.TemplateLiteral, f: FunctionLowering): Expr {
  const parts: (string | Expr)[] = [];
  node.quasis.forEach((quasi, i) => {
    parts.push(quasi.value.cooked ?? quasi.value.raw);
    const hole = node.expressions[i];
    if (hole) parts.push(lowerExpression(hole, f));
  });
  return { kind: 'template', parts, span: spanOf(node) };
}

function lowerCallee(node: Node, f: FunctionLowering): Expr {
  return lowerExpression(node, f, isCall(node) ? 'chained' : 'value');
}

function lowerArguments(nodes: readonly Node[], f: FunctionLowering): Expr[] {
  return nodes.map((it) => lowerExpression(it, f));
}

function lowerCall(node: TSESTree.CallExpression, f: FunctionLowering, use: CallExpr['use']): Expr {
  const [first] = node.arguments;
  if (node.callee.type === 'Identifier' && node.callee.name === 'require' && first?.type === 'Literal' && typeof first.value === 'string' && f.find('require', node.callee).kind === 'global') {
    f.lowering.specifier(first.value);
    return { kind: 'module', specifier: first.value, module: f.func.module, span: spanOf(node) };
  }
  const callee = lowerCallee(node.callee, f);
  return call(node, callee, lowerArguments(node.arguments, f), { optional: node.optional, typeArgs: node.typeArguments?.params }, f, use);
}

function call(
  node: Node,
  callee: Expr,
  args: Expr[],
  o: { isNew?: boolean; isTag?: boolean; optional?: boolean; typeArgs?: TSESTree.TypeNode[] },
  f: FunctionLowering,
  use: CallExpr['use'],
): CallExpr {
  const it: CallExpr = {
    kind: 'call',
    callee,
    args,
    isNew: o.isNew ?? false,
    isTag: o.isTag ?? false,
    optional: (o.optional ?? false) || (callee.kind === 'member' && callee.optional),
    use,
    dropped: use === 'drop',
    typeArgs: o.typeArgs?.map((type) => f.type(type)) ?? [],
    func: f.func,
    span: spanOf(node),
  };
  for (const arg of args) if (arg.kind === 'function') arg.func.handedTo = it;
  if (callee.kind === 'member' && callee.object.kind === 'var' && (callee.name === 'push' || callee.name === 'unshift')) addTo(callee.object.variable, args);
  f.builder.emit({ kind: 'call', call: it }, it.span);
  return it;
}

/** Notes with a list what is added to it. */
function addTo(variable: Variable, args: readonly Expr[]): void {
  variable.added ??= [];
  for (const arg of args) record(variable.added, arg.kind === 'spread' ? { kind: 'element', of: arg.of, span: arg.span } : arg);
}

function lowerProperty(node: TSESTree.ObjectLiteralElement, f: FunctionLowering): { name: string | Expr | undefined; value: Expr; span: { start: number; end: number } } {
  const span = spanOf(node);
  if (node.type === 'SpreadElement') return { name: undefined, value: lowerExpression(node.argument, f), span };
  const name = node.computed ? propertyName(lowerExpression(node.key, f)) : keyName(node.key);
  const value = lowerExpression(node.value, f);
  if (value.kind === 'function' && !value.func.name) value.func.name = typeof name === 'string' ? name : '';
  return { name, value, span };
}

export function keyName(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'PrivateIdentifier') return `#${node.name}`;
  if (node.type === 'Literal') return String(node.value);
  return '';
}

export function logical(op: '&&' | '||' | '??', left: Expr, lowerRight: () => Expr, f: FunctionLowering, span: { start: number; end: number }): Expr {
  let right!: Expr;
  const test: Expr = op === '??' ? { kind: 'binary', op: '==', left, right: { kind: 'const', value: null, span }, span } : left;
  const skip = (): void => {};
  const run = (): void => {
    right = lowerRight();
  };
  f.builder.branch({ kind: 'branch', test }, span, op === '||' ? skip : run, op === '||' ? run : skip);
  return { kind: 'logical', op, left, right, span };
}

/** A conditional whose sides have no steps needs no branch. */
function branchIfNeeded(f: FunctionLowering, test: Expr, span: { start: number; end: number }, sides: Node[], yes: () => void, no: () => void): void {
  if (sides.every(isPlain)) {
    yes();
    no();
  } else f.builder.branch({ kind: 'branch', test }, span, yes, no);
}

const isPlain = (node: Node): boolean => node.type === 'Literal' || node.type === 'Identifier' || (node.type === 'MemberExpression' && !node.computed && isPlain(node.object)) || node.type === 'ThisExpression';

/** Object literals are kept with the module: what binds an injection token is looked for among them. */
function noted(object: Expr & { kind: 'object' }, f: FunctionLowering): Expr {
  f.lowering.module.objects.set(object.span.start, object);
  return object;
}
