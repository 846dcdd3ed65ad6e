/** Tests that leave: where a block is left, and what is known to be there behind a test. */
import { type Node, type Tree, isBlock, isFunction, unwrap } from './tree.ts';

/** Whether control never passes the end of a statement. */
export function leaves(node: Node | null): boolean {
  switch (node?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true;
    case 'BlockStatement':
      return leaves(node.body[node.body.length - 1] ?? null);
    case 'IfStatement':
      return leaves(node.consequent) && leaves(node.alternate);
    default:
      return false;
  }
}

/** Whether a path (`held`, `held.token`) is known to be there at a node: a test before or around it says so. */
export function isPresent(path: string, at: Node, tree: Tree): boolean {
  let below: Node = at;
  for (const it of tree.upwards(at)) {
    if (it.type === 'IfStatement' && it.consequent === below && says(it.test, path, true, tree)) return true;
    if (it.type === 'IfStatement' && it.alternate === below && says(it.test, path, false, tree)) return true;
    if (it.type === 'ConditionalExpression' && it.consequent === below && says(it.test, path, true, tree)) return true;
    if (it.type === 'LogicalExpression' && it.operator === '&&' && it.right === below && says(it.left, path, true, tree)) return true;
    if (isBlock(it)) {
      const list: readonly Node[] = it.type === 'SwitchCase' ? it.consequent : it.body;
      for (const before of list.slice(0, Math.max(0, list.indexOf(below)))) {
        if (before.type === 'IfStatement' && before.alternate === null && leaves(before.consequent) && says(before.test, path, false, tree)) return true;
      }
    }
    below = it;
  }
  return false;
}

/** Whether a test that comes out as `outcome` means that the path is there. */
function says(test: Node, path: string, outcome: boolean, tree: Tree): boolean {
  const it = unwrap(test);
  const isPathItself = (node: Node): boolean => {
    const text = tree.text(unwrap(node));
    return text === path || path.startsWith(`${text}.`);
  };
  if (isPathItself(it)) return outcome;
  if (it.type === 'UnaryExpression' && it.operator === '!') return says(it.argument, path, !outcome, tree);
  if (it.type === 'LogicalExpression') {
    if (it.operator === '&&' && outcome) return says(it.left, path, true, tree) || says(it.right, path, true, tree);
    if (it.operator === '||' && !outcome) return says(it.left, path, false, tree) || says(it.right, path, false, tree);
    return false;
  }
  if (it.type !== 'BinaryExpression') return false;
  const [value, other] = isPathItself(it.left) ? [it.left, it.right] : [it.right, it.left];
  if (!isPathItself(value) || !isNothing(other)) return false;
  return outcome ? it.operator === '!==' || it.operator === '!=' : it.operator === '===' || it.operator === '==';
}

const isNothing = (node: Node): boolean => (node.type === 'Literal' && (node.value === null || node.value === false || node.value === 0)) || (node.type === 'Identifier' && node.name === 'undefined');

/** Whether one call of the function around the block runs the node once per run of the block: no function of its own stands between, but one that is handed to a call in place. */
export function runsWith(node: Node, block: Node, tree: Tree): boolean {
  for (const it of tree.upwards(node)) {
    if (it === block) return true;
    if (isFunction(it) && it !== node) {
      const parent = tree.parent(it);
      if (parent?.type !== 'CallExpression' || parent.callee === it) return false;
    }
  }
  return false;
}
