/** Edits that release on every way out of a critical section: the release moves into a `finally` around it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Leak } from '../../model/leaks.ts';
import type { Section } from '../../model/sections.ts';
import type { Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import { behindGuard, hasState } from './lock/states.ts';
import { statementsOf, tryAllFinally, tryFinally } from './source/blocks.ts';
import { Draft, attempt } from './source/draft.ts';
import { boundBy, isReference } from './source/scopes.ts';
import { indentAt } from './source/style.ts';
import { type Block, type Node, type Statement, type Tree, descend, isBlock, isFunction, treeOf, unwrap } from './source/tree.ts';

/** `try`/`finally` from the guard to the release, where both stand in one block. A process that exits runs no `finally`. */
export const leakEdits = (leak: Leak, section: Section, story: Story): Edit[] => attempt(() => (leak.how === 'exit' ? [] : releaseInFinally(section, story)));

function releaseInFinally(section: Section, { module }: Story): Edit[] {
  if (section.frame.module !== module || section.at.func !== section.frame || section.releases.some((it) => it.at.func !== section.frame)) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const acquire = tree.callAt(section.at.span);
  const places = section.releases.map((it) => statementAlone(tree.callAt(it.at.span), tree));
  if (!acquire || places.includes(undefined)) return [];
  const statements = [...new Set(places as Statement[])].sort((a, b) => b.range[0] - a.range[0]);
  const [release, ...others] = statements;
  const block = release && tree.parent(release);
  if (!block || !isBlock(block)) return [];
  const from = startOf(section, block, acquire, tree);
  const last = statementsOf(block).indexOf(release);
  if (from === undefined || from >= last || !others.every((it) => dropBeforeExit(it, statementsOf(block)[from]!, draft))) return [];
  return wrap(block, from, last, draft) ? draft.finish({ kind: 'release-in-finally', title: 'Release in a `finally` around the section' }) : [];
}

/** The statement that is nothing but this call, awaited or not. */
function statementAlone(call: Node | undefined, tree: Tree): Statement | undefined {
  const statement = call && tree.statementOf(call);
  return statement?.type === 'ExpressionStatement' && unwrap(statement.expression) === call ? statement : undefined;
}

/** Where the section begins in the block of its release: behind the guard. */
function startOf(section: Section, block: Block, acquire: Node, tree: Tree): number | undefined {
  const list = statementsOf(block);
  const taking = tree.statementIn(block, acquire);
  if (!taking && !isBranchOfGrant(section, block, acquire, tree)) return undefined;
  return behindGuard(section, list, taking ? list.indexOf(taking) + 1 : 0);
}

/** The block is the branch of the test, right behind the acquire, that only a holder takes. */
function isBranchOfGrant(section: Section, block: Block, acquire: Node, tree: Tree): boolean {
  const branch = tree.parent(block);
  const around = branch && tree.parent(branch);
  if (branch?.type !== 'IfStatement' || branch.consequent !== block || !around || !isBlock(around) || hasState(section, block, 'before', 'refused')) return false;
  const taking = tree.statementIn(around, acquire);
  const list = statementsOf(around);
  return taking === branch || (taking !== undefined && list.indexOf(branch) === list.indexOf(taking) + 1);
}

/** A release before another way out: the `finally` does it then. */
function dropBeforeExit(statement: Statement, first: Statement, draft: Draft): boolean {
  const { tree } = draft;
  const block = tree.parent(statement);
  if (!block || !isBlock(block) || statement.range[0] < first.range[0]) return false;
  const next = statementsOf(block)[statementsOf(block).indexOf(statement) + 1];
  if ((next?.type !== 'ReturnStatement' && next?.type !== 'ThrowStatement') || runs(next)) return false;
  draft.removeLine(statement);
  return true;
}

/** Something is called or awaited: it matters whether the lock is held then. */
const runs = (node: Node): boolean => descend(node).some((it) => it.type === 'CallExpression' || it.type === 'AwaitExpression' || it.type === 'TaggedTemplateExpression');

function wrap(block: Block, from: number, last: number, draft: Draft): boolean {
  const { tree } = draft;
  const list = statementsOf(block);
  const section = list.slice(from, last);
  const declared = new Set(section.flatMap(declaredBy));
  const uses = (node: Node): boolean => descend(node).some((it) => it.type === 'Identifier' && declared.has(it.name) && isReference(it, tree));
  if (uses(list[last]!)) return false;
  const rest = list.slice(last + 1);
  if (!rest.some(uses)) return addFinally(section, list[last]!, draft) ?? tryFinally(block, from, last, draft);
  const [only] = rest;
  return rest.length === 1 && only?.type === 'ReturnStatement' && !runs(only) && tryAllFinally(block, from, last, draft);
}

/** The section is one `try` already: it gets the `finally`. Undefined where it is not. */
function addFinally(section: readonly Statement[], release: Statement, draft: Draft): boolean | undefined {
  const [only] = section;
  if (section.length !== 1 || only?.type !== 'TryStatement' || only.finalizer) return undefined;
  const { newline, indent } = draft.style;
  const outer = indentAt(draft.tree.source, only.range[0]);
  const end = draft.lineEnd(release);
  if (end === undefined || draft.tree.commentsWithin({ start: only.range[1], end: release.range[0] }).length > 0) return undefined;
  draft.insert(only.range[1], ` finally {${newline}${outer}${indent}${draft.tree.source.slice(release.range[0], end)}${newline}${outer}}`);
  draft.replace({ start: only.range[1], end }, '');
  return true;
}

/** The names that a statement declares in its block. */
function declaredBy(statement: Statement): string[] {
  const it = statement as Node;
  if (it.type === 'VariableDeclaration') return it.declarations.flatMap((each: TSESTree.VariableDeclarator) => boundBy(each.id).map((id) => id.name));
  return (it.type === 'FunctionDeclaration' || it.type === 'ClassDeclaration') && it.id && !isFunction(it.id) ? [it.id.name] : [];
}
