/** Calls that take a lock: a library's own acquire, and a `SET` of a key that is not there. */
import type { Acquire, Put } from '../catalog/schema.ts';
import type { LeaseLength } from './arguments.ts';
import type { Calls, Matched } from './calls.ts';
import type { AcquireEvent, Lock, ModelEvent } from './events.ts';
import type { CallExpr } from './ir.ts';
import { type Value, constant, contains, unknown } from './value.ts';

/** A lock that a library's call takes. */
export function acquireEvent(effect: Acquire, { site, row, library }: Matched, calls: Calls): AcquireEvent {
  const at = (path: Parameters<Calls['at']>[0] | undefined): Value | undefined => path && calls.at(path, site, row);
  const granted = calls.fromAnswer(effect.granted, site);
  const lock: Lock = {
    space: 'library', kind: effect.lock, key: at(effect.key), title: library.title,
    // The object that is locked, when the lock's own methods give it back; an acquire may answer that same object.
    holder: effect.key && granted.kind === 'typed' && granted.type !== site.identity?.type ? undefined : site.receiver,
    owner: at(effect.owner) ?? (granted.kind === 'typed' ? granted : undefined),
    lease: calls.lease(effect.lease, site, row) ?? sessionLease(at(effect.session), calls),
    isEndless: effect.lease?.length === 0,
    session: at(effect.session),
    // With a session a key is as often a registration, which ends with its instance.
    isCertain: effect.session === undefined,
  };
  const body = at(effect.body);
  const bodyArgs: Value[] = [];
  if (effect.bodySignal !== undefined) bodyArgs[effect.bodySignal] = { kind: 'some', sort: 'object', site: site.call };
  if (effect.bodyHandle) bodyArgs[effect.bodyHandle.index] = { kind: 'typed', type: effect.bodyHandle.type, site: site.call, args: site.args, base: site.receiver };
  for (let i = 0; i < bodyArgs.length; i++) bodyArgs[i] ??= unknown('an argument');
  const renews = effect.renewalOption && !at(effect.renewalOption) ? undefined : effect.renews;
  return {
    kind: 'acquire', call: site.call, library, lock, granted, form: 'library', trap: effect.trap ?? calls.misfit(effect.misfits, site, row)?.why,
    refused: effect.refused === 'throws' || effect.refused === 'waits' ? effect.refused : calls.fromAnswer(effect.refused, site),
    body: effect.body ? (body ?? unknown('a function that is not in sight')) : undefined, bodyArgs, renews, signal: effect.bodySignal, onLost: at(effect.onLost),
  };
}

/** How long the session lives that keeps the lock, where it is made in sight. */
function sessionLease(session: Value | undefined, calls: Calls): LeaseLength | undefined {
  let made: CallExpr | undefined;
  if (session) contains(session, (it) => (made ??= it.kind === 'fresh' ? it.site : undefined) !== undefined);
  for (const it of made ? calls.match(calls.site(made)) : []) if (it.row.lasts) return calls.lease(it.row.lasts, it.site, it.row);
  return undefined;
}

/** A value that is put under a key: only where there is none it takes a lock, only where there is one it prolongs it. */
export function putEvents(effect: Put, { site, row, library }: Matched, calls: Calls): ModelEvent[] {
  const key = calls.at(effect.key, site, row);
  if (!key) return [];
  const value = calls.at(effect.value, site, row) ?? constant(undefined);
  const lease = calls.lease(effect.lease, site, row);
  const source = { call: site.call, library };
  // What the client ignores was meant to be a lock, and is none: it never refuses.
  if (effect.trap && effect.condition !== 'absent' && effect.asks?.some((it) => calls.arguments.fulfils(it, site, row))) {
    const lock: Lock = { space: 'kv', kind: 'lease', key, owner: value, lease, isCertain: false, title: 'Redis' };
    return [{ kind: 'acquire', ...source, lock, granted: effect.done === 'throws' || effect.done === 'waits' ? unknown('it throws') : calls.fromAnswer(effect.done, site), refused: 'waits', form: 'put', trap: effect.trap }];
  }
  if (effect.condition === 'absent') {
    const lock: Lock = { space: 'kv', kind: 'lease', key, session: effect.session && calls.at(effect.session, site, row), owner: value, lease, isCertain: false, title: library.coordinator === 'consensus' ? library.title : 'Redis' };
    const byCallback = site.args[site.args.length - 1]?.kind === 'func';
    const delivered = !byCallback && row.delivery?.callback !== undefined && row.delivery.returns !== undefined && site.call.callee.kind === 'member';
    const granted = delivered ? calls.fromAnswer(row.delivery!.returns!, site) : calls.fromAnswer(effect.done, site);
    const refused = delivered ? granted : effect.refused === undefined ? unknown('a refusal') : effect.refused === 'throws' || effect.refused === 'waits' ? effect.refused : calls.fromAnswer(effect.refused, site);
    return [{ kind: 'acquire', ...source, lock, granted, refused, form: 'put', trap: effect.trap }];
  }
  if (effect.condition === 'present') return [{ kind: 'renew', ...source, key, ownerChecked: false, how: 'SET XX', value }, { kind: 'put', ...source, key, value, hasExpiry: lease !== undefined, onlyIfPresent: true }];
  if (typeof effect.condition === 'object') return [{ kind: 'renew', ...source, key, ownerChecked: true, how: 'SET IFEQ' }];
  return [{ kind: 'put', ...source, key, value, hasExpiry: lease !== undefined || effect.expires === true || effect.condition === 'unknown', onlyIfPresent: false, isUnsure: effect.condition === 'unknown' }];
}
