/** Statements → steps and the edges between them. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Expr } from '../ir.ts';
import { lowerExpression } from './expressions.ts';
import type { FunctionLowering } from './functions.ts';
import { bindPattern } from './patterns.ts';
import { declarePattern, spanOf } from './scope.ts';

type Node = TSESTree.Node;

export function lowerStatements(nodes: readonly Node[], f: FunctionLowering): void {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (node.type === 'VariableDeclaration' && node.kind.includes('using')) {
      lowerUsing(node, nodes.slice(i + 1), f);
      return;
    }
    lowerStatement(node, f, []);
  }
}

/** The rest of the block runs as a `try` whose `finally` disposes what was declared. */
function lowerUsing(node: TSESTree.VariableDeclaration, rest: readonly Node[], f: FunctionLowering): void {
  lowerStatement(node, f, []);
  const variables = node.declarations.flatMap((it) => (it.id.type === 'Identifier' ? [f.find(it.id.name, it.id)] : []));
  f.builder.tryFinally(
    () => lowerStatements(rest, f),
    () => {
      for (const variable of [...variables].reverse()) f.builder.emit({ kind: 'dispose', variable, isAwait: node.kind === 'await using' }, spanOf(node));
    },
    spanOf(node),
  );
}

export function lowerStatement(node: Node, f: FunctionLowering, labels: string[]): void {
  const span = spanOf(node);
  const b = f.builder;
  switch (node.type) {
    case 'ExpressionStatement':
      lowerExpression(node.expression, f, 'drop');
      return;
    case 'VariableDeclaration':
      for (const it of node.declarations) {
        if (it.id.type === 'Identifier' && it.id.typeAnnotation) f.find(it.id.name, it.id).annotation ??= f.type(it.id.typeAnnotation.typeAnnotation);
        if (!it.init) {
          // On a path on which nothing is assigned it is undefined, which a guard can tell.
          if (it.id.type === 'Identifier' && node.kind === 'let') b.emit({ kind: 'assign', target: { kind: 'variable', variable: f.find(it.id.name, it.id) }, value: { kind: 'const', value: undefined, span: spanOf(it) }, declares: true }, spanOf(it));
          continue;
        }
        const value = lowerExpression(it.init, f);
        if (value.kind === 'function' && !value.func.name && it.id.type === 'Identifier') value.func.name = it.id.name;
        bindPattern(it.id, value, f, true);
      }
      return;
    case 'FunctionDeclaration':
      f.declareFunction(node);
      return;
    case 'ClassDeclaration':
      f.declareClass(node);
      return;
    case 'ReturnStatement': {
      const value = node.argument ? lowerExpression(node.argument, f, 'return') : undefined;
      b.return(value, span);
      return;
    }
    case 'ThrowStatement':
      b.emit({ kind: 'throw', value: lowerExpression(node.argument, f) }, span);
      return;
    case 'BlockStatement':
      f.inBlock(node, node.body, () => lowerStatements(node.body, f));
      return;
    case 'StaticBlock':
      f.inBlock(node, node.body, () => lowerStatements(node.body, f));
      return;
    case 'IfStatement': {
      const test = lowerExpression(node.test, f);
      b.branch(
        { kind: 'branch', test },
        spanOf(node.test),
        () => lowerStatement(node.consequent, f, []),
        () => node.alternate && lowerStatement(node.alternate, f, []),
      );
      return;
    }
    case 'LabeledStatement': {
      const all = [...labels, node.label.name];
      if (isLoop(node.body) || node.body.type === 'LabeledStatement') lowerStatement(node.body, f, all);
      else b.labelled(all, () => lowerStatement(node.body, f, []));
      return;
    }
    case 'WhileStatement':
      b.loop(labels, { test: tested(() => lowerExpression(node.test, f), f, spanOf(node.test)), body: () => lowerStatement(node.body, f, []) });
      return;
    case 'DoWhileStatement':
      b.loop(labels, { test: tested(() => lowerExpression(node.test, f), f, spanOf(node.test)), body: () => lowerStatement(node.body, f, []), bodyFirst: true });
      return;
    case 'ForStatement':
      f.inBlock(node, node.init ? [node.init] : [], () => {
        if (node.init?.type === 'VariableDeclaration') lowerStatement(node.init, f, []);
        else if (node.init) lowerExpression(node.init, f, 'drop');
        b.loop(labels, {
          test: node.test ? tested(() => lowerExpression(node.test!, f), f, spanOf(node.test)) : (body) => body(),
          body: () => lowerStatement(node.body, f, []),
          update: () => node.update && lowerExpression(node.update, f, 'drop'),
        });
      });
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      lowerForOf(node, f, labels);
      return;
    case 'BreakStatement':
      b.break(node.label?.name);
      return;
    case 'ContinueStatement':
      b.continue(node.label?.name);
      return;
    case 'SwitchStatement':
      lowerSwitch(node, f, labels);
      return;
    case 'TryStatement':
      lowerTry(node, f);
      return;
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration':
    case 'TSExportAssignment':
      f.lowering.exports.lower(node, f);
      return;
    case 'TSEnumDeclaration':
      f.declareEnum(node);
      return;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      f.lowering.declareType(node, f);
      return;
    case 'ImportDeclaration':
      f.lowering.specifier(node.source.value);
      return;
    case 'TSImportEqualsDeclaration':
      if (node.moduleReference.type === 'TSExternalModuleReference' && node.moduleReference.expression.type === 'Literal') f.lowering.specifier(String(node.moduleReference.expression.value));
      return;
    case 'TSModuleDeclaration':
    case 'TSDeclareFunction':
    case 'EmptyStatement':
    case 'DebuggerStatement':
    case 'TSNamespaceExportDeclaration':
      return;
    default:
      f.lowering.unknown(span, `${node.type} is not followed`);
  }
}

const isLoop = (node: Node): boolean => /^(?:While|DoWhile|For|ForOf|ForIn)Statement$/.test(node.type);

const tested =
  (lower: () => Expr, f: FunctionLowering, span: { start: number; end: number }) =>
  (body: () => void, end: () => void): void =>
    f.builder.branch({ kind: 'branch', test: lower() }, span, body, end);

function lowerForOf(node: TSESTree.ForOfStatement | TSESTree.ForInStatement, f: FunctionLowering, labels: string[]): void {
  const of = lowerExpression(node.right, f);
  const span = spanOf(node.left);
  f.inBlock(node, [node.left], () => {
    if (node.left.type === 'VariableDeclaration' && node.left.kind === 'var') declarePattern(node.left.declarations[0]!.id, 'let', f.scope);
    f.builder.loop(labels, {
      test: (body, end) => f.builder.branch({ kind: 'fork' }, span, body, end),
      body: () => {
        const element: Expr = node.type === 'ForOfStatement' ? { kind: 'element', of, span } : { kind: 'opaque', why: 'a property name', span };
        if (node.type === 'ForOfStatement' && node.await) f.builder.emit({ kind: 'await', expr: element }, span);
        const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]!.id : node.left;
        bindPattern(pattern, element, f, node.left.type === 'VariableDeclaration');
        lowerStatement(node.body, f, []);
      },
    });
  });
}

function lowerSwitch(node: TSESTree.SwitchStatement, f: FunctionLowering, labels: string[]): void {
  const left = lowerExpression(node.discriminant, f);
  f.inBlock(node, node.cases.flatMap((it) => it.consequent), () => {
    f.builder.labelled([...labels, ''], () => {
      const rest = (i: number): void => {
        for (const it of node.cases.slice(i)) {
          if (!f.builder.reachable) return;
          lowerStatements(it.consequent, f);
        }
      };
      const tests = node.cases.filter((it) => it.test !== null);
      const next = (i: number): void => {
        const it = tests[i];
        if (!it) {
          const byDefault = node.cases.findIndex((each) => each.test === null);
          if (byDefault >= 0) rest(byDefault);
          return;
        }
        const right = lowerExpression(it.test!, f);
        const test: Expr = { kind: 'binary', op: '===', left, right, span: spanOf(it) };
        f.builder.branch(
          { kind: 'branch', test },
          spanOf(it),
          () => rest(node.cases.indexOf(it)),
          () => next(i + 1),
        );
      };
      next(0);
    });
  });
}

function lowerTry(node: TSESTree.TryStatement, f: FunctionLowering): void {
  const block = (): void => f.inBlock(node.block, node.block.body, () => lowerStatements(node.block.body, f));
  const guarded = (): void => {
    const handler = node.handler;
    if (!handler) {
      block();
      return;
    }
    f.inBlock(handler, [], () => {
      let variable;
      if (handler.param) {
        declarePattern(handler.param, 'catch', f.scope);
        if (handler.param.type === 'Identifier') variable = f.find(handler.param.name, handler.param);
      }
      f.builder.tryCatch(
        block,
        () => f.inBlock(handler.body, handler.body.body, () => lowerStatements(handler.body.body, f)),
        spanOf(handler),
        { kind: 'catch', variable },
      );
    });
  };
  const finalizer = node.finalizer;
  if (!finalizer) guarded();
  else f.builder.tryFinally(guarded, () => f.inBlock(finalizer, finalizer.body, () => lowerStatements(finalizer.body, f)), spanOf(finalizer));
}
