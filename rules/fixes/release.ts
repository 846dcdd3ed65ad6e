/** Edits that make a release compare the owner value and delete in one atomic step. */
import type { TSESTree } from '@typescript-eslint/types';
import type { CallForm, ScriptForm } from '../../catalog/schema.ts';
import { analyzeLua } from '../../model/lua/index.ts';
import { scriptText } from '../../model/scripts.ts';
import { sameKey } from '../../model/key-form.ts';
import type { LockRelease, Model, Story } from '../../model/story.ts';
import { sameSite } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import { isDropped, keepNumber } from './lock/answers.ts';
import { type Client, asValue, clientOf, commandForm, methodOf, replaceCall, scriptForm, writeCall } from './lock/client-calls.ts';
import { type Comparison, collapse, comparisonBefore } from './lock/comparison.ts';
import { type Owner, type Pair, isCall, isRenewed, ownerInSight, pairOf, partsOf } from './lock/owner.ts';
import { ownerAcross } from './lock/owner-across.ts';
import { compareAndDelete, scriptConstant } from './lock/scripts.ts';
import { rowOwnerEdits } from './row-owner.ts';
import { type Draft, attempt } from './source/draft.ts';
import { Drafts } from './source/drafts.ts';
import { type Node, type Tree, isFunction, treeOf } from './source/tree.ts';

/** Compare and delete, in each form that the client takes and the settings name. Offered only where it is right. */
export const releaseEdits = (release: LockRelease, story: Story, settings: Settings): Edit[] => attempt(() => checkedRelease(release, story, settings));

/** The same with an owner value that is brought there by the edit itself; offered only where it is right. */
export const releaseWith = (release: LockRelease, story: Story, settings: Settings, owner: OwnerIn): Edit[] => attempt(() => checkedRelease(release, story, settings, owner));

type OwnerIn = (drafts: Drafts) => Owner | undefined;

function checkedRelease(release: LockRelease, story: Story, settings: Settings, brought?: OwnerIn): Edit[] {
  const { model } = story;
  const { module } = release.event.call.func;
  if (release.event.ownerChecked || (module !== story.module && !brought) || release.event.several) return [];
  const tree = treeOf(module);
  const pair = pairOf(release, tree, model);
  const drafts = (): Drafts => new Drafts(story.module);
  if (pair && release.event.form === 'statement') return rowOwnerEdits(release, brought ?? ((all) => (pair.isTelling ? ownerInSight(release, pair, all.of(module)) : undefined)), tree, model, drafts());
  if (!pair || !isCall(pair)) return [];
  const method = methodOf(pair.release);
  const client = clientOf(release.event.call, release.acquire?.call, model);
  if (!method || !client) return [];
  const key = keyNode(release, pair, client);
  if (!key || !mayReplace(release, pair.release, tree, model)) return [];
  if (!pair.isTelling && (isRenewed(release, model) || isComparedElsewhere(release, story))) return [];
  const forms: Form[] = settings.serverCommands.flatMap((command) => {
    const form = commandForm(client, command, method.name, model);
    return form ? [{ form, by: command, isScript: false }] : [];
  });
  const script = scriptForm(client, method.name, model);
  if (script) forms.push({ form: script, by: 'Lua', isScript: true });
  const compared = comparisonBefore(release, pair);
  return forms.flatMap((form) => (brought ? [brought] : owners(release, pair, key, compared)).map((ownerIn) => write(form, ownerIn, { pair, key, compared, model, drafts: drafts() })).find((it) => it.length > 0) ?? []);
}

/** Another release of the same lock compares with the value that the acquire has now. */
const isComparedElsewhere = (release: LockRelease, { releases }: Story): boolean =>
  releases.some((it) => it !== release && it.event.ownerChecked && it.acquire && release.acquire && sameSite(it.acquire.call, release.acquire.call));

/** The kind of an edit that keeps the owner value by its key in an object: right between processes, and not between two holders in one. */
export const keptPerKey = 'compare-and-delete-kept';

interface Form {
  form: CallForm;
  by: string;
  isScript: boolean;
}

interface Job {
  pair: Pair;
  key: Node;
  compared: Comparison | undefined;
  model: Model;
  drafts: Drafts;
}

function write({ form, by, isScript }: Form, ownerIn: OwnerIn, { pair, key, compared, model, drafts }: Job): Edit[] {
  const { tree } = pair;
  const draft = drafts.of(tree.module);
  const owner = ownerIn(drafts);
  if (!owner) return [];
  const slots: Record<string, string> = { key: tree.text(key), owner: asValue(owner.node, owner.text, form, draft, model), count: '1' };
  slots.keys = slots.key!;
  slots.args = slots.owner!;
  if (isScript) {
    const name = scriptConstant(compareAndDelete, form as ScriptForm, pair.release, draft, model);
    if (name === undefined) return [];
    slots.script = name;
  }
  put(writeCall(form, slots, pair.release, draft), compared, owner, pair, draft);
  const title = owner.isFresh ? `Take the lock with a fresh owner value, and release it only if still ours (${by})` : `Release only if still ours (${by})`;
  return drafts.finish({ kind: owner.isKept ? keptPerKey : 'compare-and-delete', title, note: owner.note });
}

/** The ways to the owner value, the plainest first. What the code compared with is the value, unless it is no telling one. */
function owners(release: LockRelease, pair: Pair, key: Node, compared: Comparison | undefined): OwnerIn[] {
  return [
    () => (compared?.owner && pair.isTelling ? { text: pair.tree.text(compared.owner), node: compared.owner, isFresh: false } : undefined),
    (drafts) => ownerInSight(release, pair, drafts.of(pair.tree.module)),
    (drafts) => ownerAcross(release, pair, key, drafts.of(pair.tree.module)),
  ];
}

function put(text: string, compared: Comparison | undefined, owner: Owner, pair: Pair, draft: Draft): void {
  const { release } = pair;
  if (compared && collapse(compared, pair, text, draft)) return;
  // A comparison that stays must know the fresh value.
  if (owner.isFresh && compared) {
    if (compared.constant) draft.replaceValue(compared.constant, owner.text);
    else draft.abandon();
  }
  if (!replaceCall(release, text, draft)) draft.abandon();
  if (!isDropped(release, draft.tree)) keepNumber(release, draft);
}

/** The key as it is written at the release; undefined where the call removes other keys as well. */
function keyNode(release: LockRelease, { tree, model }: Pair, client: Client): Node | undefined {
  const { event } = release;
  // As the call itself says it: a caller's values are not written here.
  const removed = model.interpreter.meaning(event.call).events.filter((it) => it.kind === 'release');
  const own = removed[0]?.key;
  if (removed.length !== 1 || !own) return undefined;
  const parts = partsOf(event.call.args).filter((it) => it.kind !== 'function' && it.kind !== 'spread');
  const key = parts.find((it) => sameKey(model.evaluator.value(it), own));
  // Besides the key only what the form of the call needs may stand there.
  const isAlone = event.form !== 'del' || client.matched.effects.some((it) => it.kind === 'command') || parts.length === 1;
  return key && isAlone && !event.call.args.some((it) => it.kind === 'spread') ? tree.expressionAt(key.span) : undefined;
}

/** Whether nothing but the removal of the key gets lost with the old call. */
function mayReplace({ event }: LockRelease, call: TSESTree.CallExpression, tree: Tree, model: Model): boolean {
  const callback = call.arguments.find(isFunction);
  // The old answer is the value itself; the new one is a number.
  if (event.form === 'getdel') return isDropped(call, tree) && !callback;
  if (event.form !== 'script') return true;
  const [row] = model.calls.match(model.calls.site(event.call));
  const effect = row?.effects.find((it) => it.kind === 'script');
  const text = effect && scriptText(model.calls.at(effect.text, row!.site, row!.row));
  const facts = text === undefined ? undefined : analyzeLua(text);
  return facts !== undefined && facts.complete && facts.calls.every((it) => it.command === 'DEL' || it.command === 'UNLINK' || it.command === 'GET' || it.command === 'EXISTS') && facts.releases.length === 1;
}
