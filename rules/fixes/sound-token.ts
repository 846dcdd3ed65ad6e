/** Edits that mint the fencing token inside the grant, in the place of one that does not order the holders. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Story } from '../../model/story.ts';
import type { UnsoundToken } from '../../model/token-soundness.ts';
import type { Edit } from '../finding.ts';
import { matchedRow, methodOf } from './lock/client-calls.ts';
import { type Known, mintInGrant } from './lock/mint.ts';
import { canMove } from './lock/owner.ts';
import { Draft, attempt } from './source/draft.ts';
import { type Binding, assignmentsTo, referencesTo, resolve } from './source/scopes.ts';
import { type Node, type Tree, treeOf, unwrap } from './source/tree.ts';

/** One script that grants and counts; or a counter that is kept for ever. */
export const soundTokenEdits = (it: UnsoundToken, story: Story): Edit[] => attempt(() => (it.why.kind === 'late' ? mintEarlier(it, story) : it.why.kind === 'clock' ? countGrants(it, story) : it.why.kind === 'random' ? sendToken(it, story) : it.why.kind === 'ends' ? keepCounter(it, story) : []));

/** The counter is raised in the grant, by its own key and under the name that the code has for it. */
function mintEarlier({ at, acquire }: UnsoundToken, story: Story): Edit[] {
  const { model, module } = story;
  if (!acquire || at.func.module !== module || acquire.call.func !== at.func) return [];
  const tree = treeOf(module);
  const [mint, taken] = [tree.callAt(at.span), tree.callAt(acquire.call.span)];
  const kept = mint && constantOf(mint, tree);
  const taking = taken && tree.statementOf(taken);
  const [minting, granting] = [mint, taken].map((it) => (it?.type === 'CallExpression' ? methodOf(it) : undefined));
  if (!kept || !taking || mint.type !== 'CallExpression' || !minting || !granting || tree.text(minting.receiver) !== tree.text(granting.receiver)) return [];
  const row = at.kind === 'call' ? matchedRow(at, model) : undefined;
  const effect = row?.effects.find((it) => it.kind === 'increment');
  const expr = effect?.kind === 'increment' ? model.calls.exprAt(effect.key, row!.site) : undefined;
  const counter = expr && tree.expressionAt(expr.span);
  if (!counter || mint.arguments.length !== 1 || !canMove(counter, taking, tree)) return [];
  return minted(kept, { name: kept.binding.name, counter }, taken!, acquire, story, '');
}

/** A time is no token: the grants are counted, under the same name. */
function countGrants({ at, acquire, write }: UnsoundToken, story: Story): Edit[] {
  if (!acquire || !write || at.func.module !== story.module || acquire.call.func !== at.func) return [];
  const tree = treeOf(story.module);
  const [clock, taken] = [tree.callAt(at.span), tree.callAt(acquire.call.span)];
  const kept = clock && constantOf(clock, tree);
  return kept && taken ? minted(kept, { name: kept.binding.name }, taken, acquire, story, 'Set the column to 0 first: counted tokens are smaller than the times that it holds.') : [];
}

interface Kept {
  binding: Binding;
  statement: TSESTree.VariableDeclaration;
}

/** The constant that holds what a call answers, and nothing else. */
function constantOf(call: Node, tree: Tree): Kept | undefined {
  const value = tree.parent(call)?.type === 'AwaitExpression' ? tree.parent(call)! : call;
  const declarator = tree.parent(value);
  const statement = declarator && tree.parent(declarator);
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier' || declarator.id.typeAnnotation || statement?.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return undefined;
  const binding = resolve(declarator.id.name, declarator.id, tree);
  return binding && assignmentsTo(binding, tree).length === 0 ? { binding, statement } : undefined;
}

function minted({ binding, statement }: Kept, known: Known, taken: Node, acquire: NonNullable<UnsoundToken['acquire']>, { model, module }: Story, note: string): Edit[] {
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const uses = referencesTo(binding, tree);
  const last = uses[uses.length - 1];
  const made = last && mintInGrant({ acquire, at: acquire.call }, last, draft, model, known);
  const taking = tree.statementOf(taken);
  if (!made || !taking || uses.some((it) => it.range[0] < taking.range[1] || !tree.isWithin(it, made.block))) return [];
  // Nothing else of the block may have the name that is in sight of all of it now.
  if (tree.identifiers(binding.name).some((it) => it !== binding.id && tree.isWithin(it, made.block) && (resolve(it.name, it, tree) ?? binding).id !== binding.id)) return [];
  draft.removeLine(statement);
  return draft.finish({ kind: 'token-in-grant', title: 'Count the token in the grant', note: [note, made.note].filter(Boolean).join('\n') });
}

/** A random value names the holder: what is compared by order is a token that the grant counts. */
function sendToken({ at, acquire, write }: UnsoundToken, { model, module }: Story): Edit[] {
  if (!acquire || !write || at.func.module !== module || write.call.func !== acquire.call.func || !matchedRow(write.call, model)?.effects.some((it) => it.kind === 'sql')) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const [random, call] = [tree.callAt(at.span), tree.callAt(write.call.span)];
  const kept = random && constantOf(random, tree);
  const sent = kept && call ? referencesTo(kept.binding, tree).filter((it) => tree.isWithin(it, call)) : [];
  const made = sent.length > 0 ? mintInGrant({ acquire, at: acquire.call }, sent[0]!, draft, model) : undefined;
  if (!made || call?.type === 'NewExpression') return [];
  for (const it of sent) draft.replaceValue(it, made.token);
  return draft.finish({ kind: 'token-in-grant', title: 'Count a token in the grant, and compare that', note: ['Make the column a BIGINT that begins at 0: random values cannot be compared with counted ones.', made.note].filter(Boolean).join('\n') });
}

/** The command that ends the counter goes. */
function keepCounter({ why, at }: UnsoundToken, { model, module }: Story): Edit[] {
  if (why.kind !== 'ends' || why.ended.func.module !== module || at === why.ended) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const call = tree.callAt(why.ended.span);
  const statement = call && tree.statementOf(call);
  const row = matchedRow(why.ended, model);
  const isPlain = row?.effects.some((it) => it.kind === 'expire' || it.kind === 'remove') && call?.type === 'CallExpression' && (row.effects.some((it) => it.kind === 'expire') || call.arguments.length === 1);
  if (!isPlain || statement?.type !== 'ExpressionStatement' || unwrap(statement.expression) !== call) return [];
  draft.removeLine(statement);
  return draft.finish({ kind: 'keep-counter', title: 'Keep the counter for ever' });
}
