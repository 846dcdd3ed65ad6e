/** How locks, keys and lengths of time are named in messages. */
import type { DatabaseLockEvent, Lock } from '../model/events.ts';
import type { CallExpr } from '../model/ir.ts';
import { printValue } from '../model/value.ts';

const longest = 60;

/** `"lock:{id}"`, or what else names the lock. */
export function lockName(lock: Pick<Lock, 'key' | 'holder' | 'title'> | { key: Lock['key']; holder?: undefined; title?: undefined } | undefined): string {
  const key = lock?.key ?? lock?.holder;
  const text = key && key.kind !== 'unknown' ? printValue(key) : undefined;
  if (!text || text.includes('…')) return lock?.title ? `the ${lock.title} lock` : 'the lock';
  return `"${shorten(text.replace(/^\[(.*)\]$/, '$1'))}"`;
}

/** `` `pg_advisory_lock` of "payroll:{id}" ``, `` `FOR UPDATE` of "jobs" ``, or the statement's name alone. */
export function statementName({ name, key }: DatabaseLockEvent): string {
  const shown = name.startsWith('a ') ? `${name[0]!.toUpperCase()}${name.slice(1)}` : `\`${name}\``;
  const text = key && key.kind !== 'unknown' ? printValue(key) : undefined;
  return text && !text.includes('…') ? `${shown} of "${shorten(text, 40)}"` : shown;
}

export const shorten = (text: string, length = longest): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

/** `30 s`, `1.5 s`, `200 ms`, or `its lease`. */
export function leaseLength(lock: Lock | undefined): string | undefined {
  const ms = lock?.lease?.ms;
  if (ms === undefined) return undefined;
  return duration(ms);
}

export function duration(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  if (ms >= 1000) return `${Math.round(ms / 100) / 10} s`;
  return `${ms} ms`;
}

/** What a call's callee is called where it stands: `this.repository.save`. */
export function calleeText(call: CallExpr): string {
  const { text } = call.func.module;
  const { start, end } = call.callee.span;
  return shorten(text.slice(start, end).replace(/\s+/g, ' '), 48);
}

/** `line 12`, or `lock.ts:12` in another file. */
export function lineOf(place: { file: string; line: number }, from: string): string {
  return place.file === from ? `line ${place.line}` : `${place.file.slice(place.file.lastIndexOf('/') + 1)}:${place.line}`;
}

/** A table, key or file that is written. */
export const targetText = (target: string): string => (target.startsWith('`') ? target : `\`${shorten(target, 40)}\``);

/** Milliseconds as people write them in a table: `30 000 ms`. */
export const milliseconds = (ms: number): string => `${String(ms).replace(/\B(?=(\d{3})+$)/g, ' ')} ms`;
