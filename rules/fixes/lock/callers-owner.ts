/**
 * The owner value as the callers of a release have it: a name in sight, the answer of the acquire taken out of
 * its test, or a fresh value that the caller makes and hands to the acquire as well. The acquire's function then
 * takes it, and every caller of that one gives it.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Deep } from '../../../model/deep.ts';
import type { ReleaseEvent, RenewEvent } from '../../../model/events.ts';
import type { CallExpr, Module } from '../../../model/ir.ts';
import { ownerValue } from '../../../model/owners.ts';
import type { Section } from '../../../model/sections.ts';
import { type Story, tellStory } from '../../../model/story.ts';
import { alternatives, isNothing, sameSite, sameValue } from '../../../model/value.ts';
import type { Settings } from '../../settings.ts';
import type { Caller, Importers } from '../callers/callers.ts';
import type { Drafts } from '../source/drafts.ts';
import { freshValue } from '../source/imports.ts';
import { isPresent, leaves } from '../source/presence.ts';
import { assignmentsTo } from '../source/scopes.ts';
import { type Node, type Tree, treeOf, unwrap } from '../source/tree.ts';
import { sightings } from '../source/values.ts';
import { answerName, answerOf, takeOut } from './acquire-answer.ts';
import { ownerMakers } from './client-calls.ts';
import { anchorOf, ownerArgument } from './owner.ts';
import { OwnerTaker } from './owner-taker.ts';

export class CallersOwner {
  private readonly stories = new Map<Module, readonly Section[]>();
  private readonly made = new Map<Node, { name: string; block: Node }>();
  private readonly takers = new Map<Node, OwnerTaker>();
  /** Files in which a value is made. */
  private readonly making = new Set<Tree>();
  /** Acquires get a value that they did not have. */
  isFresh = false;

  constructor(
    /** The release or the renewal to which the value is brought. */
    private readonly step: ReleaseEvent | RenewEvent,
    private readonly story: Story,
    private readonly settings: Settings,
    private readonly drafts: Drafts,
    private readonly importers: Importers | undefined,
  ) {
    this.stories.set(story.module, story.sections.map((it) => it.section));
  }

  /** How the value is written at a call that leads to the step; `inherit` where it is about no lock that its own function has taken. */
  at({ call, tree, module }: Caller): string | 'inherit' | undefined {
    const isCall = ({ span, func }: CallExpr): boolean => func.module === module && span.start === call.range[0] && span.end === call.range[1];
    // What a renewal throws when the lock is lost must reach the section: a timer has nobody to tell.
    const leading = (it: Section): Deep[] => (this.step.kind === 'renew' ? it.renewals : it.releases).filter((each) => isCall(each.at) && sameSite(each.site, this.step.call));
    const sections = this.sectionsOf(module).filter((it) => leading(it).length > 0);
    const isHeard = this.step.kind === 'release' || (tree.parent(call)?.type === 'AwaitExpression' && sections.every((it) => leading(it).every((each) => each.timing === 'now')));
    const [section] = sections;
    if (!section) return 'inherit';
    if (!isHeard || sections.some((it) => !sameSite(it.acquire.call, section.acquire.call) || !sameSite(it.at, section.at))) return undefined;
    const known = ownerValue(section.lock.owner).kind === 'fresh' ? (this.inSight(section, call, tree) ?? this.answered(section, call, tree)) : undefined;
    // A fresh value for the acquire would be a change of the release as well.
    return known ?? (this.step.kind === 'renew' ? undefined : this.madeHere(section, call, tree));
  }

  /** Gives what the acquires take now to their other callers; false where one of those is not known. */
  finish(): boolean {
    const takers = [...this.takers.values()];
    if (!takers.every((it) => it.serveOthers((tree) => this.making.add(tree)))) return false;
    for (const it of takers) it.dropMaker((tree) => this.making.has(tree));
    return true;
  }

  private inSight({ lock }: Section, call: Node, tree: Tree): string | undefined {
    const { owner } = lock;
    return owner && sightings(call, tree, this.story.model, (value) => sameValue(value, owner)).find((it) => it.binding.scope !== tree.program && assignmentsTo(it.binding, tree).length === 0 && (!it.mayBeNothing || isPresent(it.text, call, tree)))?.text;
  }

  /** `if (!(await acquire(key))) return;`: what it answers is the owner value, and nobody has kept it. */
  private answered(section: Section, call: Node, tree: Tree): string | undefined {
    const taken = section.at.func.module === tree.module ? tree.callAt(section.at.span) : undefined;
    const answer = taken && answerOf(taken, tree);
    const { owner } = section.lock;
    if (!owner || !taken || answer?.kind !== 'tested' || answer.statement.type !== 'IfStatement' || answer.statement.alternate || !leaves(answer.statement.consequent)) return undefined;
    const values = alternatives(this.story.model.evaluator.value(section.at));
    if (!values.some((it) => sameValue(it, owner)) || !values.every((it) => sameValue(it, owner) || isNothing(it))) return undefined;
    const { test } = answer.statement;
    const isRefusal = (test.type === 'UnaryExpression' && test.operator === '!' && test.argument === answer.value) || (test.type === 'BinaryExpression' && /^===?$/.test(test.operator) && test.left === answer.value && values.some((it) => it.kind === 'const' && tree.text(test.right) === String(it.value)));
    const block = tree.parent(answer.statement);
    if (!isRefusal || !block || !tree.isWithin(call, block) || call.range[0] < answer.statement.range[1]) return undefined;
    const draft = this.drafts.of(tree.module);
    const name = draft.once(`answer ${taken.range[0]}`, () => answerName(answer.statement, draft, 'owner', 'lockOwner'))!;
    draft.once(`taken out ${taken.range[0]}`, () => {
      takeOut(answer, name, name, draft);
      return name;
    });
    return name;
  }

  /** A constant of the caller, for its acquire and its release. */
  private madeHere(section: Section, call: Node, tree: Tree): string | undefined {
    const taken = section.at.func.module === tree.module ? tree.callAt(section.at.span) : undefined;
    if (taken?.type !== 'CallExpression') return undefined;
    const known = this.made.get(taken);
    if (known) return tree.isWithin(call, known.block) ? known.name : undefined;
    const draft = this.drafts.of(tree.module);
    const anchor = anchorOf(taken, call, tree);
    const value = anchor && freshValue(ownerMakers(this.story.model), anchor.statement, draft);
    if (!anchor || value === undefined) return undefined;
    const name = draft.freeName(anchor.block, 'owner', 'lockOwner');
    if (!this.give(section, taken, name, tree)) return undefined;
    draft.before(anchor.statement, `const ${name} = ${value}${draft.style.semi}`);
    this.making.add(tree);
    this.made.set(taken, { name, block: anchor.block });
    this.isFresh = true;
    return name;
  }

  /** Hands the value to the acquire: in its own call, or through the function that makes that call. */
  private give(section: Section, taken: TSESTree.CallExpression, name: string, tree: Tree): boolean {
    const { model } = this.story;
    const { acquire } = section;
    const argument = ownerArgument(acquire, model);
    const at = treeOf(acquire.call.func.module);
    const node = argument && at.expressionAt(argument.span);
    if (!node) return false;
    if (sameSite(section.at, acquire.call)) {
      this.drafts.of(tree.module).replaceValue(node, name);
      return unwrap(node).type !== 'MemberExpression';
    }
    const own = at.callAt(acquire.call.span);
    const func = own && at.functionOf(own);
    if (!func) return false;
    let taker = this.takers.get(func);
    if (!taker) this.takers.set(func, (taker = new OwnerTaker(func, node, at, model, this.drafts, this.importers)));
    return taker.serve(taken, name, tree);
  }

  private sectionsOf(module: Module): readonly Section[] {
    let found = this.stories.get(module);
    if (!found) this.stories.set(module, (found = tellStory(this.story.model, module, { efficiencyKeys: this.settings.efficiencyKeys }).sections.map((it) => it.section)));
    return found;
  }
}
