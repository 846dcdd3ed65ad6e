/**
 * Calls of a library of which a caller's arguments decide what they are: `client.set(key, value, options)`
 * in a wrapper takes a lock for whoever hands it `{ NX: true }`, and `client.eval(script, …)` does what the
 * caller's script does.
 */
import type { Effect, Put } from '../catalog/schema.ts';
import type { Site } from './arguments.ts';
import type { Calls, Matched } from './calls.ts';
import type { AcquireEvent, OpenEvent } from './events.ts';
import type { Store } from './evaluator.ts';
import type { Grant } from './deep.ts';
import { putEvents } from './lock-calls.ts';
import { scriptText } from './scripts.ts';
import { type Value, constant, contains, sameValue } from './value.ts';

/** An argument as it stands in the call: what is spread is put in as soon as its elements are known. */
export interface Given {
  value: Value;
  isSpread: boolean;
}

const isCallers = (value: Value): boolean => contains(value, (it) => it.kind === 'param');

/** A list of which every element is known to be there. */
const isInSight = (value: Value): value is Value & { kind: 'array' } => value.kind === 'array' && !value.open;

/** The call as one that waits for its caller; undefined where the caller decides nothing. */
export function openCall(matched: Matched, calls: Calls): OpenEvent | undefined {
  const { site } = matched;
  const given = site.call.args.length === 0 || site.given ? (site.given ?? []) : site.call.args.map((it): Given => (it.kind === 'spread' ? { value: calls.evaluator.value(it.of, site.store), isSpread: true } : { value: calls.evaluator.value(it, site.store), isSpread: false }));
  const spreads = given.some((it) => it.isSpread && !isInSight(it.value) && isCallers(it.value));
  const decides = (effect: Effect): boolean => {
    if (effect.kind === 'put') return effect.condition === 'unknown' && given.some((it, i) => i > 1 && isCallers(it.value));
    if (effect.kind === 'command') return spreads || startsOpen(calls.at(effect.words, site, matched.row));
    if (effect.kind !== 'script') return false;
    const text = calls.at(effect.text, site, matched.row);
    return spreads || (text !== undefined && scriptText(text) === undefined && isCallers(text));
  };
  return matched.effects.some(decides) ? { kind: 'open', call: site.call, library: matched.library, site, given } : undefined;
}

/** The command's name is the caller's. */
function startsOpen(words: Value | undefined): boolean {
  const [name] = words?.kind === 'array' ? words.items : words ? [words] : [];
  return name !== undefined && name.kind !== 'const' && isCallers(name);
}

/** The call with what its caller has put in. Its site has a path of its own, so that it is not kept as the call's. */
export function siteOf({ site, given }: OpenEvent): Site {
  const args: Value[] = [];
  let open = false;
  for (const { value, isSpread } of given) {
    if (!isSpread) args.push(value);
    else if (isInSight(value)) args.push(...value.items);
    else {
      args.push({ kind: 'item', of: value });
      open = true;
    }
  }
  const store: Store = { variables: new Map(), results: new Map(), fields: new Map() };
  return { ...site, store, args, open, given };
}

/** What the call may be to its caller: the locks that it can take, by how it would tell of them. */
export function possibleGrants(event: OpenEvent, matched: Matched, calls: Calls): AcquireEvent[] {
  return matched.effects.flatMap((effect): AcquireEvent[] => {
    if (effect.kind === 'put') return putEvents({ ...effect, condition: 'absent' } satisfies Put, matched, calls).filter((it) => it.kind === 'acquire');
    if (effect.kind !== 'script' && effect.kind !== 'command') return [];
    return told.map(([granted, refused]) => ({ kind: 'acquire', call: event.call, library: event.library, lock: { space: 'kv', kind: 'lease', isCertain: false, title: 'Redis' }, granted, refused, form: 'script' }));
  });
}

/** How scripts and commands tell whether they have taken a lock. */
const told = [[constant(1), constant(0)], [constant('OK'), constant(null)], [constant(1), constant(null)]] as const;

/** Whether an acquire tells its outcome as a grant that was followed without knowing it. */
export const tellsAs = (acquire: AcquireEvent, { acquire: possible }: Grant): boolean => isSame(acquire.granted, possible.granted) && isSame(acquire.refused, possible.refused);

const isSame = (a: Value | string, b: Value | string): boolean => (typeof a === 'string' || typeof b === 'string' ? a === b : sameValue(a, b));
