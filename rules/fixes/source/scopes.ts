/** Names: what is bound where, what a name means at a place, and which names are free there. */
import type { TSESTree } from '@typescript-eslint/types';
import { type Node, type Tree, childrenOf, isFunction } from './tree.ts';

export interface Binding {
  name: string;
  kind: 'const' | 'let' | 'param' | 'function' | 'class' | 'import' | 'catch' | 'type';
  /** The identifier that declares it. */
  id: TSESTree.Identifier;
  /** The node whose scope it belongs to. */
  scope: Node;
  /** Declarator, import specifier, function, class: what declares it. */
  declaration: Node;
}

const scopesOf = new WeakMap<Tree, Map<Node, Map<string, Binding>>>();

/** The names that a node's own scope binds. */
function bindingsIn(node: Node, tree: Tree): Map<string, Binding> {
  let known = scopesOf.get(tree);
  if (!known) scopesOf.set(tree, (known = new Map()));
  let found = known.get(node);
  if (!found) known.set(node, (found = collect(node, tree)));
  return found;
}

function collect(scope: Node, tree: Tree): Map<string, Binding> {
  const found = new Map<string, Binding>();
  const add = (id: TSESTree.Identifier, kind: Binding['kind'], declaration: Node): void => {
    const known = found.get(id.name);
    if (!known || known.kind === 'type') found.set(id.name, { name: id.name, kind, id, scope, declaration });
  };
  const pattern = (node: Node | null, kind: Binding['kind'], declaration: Node): void => {
    for (const id of boundBy(node)) add(id, kind, declaration);
  };
  const vars = (): void => {
    for (const node of tree.vars) if ((tree.functionOf(node) ?? tree.program) === scope) for (const it of node.declarations) pattern(it.id, 'let', it);
  };
  const statements = (list: readonly Node[]): void => {
    for (const it of list) statement(it);
  };
  const statement = (node: Node): void => {
    switch (node.type) {
      case 'VariableDeclaration':
        if (node.kind !== 'var') for (const it of node.declarations) pattern(it.id, node.kind === 'let' ? 'let' : 'const', it);
        return;
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        if (node.id) add(node.id, 'function', node);
        return;
      case 'ClassDeclaration':
        if (node.id) add(node.id, 'class', node);
        return;
      case 'TSEnumDeclaration':
        add(node.id, 'const', node);
        return;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        add(node.id, 'type', node);
        return;
      case 'TSModuleDeclaration':
        if (node.id.type === 'Identifier') add(node.id, 'const', node);
        return;
      case 'TSImportEqualsDeclaration':
        add(node.id, 'import', node);
        return;
      case 'ImportDeclaration':
        for (const it of node.specifiers) add(it.local, 'import', it);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        if (node.declaration) statement(node.declaration);
        return;
      default:
    }
  };
  switch (scope.type) {
    case 'Program':
      statements(scope.body);
      vars();
      break;
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      statements(scope.body);
      break;
    case 'SwitchStatement':
      for (const it of scope.cases) statements(it.consequent);
      break;
    case 'ForStatement':
      if (scope.init) statement(scope.init);
      break;
    case 'ForOfStatement':
    case 'ForInStatement':
      statement(scope.left);
      break;
    case 'CatchClause':
      pattern(scope.param, 'catch', scope);
      break;
    case 'ClassExpression':
      if (scope.id) add(scope.id, 'class', scope);
      break;
    default:
  }
  if (isFunction(scope)) {
    for (const it of scope.params) pattern(it, 'param', scope);
    vars();
    if (scope.type === 'FunctionExpression' && scope.id) add(scope.id, 'function', scope);
  }
  return found;
}

/** The identifiers that a pattern binds. */
export function boundBy(node: Node | null): TSESTree.Identifier[] {
  switch (node?.type) {
    case 'Identifier':
      return [node];
    case 'ObjectPattern':
      return node.properties.flatMap((it) => boundBy(it.type === 'RestElement' ? it.argument : it.value));
    case 'ArrayPattern':
      return node.elements.flatMap(boundBy);
    case 'AssignmentPattern':
      return boundBy(node.left);
    case 'RestElement':
      return boundBy(node.argument);
    case 'TSParameterProperty':
      return boundBy(node.parameter);
    default:
      return [];
  }
}

/** What a name means at a node. */
export function resolve(name: string, at: Node, tree: Tree): Binding | undefined {
  for (const scope of tree.upwards(at)) {
    const found = bindingsIn(scope, tree).get(name);
    if (found) return found;
  }
  return undefined;
}

/** Every name in sight at a node, the nearest first. What is declared later in the same run of statements is left out. */
export function inSight(at: Node, tree: Tree): Binding[] {
  const found = new Map<string, Binding>();
  const own = tree.functionOf(at);
  for (const scope of tree.upwards(at)) {
    for (const it of bindingsIn(scope, tree).values()) {
      const isLater = it.declaration.range[0] > at.range[0] && tree.functionOf(it.declaration) === own;
      if (!found.has(it.name) && !isLater && it.kind !== 'type') found.set(it.name, it);
    }
  }
  return [...found.values()];
}

/** The identifiers that stand for a binding, its declaration left out. */
export function referencesTo(binding: Binding, tree: Tree): TSESTree.Identifier[] {
  return tree.identifiers(binding.name).filter((it) => it !== binding.id && isReference(it, tree) && resolve(it.name, it, tree)?.id === binding.id);
}

/** A place that reads or writes a variable, and not the name of a property, a label or an export. */
export function isReference(id: TSESTree.Identifier, tree: Tree): boolean {
  const parent = tree.parent(id);
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === id || parent.computed;
    case 'Property':
      return parent.value === id || parent.computed;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSAbstractMethodDefinition':
    case 'TSAbstractPropertyDefinition':
      return parent.key !== id || parent.computed;
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSEnumMember':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'TSNamedTupleMember':
      return false;
    case 'ExportSpecifier':
      return parent.local === id;
    case 'TSQualifiedName':
      return parent.left === id;
    default:
      return true;
  }
}

/** The identifiers below a node that read variables. */
export function namesRead(node: Node, tree: Tree): TSESTree.Identifier[] {
  const found: TSESTree.Identifier[] = [];
  const visit = (it: Node): void => {
    if (it.type === 'Identifier' && isReference(it, tree)) found.push(it);
    childrenOf(it).forEach(visit);
  };
  visit(node);
  return found;
}

/** Is the variable given a value anywhere but where it is declared? */
export function isReassigned(binding: Binding, tree: Tree): boolean {
  return assignmentsTo(binding, tree).length > 0;
}

export function assignmentsTo(binding: Binding, tree: Tree): Node[] {
  return referencesTo(binding, tree).flatMap((it): Node[] => {
    let at: Node = it;
    for (let parent = tree.parent(at); parent; at = parent, parent = tree.parent(at)) {
      if (parent.type === 'AssignmentExpression' && parent.left === at) return [parent];
      if (parent.type === 'UpdateExpression') return [parent];
      if ((parent.type === 'ForOfStatement' || parent.type === 'ForInStatement') && parent.left === at) return [parent];
      const isPattern = parent.type === 'ObjectPattern' || parent.type === 'ArrayPattern' || parent.type === 'RestElement' || (parent.type === 'AssignmentPattern' && parent.left === at) || (parent.type === 'Property' && parent.value === at && tree.parent(parent)?.type === 'ObjectPattern');
      if (!isPattern) return [];
    }
    return [];
  });
}

/** The first of the names that nothing in the block means or binds, and that is not given away. */
export function freeName(block: Node, tree: Tree, isGiven: (name: string) => boolean, ...wanted: string[]): string {
  const taken = (name: string): boolean => {
    if (isGiven(name)) return true;
    const parent = tree.parent(block);
    // Parameters of a function and of a `catch` clash with what its body declares.
    const around = parent && (isFunction(parent) || parent.type === 'CatchClause') ? parent : block.type === 'SwitchCase' ? parent! : block;
    return tree.identifiers(name).some((it) => it.range[0] >= around.range[0] && it.range[1] <= around.range[1] && (isReference(it, tree) || resolve(name, it, tree)?.id === it));
  };
  for (const name of wanted) if (!taken(name)) return name;
  for (let n = 2; ; n++) if (!taken(`${wanted[0]}${n}`)) return `${wanted[0]}${n}`;
}
