// Owns the questions what a script writes besides locks, what keeps a stale holder from it, and which numbers it mints.

import { isRemoval, keeps, type Grants } from './acquires.ts';
import { valuesWritten } from './commands.ts';
import type { LuaEqualityGuard, LuaFence, LuaMint, LuaOperand, LuaRelease, LuaRenewal, LuaWrite } from './facts.ts';
import { absencesAt, matchesAt, membersIn, ordersAt } from './guards.ts';
import { isInput, isSent, leavesOf, operandId, sameOperand } from './operands.ts';
import { isMinting, outcomesOf, returnedOperands } from './returns.ts';
import { sharedLease, type Calls, type Occurrence, type Site } from './sites.ts';
import type { Event, State } from './state.ts';

/** The numbers that the script counts up and returns. */
export function findMints(paths: readonly State[], calls: Calls, grants: Grants): LuaMint[] {
  const returned = new Set(paths.flatMap(returnedOperands).flatMap(leavesOf).map(operandId));
  return calls.sites((event) => isMinting(event.reply) && returned.has(operandId(event.reply))).map((site) => ({
    key: site.key,
    call: site.call,
    field: site.occurrences[0]?.event.command === 'HINCRBY' ? site.occurrences[0].event.args[1] : undefined,
    insideAcquire: site.occurrences.every(({ path }) => holdsSomething(path, grants)),
    expires: paths.some((path) => path.events.some((event) => ends(event) && event.keys.some((key) => sameOperand(key, site.key)))),
  }));
}

function ends(event: Event): boolean {
  return event.outcome !== 'refused' && (isRemoval(event) || event.options.lease !== undefined);
}

function holdsSomething(path: State, grants: Grants): boolean {
  return [...(grants.get(path)?.values() ?? [])].some((event) => event.keys.some((key) => keeps(path, grants, key)));
}

/** What the script writes, other than the locks that the verdicts so far speak of. */
export function findWrites(paths: readonly State[], calls: Calls, grants: Grants, known: { releases: readonly LuaRelease[]; renewals: readonly LuaRenewal[]; mints: readonly LuaMint[] }): LuaWrite[] {
  const locks = new Set(known.releases.filter((release) => release.ownerChecked).map((release) => operandId(release.key)));
  for (const { key, ownerChecked } of known.renewals) if (ownerChecked) locks.add(operandId(key));
  for (const taken of grants.values()) for (const id of taken.keys()) locks.add(id);
  const sites = calls.sites((event) => writesData(event));
  return sites.flatMap((site) => {
    if (known.renewals.some((renewal) => renewal.call === site.call)) return [];
    if (locks.has(operandId(site.key)) && site.occurrences.every((occurrence) => keepsTheBook(occurrence, site.key, grants))) return [];
    const minted = known.mints.some((mint) => mint.call === site.call) && site.occurrences.every(({ event }) => stepsByConstant(event));
    return minted ? [] : [writeAt(site, sites, paths, grants)];
  });
}

function writesData(event: Event): boolean {
  return event.outcome !== 'refused' && (event.effect === 'create' || event.effect === 'count' || event.effect === 'write');
}

/** Counting and noting inside the lock's own key, by the one who takes or has it. */
function keepsTheBook({ path, event }: Occurrence, key: LuaOperand, grants: Grants): boolean {
  if (grants.get(path)?.has(operandId(key))) return true;
  return [...matchesAt(event), ...membersIn(event.conditions)].some((match) => sameOperand(match.key, key) && isInput(match.comparedWith));
}

function stepsByConstant(event: Event): boolean {
  const step = event.command === 'INCRBY' ? event.args[1] : event.command === 'HINCRBY' ? event.args[2] : undefined;
  return step === undefined || step.kind === 'const';
}

function writeAt(site: Site, sites: readonly Site[], paths: readonly State[], grants: Grants): LuaWrite {
  const [first] = site.occurrences;
  const command = first!.event.command;
  const alike = sites.flatMap((other) => other.occurrences.filter(({ event }) => event.command === command && sameOperand(other.key, site.key)));
  const done = new Set(alike.map(({ path }) => path));
  const guards = site.occurrences.map((occurrence) => guardOf(occurrence, site.key, grants));
  const fencedBy = combineFences(site.key, guards.map((guard) => ('fence' in guard ? guard.fence : undefined)));
  const equal = guards.every((guard) => 'equal' in guard || ('fence' in guard && guard.fence?.by === 'absence'));
  return {
    key: site.key,
    call: site.call,
    command,
    values: valuesWritten(command, first!.event.args).map((pair) => pair.value),
    lease: sharedLease(site.occurrences.map(({ event }) => event.options.lease)),
    fencedBy,
    equalityGuard: equal ? guards.flatMap((guard) => ('equal' in guard ? [guard.equal] : []))[0] : undefined,
    ...outcomesOf(paths, (path) => [done.has(path) ? 'done' : 'refused']),
  };
}

/** Commands that change a number relative to itself. */
const changesBy: ReadonlySet<string> = new Set(['INCR', 'INCRBY', 'DECR', 'DECRBY', 'HINCRBY', 'INCRBYFLOAT', 'HINCRBYFLOAT', 'ZINCRBY']);

type Guard = { readonly fence: LuaFence | undefined } | { readonly equal: LuaEqualityGuard };

/** What guards a write on one path, the strongest first. */
function guardOf({ path, event }: Occurrence, key: LuaOperand, grants: Grants): Guard {
  const matches = matchesAt(event);
  const owner = matches.find((match) => !sameOperand(match.key, key) && isInput(match.comparedWith));
  if (owner) return { fence: { by: 'owner', ...owner } };
  const bound = changesBy.has(event.command) ? ordersAt(event).find((order) => sameOperand(order.key, key)) : undefined;
  if (bound) return { fence: { by: 'bound', key: bound.key, stored: bound.stored, comparedWith: bound.comparedWith } };
  const order = orderFence(path, event);
  if (order) return { fence: order };
  const equal = matches.find((match) => sameOperand(match.key, key) && (match.comparedWith.kind === 'const' || isInput(match.comparedWith)));
  if (equal) return { equal: { stored: equal.stored, comparedWith: equal.comparedWith } };
  const grant = [...(grants.get(path)?.values() ?? [])].find((taking) => taking.keys.some((taken) => keeps(path, grants, taken)));
  if (grant) return { fence: { by: 'grant', key: grant.keys[0]! } };
  return { fence: absenceFence(event, key) };
}

function absenceFence(event: Event, key: LuaOperand): LuaFence | undefined {
  const absences = absencesAt(event);
  const absent = absences.find((reply) => sameOperand(reply.of, key)) ?? absences[0];
  return absent && { by: 'absence', key: absent.of };
}

/** The order under which a deletion runs, where every path to it is under one, or finds nothing stored. */
export function deletionFence(site: Site): LuaFence | undefined {
  const fence = combineFences(site.key, site.occurrences.map(({ path, event }) => orderFence(path, event) ?? absenceFence(event, site.key)));
  return fence?.by === 'order' ? fence : undefined;
}

/** The order of a stored and a sent value under which an event runs, the command's own included. */
function orderFence(path: State, event: Event): LuaFence | undefined {
  if (event.command === 'ZADD' && (event.options.gt || event.options.lt)) {
    const score = event.args.find((arg) => isSent(arg)) ?? event.args.at(-2) ?? event.reply;
    return { by: 'order', key: event.keys[0], stored: event.reply, operator: event.options.gt ? '<' : '>', comparedWith: score, recorded: true };
  }
  const order = ordersAt(event).find((candidate) => isSent(candidate.comparedWith));
  if (!order) return undefined;
  const recorded = path.events.some((other) =>
    writesData(other) && other.keys.some((key) => sameOperand(key, order.key)) && other.args.some((arg) => leavesOf(arg).some((leaf) => leavesOf(order.comparedWith).some((sent) => sameOperand(leaf, sent)))));
  return { by: 'order', key: order.key, stored: order.stored, operator: order.operator, comparedWith: order.comparedWith, recorded };
}

/**
 * One fence for all paths to a write. That nothing was stored yet, under the written key or the compared one, goes with
 * any fence; on no path may there be none.
 */
function combineFences(key: LuaOperand, fences: readonly (LuaFence | undefined)[]): LuaFence | undefined {
  const main = fences.find((fence) => fence && fence.by !== 'absence') ?? fences[0];
  const holds = (fence: LuaFence | undefined) => fence && (fence.by !== 'absence' || sameOperand(fence.key, key) || sameOperand(fence.key, main?.key));
  if (!main || (main.by === 'absence' && !sameOperand(main.key, key)) || !fences.every(holds)) return undefined;
  return main;
}
