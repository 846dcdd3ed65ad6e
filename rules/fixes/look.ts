/** Edits that look at how many rows a fenced write has touched, and throw when it was refused. */
import type { IgnoredResult } from '../../model/fence-results.ts';
import { conditionsOf } from '../../model/rows.ts';
import type { Story } from '../../model/story.ts';
import { sameSite, sameValue } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import { matchedRow } from './lock/client-calls.ts';
import { Draft, attempt } from './source/draft.ts';
import { quoted } from './source/style.ts';
import { treeOf } from './source/tree.ts';
import { lookAtCount } from './write/affected-count.ts';
import { typeCount } from './write/fence-sql.ts';
import { refusal } from './write/stale-error.ts';

/** Look and throw, in the client's own way of telling. */
export const lookEdits = (it: IgnoredResult, story: Story, settings: Settings): Edit[] => attempt(() => lookAt(it, story, settings));

function lookAt({ call, event, fence, section }: IgnoredResult, { model, module }: Story, settings: Settings): Edit[] {
  const tree = treeOf(module);
  const node = tree.callAt(call.span);
  const matched = matchedRow(event.call, model);
  const count = event.row?.count;
  // What a function of the project answers may be declared in another way.
  if (!node || !matched?.library.packages.length || !count || !sameSite(call, event.call) || call.func.module !== module || node.type === 'NewExpression') return [];
  const draft = new Draft(tree);
  const target = event.kind === 'write' ? event.target.replaceAll('`', '') : undefined;
  const owner = section?.section.lock.owner;
  const isLost = target === undefined || (owner !== undefined && conditionsOf(event.row!.filter).some((it) => it.column === fence && it.value !== undefined && sameValue(it.value, owner)));
  const told = isLost
    ? `throw new Error(${quoted(target === undefined ? 'The lock is lost' : `${target} was not written: the lock is lost`, draft.style)})${draft.style.semi}`
    : refusal(target, node, settings, draft, model, orderWords.test(fence) ? `the ${fence} is stale` : 'its condition does not hold');
  const done = lookAtCount(node, { count, refusal: told, isSync: matched.library.edits?.isSync ?? false }, draft) && typeCount(node, matched, draft);
  return done ? draft.finish({ kind: 'look-and-throw', title: isLost ? 'Throw when the lock is not ours any more' : 'Throw when the write was refused' }) : [];
}

const orderWords = /fence|token|version|revision|epoch|generation|^(?:rev|seq|term)$|_(?:no|seq)$/i;
