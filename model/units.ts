/** Lease lengths in the wrong unit, told by their size or by the name of what holds them. */
import type { AcquireEvent, Lock } from './events.ts';
import type { Expr } from './ir.ts';
import type { Place } from './place.ts';
import { type ChosenLength, lengthChosen, namesOf } from './lengths.ts';
import { type Story, placeOf } from './story.ts';
import { type Taken, locksTaken } from './taken.ts';
import { alternatives, sameSite } from './value.ts';

/** A length that is given in another unit than it is read in. */
export interface UnitMismatch {
  lock: Lock;
  acquire: AcquireEvent;
  place: Place;
  /** What the expression says, in the file of the report. */
  expr: Expr | undefined;
  /** The unit in which it is read. */
  readAs: 's' | 'ms';
  by: { kind: 'name'; name: string } | { kind: 'size'; n: number };
}

/** Every mismatch of the file, once for each place. */
export function unitMismatches(story: Story): UnitMismatch[] {
  const found: UnitMismatch[] = [];
  const add = (it: UnitMismatch | undefined): void => {
    if (it && it.place.file === story.module.file && !found.some((known) => known.place.start === it.place.start)) found.push(it);
  };
  const taken = locksTaken(story);
  for (const it of [...taken, ...acquiresOf(story).filter((each) => !taken.some((known) => sameSite(known.acquire.call, each.acquire.call)))]) {
    const unit = it.lock.lease?.unit;
    if (unit !== 's' && unit !== 'ms') continue;
    const chosen = lengthChosen(it, story.model);
    if (!chosen) continue;
    const named = byName(it, chosen, unit);
    // A name that is wrong in the helper is the cause, whatever its callers hand in.
    if (named) add(named);
    else if (taken.includes(it)) add(bySize(it, chosen, unit));
  }
  return found;
}

/** Acquires of the file that nothing gives back in sight: a name is wrong there as well. */
function acquiresOf(story: Story): Taken[] {
  return story.module.functions.flatMap((func) =>
    story.model.summaries.of(func).known.flatMap((it) => (it.kind === 'acquire' && it.via.length === 0 ? [{ lock: it.event.lock, acquire: it.event, chain: [it.site], section: undefined }] : [])),
  );
}

function byName(taken: Taken, chosen: ChosenLength, unit: 's' | 'ms'): UnitMismatch | undefined {
  for (const [i, expr] of chosen.exprs.entries()) {
    if (i >= chosen.unscaled) break;
    const name = namesOf(expr).find((it) => unitOfName(it) !== undefined);
    if (!name || unitOfName(name) === unit) continue;
    // The innermost expression stands at the acquire, the outermost one where the length was chosen; those between lead on.
    const module = i === 0 && chosen.exprs.length > 1 ? taken.acquire.call.func.module : i === chosen.exprs.length - 1 ? chosen.module : undefined;
    if (module) return { lock: taken.lock, acquire: taken.acquire, place: placeOf(module, expr.span), expr, readAs: unit, by: { kind: 'name', name } };
  }
  return undefined;
}

/** Seconds of some hours in whole thousands are milliseconds; milliseconds under a tenth of a second are seconds. */
function bySize(taken: Taken, chosen: ChosenLength, unit: 's' | 'ms'): UnitMismatch | undefined {
  const all = alternatives(taken.lock.lease!.value);
  const [first] = all;
  if (all.length !== 1 || first?.kind !== 'const') return undefined;
  const n = Number(first.value);
  const isWrong = unit === 's' ? n >= 10_000 && n % 1000 === 0 : n > 0 && n < 100;
  if (!isWrong) return undefined;
  // A decorator is reported as a whole: its length may stand in options of several lines.
  const span = taken.section?.section.frame.decorators.includes(chosen.call) ? chosen.call.span : chosen.span;
  return { lock: taken.lock, acquire: taken.acquire, place: placeOf(chosen.module, span), expr: chosen.exprs.at(-1), readAs: unit, by: { kind: 'size', n } };
}

/** The unit that a name says: `leaseMs`, `LOCK_TTL_SECONDS`, `ttl_s`. */
export function unitOfName(name: string): 's' | 'ms' | undefined {
  if (/(?:[a-z\d]M[sS]|_ms|_MS|^ms|Millis|millis|MILLIS|Milliseconds?|milliseconds?|MILLISECONDS?|MSec|Msecs?)$/.test(name)) return 'ms';
  if (/micro|nano/i.test(name)) return undefined;
  return /(?:[a-z\d]Sec(?:s|onds?)?|_sec(?:s|onds?)?|_SEC(?:S|ONDS?)?|^seconds?|^secs?|^SECONDS|_s|_S)$/.test(name) ? 's' : undefined;
}
