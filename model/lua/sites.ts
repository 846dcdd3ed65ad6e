// Owns the places in a script from which commands are sent, gathered over all paths that come by.

import type { LuaCall, LuaCondition, LuaLease, LuaOperand } from './facts.ts';
import { conditionId, eitherOf, operandId } from './operands.ts';
import type { Event, State } from './state.ts';

export interface Occurrence {
  readonly path: State;
  readonly event: Event;
}

/** One place and one key. */
export interface Site {
  readonly id: string;
  readonly key: LuaOperand;
  readonly call: number;
  readonly occurrences: readonly Occurrence[];
}

/** All calls of a script. */
export interface Calls {
  readonly calls: readonly LuaCall[];
  /** The places, with each key that they name, of the events that `select` picks. */
  sites(select: (event: Event, path: State) => boolean): Site[];
}

/** Gathers the calls of all paths. */
export function gatherCalls(paths: readonly State[]): Calls {
  const events = new Map<string, Event[]>();
  for (const path of paths) {
    for (const event of path.events) {
      const known = events.get(callId(event));
      if (!known) events.set(callId(event), [event]);
      else if (!known.includes(event)) known.push(event);
    }
  }
  const order = [...events.keys()];
  return { calls: [...events.values()].map(callFrom), sites: (select) => sitesFrom(paths, order, select) };
}

function sitesFrom(paths: readonly State[], order: readonly string[], select: (event: Event, path: State) => boolean): Site[] {
  const found = new Map<string, { site: Omit<Site, 'occurrences'>; occurrences: Occurrence[] }>();
  for (const path of paths) {
    for (const event of path.events) {
      if (!select(event, path)) continue;
      for (const key of event.keys) {
        const id = `${callId(event)} of ${operandId(key)}`;
        const known = found.get(id);
        if (known) known.occurrences.push({ path, event });
        else found.set(id, { site: { id, key, call: order.indexOf(callId(event)) }, occurrences: [{ path, event }] });
      }
    }
  }
  return [...found.values()].map(({ site, occurrences }) => ({ ...site, occurrences })).sort((a, b) => a.call - b.call);
}

const callIds = new WeakMap<Event, string>();

function callId(event: Event): string {
  let id = callIds.get(event);
  if (id === undefined) callIds.set(event, (id = [event.at, event.command, ...event.keys.map(operandId)].join(' ')));
  return id;
}

function callFrom(events: readonly Event[]): LuaCall {
  const [first] = events;
  const { command, keys, options, args } = first!;
  return {
    command,
    keys,
    args: args.map((_, index) => eitherOf(events.flatMap((event) => event.args[index] ?? []))),
    conditions: sharedConditions(events.map((event) => event.conditions)),
    nx: options.nx || command === 'SETNX',
    xx: options.xx,
    lease: sharedLease(events.map((event) => event.options.lease)),
  };
}

/** The conditions that are in all lists. */
function sharedConditions(lists: readonly (readonly LuaCondition[])[]): LuaCondition[] {
  const [first = [], ...others] = lists;
  const ids = others.map((conditions) => new Set(conditions.map(conditionId)));
  return first.filter((condition) => ids.every((known) => known.has(conditionId(condition))));
}

/** One lease for all, where each has one of the same unit. */
export function sharedLease(leases: readonly (LuaLease | undefined)[]): LuaLease | undefined {
  const known = leases.filter((lease) => lease !== undefined);
  const [first] = known;
  if (!first || known.length < leases.length) return undefined;
  if (known.some((lease) => lease.unit !== first.unit || lease.absolute !== first.absolute)) return first;
  return { ...first, value: eitherOf(known.map((lease) => lease.value)) };
}
