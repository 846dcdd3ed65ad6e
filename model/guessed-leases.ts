/** Leases that are not longer than what their own section waits for. */
import type { AcquireEvent, Lock } from './events.ts';
import { isHeld } from './flow.ts';
import type { CallExpr, Module } from './ir.ts';
import { lengthChosen } from './lengths.ts';
import type { Place } from './place.ts';
import type { Section } from './sections.ts';
import { type SectionStory, type Story, placeOf } from './story.ts';
import { type Taken, callIn, locksTaken } from './taken.ts';
import { type Value, alternatives, sameSite } from './value.ts';
import { type Waiting, Waits, noWait } from './waits.ts';

/** A lease that ends while the section still waits. */
export interface GuessedLease {
  lock: Lock;
  acquire: AcquireEvent;
  lease: number;
  /** Where the length was chosen. */
  place: Place;
  waits: Waiting;
  /** How long the platform lets the function run, where that is what it is compared with. */
  platform?: number;
}

/** The guessed leases of a file, once for each place. */
export function guessedLeases(story: Story): GuessedLease[] {
  const found: GuessedLease[] = [];
  const waits = new Waits(story.model);
  const limit = platformLimit(story);
  for (const taken of locksTaken(story)) {
    const { section: it, lock, acquire } = taken;
    const lease = lock.lease?.ms;
    if (!it || lease === undefined || lease <= 0 || lock.kind !== 'lease' || isRenewed(it)) continue;
    // The platform ends the function with the lease: nothing outlives it.
    if (lease === limit) continue;
    const waited = waitsOf(it.section, waits, story);
    const platform = waited.ms < lease && limit !== undefined && lease < limit ? limit : undefined;
    if (waited.ms < lease && platform === undefined) continue;
    const place = placeOfLength(taken, it.section, story);
    if (place && !found.some((known) => known.place.start === place.start)) found.push({ lock, acquire, lease, place, waits: waited, platform });
  }
  return found;
}

const isRenewed = ({ section, renewals }: SectionStory): boolean => section.renews !== undefined || section.renewals.length > 0 || renewals.length > 0;

function waitsOf(section: Section, waits: Waits, story: Story): Waiting {
  const asIs = (value: Value): Value => value;
  if (section.flow) {
    const held = [...section.flow.states].filter(([, states]) => [...states].some(isHeld)).map(([step]) => step);
    return waits.along(new Set(held), asIs, false);
  }
  if (section.frame.decorators.some((it) => it.kind === 'call' && sameSite(it, section.at))) return waits.ofFunction({ kind: 'func', func: section.frame, bindings: [] }, [], false);
  return bodiesOf(section, story)
    .map((it) => waits.ofFunction(it, [], true))
    .reduce((a, b) => (b.ms > a.ms ? b : a), noWait);
}

/** The functions that are run under the lock. */
function bodiesOf(section: Section, story: Story): (Value & { kind: 'func' })[] {
  return story.model.summaries.of(section.frame).known.flatMap((it) =>
    it.kind === 'runs' && sameSite(it.at, section.at) && it.bodyOf?.some((held) => sameSite(held.acquire.call, section.acquire.call)) ? alternatives(it.event.body).filter((body) => body.kind === 'func') : [],
  );
}

/** The argument that gives the length, in this file; the decorator as a whole; what leads to the lock, where the length stands elsewhere. */
function placeOfLength(taken: Taken, section: Section, story: Story): Place | undefined {
  const chosen = lengthChosen(taken, story.model);
  if (chosen?.module === story.module) return placeOf(chosen.module, section.frame.decorators.includes(chosen.call) ? chosen.call.span : chosen.span);
  const call: CallExpr | undefined = callIn(story.module, taken.chain);
  return call && placeOf(story.module, call.span);
}

/** How long a function of this file may run, as the module itself tells its platform: `export const maxDuration = 60`, in seconds. */
function platformLimit({ module, model }: Story): number | undefined {
  const value = exported(module, 'maxDuration');
  const it = value && model.evaluator.value(value);
  return it?.kind === 'const' && typeof it.value === 'number' && it.value > 0 ? it.value * 1000 : undefined;
}

const exported = (module: Module, name: string) => module.exports.get(name)?.value;
