/** Edits that take the lock of the transaction in the place of a session's, where the code runs in a transaction already. */
import type { TSESTree } from '@typescript-eslint/types';
import type { MisplacedLock } from '../../model/lock-statements.ts';
import type { CallExpr } from '../../model/ir.ts';
import type { Model, Story } from '../../model/story.ts';
import { sameSite, sameValue } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import { matchedRow } from './lock/client-calls.ts';
import { unwrapTry } from './source/blocks.ts';
import { Draft, attempt } from './source/draft.ts';
import { resolve } from './source/scopes.ts';
import { type Node, type Tree, descend, isFunction, isPath, treeOf, unwrap } from './source/tree.ts';

/** The transaction-level lock, sent through the transaction; it ends by itself, so that the unlock goes. */
export const transactionLockEdits = (it: MisplacedLock, all: readonly MisplacedLock[], story: Story): Edit[] => attempt(() => inTransaction(it, all, story));

function inTransaction(it: MisplacedLock, all: readonly MisplacedLock[], { model, module }: Story): Edit[] {
  const { event, call, transaction } = it;
  if (event.step !== 'acquire' || !transaction || !sameSite(call, event.call) || call.func.module !== module || transaction.func.module !== module) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const lock = tree.callAt(call.span);
  const scope = transactionAround(transaction, tree, model);
  if (!lock || lock.type === 'NewExpression' || !scope || !tree.isWithin(lock, scope.body) || !sendThrough(lock, scope, call, draft, model) || !renameFunction(lock, draft)) return [];
  for (const other of all) {
    if (other === it || other.event.step !== 'release' || !event.key || !other.event.key || !sameValue(event.key, other.event.key)) continue;
    const unlock = sameSite(other.call, other.event.call) ? tree.callAt(other.call.span) : undefined;
    if (!unlock || !tree.isWithin(unlock, scope.body) || !drop(unlock, draft)) return [];
  }
  return draft.finish({ kind: 'transaction-lock', title: `Take the lock of the transaction, through \`${scope.name}\`` });
}

interface Scope {
  body: Node;
  /** How the transaction is called in its body. */
  name: string;
  /** How that is written on which the transaction was opened. */
  root: string;
  passes: string;
}

function transactionAround(transaction: CallExpr, tree: Tree, model: Model): Scope | undefined {
  const node = tree.callAt(transaction.span);
  const effect = matchedRow(transaction, model)?.effects.find((it) => it.kind === 'transaction');
  if (node?.type !== 'CallExpression' || effect?.kind !== 'transaction' || !effect.passes) return undefined;
  const body = (node.arguments as readonly Node[]).find(isFunction);
  const [param] = body?.params ?? [];
  let root: Node = unwrap(node.callee);
  while (root.type === 'CallExpression' || (root.type === 'MemberExpression' && !isPath(root.object))) root = unwrap(root.type === 'CallExpression' ? root.callee : root.object);
  if (!body || param?.type !== 'Identifier' || root.type !== 'MemberExpression') return undefined;
  return { body, name: param.name, root: tree.text(root.object), passes: effect.passes };
}

/** The transaction in the place of the pool; false where it has no such call, or another name hides it. */
function sendThrough(lock: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression, { name, root, passes, body }: Scope, call: CallExpr, draft: Draft, model: Model): boolean {
  const { tree } = draft;
  if (resolve(name, lock, tree)?.scope !== body) return false;
  const through = (lock.type === 'TaggedTemplateExpression' ? [lock.tag] : [lock.callee, ...lock.arguments]).flatMap((it): Node[] => {
    const inner = unwrap(it);
    if (inner.type === 'MemberExpression' && tree.text(inner.object) === root) return [inner.object];
    return tree.text(inner) === root ? [inner] : [];
  });
  const row = matchedRow(call, model);
  const [only] = through;
  if (through.length !== 1 || !only || !row) return false;
  const isArgument = lock.type === 'CallExpression' && lock.arguments.includes(only as TSESTree.Expression);
  const names = [row.row.name].flat();
  if (!isArgument && !row.library.calls.some((it) => it.on === passes && [it.name].flat().some((each) => names.includes(each)))) return false;
  draft.replace(only, name);
  return true;
}

const sessionLock = /\bpg_(try_)?advisory_lock(_shared)?(?=\s*\()/gi;

function renameFunction(lock: Node, draft: Draft): boolean {
  const found = [...draft.tree.text(lock).matchAll(sessionLock)];
  const [only] = found;
  if (found.length !== 1 || !only) return false;
  const start = lock.range[0] + only.index + only[0].toLowerCase().indexOf('_lock') + 1;
  draft.insert(start, draft.tree.source[start] === 'L' ? 'XACT_' : 'xact_');
  return true;
}

/** The unlock goes, and with it a `finally` that does nothing else. */
function drop(unlock: Node, draft: Draft): boolean {
  const { tree } = draft;
  const statement = tree.statementOf(unlock);
  const block = statement && tree.parent(statement);
  const around = block && tree.parent(block);
  if (statement?.type !== 'ExpressionStatement' || descend(statement).filter((it) => it.type === 'CallExpression' || it.type === 'TaggedTemplateExpression').length !== 1) return false;
  if (around?.type === 'TryStatement' && around.finalizer === block && around.finalizer.body.length === 1) return unwrapTry(around, draft);
  draft.removeLine(statement);
  return true;
}
