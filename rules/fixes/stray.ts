/** Edits that keep a release from running where the lock was not taken: the `try` opens behind the guard, a listener is registered there. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Section } from '../../model/sections.ts';
import type { Story } from '../../model/story.ts';
import type { StrayRelease } from '../../model/stray-releases.ts';
import type { Edit } from '../finding.ts';
import { behindGuard, hasState } from './lock/states.ts';
import { linesOf, openTryLater, statementsOf } from './source/blocks.ts';
import { Draft, attempt } from './source/draft.ts';
import { boundBy, isReference } from './source/scopes.ts';
import { type Block, type Node, type Statement, type Tree, descend, isBlock, treeOf, unwrap } from './source/tree.ts';

/** The `try` behind the guard, where nothing but the release is cleared up in its `finally`. */
export const strayEdits = (it: StrayRelease, story: Story): Edit[] => attempt(() => (it.how === 'registered' ? registerLater(it, story) : openLater(it, story)));

function openLater({ call, section }: StrayRelease, { module }: Story): Edit[] {
  if (section.frame.module !== module || section.at.func !== section.frame || call.func !== section.frame) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const [acquire, release] = [tree.callAt(section.at.span), tree.callAt(call.span)];
  const around = acquire && release && tryAround(acquire, release, tree);
  if (!around || around.handler || !onlyReleases(around, section, tree)) return [];
  const { body } = around.block;
  const taking = tree.statementIn(around.block, acquire!);
  if (!taking) return [];
  const count = behindGuard(section, body, body.indexOf(taking) + 1);
  const outer = tree.parent(around);
  if (count >= body.length || !outer || !isBlock(outer) || !mayWiden(body.slice(0, count), around, outer, tree)) return [];
  return openTryLater(around, count, draft) ? draft.finish({ kind: 'try-after-guard', title: 'Open the `try` after the guard' }) : [];
}

/** The `try` in whose block the lock is taken and in whose `finally` it is released. */
function tryAround(acquire: Node, release: Node, tree: Tree): TSESTree.TryStatement | undefined {
  for (const it of tree.upwards(acquire)) {
    const parent = tree.parent(it);
    if (parent?.type === 'TryStatement' && parent.block === it && parent.finalizer && tree.isWithin(release, parent.finalizer)) return parent;
  }
  return undefined;
}

/** Whatever else the `finally` did would not be done any more after a refusal. */
function onlyReleases({ finalizer }: TSESTree.TryStatement, { releases }: Section, tree: Tree): boolean {
  return finalizer!.body.every((statement) => statement.type === 'ExpressionStatement' && releases.some(({ at }) => isReleaseAlone(statement.expression, tree.callAt(at.span), tree)));
}

/** The release, with what is made of its failure. */
function isReleaseAlone(expression: Node, call: Node | undefined, tree: Tree): boolean {
  const it = unwrap(expression);
  if (it === call) return true;
  const callee = it.type === 'CallExpression' ? unwrap(it.callee) : undefined;
  return callee?.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'catch' && isReleaseAlone(callee.object, call, tree);
}

/** What the statements declare is in sight of the whole block then: no other name of it may be the same. */
function mayWiden(statements: readonly Statement[], around: TSESTree.TryStatement, outer: Block, tree: Tree): boolean {
  const names = statements.flatMap((it) => (it.type === 'VariableDeclaration' ? it.declarations.flatMap((each) => boundBy(each.id).map((id) => id.name)) : []));
  return descend(outer).every((it) => it.type !== 'Identifier' || !names.includes(it.name) || tree.isWithin(it, around.block) || !isReference(it, tree));
}

/** A listener that is registered between the acquire and its guard, with nothing awaited in between, goes behind the guard. */
function registerLater({ call, section }: StrayRelease, { module }: Story): Edit[] {
  if (section.frame.module !== module || section.at.func !== section.frame) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const [acquire, release] = [tree.callAt(section.at.span), tree.callAt(call.span)];
  const taking = acquire && tree.statementOf(acquire);
  const block = taking && tree.parent(taking);
  const listener = block && isBlock(block) && release ? tree.statementIn(block, release) : undefined;
  if (!taking || !block || !isBlock(block) || listener?.type !== 'ExpressionStatement') return [];
  const list = statementsOf(block);
  const index = list.indexOf(listener);
  const last = list.findLastIndex((it) => it !== listener && hasState(section, it, 'refused'));
  const guards = list.slice(index + 1, last + 1);
  if (index <= list.indexOf(taking) || guards.length === 0 || guards.some((it) => waits(it))) return [];
  const [moved, over] = [linesOf(block, index, index, draft), linesOf(block, index + 1, last, draft)];
  if (!moved || !over) return [];
  const { source } = tree;
  draft.insert(over.end, `${draft.style.newline}${source.slice(moved.start, moved.end)}`);
  draft.cut({ start: moved.start, end: over.start });
  return draft.finish({ kind: 'try-after-guard', title: 'Register it after the guard' });
}

const waits = (node: Node): boolean => descend(node).some((it) => it.type === 'AwaitExpression' || (it.type === 'ForOfStatement' && it.await));
