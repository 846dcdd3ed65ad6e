/** The tokens of sections, at each of their writes: at hand, handed over by a wrapper, or minted by the edit. */
import type { CallExpr } from '../../../model/ir.ts';
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import { sameSite } from '../../../model/value.ts';
import { keyForm } from '../../../model/key-form.ts';
import type { Importers } from '../callers/callers.ts';
import type { Drafts } from '../source/drafts.ts';
import { isPresent } from '../source/presence.ts';
import type { Node, Tree } from '../source/tree.ts';
import { type Answering, mintInHelper, takeAnswer } from './answered-token.ts';
import { type Minted, mintInGrant } from './mint.ts';
import { readOwnToken } from './read-token.ts';
import { mintInStatement } from './row-token.ts';
import { answersToken, tokenInSight } from './token.ts';
import { type HandedOn, mintInWrapper, takeFromWrapper, takeInBody } from './wrapper-token.ts';

export class SectionTokens {
  private readonly made = new Map<CallExpr, Minted | undefined>();
  private readonly wrappers = new Map<CallExpr, HandedOn | undefined>();
  private readonly helpers = new Map<CallExpr, Answering | undefined>();
  private readonly used: { section: Section; isMinted: boolean }[] = [];
  /** What the edit does to the grants, once a write needs it. */
  readonly notes = new Set<string>();

  constructor(
    private readonly drafts: Drafts,
    private readonly model: Model,
    private readonly importers: Importers | undefined,
  ) {}

  /** How the token of a section is written at a node; undefined where none can be had there. */
  at(section: Section, node: Node, tree: Tree): string | undefined {
    const known = tokenInSight(node, section, tree, this.model);
    if (known !== undefined) {
      this.used.push({ section, isMinted: false });
      return known;
    }
    if (!this.made.has(section.at)) this.made.set(section.at, this.make(section, node, tree));
    const made = this.made.get(section.at);
    if (!made || !tree.isWithin(node, made.block)) return undefined;
    const [root, part] = made.token.split('.');
    return part === undefined || isPresent(root!, node, tree) ? made.token : undefined;
  }

  get isMinted(): boolean {
    return this.used.some((it) => it.isMinted);
  }

  /** Whether all that were asked for are counted by one counter: two that count for themselves order nobody. */
  areOfOneCounter(): boolean {
    const [first, ...rest] = this.used;
    if (!first || rest.every((it) => sameSite(it.section.at, first.section.at))) return true;
    const form = first.section.lock.key && keyForm(first.section.lock.key);
    // A key that is handed in whole says nothing of what it stands for.
    if (!form?.includes('"') || rest.some(({ section }) => !section.lock.key || keyForm(section.lock.key) !== form)) return false;
    return this.used.every((it) => it.isMinted) || rest.every(({ section }) => sameSite(section.acquire.call, first.section.acquire.call));
  }

  private make(section: Section, node: Node, tree: Tree): Minted | undefined {
    const { drafts, model } = this;
    const draft = drafts.of(tree.module);
    const taken = takeFromWrapper(section, node, draft, model) ?? (answersToken(section, model) ? takeAnswer(section, node, { shape: 'number', note: '' }, draft) : undefined);
    if (taken) this.used.push({ section, isMinted: false });
    const made = taken ?? mintInGrant(section, node, draft, model) ?? mintInStatement(section, node, draft, model) ?? readOwnToken(section, node, draft, model) ?? this.fromWrapper(section, node, tree) ?? this.fromHelper(section, node, tree);
    if (made && !taken) this.used.push({ section, isMinted: !made.isRead });
    if (made?.note) this.notes.add(made.note);
    return made;
  }

  private fromHelper(section: Section, node: Node, tree: Tree): Minted | undefined {
    const { call } = section.acquire;
    if (!this.helpers.has(call)) this.helpers.set(call, mintInHelper(section, this.drafts, this.model, this.importers));
    const answering = this.helpers.get(call);
    return answering && takeAnswer(section, node, answering, this.drafts.of(tree.module));
  }

  private fromWrapper(section: Section, node: Node, tree: Tree): Minted | undefined {
    const { call } = section.acquire;
    if (!this.wrappers.has(call)) this.wrappers.set(call, mintInWrapper(section, this.drafts, this.model, this.importers));
    const handed = this.wrappers.get(call);
    return handed && takeInBody(section, node, handed, this.drafts.of(tree.module));
  }
}
