/**
 * What a call does, however deep: an event, by which calls it is reached, and under which locks. The
 * caller's values are put in when somebody looks: most events of most functions are only counted.
 */
import type { AcquireEvent, Lock, ModelEvent, OpenEvent } from './events.ts';
import type { Outcomes } from './flow.ts';
import type { CallExpr } from './ir.ts';
import { alternatives, sameSite } from './value.ts';

/** Where an event happens, seen from a function. */
export interface Occurrence {
  /** The call of this function at which it happens; the event's own call when it happens right here. */
  at: CallExpr;
  /** Calls between `at` and the event, outermost first. */
  via: readonly CallExpr[];
  /** A timer or listener runs it, or it is started and not waited for. */
  timing: 'now' | 'later' | 'repeatedly' | 'floating';
  inTransaction?: CallExpr;
  isSerializable?: boolean;
}

/** An event, and by which calls it is reached. */
interface Reached<E extends ModelEvent> extends Readonly<Occurrence> {
  /** As in the event, and known without it. */
  readonly kind: E['kind'];
  /** The event's own call, as in the event. */
  readonly site: CallExpr;
  readonly event: E;
  /** For a run: the function is in sight. */
  readonly isConcrete: boolean;
  /** Locks that are held by functions on the way. */
  readonly under: readonly HeldLock[];
  /** For the run of a lock's body: the locks under which it runs, until the body is in sight. */
  readonly bodyOf: readonly HeldLock[] | undefined;
}

type Each<E extends ModelEvent> = E extends ModelEvent ? Reached<E> : never;
export type Deep = Each<ModelEvent>;

export interface HeldLock {
  lock: Lock;
  acquire: AcquireEvent;
  /** Renewals of the lock that its taker starts. */
  renewals: Deep[];
  renews?: 'always' | 'body';
  releases: Deep[];
}

/** A lock that a function leaves taken. */
export interface Grant {
  lock: Lock;
  acquire: AcquireEvent;
  /** Where this function takes it: the acquire's own call, or the call of a helper. */
  at: CallExpr;
  via: readonly CallExpr[];
  outcomes: Outcomes;
  /** A lock only if its caller's arguments make this call one. */
  open?: OpenEvent;
}

/** What happens at a call or in a function. */
export interface Effects {
  /** All of it. Functions that can reach no lock are looked into when it is asked for. */
  readonly deep: readonly Deep[];
  /** What is known without looking into those: every event of a lock, all that happens right here, and some more. */
  readonly known: readonly Deep[];
  /** Nothing is left out of what is known. */
  readonly isWhole: boolean;
}

/** What happens at a call, and the locks that it leaves taken. */
export interface AtCall extends Effects {
  grants: readonly Grant[];
}

const none: readonly HeldLock[] = [];

/** An event as it is. */
export function reached(event: ModelEvent, occurrence: Occurrence, under: readonly HeldLock[] = none, bodyOf?: readonly HeldLock[]): Deep {
  return { kind: event.kind, site: event.call, event, isConcrete: event.kind === 'runs' && alternatives(event.body).every((it) => it.kind === 'func'), under, bodyOf, at: occurrence.at, via: occurrence.via, timing: occurrence.timing, inTransaction: occurrence.inTransaction, isSerializable: occurrence.isSerializable } as Deep;
}

/** What a caller makes of an event of the function that it calls; asked once for each part. */
export interface Caller {
  event(inner: Deep): ModelEvent;
  under(inner: Deep): readonly HeldLock[];
  bodyOf(inner: Deep): readonly HeldLock[] | undefined;
}

/** The event with a caller's values, which are put in when they are asked for; neither its kind nor its place depends on them. */
export function seenBy(caller: Caller, inner: Deep, occurrence: Occurrence): Deep {
  return new Seen(caller, inner, occurrence) as Reached<ModelEvent> as Deep;
}

class Seen implements Reached<ModelEvent> {
  readonly kind: ModelEvent['kind'];
  readonly site: CallExpr;
  readonly isConcrete: boolean;
  readonly at: CallExpr;
  readonly via: readonly CallExpr[];
  readonly timing: Occurrence['timing'];
  readonly inTransaction: CallExpr | undefined;
  readonly isSerializable: boolean | undefined;
  private boundEvent: ModelEvent | undefined;
  private boundUnder: readonly HeldLock[] | undefined;
  private boundBodyOf: readonly HeldLock[] | 'unasked' | undefined = 'unasked';

  constructor(private readonly caller: Caller, private readonly inner: Deep, { at, via, timing, inTransaction, isSerializable }: Occurrence) {
    this.kind = inner.kind;
    this.site = inner.site;
    this.isConcrete = inner.isConcrete;
    this.at = at;
    this.via = via;
    this.timing = timing;
    this.inTransaction = inTransaction;
    this.isSerializable = isSerializable;
  }

  get event(): ModelEvent {
    return (this.boundEvent ??= this.caller.event(this.inner));
  }

  get under(): readonly HeldLock[] {
    return (this.boundUnder ??= this.caller.under(this.inner));
  }

  get bodyOf(): readonly HeldLock[] | undefined {
    if (this.boundBodyOf === 'unasked') this.boundBodyOf = this.caller.bodyOf(this.inner);
    return this.boundBodyOf;
  }
}

/** The calls that lead from a caller of the function to its event. */
export const viaOf = (inner: Deep): readonly CallExpr[] => (inner.via.length === 0 && sameSite(inner.at, inner.site) ? [inner.site] : [inner.at, ...inner.via]);

/** What a helper writes when it fails is not what the section is for. */
export const incidental = (event: ModelEvent): ModelEvent => (event.kind === 'write' && event.fenced === 'no' ? { ...event, fenced: 'unknown', why: 'only where it fails' } : event);

/** What happens at a call that is made under further locks. */
export const holdingToo = (locks: readonly HeldLock[]): Caller => ({
  event: (it) => it.event,
  under: (it) => [...it.under, ...locks],
  bodyOf: (it) => (it.kind === 'runs' && !it.isConcrete ? [...(it.bodyOf ?? []), ...locks] : it.bodyOf),
});

/** Events, each once: a duplicated block or a helper that is reached in two ways says the same again. */
export class Distinct {
  readonly all: Deep[] = [];
  private readonly byPlace = new Map<number, Deep[]>();

  add(it: Deep, full: Deep): void {
    const place = it.site.span.start * 0x200000 + it.at.span.start;
    const there = this.byPlace.get(place);
    const isKnown = there?.some((known) => known.kind === it.kind && sameSite(known.site, it.site) && sameSite(known.at, it.at) && known.via.length === it.via.length && keyOf(known.event) === keyOf(it.event));
    if (isKnown) return;
    if (there) there.push(full);
    else this.byPlace.set(place, [full]);
    this.all.push(full);
  }
}

function keyOf(event: ModelEvent): string {
  return 'key' in event && event.key ? event.key.kind : '';
}
