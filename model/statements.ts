/** SQL text with the values that it is sent with → write events. */
import type { Sql } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import { locksOf, procedureLock, through } from './database-locks.ts';
import type { EventSource, ModelEvent, StatementEvent, Through, WriteEvent } from './events.ts';
import { type Change, type Filter, judge } from './fences.ts';
import type { CallExpr, Expr } from './ir.ts';
import { analyzeSql, writesOf, type Assignment, type Condition as SqlCondition, type Operand, type SqlFacts, type SqlText } from './sql/index.ts';
import { putDown } from './requests.ts';
import { type Value, alternatives, constant, contains, unknown } from './value.ts';

/** SQL text with the values that stand in its holes. */
export interface Text {
  sql: SqlText;
  holes: Value[];
}

/** The SQL text that a value is: constant parts, and holes for the rest. */
export function sqlTextOf(value: Value | undefined, calls?: Calls): Text | undefined {
  if (!value) return undefined;
  for (const it of alternatives(value)) {
    if (it.kind === 'typed' && it.site && calls) return madeText(it as Value & { kind: 'typed'; site: CallExpr }, calls);
    if (it.kind === 'result' && it.site.isTag && calls) return taggedText(it.site.args[0], calls);
    if (it.kind === 'const' && typeof it.value === 'string') return { sql: { parts: [it.value] }, holes: [] };
    if (it.kind === 'text') {
      const holes: Value[] = [];
      const parts = it.parts.map((part) => (part.kind === 'const' ? String(part.value) : { hole: holes.push(part) - 1 }));
      return { sql: { parts }, holes };
    }
    if (it.kind === 'object') return sqlTextOf(it.props.get('text') ?? it.props.get('sql'));
  }
  return undefined;
}

/** The text of a statement that a call has made: by a tag, from a text, or by adding to another one. */
function madeText(made: Value & { kind: 'typed'; site: CallExpr }, calls: Calls): Text | undefined {
  const { site } = made;
  const appends = site.func.graph().steps.some(({ op }) => op.kind === 'call' && op.call.use === 'drop' && calls.match(calls.site(op.call)).some((it) => it.effects.some((effect) => effect.kind === 'append') && isMade(it.site.receiver, site)));
  // What is added on the way is not followed.
  if (appends) return undefined;
  if (site.isTag) return taggedText(site.args[0], calls);
  for (const matched of calls.match(calls.site(site))) {
    for (const effect of matched.effects) {
      if (effect.kind === 'sql' && effect.prepares && !('template' in effect.text)) return sqlTextOf(calls.at(effect.text, matched.site, matched.row), calls);
      if (effect.kind !== 'append') continue;
      const before = sqlTextOf(matched.site.receiver, calls);
      const added = sqlTextOf(calls.at(effect.text, matched.site, matched.row), calls);
      return before && added && joined(before, added);
    }
  }
  return undefined;
}

const isMade = (value: Value | undefined, site: CallExpr): boolean => value?.kind === 'typed' && value.site === site;

const joined = (a: Text, b: Text): Text => ({
  sql: { parts: [...a.sql.parts, ...b.sql.parts.map((it) => (typeof it === 'string' ? it : { hole: it.hole + a.holes.length }))] },
  holes: [...a.holes, ...b.holes],
});

/** A tagged template keeps every embedded expression as a parameter. */
export function taggedText(template: Expr | undefined, calls: Calls): Text | undefined {
  if (template?.kind !== 'template') return undefined;
  const holes: Value[] = [];
  const parts = template.parts.map((it) => (typeof it === 'string' ? it : { hole: holes.push(calls.evaluator.value(it)) - 1 }));
  return { sql: { parts }, holes };
}

/** The time that a piece of SQL computes, `now() + interval '3 minutes'`; undefined for any other piece, and for a whole statement. */
export function pieceValue(effect: Sql, { site, row }: Matched, calls: Calls): Value | undefined {
  const { text } = effect;
  const found = 'template' in text ? taggedText(site.call.args[0], calls) : sqlTextOf(calls.at(text, site, row), calls);
  if (!found) return undefined;
  // A whole statement cannot stand there, and is not parsed as one.
  const facts = analyzeSql({ parts: ['UPDATE t SET c = ', ...found.sql.parts] }, effect.dialect);
  const given = effect.params && calls.at(effect.params, site, row);
  const set = facts?.length === 1 && facts[0]!.set.length === 1 && facts[0]!.where.length === 0 ? facts[0]!.set[0] : undefined;
  const value = set && operandValue(set.value, { site: site.call, holes: found.holes, list: listOf(given, effect), named: given?.kind === 'object' ? given : undefined });
  return value && contains(value, (it) => it.kind === 'fresh' && it.source === 'clock') ? value : undefined;
}

/** The events of a row that sends SQL text; undefined when the text is not in sight or cannot be read. */
export function statementEvents(effect: Sql, matched: Matched, calls: Calls): ModelEvent[] | undefined {
  const { site, row, library } = matched;
  const { call } = site;
  const given = effect.params && calls.at(effect.params, site, row);
  const source = { call, library };
  if ('template' in effect.text) {
    const found = taggedText(call.args[0], calls);
    return found && eventsOfText(found, unknown('a template'), given, effect, source, site.receiver, through(effect, matched, calls));
  }
  const text = calls.at(effect.text, site, row) ?? ('configured' in effect.text ? putDown(effect.text.configured, site.receiver, matched, calls) : undefined);
  const sent = through(effect, matched, calls);
  if (effect.procedure) return procedureLock(text, 'built' in effect.text ? site.args[effect.text.arg] : site.receiver, matched, calls, sent);
  if (text?.kind === 'array') {
    // One after another, each with its own parameters.
    const lists = given?.kind === 'array' ? given.items : [];
    return text.items.flatMap((it, i) => {
      const each = sqlTextOf(it, calls);
      return each ? (eventsOfText(each, it, lists[i], effect, source, site.receiver, sent) ?? []) : [];
    });
  }
  const found = sqlTextOf(text, calls);
  // A statement that is handed in is read where it stands.
  if (!found) return text && (text.kind === 'param' || text.kind === 'field') ? [{ kind: 'statement', ...source, text, params: given, connection: site.receiver, through: sent, effect }] : undefined;
  return eventsOfText(found, text!, given, effect, source, site.receiver, sent);
}

/** What a statement does whose text a caller has put in; undefined while it is not known. */
export function statementOf(event: StatementEvent): ModelEvent[] | undefined {
  const found = sqlTextOf(event.text);
  return found && eventsOfText(found, event.text, event.params, event.effect, { call: event.call, library: event.library }, event.connection, event.through);
}

function eventsOfText(found: Text, text: Value, given: Value | undefined, effect: Sql, source: EventSource, receiver: Value | undefined, sent: Through | undefined): ModelEvent[] | undefined {
  const { call } = source;
  const statements = analyzeSql(found.sql, effect.dialect);
  if (!statements) return undefined;
  const params: Params = { site: call, holes: found.holes, list: listOf(given, effect), named: given?.kind === 'object' ? given : undefined };
  const events: ModelEvent[] = [];
  for (const facts of statements) {
    if (facts.kind === 'begin' || facts.kind === 'commit' || facts.kind === 'rollback') {
      if (!facts.savepoint) events.push({ kind: facts.kind === 'begin' ? 'begin' : 'commit', ...source, value: receiver, isRollback: facts.kind === 'rollback', locks: facts.kind === 'begin' ? writeLockOf(found) : undefined });
      continue;
    }
    for (const it of writesOf(facts)) {
      events.push({ ...writeOf(it, params, effect), ...source, connection: receiver, sql: { text, textExpr: call.args[0], paramsExpr: call.args[1], dialect: effect.dialect } });
    }
    if (facts.kind === 'call') events.push({ kind: 'write', ...source, op: 'other', target: facts.procedure ?? 'a procedure', fenced: 'unknown', compared: [], why: 'a stored procedure' });
    if (facts.kind === 'select') {
      const locks = effect.connection !== 'pool' && (facts.rowLock !== undefined || facts.lockCalls.some((it) => it.scope === 'transaction' && it.mode !== 'release'));
      events.push({ kind: 'read', ...source, value: constant(facts.tables[0] ?? ''), locksOn: locks ? receiver : undefined, filter: filterOf(facts.where, params) });
    }
    for (const it of facts.mints) events.push({ kind: 'mint', ...source, key: it.sequence === undefined ? undefined : constant(it.sequence), column: it.expression === 'last-insert-id' ? 'insertId' : (it.alias ?? it.column ?? 'nextval') });
  }
  if (sent) events.push(...locksOf(statements, params, source, sent));
  return events;
}

/** SQLite's transactions that wait for the write lock when they begin. */
function writeLockOf({ sql }: Text): string | undefined {
  const [mode] = /\b(?:immediate|exclusive)\b/i.exec(sql.parts.map((it) => (typeof it === 'string' ? it : '')).join(' ')) ?? [];
  return mode && `BEGIN ${mode.toUpperCase()}`;
}

/** What a statement's parameters and holes stand for. */
export interface Params {
  site: CallExpr;
  holes: Value[];
  list: Value[] | undefined;
  named: (Value & { kind: 'object' }) | undefined;
}

function listOf(given: Value | undefined, effect: Sql): Value[] | undefined {
  if (effect.paramStyle === 'named') return undefined;
  return given?.kind === 'array' && !given.open ? given.items : undefined;
}

function writeOf(facts: SqlFacts, params: Params, effect: Sql): Omit<WriteEvent, 'call' | 'library'> {
  const target = facts.target ?? facts.tables[0] ?? 'a table';
  const changes = (set: readonly Assignment[]): Change[] => set.map((it) => ({ column: it.column, value: operandValue(it.value, params), relative: it.relative !== undefined }));
  const row = (filter: Filter, set: readonly Change[], inserted?: Change[]): WriteEvent['row'] => ({ inserted, filter, changes: [...set], count: effect.count, rows: effect.rows, row: effect.row, throwsOnMiss: effect.throwsOnMiss });
  if (facts.kind === 'insert') {
    const own = changes(facts.set);
    const conflict = facts.insert?.conflict;
    if (facts.insert?.guardedBySelect || conflict?.action === 'nothing') return { kind: 'write', op: 'insert', target, fenced: 'yes', why: 'an insert that does nothing when the row is there', compared: [], row: row([], own) };
    if (conflict?.action === 'update') {
      // MySQL has no WHERE here: each column says itself when it stays.
      const where = conflict.where.length ? conflict.where : conflict.set.length > 0 && conflict.set.every((it) => it.onlyIf) ? conflict.set[0]!.onlyIf! : [];
      if (where.length === 0) return { kind: 'write', op: 'upsert', target, fenced: 'no', compared: [], sends: own.flatMap((it) => it.value ?? []) };
      const verdict = judge(filterOf(where, params), changes(conflict.set));
      return { kind: 'write', op: 'upsert', target, ...verdict, row: row(filterOf(where, params), conflict.set.map((it) => ({ column: it.column, value: it.value.kind === 'column' ? own.find((each) => each.column === (it.value as { column: string }).column)?.value : operandValue(it.value, params), relative: it.relative !== undefined })), own) };
    }
    if (conflict) return { kind: 'write', op: 'upsert', target, fenced: 'no', compared: [] };
    return { kind: 'write', op: 'insert', target, fenced: 'no', compared: [], row: row([], own) };
  }
  const filter = filterOf(facts.where, params);
  if (facts.fragments.length) filter.push({ opaque: true });
  const verdict = judge(filter, changes(facts.set));
  return { kind: 'write', op: facts.kind === 'delete' ? 'delete' : facts.kind === 'update' ? 'update' : 'other', target, ...verdict, row: row(filter, changes(facts.set)) };
}

export function filterOf(conditions: readonly SqlCondition[], params: Params): Filter {
  return conditions.map((it) => {
    if ('any' in it) return { any: it.any.map((each) => filterOf(each, params)) };
    if ('column' in it) {
      if (it.subselect) return it.subselect.rowLock || it.subselect.where.length ? { opaque: true } : { column: it.column, op: it.op };
      return { column: it.column, op: it.op === 'in' || it.op === 'like' || it.op === 'is not distinct from' ? '=' : it.op.startsWith('not') || it.op === 'is distinct from' ? 'other' : it.op, value: operandValue(it.operand, params) };
    }
    return { opaque: true };
  });
}

export function operandValue(operand: Operand, params: Params): Value | undefined {
  switch (operand.kind) {
    case 'param':
      return params.list?.[operand.index] ?? params.named?.props.get(operand.name.replace(/^[:@$]/, '')) ?? unknown(`parameter ${operand.name}`);
    case 'hole':
      return params.holes[operand.hole] ?? unknown('an embedded value');
    case 'literal':
      return constant(operand.value);
    case 'now': {
      const now: Value = { kind: 'fresh', source: 'clock', site: params.site };
      if (operand.plus) return { kind: 'derived', from: [now, operandValue(operand.plus.by, params) ?? unknown('a length')], how: operand.plus.sign };
      return operand.plusMs ? { kind: 'derived', from: [now, constant(operand.plusMs)], how: operand.plusMs > 0 ? '+' : '-' } : now;
    }
    case 'call': {
      const [first] = operand.args;
      return first ? operandValue(first, params) : undefined;
    }
    case 'list': {
      const [first] = operand.items;
      return first ? operandValue(first, params) : undefined;
    }
    case 'other': {
      const [first] = operand.mentions;
      return first ? operandValue(first, params) : undefined;
    }
    default:
      return undefined;
  }
}
