/** A unit of work: what was read, or handed over, before the call that writes all of it. */
import type { Write } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import { type Value, alternatives } from './value.ts';
import { isVersioned } from './versions.ts';

/** The first entity that a flush writes, and whether all that it writes are versioned. */
export interface Pending {
  entity: Value;
  versioned: 'yes' | 'no' | 'unknown';
}

/** What is in sight of the unit of work that `matched` writes; undefined when nothing is. */
export function pendingAt(matched: Matched, names: NonNullable<Write['versioned']>, calls: Calls): Pending | undefined {
  const { site, library } = matched;
  const entities = site.call.func.graph().steps.flatMap(({ op }) => {
    if (op.kind !== 'call' || op.call.span.start >= site.call.span.start) return [];
    return calls.match(calls.site(op.call)).flatMap((it) => (it.library === library ? entitiesOf(it, calls) : []));
  });
  const [entity] = entities;
  if (!entity) return undefined;
  const all = entities.map((it) => (isVersioned([it], names, calls.evaluator, calls.identities) ? 'yes' : isClassKnown(it, calls) ? 'no' : 'unknown'));
  return { entity, versioned: all.every((it) => it === 'yes') ? 'yes' : all.every((it) => it === 'no') ? 'no' : 'unknown' };
}

function entitiesOf({ effects, site, row }: Matched, calls: Calls): Value[] {
  return effects.flatMap((effect) => {
    if (effect.kind === 'pends') return calls.at(effect.entity, site, row) ?? [];
    if (effect.kind !== 'read') return [];
    return (effect.target && 'arg' in effect.target ? calls.at(effect.target, site, row) : site.receiver) ?? [];
  });
}

const isClassKnown = (value: Value, { identities }: Calls): boolean =>
  alternatives(value).every((it) => it.kind === 'class' || it.kind === 'instance' || (it.kind === 'typed' && it.args[0]?.kind === 'class') || identities.of(it)?.def !== undefined);
