/** Statements that are made one by one and sent together: `db.batch([a, b])`. */
import type { Effect } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import type { ModelEvent } from './events.ts';
import { type Value, alternatives } from './value.ts';

/** What the statements of a list do. Those that say so where they are made are not told again. */
export function listedEvents(list: Value | undefined, { site }: Matched, calls: Calls, events: (effect: Effect, matched: Matched) => ModelEvent[]): ModelEvent[] {
  const items = list?.kind === 'array' ? list.items : [];
  return items.flatMap(alternatives).flatMap((item): ModelEvent[] => {
    // A prepared statement that a method of its own would send.
    const sending = item.kind === 'typed' ? calls.catalog.sendingRow(item.type) : undefined;
    if (sending) return sent(calls.fitting(sending, { ...site, receiver: item, identity: calls.identities.of(item), name: nameOf(sending.row.name), args: [] }), events);
    // One that is sent when it is awaited, and is handed over instead.
    const made = item.kind === 'result' || item.kind === 'typed' ? item.site : undefined;
    return (made ? calls.match(calls.site(made)) : []).flatMap((it) => (it.row.lazy && it.effects.some((effect) => effect.kind === 'sql') ? sent(it, events) : []));
  });
}

const nameOf = (name: string | readonly string[]): string => (typeof name === 'string' ? name : name[0]!);

const sent = (matched: Matched | undefined, events: (effect: Effect, matched: Matched) => ModelEvent[]): ModelEvent[] => 
  // The answer of the list tells the counts, each at its own place.
  matched?.effects.flatMap((effect) => events(effect, matched)).map((it) => (it.kind === 'write' && it.row ? { ...it, row: { ...it.row, count: undefined, rows: undefined, row: undefined } } : it)) ?? [];
