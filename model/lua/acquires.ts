// Owns the question which keys a script takes for its caller, and on which paths.

import { valuesWritten } from './commands.ts';
import type { LuaAcquire, LuaLease, LuaOperand } from './facts.ts';
import { matchesAt, matchesIn, membersIn, ordersAt, presenceBefore, type Match } from './guards.ts';
import { carries, eitherOf, isInput, isSent, leavesOf, operandId, sameOperand, sharesInput } from './operands.ts';
import { isZero } from './redis.ts';
import { outcomesOf, returnOf } from './returns.ts';
import { sharedLease, type Calls, type Site } from './sites.ts';
import type { Event, State } from './state.ts';

/** The keys that each path took, with the command that took them. */
export type Grants = ReadonlyMap<State, ReadonlyMap<string, Event>>;

/** How a command writes a key that the path had not taken yet. */
type Manner = 'granted' | 'owned' | 'takeover' | 'plain';

/** What the script takes if it is free. */
export function findAcquires(paths: readonly State[], calls: Calls): { acquires: LuaAcquire[]; grants: Grants } {
  const shared = keysWrittenOtherwise(paths);
  const grants: Grants = new Map(paths.map((path) => [path, grantsOf(path, shared)]));
  const granting = (event: Event, path: State) => event.keys.some((key) => grants.get(path)?.get(operandId(key)) === event);
  const sites = calls.sites(granting).filter((site) => site.occurrences.some(({ event }) => mannerOf(event, site.key) === 'granted'));
  return { acquires: sites.map((site) => acquireAt(site, paths, grants)), grants };
}

/** Whether the path still has the key at its end. */
export function keeps(path: State, grants: Grants, key: LuaOperand): boolean {
  const event = grants.get(path)?.get(operandId(key));
  if (!event) return false;
  const later = path.events.slice(path.events.indexOf(event) + 1);
  return !later.some((other) => isRemoval(other) && other.keys.some((k) => sameOperand(k, key)));
}

/** Whether the event takes keys away: a deletion, or an expiry of zero. */
export function isRemoval(event: Event): boolean {
  return (event.effect === 'delete' && event.outcome !== 'refused') || (event.effect === 'expire' && isZero(event.options.lease?.value));
}

function isCreation(event: Event): boolean {
  if (event.outcome === 'refused') return false;
  // The first entry of a holder's own counter, in the hash that is the lock.
  return event.effect === 'create' || (event.command === 'HINCRBY' && event.args[1] !== undefined && isInput(event.args[1]));
}

function isWrite(event: Event): boolean {
  return event.outcome !== 'refused' && (event.effect === 'create' || event.effect === 'count' || event.effect === 'write');
}

function mannerOf(event: Event, key: LuaOperand): Manner {
  if (isCreation(event)) {
    const before = presenceBefore(event, key);
    if (event.outcome === 'done' && !event.options.xx && !event.options.equals) return 'granted';
    if (event.outcome === 'open' && (before === 'absent' || before === 'free')) return 'granted';
  }
  if (ownMatches([...matchesAt(event), ...membersIn(event.conditions)], key).some((match) => carriesOwner(event, match))) return 'owned';
  return isTakeover(event, key) ? 'takeover' : 'plain';
}

function ownMatches(matches: readonly Match[], key: LuaOperand): Match[] {
  return matches.filter((match) => sameOperand(match.key, key) && isInput(match.comparedWith));
}

/** Whether the command keeps the owner that was compared: it writes the same value again, or something beside it. */
export function carriesOwner(event: Event, match: Match): boolean {
  if (event.effect === 'count') return true;
  const compared = event.command.startsWith('H') ? hashField(match.stored) : undefined;
  if (compared) {
    const overwritten = valuesWritten(event.command, event.args).find((pair) => sameOperand(pair.field, compared));
    return !overwritten || carries(overwritten.value, match.comparedWith) || sameOperand(compared, match.comparedWith);
  }
  return event.args.some((arg) => carries(arg, match.comparedWith) || encodesAgain(arg, match.stored));
}

/** Whether the text is the stored one, decoded and encoded again, with the compared field left as it was. */
function encodesAgain(text: LuaOperand, stored: LuaOperand): boolean {
  if (text.kind !== 'encoded' || !text.of || !sameOperand(text.of, originOf(stored))) return false;
  return stored.kind !== 'field' || !text.fields.some((field) => field.name === stored.name);
}

/** The hash field that a stored value was read from. */
function hashField(stored: LuaOperand): LuaOperand | undefined {
  if (stored.kind === 'reply') return stored.command === 'HGET' || stored.command === 'HEXISTS' ? stored.args[0] : undefined;
  if (stored.kind !== 'field' || stored.of.kind !== 'reply') return stored.kind === 'field' ? hashField(stored.of) : undefined;
  const whole = stored.of.command === 'HMGET' || stored.of.command === 'HGETALL';
  return whole ? { kind: 'const', value: stored.name } : hashField(stored.of);
}

/** The whole stored value that a decoded field belongs to. */
function originOf(stored: LuaOperand): LuaOperand {
  return stored.kind === 'field' ? originOf(stored.of) : stored;
}

/**
 * A lease whose end is part of the stored value is free again once that end has passed. What tells it from "store if
 * newer" is the clock: the stored value is compared with the time, and a new end is reckoned from that time.
 */
function isTakeover(event: Event, key: LuaOperand): boolean {
  if (!isCreation(event)) return false;
  const written = valuesWritten(event.command, event.args).map((pair) => pair.value);
  if (!written.some((value) => value.kind !== 'arithmetic' && isSent(value))) return false;
  return ordersAt(event).some(({ operator, key: compared, comparedWith }) => {
    const fromClock = leavesOf(comparedWith).some((leaf) => leaf.kind === 'reply' && leaf.command === 'TIME');
    const reckoned = written.some((value) => value.kind === 'arithmetic' && sharesInput(value, comparedWith));
    return operator.startsWith('<') && sameOperand(compared, key) && (fromClock || reckoned);
  });
}

/** Keys that some path writes although they were neither free nor its own: counters, caches, data. */
function keysWrittenOtherwise(paths: readonly State[]): Set<string> {
  const shared = new Set<string>();
  for (const path of paths) {
    const taken = new Set<string>();
    for (const event of path.events) {
      if (!isWrite(event)) continue;
      for (const key of event.keys) {
        const id = operandId(key);
        const manner = mannerOf(event, key);
        if (manner === 'plain' && !taken.has(id)) shared.add(id);
        else taken.add(id);
      }
    }
  }
  return shared;
}

function grantsOf(path: State, shared: ReadonlySet<string>): ReadonlyMap<string, Event> {
  const taken = new Map<string, Event>();
  for (const event of path.events) {
    if (!isCreation(event)) continue;
    for (const key of event.keys) {
      const id = operandId(key);
      const manner = mannerOf(event, key);
      if (!shared.has(id) && !taken.has(id) && (manner === 'granted' || manner === 'takeover')) taken.set(id, event);
    }
  }
  return taken;
}

function acquireAt(site: Site, paths: readonly State[], grants: Grants): LuaAcquire {
  const { key, call } = site;
  const holding = paths.filter((path) => keeps(path, grants, key));
  const here = holding.filter((path) => site.occurrences.some((occurrence) => occurrence.path === path));
  const owner = ownerAt(site, paths);
  const successes = new Set(holding.map((path) => JSON.stringify(returnOf(path))));
  const again = paths.filter((path) => !holding.includes(path) && takesAgain(path, key, owner, successes));
  const became = (path: State) => [holding.includes(path) || again.includes(path) ? 'done' : 'refused'] as const;
  return {
    key,
    call,
    owner,
    lease: sharedLease(here.map((path) => leaseOn(path, key, grants))),
    reentrant: again.length > 0,
    ...outcomesOf(paths, became),
  };
}

/** Of several values in a hash, the owner is the one that the script elsewhere compares with; else it may be any of them. */
function ownerAt(site: Site, paths: readonly State[]): LuaOperand | undefined {
  const candidates = site.occurrences.flatMap(({ event }) => ownersWritten(event));
  const compared = paths.flatMap((path) => ownMatches(matchesIn(path.conditions), site.key)).map((match) => match.comparedWith);
  const known = candidates.filter((candidate) => compared.some((other) => sameOperand(other, candidate)));
  if (candidates.length === 0) return undefined;
  return eitherOf(known.length > 0 ? known : candidates);
}

/** The values of a command that may be its owner: a field named by the caller, or what comes from the caller as it is. */
export function ownersWritten(event: Event): LuaOperand[] {
  const pairs = valuesWritten(event.command, event.args);
  const fields = pairs.flatMap((pair) => (pair.field && isInput(pair.field) ? [pair.field] : []));
  if (fields.length > 0) return fields;
  const sent = pairs.map((pair) => pair.value).filter((value) => value.kind !== 'arithmetic' && isSent(value));
  return sent.length > 0 ? sent : pairs.slice(0, 1).map((pair) => pair.value);
}

/** Whether the path succeeds because the caller is the holder already. */
function takesAgain(path: State, key: LuaOperand, owner: LuaOperand | undefined, successes: ReadonlySet<string>): boolean {
  const mine = ownMatches([...matchesIn(path.conditions), ...membersIn(path.conditions)], key).some((match) => !owner || sameOperand(owner, match.comparedWith) || carries(owner, match.comparedWith));
  if (!mine || path.flow === 'halt') return false;
  const prolonged = path.events.some((event) => event.effect !== 'read' && event.outcome !== 'refused' && !isRemoval(event) && event.keys.some((k) => sameOperand(k, key)));
  return prolonged || successes.has(JSON.stringify(returnOf(path)));
}

function leaseOn(path: State, key: LuaOperand, grants: Grants): LuaLease | undefined {
  const event = grants.get(path)?.get(operandId(key));
  if (event?.options.lease) return event.options.lease;
  const later = path.events.filter((other) => other.outcome !== 'refused' && other.options.lease && other.keys.some((k) => sameOperand(k, key)));
  return later.at(-1)?.options.lease;
}
