// Owns the questions which keys a script removes, which it prolongs, and whether it looks at the owner first.

import { carriesOwner, isRemoval, ownersWritten, type Grants } from './acquires.ts';
import type { LuaOperand, LuaOutcomes, LuaRelease, LuaRenewal } from './facts.ts';
import { matchesAt, ownerCheck, presenceBefore, type Match } from './guards.ts';
import { leavesOf, operandId, sameOperand, storedContentOf } from './operands.ts';
import { outcomesOf, returnedOperands, wasThere } from './returns.ts';
import { sharedLease, type Calls, type Occurrence, type Site } from './sites.ts';
import type { Event, State } from './state.ts';
import { deletionFence } from './fences.ts';

/** What stands between a caller that is not the holder and the step. */
type Standing =
  | { readonly is: 'checked' | 'undone' | 'granted'; readonly match: Match | undefined }
  | { readonly is: 'needless' | 'replaced' | 'data' | 'blind'; readonly match: undefined };

/** What the script removes. */
export function findReleases(paths: readonly State[], calls: Calls, grants: Grants): LuaRelease[] {
  const sites = calls.sites((event) => isRemoval(event));
  return sites.flatMap((site) => {
    const standings = site.occurrences.map((occurrence) => removalStanding(occurrence, site.key, grants));
    const harmless = standings.every(({ is }) => is === 'needless' || is === 'replaced');
    return harmless ? [] : [releaseAt(site, standings, outcomesAt(site, sites, paths))];
  });
}

function removalStanding({ path, event }: Occurrence, key: LuaOperand, grants: Grants): Standing {
  const own = grants.get(path)?.get(operandId(key));
  if (own && path.events.indexOf(own) < path.events.indexOf(event)) return { is: 'undone', match: grantMatch(own, key) };
  if (presenceBefore(event, key) === 'absent') return { is: 'needless', match: undefined };
  const rewritten = path.events.slice(path.events.indexOf(event) + 1).some((later) => writes(later) && later.keys.some((k) => sameOperand(k, key)));
  if (rewritten) return { is: 'replaced', match: undefined };
  return checkedOrBlind(path, event, key, grants);
}

function checkedOrBlind(path: State, event: Event, key: LuaOperand, grants: Grants): Standing {
  const match = ownerCheck(event, key);
  if (match) return { is: 'checked', match };
  const grant = [...(grants.get(path)?.values() ?? [])][0];
  return grant ? { is: 'granted', match: grantMatch(grant, grant.keys[0]!) } : { is: 'blind', match: undefined };
}

function grantMatch(grant: Event, key: LuaOperand): Match {
  return { key, stored: grant.reply, comparedWith: ownersWritten(grant)[0] ?? key };
}

function writes(event: Event): boolean {
  return event.outcome !== 'refused' && (event.effect === 'create' || event.effect === 'count' || event.effect === 'write');
}

function releaseAt(site: Site, standings: readonly Standing[], outcomes: LuaOutcomes): LuaRelease {
  const ownerChecked = standings.every(({ is }) => is !== 'blind' && is !== 'data');
  const consumes = !ownerChecked && site.occurrences.some(({ path, event }) => handsOut(path, event, site.key));
  return {
    key: site.key,
    call: site.call,
    ...outcomes,
    ...ownerChecks(site, standings, ownerChecked),
    consumes,
    undoesAcquire: standings.every(({ is }) => is === 'undone'),
    fencedBy: ownerChecked ? undefined : deletionFence(site),
  };
}

function ownerChecks(site: Site, standings: readonly Standing[], ownerChecked: boolean) {
  const match = ownerChecked ? standings.find((standing) => standing.match)?.match : constantMatch(site);
  return { ownerChecked, comparedWith: match?.comparedWith, checkedKey: match?.key };
}

/** A comparison with something that the script itself spells out does not tell one holder from the next, but it is worth knowing. */
function constantMatch(site: Site): Match | undefined {
  const [first] = site.occurrences;
  return first && matchesAt(first.event).find((match) => match.comparedWith.kind === 'const' && sameOperand(match.key, site.key));
}

/** Whether the path returns what it deletes. */
function handsOut(path: State, event: Event, key: LuaOperand): boolean {
  const leaves = returnedOperands(path).flatMap(leavesOf);
  return leaves.some((leaf) => leaf.kind === 'reply' && (sameOperand(leaf, event.reply) ? event.command === 'GETDEL' : storedContentOf(leaf) !== undefined && sameOperand(leaf.of, key)));
}

/**
 * The outcomes of a step. It is done where any of `alike`, the places that do the same to the same key, does it; one that
 * nothing guards is done where its key is there.
 */
function outcomesAt(site: Site, alike: readonly Site[], paths: readonly State[]): LuaOutcomes {
  const occurrences = alike.filter((other) => sameOperand(other.key, site.key)).flatMap((other) => other.occurrences);
  const eventOn = (path: State) => occurrences.find((occurrence) => occurrence.path === path)?.event;
  const became = (path: State): readonly ('done' | 'refused')[] => {
    const event = eventOn(path);
    if (!event || event.outcome === 'refused') return ['refused'];
    if (event.outcome === 'done') return ['done'];
    const there = event.before.includes('present') ? true : wasThere(event.reply, path);
    if (there !== undefined) return [there ? 'done' : 'refused'];
    const answers = returnedOperands(path).some((operand) => sameOperand(operand, event.reply));
    return answers ? ['done', 'refused'] : ['done'];
  };
  return outcomesOf(paths, became, (path) => eventOn(path)?.reply);
}

/** What the script prolongs. */
export function findRenewals(paths: readonly State[], calls: Calls, grants: Grants): LuaRenewal[] {
  const sites = calls.sites((event) => prolongs(event));
  return sites.flatMap((site) => {
    const standings = site.occurrences.map((occurrence) => renewalStanding(occurrence, site.key, grants));
    const blind = standings.some(({ is }) => is === 'blind');
    const checked = standings.some(({ is }) => is === 'checked') && !standings.some(({ is }) => is === 'granted');
    if (!blind && !checked) return [];
    const lease = sharedLease(site.occurrences.map(({ event }) => event.options.lease));
    const asking = paths.filter((path) => !grants.get(path)?.has(operandId(site.key)) || site.occurrences.some((occurrence) => occurrence.path === path));
    return [{ key: site.key, call: site.call, ...outcomesAt(site, sites, asking), ...ownerChecks(site, standings, !blind), lease }];
  });
}

function prolongs(event: Event): boolean {
  if (event.outcome === 'refused' || isRemoval(event)) return false;
  return event.options.lease !== undefined && (event.effect === 'expire' || event.effect === 'create');
}

function renewalStanding({ path, event }: Occurrence, key: LuaOperand, grants: Grants): Standing {
  if (grants.get(path)?.has(operandId(key))) return { is: 'granted', match: undefined };
  const standing = checkedOrBlind(path, event, key, grants);
  if (event.effect === 'create') {
    // A SET prolongs when it stores the owner again; with another value it is a write.
    const kept = standing.match && sameOperand(standing.match.key, key) && carriesOwner(event, standing.match);
    return kept ? standing : { is: event.options.xx ? 'blind' : 'data', match: undefined };
  }
  if (standing.is !== 'blind') return standing;
  // The expiry of a counter or of data that the script has just written is part of that write.
  const written = path.events.some((other) => writes(other) && other.keys.some((k) => sameOperand(k, key)));
  return written ? { is: 'data', match: undefined } : standing;
}
