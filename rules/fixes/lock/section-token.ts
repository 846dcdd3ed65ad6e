/** The token of a section, at each of its writes: at hand, handed over by a wrapper, or minted by the edit. */
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import type { Node } from '../source/tree.ts';
import { type Minted, mintInGrant } from './mint.ts';
import { tokenInSight } from './token.ts';
import { mintInWrapper, takeFromWrapper } from './wrapper-token.ts';

export class SectionToken {
  private taken: Minted | undefined;
  /** What the edit does to the grant, once a write needs it. */
  minted: Minted | undefined;

  constructor(
    private readonly section: Section,
    private readonly draft: Draft,
    private readonly model: Model,
  ) {}

  /** How the token is written at a node; undefined where none can be had there. */
  at(node: Node): string | undefined {
    const { section, draft, model } = this;
    const known = tokenInSight(node, section, draft.tree, model);
    if (known !== undefined) return known;
    this.taken ??= takeFromWrapper(section, node, draft, model);
    if (!this.taken) this.minted ??= mintInGrant(section, node, draft, model) ?? mintInWrapper(section, node, draft, model);
    const made = this.taken ?? this.minted;
    return made && draft.tree.isWithin(node, made.block) ? made.token : undefined;
  }
}
