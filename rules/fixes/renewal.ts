/** Edits that make a renewal compare the owner value and prolong the lease in one atomic step. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Lease } from '../../catalog/schema.ts';
import { ownerValue } from '../../model/owners.ts';
import type { LockRenewal } from '../../model/renewals.ts';
import type { Story } from '../../model/story.ts';
import type { Edit } from '../finding.ts';
import { isDropped, keepNumber } from './lock/answers.ts';
import { asValue, clientOf, matchedRow, methodOf, replaceCall, scriptForm, writeCall } from './lock/client-calls.ts';
import { milliseconds, millisecondsAsText } from './lock/mint.ts';
import { type OwnedStep, type Owner, type Pair, isCall, ownerInSight, pairOf } from './lock/owner.ts';
import { compareAndExtend, scriptConstant } from './lock/scripts.ts';
import { rowOwnerEdits } from './row-owner.ts';
import { type Draft, attempt } from './source/draft.ts';
import { Drafts } from './source/drafts.ts';
import { quoted } from './source/style.ts';
import { type Node, type Tree, treeOf, unwrap } from './source/tree.ts';

/** Compare and extend, where the owner value is in sight and tells holders apart. */
export const renewalEdits = (it: LockRenewal, story: Story): Edit[] => attempt(() => checkedRenewal(it, story));

/** The same with an owner value that is brought there by the edit itself. */
export const renewalWith = (it: LockRenewal, story: Story, owner: OwnerIn): Edit[] => attempt(() => checkedRenewal(it, story, owner));

type OwnerIn = (drafts: Drafts) => Owner | undefined;

function checkedRenewal(it: LockRenewal, story: Story, brought?: OwnerIn): Edit[] {
  const { model } = story;
  const { event } = it;
  const { module } = event.call.func;
  if (!brought && (module !== story.module || it.call !== event.call)) return [];
  const tree = treeOf(module);
  const step: OwnedStep = { ...it, owner: ownerValue(it.lock?.owner) };
  const pair = pairOf(step, tree, model);
  // A fresh value for the acquire would be a change of the release as well.
  if (!pair || !(brought || pair.isTelling)) return [];
  const drafts = new Drafts(story.module);
  const ownerIn = brought ?? ((all): Owner | undefined => ownerInSight(step, pair, all.of(module)));
  const isUnread = isDropped(pair.release, tree);
  if (event.row) return isUnread && !event.row.throwsOnMiss ? [] : rowOwnerEdits(step, ownerIn, tree, model, drafts, { kind: 'compare-and-extend', title: 'Renew only while still ours' });
  if (!isCall(pair)) return [];
  const parts = partsOf(it, pair);
  const method = methodOf(pair.release);
  const client = clientOf(event.call, it.acquire?.call, model);
  const form = client && method && scriptForm(client, method.name, model);
  if (!parts || !form) return [];
  const draft = drafts.of(module);
  const owner = ownerIn(drafts);
  const ms = milliseconds(parts.length, parts.unit, draft);
  const script = owner && ms !== undefined ? scriptConstant(compareAndExtend, form, pair.release, draft, model) : undefined;
  if (!owner || owner.isFresh || ms === undefined || script === undefined) return [];
  const key = tree.text(parts.key);
  const args = `${asValue(owner.node, owner.text, form, draft, model)}, ${form.isText ? millisecondsAsText(ms, draft) : ms}`;
  if (!replaceCall(pair.release, writeCall(form, { script, count: '1', keys: key, args }, pair.release, draft), draft)) return [];
  if (isUnread ? !stop(it, pair, draft) : !isTested(pair.release, parts.answer, tree)) return [];
  if (!isUnread) keepNumber(pair.release, draft);
  return drafts.finish({ kind: 'compare-and-extend', title: 'Renew only while still ours (Lua)' });
}

interface Parts {
  key: Node;
  length: Node;
  unit: string;
  /** The old call answers a number or a truth, or else a reply of another kind. */
  answer: 'count' | 'reply';
}

function partsOf({ event }: LockRenewal, { tree, model }: Pair): Parts | undefined {
  const row = matchedRow(event.call, model);
  for (const effect of row?.effects ?? []) {
    if (effect.kind !== 'expire' && effect.kind !== 'put') continue;
    const lease = model.calls.lease(effect.lease as readonly Lease[] | undefined, row!.site, row!.row);
    const expr = model.calls.exprAt(effect.key, row!.site);
    const [key, length] = [expr && tree.expressionAt(expr.span), lease?.site && tree.expressionAt(lease.site.span)];
    return key && length && lease ? { key, length, unit: lease.unit, answer: effect.kind === 'expire' ? 'count' : 'reply' } : undefined;
  }
  return undefined;
}

/** Nobody looks at the answer: the holder that has lost the lock stops by a throw, where it is awaited in plain sight. */
function stop({ comparedBefore }: LockRenewal, { release, tree }: Pair, draft: Draft): boolean {
  const value = tree.parent(release);
  const statement = value && tree.parent(value);
  if (comparedBefore || value?.type !== 'AwaitExpression' || statement?.type !== 'ExpressionStatement') return false;
  const { semi, isTypeScript } = draft.style;
  draft.insert(statement.range[0], isTypeScript ? 'if (Number(' : 'if ((');
  draft.replace({ start: value.range[1], end: statement.range[1] }, `) === 0) throw new Error(${quoted('The lock is lost', draft.style)})${semi}`);
  return true;
}

/** The answer is asked in a way that a number answers as well. */
function isTested(call: TSESTree.CallExpression, answer: Parts['answer'], tree: Tree): boolean {
  let node: Node = call;
  let parent = tree.parent(node);
  while (parent && unwrap(parent) === call) [node, parent] = [parent, tree.parent(parent)];
  if (node.type !== 'AwaitExpression') return false;
  if (parent?.type === 'CallExpression') return tree.text(parent.callee) === 'Boolean';
  if ((parent?.type === 'UnaryExpression' && parent.operator === '!') || (parent?.type === 'IfStatement' && parent.test === node)) return true;
  if (parent?.type !== 'BinaryExpression' || answer !== 'count' || !/^[!=]==?$/.test(parent.operator)) return false;
  const other = parent.left === node ? parent.right : parent.left;
  return other.type === 'Literal' && (other.value === 0 || other.value === 1);
}
