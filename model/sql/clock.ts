/**
 * Owns the database's clock: which calls read it, and how a distance from it is written.
 */

import type { NowOperand, Operand } from './facts.ts';
import { at, listAt, nodeOf, placeholderOf, type Reading, textAt, type Tree } from './tree.ts';
import { soleMarker } from './flat-text.ts';

type ReadOperand = (tree: Tree, reading: Reading) => Operand;

/** Functions without a point in time as argument; the number is set where the result is one. */
const CLOCKS: Record<string, { unitMs?: number }> = {
  now: {}, current_timestamp: {}, localtimestamp: {}, clock_timestamp: {}, statement_timestamp: {}, transaction_timestamp: {},
  current_date: {}, current_time: {}, localtime: {}, curdate: {}, sysdate: {}, systimestamp: {}, utc_timestamp: {},
  getdate: {}, getutcdate: {}, sysdatetime: {}, sysutcdatetime: {}, sysdatetimeoffset: {},
  unix_timestamp: { unitMs: 1000 }, unixepoch: { unitMs: 1000 },
};

/** SQLite's functions, which read the clock when their time is `'now'` or left out. */
const SQLITE_TIMES: Record<string, { unitMs?: number }> = {
  datetime: {}, date: {}, time: {}, julianday: { unitMs: 86_400_000 }, unixepoch: { unitMs: 1000 }, strftime: {},
};

const ADDING: Record<string, '+' | '-'> = { date_add: '+', adddate: '+', date_sub: '-', subdate: '-' };
const UNIT_FIRST = new Set(['dateadd', 'timestampadd']);

const UNITS: Record<string, number> = {
  microsecond: 0.001, us: 0.001, millisecond: 1, ms: 1, msec: 1, second: 1000, sec: 1000, ss: 1000, s: 1000, minute: 60_000, min: 60_000,
  mi: 60_000, n: 60_000, m: 60_000, hour: 3_600_000, hr: 3_600_000, hh: 3_600_000, h: 3_600_000, day: 86_400_000, dd: 86_400_000,
  d: 86_400_000, week: 604_800_000, wk: 604_800_000, ww: 604_800_000, w: 604_800_000, mcs: 0.001,
};

function unitMs(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const plain = name.trim().toLowerCase();
  return UNITS[plain] ?? (plain.endsWith('s') ? UNITS[plain.slice(0, -1)] : undefined);
}

/** Reads a call as the clock, when it is one. */
export function clockCall(name: string, args: readonly Tree[], reading: Reading, operand: ReadOperand): NowOperand | undefined {
  const literal = (tree: Tree): string | undefined => literalText(tree);
  if (Object.hasOwn(SQLITE_TIMES, name)) {
    const points = name === 'strftime' ? args.slice(1) : args;
    if (points.length > 0 || name !== 'unixepoch') {
      if (points.length > 0 && literal(points[0])?.toLowerCase() !== 'now') return undefined;
      if (points.length === 0 && name !== 'datetime') return undefined;
      const numeric = name === 'strftime' ? (literal(args[0]) === '%s' ? { unitMs: 1000 } : {}) : SQLITE_TIMES[name]!;
      return points.slice(1).reduce((now: NowOperand, modifier) => addModifier(now, modifier, reading, operand), { kind: 'now', ...numeric });
    }
  }
  if (Object.hasOwn(CLOCKS, name)) return { kind: 'now', ...CLOCKS[name] };
  if (Object.hasOwn(ADDING, name) && args.length === 2) {
    const base = operand(args[0], reading);
    return base.kind === 'now' ? shiftClock(base, ADDING[name]!, args[1], reading, operand) : undefined;
  }
  if (UNIT_FIRST.has(name) && args.length === 3) {
    const base = operand(args[2], reading);
    const unit = unitMs(textAt(args[0], 'Identifier', 'value') ?? literal(args[0]));
    if (base.kind !== 'now' || unit === undefined) return undefined;
    return shiftBy(base, '+', { by: operand(args[1], reading), unitMs: unit });
  }
  return undefined;
}

/** The clock plus or minus an interval or, where it is read as a number, a number. */
export function shiftClock(now: NowOperand, sign: '+' | '-', distance: Tree, reading: Reading, operand: ReadOperand): NowOperand | undefined {
  const interval = intervalOf(distance, reading, operand);
  if (interval !== undefined) return shiftBy(now, sign, interval);
  const by = operand(distance, reading);
  return shiftBy(now, sign, { by, ...(now.unitMs === undefined ? {} : { unitMs: now.unitMs }) });
}

type Distance = { ms: number } | { by: Operand; unitMs?: number };

function shiftBy(now: NowOperand, sign: '+' | '-', distance: Distance): NowOperand | undefined {
  if (now.plus !== undefined) return undefined;
  const factor = sign === '+' ? 1 : -1;
  if ('ms' in distance) return { ...now, plusMs: (now.plusMs ?? 0) + factor * distance.ms };
  if (distance.by.kind === 'literal' && typeof distance.by.value === 'number' && distance.unitMs !== undefined) {
    return { ...now, plusMs: (now.plusMs ?? 0) + factor * distance.by.value * distance.unitMs };
  }
  return { ...now, plus: { sign, ...distance } };
}

/** An interval in any of the notations: literal, unit word, product, cast, make_interval. */
function intervalOf(tree: Tree, reading: Reading, operand: ReadOperand): Distance | undefined {
  const { name, body } = nodeOf(tree);
  if (name === 'Nested') return intervalOf(body, reading, operand);
  if (name === 'Interval') {
    const value = at(body, 'value');
    const text = literalText(value);
    const field = at(body, 'leading_field');
    const unit = typeof field === 'string' ? unitMs(field) : unitMs(nodeOf(field).name);
    if (field === undefined) return text === undefined ? undefined : durationOf(text, reading);
    if (unit === undefined) return undefined;
    if (text !== undefined && Number.isFinite(Number(text))) return { ms: Number(text) * unit };
    return { by: operand(value, reading), unitMs: unit };
  }
  if (name === 'Cast' && castsToInterval(body)) {
    const inner = withoutBrackets(at(body, 'expr'));
    const text = literalText(inner);
    if (text !== undefined) return durationOf(text, reading);
    const unit = unitMs(literalText(at(inner, 'BinaryOp', 'right')));
    if (textAt(inner, 'BinaryOp', 'op') === 'StringConcat' && unit !== undefined) return { by: operand(at(inner, 'BinaryOp', 'left'), reading), unitMs: unit };
    return { by: operand(inner, reading) };
  }
  if (name === 'BinaryOp' && textAt(body, 'op') === 'Multiply') {
    for (const [one, other] of [['left', 'right'], ['right', 'left']] as const) {
      const interval = intervalOf(at(body, one), reading, operand);
      if (interval === undefined || !('ms' in interval)) continue;
      const factor = operand(at(body, other), reading);
      if (factor.kind === 'literal' && typeof factor.value === 'number') return { ms: factor.value * interval.ms };
      return { by: factor, unitMs: interval.ms };
    }
  }
  if (name === 'Function' && textAt(body, 'name', 0, 'Identifier', 'value')?.toLowerCase() === 'make_interval') {
    const args = listAt(body, 'args', 'List', 'args');
    const unit = unitMs(textAt(args[0], 'ExprNamed', 'name', 'Identifier', 'value'));
    if (args.length !== 1 || unit === undefined) return undefined;
    return { by: operand(at(args[0], 'ExprNamed', 'arg', 'Expr'), reading), unitMs: unit };
  }
  return undefined;
}

function castsToInterval(cast: Tree): boolean {
  const type = at(cast, 'data_type');
  return (typeof type === 'string' ? type : Object.keys(type ?? {})[0] ?? '').toLowerCase() === 'interval';
}

/** `30 seconds`, `1 hour 30 min`, `00:05:00`, also with one placeholder for the number. */
function durationOf(text: string, reading: Reading): Distance | undefined {
  const words = text.trim().split(' ').filter((word) => word !== '');
  if (words.length === 1 && words[0]!.includes(':')) {
    const [hours, minutes, seconds = 0] = words[0]!.split(':').map(Number);
    const ms = hours! * 3_600_000 + minutes! * 60_000 + seconds * 1000;
    return Number.isFinite(ms) ? { ms } : undefined;
  }
  const marked = words.length === 2 && soleMarker(words[0]!) !== undefined ? placeholderOf(words[0]!, reading) : undefined;
  const unit = unitMs(words[1]);
  if (marked !== undefined && unit !== undefined) return { by: marked, unitMs: unit };
  let ms = 0;
  for (let i = 0; i < words.length; i += 2) {
    const amount = Number(words[i]);
    const size = unitMs(words[i + 1]);
    if (!Number.isFinite(amount) || size === undefined) return undefined;
    ms += amount * size;
  }
  return words.length === 0 ? undefined : { ms };
}

/** SQLite's modifiers: `'+30 seconds'`, `'+' || ? || ' seconds'`, and those that move nothing. */
function addModifier(now: NowOperand, modifier: Tree, reading: Reading, operand: ReadOperand): NowOperand {
  const text = literalText(modifier);
  const duration = text === undefined ? { by: operand(modifier, reading) } : durationOf(text, reading);
  return (duration && shiftBy(now, '+', duration)) ?? now;
}

function withoutBrackets(tree: Tree): Tree {
  const { name, body } = nodeOf(tree);
  return name === 'Nested' ? withoutBrackets(body) : tree;
}

/** The text of a string or number literal. */
export function literalText(tree: Tree): string | undefined {
  const value = at(tree, 'Value', 'value');
  if (value === undefined || typeof value === 'string') return undefined;
  const { name, body } = nodeOf(value);
  if (name === 'Number') return textAt(body, 0);
  return STRING_LITERALS.has(name) ? (typeof body === 'string' ? body : textAt(body, 'value')) : undefined;
}

const STRING_LITERALS = new Set([
  'SingleQuotedString', 'DoubleQuotedString', 'EscapedStringLiteral', 'NationalStringLiteral', 'DollarQuotedString', 'UnicodeStringLiteral',
]);
