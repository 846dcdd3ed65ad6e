/**
 * The release of a helper that is told the key and not the owner: a parameter is added, and every caller in
 * the project hands in the owner value that its own acquire has answered. Offered only where every caller is
 * known and has the value at hand.
 */
import type { TSESTree } from '@typescript-eslint/types';
import { sameSite, sameValue } from '../../../model/value.ts';
import { type LockRelease, type Model, type SectionStory, type Story, tellStory } from '../../../model/story.ts';
import type { Change, Edit } from '../../finding.ts';
import type { Settings } from '../../settings.ts';
import { releaseWith } from '../release.ts';
import { Draft, attempt } from '../source/draft.ts';
import { isPresent } from '../source/presence.ts';
import { assignmentsTo } from '../source/scopes.ts';
import { type FunctionNode, type Tree, treeOf } from '../source/tree.ts';
import { addArgument, addParameter } from '../source/signatures.ts';
import { sightings } from '../source/values.ts';
import { type Calls, type Importers, callsOf } from './callers.ts';

/** The edits that reach into other files; none where the release can be mended in its own. */
export const releaseEditsAcross = (release: LockRelease, story: Story, settings: Settings, importers: Importers): Edit[] => attempt(() => handedIn(release, story, settings, importers));

function handedIn(release: LockRelease, story: Story, settings: Settings, importers: Importers): Edit[] {
  const { model, module } = story;
  if (release.event.ownerChecked || release.event.call.func.module !== module || release.owner.kind !== 'fresh') return [];
  const tree = treeOf(module);
  const call = tree.callAt(release.event.call.span);
  const func = call && tree.functionOf(call);
  if (!func || func.params.some((it) => it.type === 'RestElement' || it.type === 'AssignmentPattern' || (it.type === 'Identifier' && it.optional))) return [];
  const callers = callsOf(func, tree, model, importers);
  if (!callers || callers.every((it) => it.calls.length === 0)) return [];
  const own = callers.find((it) => it.module === module);
  const others: Change[] = [];
  let count = 0;
  for (const caller of callers) {
    if (caller.module === module) continue;
    const draft = new Draft(caller.tree);
    if (!handOver(caller, func, model, draft)) return [];
    const [edit] = draft.finish({ kind: '', title: '' });
    if (!edit) return [];
    count += caller.calls.length;
    others.push(...edit.changes.map((it) => ({ ...it, file: caller.module.file })));
  }
  if (others.length === 0) return [];
  const edits = releaseWith(release, story, settings, (draft) => {
    const name = draft.freeName(func, 'owner', 'lockOwner');
    addParameter(func, draft.style.isTypeScript ? `${name}: string` : name, draft);
    if (own && !handOver(own, func, model, draft)) draft.abandon();
    return { text: name, isFresh: false };
  });
  return edits.map((it) => ({ ...it, kind: 'compare-and-delete-across', title: `${it.title}, and hand in the owner value at ${count === 1 ? 'its one call' : `its ${count} calls`} in other files`, changes: [...it.changes, ...others] }));
}

/** Adds the owner value to each of the calls; false where one of them does not have it at hand. */
function handOver({ module, tree, calls }: Calls, func: FunctionNode, model: Model, draft: Draft): boolean {
  const { sections } = tellStory(model, module, { efficiencyKeys: [] });
  return calls.every((call) => {
    const owner = call.arguments.some((it) => it.type === 'SpreadElement') || call.arguments.length !== func.params.length ? undefined : ownerAt(call, sections, tree, model);
    if (owner !== undefined) addArgument(call, owner, draft);
    return owner !== undefined;
  });
}

/** How the owner value of the lock that a call gives back is written there. */
function ownerAt(call: TSESTree.CallExpression, sections: readonly SectionStory[], tree: Tree, model: Model): string | undefined {
  const owners = sections.flatMap(({ section }) => {
    const at = section.releases.find((it) => it.at.func.module === tree.module && it.at.span.start === call.range[0] && it.at.span.end === call.range[1]);
    return at ? [{ section, owner: section.lock.owner }] : [];
  });
  const [first] = owners;
  if (!first?.owner || owners.some((it) => !sameSite(it.section.acquire.call, first.section.acquire.call))) return undefined;
  const { owner } = first;
  return sightings(call, tree, model, (value) => sameValue(value, owner)).find((it) => it.binding.scope !== tree.program && assignmentsTo(it.binding, tree).length === 0 && (!it.mayBeNothing || isPresent(it.text, call, tree)))?.text;
}
