/** Edits that give an acquire a fresh owner value where the release compares already, but with what every holder has. */
import type { LockRelease, Model, Story } from '../../model/story.ts';
import { sameSite, sameValue } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import { matchedRow } from './lock/client-calls.ts';
import { anchorOf, freshOwner, isRenewed, ownerArgument, scriptInputs } from './lock/owner.ts';
import { Draft, attempt } from './source/draft.ts';
import { referencesTo, resolve } from './source/scopes.ts';
import { type Node, type Tree, treeOf, unwrap } from './source/tree.ts';

/** A constant beside the acquire, for it and for every release that compares. */
export const freshOwnerEdits = (release: LockRelease, all: readonly LockRelease[], story: Story): Edit[] => attempt(() => freshOwnerFor(release, all, story));

function freshOwnerFor(release: LockRelease, all: readonly LockRelease[], { model, module }: Story): Edit[] {
  const acquire = release.acquire;
  if (!acquire || acquire.call.func.module !== module) return [];
  const tree = treeOf(module);
  const draft = new Draft(tree);
  const call = tree.callAt(acquire.call.span);
  const expr = ownerArgument(acquire, model);
  const argument = expr && tree.expressionAt(expr.span);
  const compared = all.filter((it) => it.acquire && sameSite(it.acquire.call, acquire.call)).map((it) => comparedAt(it, tree, model));
  if (!call || !argument || compared.length === 0 || compared.some((it) => it === undefined) || isRenewed(release, model)) return [];
  const places = compared as Node[];
  if (!areAllUses(argument, places, tree)) return [];
  const anchor = anchorOf(call, places[0]!, tree);
  const value = anchor && places.every((it) => tree.isWithin(it, anchor.block)) ? freshOwner(argument, anchor.statement, model, draft) : undefined;
  if (!anchor || value === undefined) return [];
  const name = draft.freeName(anchor.block, 'owner', 'lockOwner');
  draft.before(anchor.statement, `const ${name} = ${value}${draft.style.semi}`);
  for (const it of [argument, ...places]) draft.replaceValue(it, name);
  return draft.finish({ kind: 'fresh-owner', title: 'Take the lock with a fresh owner value, and compare with it' });
}

/** The argument with which a release compares, when the constant itself stands there. */
function comparedAt({ event }: LockRelease, tree: Tree, model: Model): Node | undefined {
  if (!event.ownerChecked || !event.comparedWith) return undefined;
  const inputs = scriptInputs(event.call, model);
  const operand = inputs?.facts.releases[0]?.comparedWith;
  const row = matchedRow(event.call, model);
  const remove = row?.effects.find((it) => it.kind === 'remove');
  const expr = inputs ? (operand?.kind === 'arg' && typeof operand.index === 'number' ? inputs.args[operand.index] : undefined) : remove?.ifEquals && model.calls.exprAt(remove.ifEquals, row!.site);
  return expr && sameValue(model.evaluator.value(expr), event.comparedWith) && event.comparedWith.kind === 'const' ? tree.expressionAt(expr.span) : undefined;
}

/** A named constant is used for nothing else. */
function areAllUses(argument: Node, places: readonly Node[], tree: Tree): boolean {
  const it = unwrap(argument);
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  if (!binding) return true;
  return binding.kind === 'const' && referencesTo(binding, tree).every((each) => each === it || places.some((place) => unwrap(place) === each));
}
