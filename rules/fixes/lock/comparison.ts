/** `GET`, compare, `DEL`: the comparison that stands before a release in application code, and how one step takes its place. */
import type { TSESTree } from '@typescript-eslint/types';
import type { LockRelease } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { assignments, isInSight } from '../source/paths.ts';
import { type Binding, referencesTo, resolve } from '../source/scopes.ts';
import { indentAt, isFirstOnLine } from '../source/style.ts';
import { type Node, type Tree, descend, isPath, unwrap } from '../source/tree.ts';
import { isDropped } from './answers.ts';
import type { Pair } from './owner.ts';

export interface Comparison {
  test: TSESTree.BinaryExpression;
  /** What the content was compared with, when it can be read at the release as well. */
  owner?: Node;
  /** The same, when it is the value that every holder has. */
  constant?: Node;
  /** The constant that holds the content. */
  content?: Binding;
}

/** The comparison of the content that was read with something else. */
export function comparisonBefore(it: LockRelease, { tree, release }: Pair): Comparison | undefined {
  const get = it.comparedBefore && tree.callAt(it.comparedBefore.span);
  const func = get && tree.functionOf(get);
  if (!get || !func) return undefined;
  for (const node of descend(func)) {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator) || node.range[0] > release.range[0]) continue;
    const content = [node.left, node.right].map((side) => contentOf(side, get, tree));
    const side = content.findIndex((each) => each !== undefined);
    if (side < 0) continue;
    const other = side === 0 ? node.right : node.left;
    const binding = content[side] === true ? undefined : (content[side] as Binding);
    return { test: node, content: binding, ...otherSide(other, it, release, tree) };
  }
  return undefined;
}

/** The constant that holds the answer of the `GET`, or true for the answer itself. */
function contentOf(side: Node, get: Node, tree: Tree): Binding | true | undefined {
  const it = unwrap(side);
  if (it === get) return true;
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  const init = binding?.kind === 'const' && binding.declaration.type === 'VariableDeclarator' && binding.declaration.id === binding.id ? binding.declaration.init : null;
  return init && unwrap(init) === get ? binding : undefined;
}

/** What the other side of the comparison is good for at the release. */
function otherSide(other: Node, it: LockRelease, release: Node, tree: Tree): Pick<Comparison, 'owner' | 'constant'> {
  if (it.owner.kind === 'constant' || it.owner.kind === 'process') return { constant: other };
  if (!isPath(other) || !isInSight(other, release, tree)) return {};
  const isLost = assignments(other, tree).some((each) => each.range[0] > other.range[0] && each.range[1] < release.range[0]);
  return isLost ? {} : { owner: other };
}

/** Puts one call in the place of `if (content === owner) release`; false where more hangs on the comparison. */
export function collapse({ test, content }: Comparison, { tree, release }: Pair, text: string, draft: Draft): boolean {
  const branch = tree.parent(test);
  if (branch?.type !== 'IfStatement' || branch.test !== test || branch.alternate || !test.operator.startsWith('==') || !isDropped(release, tree)) return false;
  const body = branch.consequent.type === 'BlockStatement' ? branch.consequent.body : [branch.consequent];
  const [statement] = body;
  if (body.length !== 1 || statement?.type !== 'ExpressionStatement' || unwrap(statement.expression) !== release || release.callee.type !== 'MemberExpression') return false;
  if (content && !isOnlyCompared(content, tree)) return false;
  const receiver = tree.text({ start: statement.range[0], end: release.callee.property.range[0] });
  const rest = tree.text({ start: release.range[1], end: statement.range[1] });
  const { source, module } = tree;
  const indent = indentAt(source, branch.range[0]);
  const comments = module.comments.filter((it) => it.span.start >= branch.range[0] && it.span.end <= branch.range[1]);
  if (comments.some((it) => it.span.start >= statement.range[0] && it.span.end <= statement.range[1])) return false;
  const before = comments.filter((it) => it.span.end <= statement.range[0]).map((it) => tree.text(it.span) + draft.style.newline + indent);
  const after = comments.filter((it) => it.span.start >= statement.range[1]).map((it) => ` ${tree.text(it.span)}`);
  if (before.length && !isFirstOnLine(source, branch.range[0])) return false;
  draft.replace(branch, `${before.join('')}${receiver}${text}${rest}${after.join('')}`);
  if (content) draft.removeLine(tree.parent(content.declaration) as TSESTree.VariableDeclaration);
  return true;
}

/** The content is read for the comparison alone, and its declaration can go without a trace. */
function isOnlyCompared(content: Binding, tree: Tree): boolean {
  const declaration = tree.parent(content.declaration);
  if (declaration?.type !== 'VariableDeclaration' || declaration.declarations.length !== 1 || referencesTo(content, tree).length !== 1) return false;
  const line = tree.source.slice(0, declaration.range[0]).trimEnd().length;
  return !tree.module.comments.some((it) => it.span.end === line || (it.span.start >= declaration.range[1] && !tree.source.slice(declaration.range[1], it.span.start).includes('\n')));
}
