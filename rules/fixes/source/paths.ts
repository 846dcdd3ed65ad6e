/** Paths (`owner`, `this.owner`, `held.token`): whether they mean the same at two places, and where they are assigned. */
import { type Binding, assignmentsTo, resolve } from './scopes.ts';
import { type Node, type Tree, unwrap } from './tree.ts';

/** What a path begins with. */
export function rootOf(path: Node): Node {
  let root = unwrap(path);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  return root;
}

/** Whether the path begins with the same variable, or the same `this`, at another node. */
export function isInSight(path: Node, at: Node, tree: Tree): boolean {
  const root = rootOf(path);
  if (root.type === 'ThisExpression') return sharesThis(path, at, tree);
  if (root.type !== 'Identifier') return false;
  const binding = resolve(root.name, root, tree);
  return binding !== undefined && resolve(root.name, at, tree)?.id === binding.id;
}

/** Whether the path has the same value at another node, whatever runs in between. */
export function keepsItsValue(path: Node, at: Node, tree: Tree): boolean {
  if (!isInSight(path, at, tree) || assignments(path, tree).length > 0) return false;
  const root = rootOf(path);
  const binding = root.type === 'Identifier' ? resolve(root.name, root, tree) : undefined;
  if (!binding) return true;
  // A variable of the module is shared by all acquisitions that run at once.
  if (binding.scope === tree.program && binding.kind === 'let') return false;
  return assignmentsTo(binding, tree).length <= (isBare(binding) ? 1 : 0);
}

/** Declared without a value: its first assignment gives it the only one. */
const isBare = (binding: Binding): boolean => binding.kind === 'let' && binding.declaration.type === 'VariableDeclarator' && binding.declaration.init === null;

/** Assignments to the property that the path ends with, outside of constructors. */
export function assignments(path: Node, tree: Tree): Node[] {
  const it = unwrap(path);
  if (it.type !== 'MemberExpression' || it.property.type !== 'Identifier') return [];
  return assignmentsToProperty(it.property.name, tree).filter((each) => !isInConstructor(each, tree));
}

/** Every `… .name = …` of the file. */
export function assignmentsToProperty(name: string, tree: Tree): Node[] {
  return tree.identifiers(name).flatMap((it) => {
    const member = tree.parent(it);
    const parent = member && tree.parent(member);
    return member?.type === 'MemberExpression' && member.property === it && parent?.type === 'AssignmentExpression' && parent.left === member ? [parent] : [];
  });
}

export function isInConstructor(node: Node, tree: Tree): boolean {
  for (const it of tree.upwards(node)) if (it.type === 'MethodDefinition') return it.kind === 'constructor';
  return false;
}

/** Both nodes see the `this` of one class. */
export function sharesThis(a: Node, b: Node, tree: Tree): boolean {
  const cls = classAround(a, tree);
  return cls !== undefined && cls === classAround(b, tree);
}

/** The class whose `this` a node sees. */
export function classAround(node: Node, tree: Tree): Node | undefined {
  for (const it of tree.upwards(node)) {
    if (it.type === 'FunctionDeclaration') return undefined;
    if (it.type === 'FunctionExpression' && tree.parent(it)?.type !== 'MethodDefinition') return undefined;
    if (it.type === 'ClassDeclaration' || it.type === 'ClassExpression') return it;
  }
  return undefined;
}
