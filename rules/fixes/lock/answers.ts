/** What becomes of a call's answer, and how it stays of use when another call takes the place. */
import type { Draft } from '../source/draft.ts';
import { type Node, type Tree, isFunction } from '../source/tree.ts';

/** Whether nobody looks at the answer of a call. */
export function isDropped(node: Node, tree: Tree): boolean {
  const parent = tree.parent(node);
  switch (parent?.type) {
    case 'ExpressionStatement':
      return true;
    case 'AwaitExpression':
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return isDropped(parent, tree);
    case 'UnaryExpression':
      return parent.operator === 'void';
    case 'LogicalExpression':
      return parent.right === node && isDropped(parent, tree);
    case 'ConditionalExpression':
      return parent.test !== node && isDropped(parent, tree);
    case 'MemberExpression': {
      const call = parent.object === node ? tree.parent(parent) : undefined;
      if (call?.type !== 'CallExpression' || call.callee !== parent || parent.property.type !== 'Identifier') return false;
      const { name } = parent.property;
      const [first] = call.arguments;
      if (name === 'catch' || name === 'finally') return isDropped(call, tree);
      if (name === 'then') return (first === undefined || (isFunction(first) && first.params.length === 0)) && isDropped(call, tree);
      // Further commands of a chain, whose replies come together.
      return true;
    }
    case 'ArrowFunctionExpression':
      return parent.body === node && isFinalizer(parent, tree);
    case 'ReturnStatement': {
      const func = tree.functionOf(parent);
      return func !== undefined && isFinalizer(func, tree);
    }
    case 'ArrayExpression': {
      const call = tree.parent(parent);
      return call?.type === 'CallExpression' && /^Promise\.all(?:Settled)?$/.test(tree.text(call.callee)) && isDropped(call, tree);
    }
    default:
      return false;
  }
}

/** `.finally(…)` ignores what its callback answers. */
function isFinalizer(func: Node, tree: Tree): boolean {
  const call = tree.parent(func);
  return call?.type === 'CallExpression' && call.callee.type === 'MemberExpression' && call.callee.property.type === 'Identifier' && call.callee.property.name === 'finally';
}

/** Whether a bracket after this text belongs to a call, an `if` or the like, and not to the expression in it. */
function isCallBracket(before: string): boolean {
  const word = /([\w$)\]]+)\s*$/.exec(before)?.[1];
  return word !== undefined && !/^(?:return|typeof|await|case|in|of|throw|void|yield|default)$/.test(word);
}

/** `Number(…)` around an expression; brackets that it has already become those of the call. */
export function wrapInNumber(node: Node, draft: Draft): void {
  const { source } = draft.tree;
  const [start, end] = node.range;
  if (source[start - 1] === '(' && source[end] === ')' && !isCallBracket(source.slice(0, start - 1))) draft.insert(start - 1, 'Number');
  else {
    draft.insert(start, 'Number(');
    draft.insert(end, ')');
  }
}

/** A script's answer has no type of its own: TypeScript is told that it is a number, as the old answer was. */
export function keepNumber(call: Node, draft: Draft): void {
  const { tree, style } = draft;
  if (!style.isTypeScript) return;
  let node = call;
  let parent = tree.parent(node);
  while (parent && (parent.type === 'ChainExpression' || parent.type === 'TSNonNullExpression')) [node, parent] = [parent, tree.parent(parent)];
  if (parent?.type === 'AwaitExpression') {
    wrapInNumber(parent, draft);
    return;
  }
  const isPlain = parent?.type === 'ReturnStatement' || parent?.type === 'VariableDeclarator' || parent?.type === 'ArrowFunctionExpression';
  if (!isPlain) draft.insert(node.range[0], '(');
  draft.insert(node.range[1], ` as Promise<number>${isPlain ? '' : ')'}`);
}
