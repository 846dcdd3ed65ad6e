/** Which connection of a database a statement runs on: any of a pool's, one that is kept, a transaction's. */
import type { Connection, Library } from '../catalog/schema.ts';
import type { Through } from './events.ts';
import type { Module } from './ir.ts';
import type { Model } from './story.ts';
import { type Value, alternatives, isNothing, sameSite, sameValue } from './value.ts';

export type KnownConnection = Exclude<Connection, 'receiver'>;

/** Undefined when it cannot be told: a parameter that may be either, a receiver that nothing is known of. */
export function connectionOf({ connection, receiver }: Through, model: Model): KnownConnection | undefined {
  if (!receiver) return connection === 'receiver' ? undefined : connection;
  const given = alternatives(receiver).filter((it) => !isNothing(it));
  const known = given.map((it) => connectionOfValue(it, model));
  if (known.length === 0 || known.some((it) => it === 'several' || it !== known[0])) return undefined;
  const [first] = known as (KnownConnection | undefined)[];
  if (first !== undefined) return first;
  // Only a receiver that is the same on every path is what the row was found by.
  return connection === 'receiver' || given.length > 1 ? undefined : connection;
}

function connectionOfValue(value: Value, model: Model): KnownConnection | 'several' | undefined {
  const identity = model.identities.of(value);
  if (!identity) return undefined;
  const { catalog } = model.project;
  // What a parameter is when it is left out says nothing about what it is when it is given.
  if (value.kind === 'param' && value.func.params[value.index]?.fallback) return 'several';
  const type = identity.type ?? (identity.def && model.identities.baseType(identity.def));
  if (type === undefined) return undefined;
  const found = catalog.connectionOf(type);
  return identity.others?.some((it) => catalog.connectionOf(it) !== found) ? 'several' : found;
}

/** A value and what it was made from, as far as that is one connection: the runner of a manager, the transaction of a request. Pools are no connection. */
function lineOf(value: Value | undefined, model: Model): Value[] {
  const line: Value[] = [];
  for (const it of value ? alternatives(value) : []) {
    for (let at: Value | undefined = it; at && line.length < 24; ) {
      if (connectionOfValue(at, model) !== 'pool' && at.kind !== 'unknown' && !isNothing(at)) line.push(at);
      if (at.kind === 'typed') {
        for (const given of at.args) if (given.kind === 'typed' || given.kind === 'param') line.push(...lineOf(given, model));
        at = at.base;
      } else at = at.kind === 'field' || at.kind === 'item' ? at.of : undefined;
    }
  }
  return line.filter((it) => connectionOfValue(it, model) !== 'pool');
}

/** Whether two values belong to the same connection or transaction, as far as that is known. */
export function isSameConnection(a: Value | undefined, b: Value | undefined, model: Model): boolean {
  const others = lineOf(b, model);
  return lineOf(a, model).some((it) => it.kind !== 'this' && others.some((other) => sameValue(it, other)));
}

/** Two values that are known to be connections of their own. */
export function areDifferentConnections(a: Value | undefined, b: Value | undefined, model: Model): boolean {
  if (isSameConnection(a, b, model)) return false;
  const isMade = (value: Value | undefined): boolean => value?.kind === 'typed' && value.site !== undefined;
  return isMade(a) && isMade(b) && (a as Value & { kind: 'typed' }).type === (b as Value & { kind: 'typed' }).type;
}

/** Whether the value was made by this call, or is what the call hands to its body. */
export function comesFrom(value: Value | undefined, call: Parameters<typeof sameSite>[0], model: Model): boolean {
  return lineOf(value, model).some((it) => it.kind === 'typed' && sameSite(it.site, call));
}

/** Whether the value is one that a caller hands in. */
export function isHandedIn(value: Value | undefined): boolean {
  return value !== undefined && alternatives(value).some((it) => {
    let at: Value = it;
    while (at.kind === 'field' || at.kind === 'item' || (at.kind === 'typed' && at.base)) at = at.kind === 'typed' ? at.base! : at.of;
    return at.kind === 'param';
  });
}

/** Whether the project has a package by which a call of the library can be in a transaction that it does not name. */
export function mayBeAmbient(module: Module, library: Library | undefined, model: Model): boolean {
  return model.project.catalog.ambientPackagesOf(library).some((name) => module.specifiers.includes(name) || model.project.packageRange(module, name) !== undefined);
}
