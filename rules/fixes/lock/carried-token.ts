/** The token carried from the sections to writes in functions that they call, of this file or of others, through the functions in between. */
import type { WriteEvent } from '../../../model/events.ts';
import type { CallExpr, Module } from '../../../model/ir.ts';
import { type SectionStory, type Story, tellStory } from '../../../model/story.ts';
import { sameSite } from '../../../model/value.ts';
import type { Settings } from '../../settings.ts';
import type { Caller, Importers } from '../callers/callers.ts';
import { HandedDown } from '../callers/handed-down.ts';
import type { Drafts } from '../source/drafts.ts';
import { resolve } from '../source/scopes.ts';
import type { Node, Tree } from '../source/tree.ts';
import type { SectionTokens } from './section-token.ts';

/** Each function in between must be one that only sections of the same lock call: another caller has no token to give. */
export class CarriedToken {
  private readonly down: HandedDown;
  private readonly stories = new Map<Module, readonly SectionStory[]>();
  private readonly given = new Set<Node>();
  private readonly sections = new Set<CallExpr>();
  /** How the first section that was asked has it. */
  first: string | undefined;

  constructor(
    private readonly writes: readonly WriteEvent[],
    private readonly tokens: SectionTokens,
    private readonly story: Story,
    private readonly settings: Settings,
    { drafts, importers }: { drafts: Drafts; importers: Importers | undefined },
  ) {
    this.stories.set(story.module, story.sections);
    this.down = new HandedDown({ names: ['token', 'fencingToken'], type: 'number', at: (caller) => this.at(caller) }, drafts, story.model, importers);
  }

  /** How the token is called at a statement; undefined where it cannot be brought there. */
  to(statement: Node, tree: Tree): string | undefined {
    return this.down.to(statement, tree);
  }

  /** How many calls hand it on. */
  get calls(): number {
    return this.down.calls;
  }

  /** Whether one section comes to a statement in more ways than one. */
  get isRepeated(): boolean {
    return this.down.calls > this.sections.size + this.down.functions - 1;
  }

  /** Whether it goes through a call. */
  passes(call: CallExpr): boolean {
    return [...this.given].some((it) => it.range[0] === call.span.start && it.range[1] === call.span.end);
  }

  private at({ call, tree, module }: Caller): string | 'inherit' | undefined {
    this.given.add(call);
    const sections = this.sectionsOf(module).flatMap((it) => {
      const items = it.section.items.filter(({ at, event }) => at.func.module === module && at.span.start === call.range[0] && at.span.end === call.range[1] && this.writes.some((write) => sameSite(write.call, event.call)));
      return items.length > 0 ? [{ story: it, isPutOff: items.some(({ timing }) => timing === 'later' || timing === 'repeatedly') }] : [];
    });
    const [first] = sections;
    if (!first) return 'inherit';
    const { section } = first.story;
    if (sections.some((it) => it.isPutOff || it.story.isEfficiency || !sameSite(it.story.section.acquire.call, section.acquire.call))) return undefined;
    this.sections.add(section.at);
    const token = this.tokens.at(section, call, tree);
    this.first ??= token;
    return token && asNumber(token, call, tree);
  }

  private sectionsOf(module: Module): readonly SectionStory[] {
    let found = this.stories.get(module);
    if (!found) this.stories.set(module, (found = tellStory(this.story.model, module, { efficiencyKeys: this.settings.efficiencyKeys }).sections));
    return found;
  }
}

/** The token as a number. What is declared as one, or made one by `Number`, is one already. */
export function asNumber(token: string, at: Node, tree: Tree): string {
  const binding = /^[\w$]+$/.test(token) ? resolve(token, at, tree) : undefined;
  const init = binding?.declaration.type === 'VariableDeclarator' ? binding.declaration.init : undefined;
  const isOne = binding ? binding.id.typeAnnotation?.typeAnnotation.type === 'TSNumberKeyword' || (init?.type === 'CallExpression' && tree.text(init.callee) === 'Number') : !token.includes('.');
  return isOne ? token : `Number(${token})`;
}
