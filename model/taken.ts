/** The locks that a file takes, each once: those of its sections, and those of helpers that take for others. */
import type { AcquireEvent, Lock } from './events.ts';
import type { CallExpr, Module } from './ir.ts';
import type { SectionStory, Story } from './story.ts';
import { sameSite } from './value.ts';

/** A lock where it is taken. */
export interface Taken {
  /** As its own function sees it, or with the values of the caller in whose section it is. */
  lock: Lock;
  acquire: AcquireEvent;
  /** The calls that lead to the acquire, outermost first; the acquire's own call is the last. */
  chain: CallExpr[];
  section: SectionStory | undefined;
}

/** Every lock that is known to be one: it has a section, or a helper that gives it back, or it is handed on. */
export function locksTaken(story: Story): Taken[] {
  const taken: Taken[] = story.sections.map((it) => ({ lock: it.section.lock, acquire: it.section.acquire, chain: chainOf(it, story), section: it }));
  const add = (acquire: AcquireEvent): void => {
    if (acquire.call.func.module === story.module && !taken.some((it) => sameSite(it.acquire.call, acquire.call))) taken.push({ lock: acquire.lock, acquire, chain: [acquire.call], section: undefined });
  };
  for (const it of story.releases) if (it.acquire) add(it.acquire);
  for (const func of story.module.functions) for (const it of story.model.summaries.of(func).grants) if (it.lock.isCertain) add(it.acquire);
  return taken;
}

/** The calls from where a section takes its lock to the acquire itself. */
function chainOf({ section }: SectionStory, story: Story): CallExpr[] {
  const { acquire, at } = section;
  if (sameSite(at, acquire.call)) return [at];
  if (section.form === 'pair') return [at, ...section.via];
  const known = story.model.summaries.of(section.frame).known.find((it) => it.kind === 'acquire' && sameSite(it.site, acquire.call) && sameSite(it.at, at));
  return known ? [known.at, ...known.via] : [at, acquire.call];
}

/** The last call of a chain that stands in the module: the acquire itself, or what leads to it from there. */
export const callIn = (module: Module, chain: readonly CallExpr[]): CallExpr | undefined => chain.findLast((it) => it.func.module === module);
