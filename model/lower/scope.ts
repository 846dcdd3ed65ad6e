/** Names and the variables they stand for: lexical scopes, hoisting, and what is declared by a pattern. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Func, Variable } from '../ir.ts';

export class Scope {
  readonly variables = new Map<string, Variable>();
  constructor(
    readonly parent: Scope | undefined,
    /** The function whose body this scope belongs to. */
    readonly func: Func,
    /** `var` declarations land in the nearest scope of this kind. */
    readonly isFunctionScope: boolean,
  ) {}

  find(name: string): Variable | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const found = scope.variables.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** Declares a name here; a second declaration of the same name (an overload, a merged interface) keeps the first variable. */
  declare(name: string, kind: Variable['kind'], node: TSESTree.Node): Variable {
    const known = this.variables.get(name);
    if (known && known.kind !== 'type') return known;
    const variable: Variable = { name, kind, owner: this.func, module: this.func.module, span: spanOf(node), values: [] };
    this.variables.set(name, variable);
    return variable;
  }
}

export const spanOf = (node: TSESTree.Node): { start: number; end: number } => ({ start: node.range[0], end: node.range[1] });

/** Declares what a block's own statements declare: `let`, `const`, `class`, functions, imports, types. */
export function hoistBlock(statements: readonly TSESTree.Node[], scope: Scope): void {
  for (const statement of statements) hoistStatement(statement, scope);
}

function hoistStatement(node: TSESTree.Node, scope: Scope): void {
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') return;
      for (const it of node.declarations) declarePattern(it.id, node.kind === 'const' || node.kind.includes('using') ? 'const' : 'let', scope);
      return;
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      if (node.id) scope.declare(node.id.name, 'function', node.id);
      return;
    case 'ClassDeclaration':
      if (node.id) scope.declare(node.id.name, 'class', node.id);
      return;
    case 'TSEnumDeclaration':
      scope.declare(node.id.name, 'const', node.id);
      return;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      if (!scope.variables.has(node.id.name)) scope.declare(node.id.name, 'type', node.id);
      return;
    case 'ImportDeclaration':
      for (const it of node.specifiers) {
        const variable = scope.declare(it.local.name, 'import', it.local);
        const name = it.type === 'ImportSpecifier' ? (it.imported.type === 'Identifier' ? it.imported.name : it.imported.value) : it.type === 'ImportDefaultSpecifier' ? 'default' : '*';
        variable.import = { specifier: node.source.value, name };
      }
      return;
    case 'TSImportEqualsDeclaration':
      if (node.moduleReference.type === 'TSExternalModuleReference' && node.moduleReference.expression.type === 'Literal') {
        const variable = scope.declare(node.id.name, 'import', node.id);
        variable.import = { specifier: String(node.moduleReference.expression.value), name: 'default' };
      }
      return;
    case 'ExportNamedDeclaration':
      if (node.declaration) hoistStatement(node.declaration, scope);
      return;
    case 'ExportDefaultDeclaration':
      hoistStatement(node.declaration, scope);
      return;
    default:
  }
}

/** Declares every name that a binding pattern binds. */
export function declarePattern(pattern: TSESTree.Node | null, kind: Variable['kind'], scope: Scope): void {
  if (!pattern) return;
  switch (pattern.type) {
    case 'Identifier':
      scope.declare(pattern.name, kind, pattern);
      return;
    case 'ObjectPattern':
      for (const it of pattern.properties) declarePattern(it.type === 'RestElement' ? it.argument : it.value, kind, scope);
      return;
    case 'ArrayPattern':
      for (const it of pattern.elements) declarePattern(it, kind, scope);
      return;
    case 'AssignmentPattern':
      declarePattern(pattern.left, kind, scope);
      return;
    case 'RestElement':
      declarePattern(pattern.argument, kind, scope);
      return;
    case 'TSParameterProperty':
      declarePattern(pattern.parameter, kind, scope);
      return;
    default:
  }
}

/** Declares the `var`s of a function body, wherever they stand in it, in the function's scope. */
export function hoistVars(node: TSESTree.Node | null | undefined, scope: Scope): void {
  if (!node) return;
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') for (const it of node.declarations) declarePattern(it.id, 'let', scope);
      return;
    case 'BlockStatement':
      for (const it of node.body) hoistVars(it, scope);
      return;
    case 'IfStatement':
      hoistVars(node.consequent, scope);
      hoistVars(node.alternate, scope);
      return;
    case 'ForStatement':
      hoistVars(node.init, scope);
      hoistVars(node.body, scope);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      hoistVars(node.left, scope);
      hoistVars(node.body, scope);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
      hoistVars(node.body, scope);
      return;
    case 'TryStatement':
      hoistVars(node.block, scope);
      hoistVars(node.handler?.body, scope);
      hoistVars(node.finalizer, scope);
      return;
    case 'SwitchStatement':
      for (const it of node.cases) for (const inner of it.consequent) hoistVars(inner, scope);
      return;
    case 'ExportNamedDeclaration':
      hoistVars(node.declaration, scope);
      return;
    default:
  }
}
