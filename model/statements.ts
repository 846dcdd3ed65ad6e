/** Writes to databases: SQL text, statements built step by step, and calls with a filter and data → write events. */
import type { Build, Operators, Sql, Write } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import type { Lock, ModelEvent, WriteEvent } from './events.ts';
import { type Change, type Filter, judge } from './fences.ts';
import type { CallExpr, Expr } from './ir.ts';
import { analyzeSql, writesOf, type Assignment, type Condition as SqlCondition, type Operand, type SqlFacts, type SqlText } from './sql/index.ts';
import { type Value, alternatives, constant, printValue, text, unknown } from './value.ts';

/** SQL text with the values that stand in its holes. */
export interface Text {
  sql: SqlText;
  holes: Value[];
}

/** The SQL text that a value is: constant parts, and holes for the rest. */
export function sqlTextOf(value: Value | undefined, calls?: Calls): Text | undefined {
  if (!value) return undefined;
  for (const it of alternatives(value)) {
    if (it.kind === 'typed' && it.site?.isTag && calls) return taggedText(it.site.args[0], calls);
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

/** A tagged template keeps every embedded expression as a parameter. */
export function taggedText(template: Expr | undefined, calls: Calls): Text | undefined {
  if (template?.kind !== 'template') return undefined;
  const holes: Value[] = [];
  const parts = template.parts.map((it) => (typeof it === 'string' ? it : { hole: holes.push(calls.evaluator.value(it)) - 1 }));
  return { sql: { parts }, holes };
}

export function statementEvents(effect: Sql, matched: Matched, calls: Calls): ModelEvent[] | undefined {
  const { site, row, library } = matched;
  const { call } = site;
  const isTag = 'template' in effect.text;
  const textPath = effect.text;
  const value = 'template' in textPath ? undefined : calls.at(textPath, site, row);
  const found = isTag ? taggedText(call.args[0], calls) : sqlTextOf(value, calls);
  if (!found) return undefined;
  const statements = analyzeSql(found.sql, effect.dialect);
  if (!statements) return undefined;
  const given = effect.params && calls.at(effect.params, site, row);
  const params: Params = { site: call, holes: found.holes, list: listOf(given, effect), named: given?.kind === 'object' ? given : undefined };
  const events: ModelEvent[] = [];
  const source = { call, library };
  for (const facts of statements) {
    if (facts.kind === 'begin' || facts.kind === 'commit' || facts.kind === 'rollback') {
      if (!facts.savepoint) events.push({ kind: facts.kind === 'begin' ? 'begin' : 'commit', ...source, value: site.receiver });
      continue;
    }
    for (const it of writesOf(facts)) {
      events.push({
        ...writeOf(it, params, effect),
        ...source,
        connection: site.receiver,
        sql: { text: value ?? unknown('a template'), textExpr: isTag ? call.args[0] : call.args[0], paramsExpr: call.args[1], dialect: effect.dialect },
      });
    }
    if (facts.kind === 'call') events.push({ kind: 'write', ...source, op: 'other', target: facts.procedure ?? 'a procedure', fenced: 'unknown', compared: [], why: 'a stored procedure' });
    if (facts.kind === 'select') events.push({ kind: 'read', ...source, value: constant(facts.tables[0] ?? '') });
  }
  return events;
}

interface Params {
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
  const row = (filter: Filter, set: readonly Change[]): WriteEvent['row'] => ({ filter, changes: [...set], count: effect.count, rows: effect.rows, row: effect.row, throwsOnMiss: effect.throwsOnMiss });
  if (facts.kind === 'insert') {
    const own = changes(facts.set);
    const conflict = facts.insert?.conflict;
    if (facts.insert?.guardedBySelect || conflict?.action === 'nothing') return { kind: 'write', op: 'insert', target, fenced: 'yes', why: 'an insert that does nothing when the row is there', compared: [], row: row([], own) };
    if (conflict?.action === 'update') {
      if (conflict.where.length === 0) return { kind: 'write', op: 'upsert', target, fenced: 'no', compared: [] };
      const verdict = judge(filterOf(conflict.where, params), changes(conflict.set));
      return { kind: 'write', op: 'upsert', target, ...verdict, row: row(filterOf(conflict.where, params), conflict.set.map((it) => ({ column: it.column, value: it.value.kind === 'column' ? own.find((each) => each.column === (it.value as { column: string }).column)?.value : operandValue(it.value, params), relative: it.relative !== undefined }))) };
    }
    if (conflict) return { kind: 'write', op: 'upsert', target, fenced: 'no', compared: [] };
    return { kind: 'write', op: 'insert', target, fenced: 'no', compared: [], row: row([], own) };
  }
  const filter = filterOf(facts.where, params);
  if (facts.fragments.length) filter.push({ opaque: true });
  const verdict = judge(filter, changes(facts.set));
  return { kind: 'write', op: facts.kind === 'delete' ? 'delete' : facts.kind === 'update' ? 'update' : 'other', target, ...verdict, row: row(filter, changes(facts.set)) };
}

function filterOf(conditions: readonly SqlCondition[], params: Params): Filter {
  return conditions.map((it) => {
    if ('any' in it) return { any: it.any.map((each) => filterOf(each, params)) };
    if ('column' in it) {
      if (it.subselect) return it.subselect.rowLock || it.subselect.where.length ? { opaque: true } : { column: it.column, op: it.op };
      return { column: it.column, op: it.op === 'in' || it.op === 'like' || it.op === 'is not distinct from' ? '=' : it.op.startsWith('not') || it.op === 'is distinct from' ? 'other' : it.op, value: operandValue(it.operand, params) };
    }
    return { opaque: true };
  });
}

function operandValue(operand: Operand, params: Params): Value | undefined {
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

/** A write that is one call with a filter and data, or the step of a chain that makes it one. */
export function writeEvents(effect: Write, matched: Matched, calls: Calls): ModelEvent[] {
  const { site, library } = matched;
  const at = (path: Write['filter']): Value | undefined => path && calls.at(path, site, matched.row);
  const source = { call: site.call, library };
  const target = targetName(effect, matched, calls);
  if (effect.expiry && at(effect.expiry)) return [{ kind: 'put', ...source, key: constant(target), value: unknown('data'), hasExpiry: true, onlyIfPresent: false }];
  const given = at(effect.filter);
  const filter = given && filterOfObject(given, effect.operators);
  const expression = effect.expression && expressionOf(effect.expression, at);
  const data = at(effect.data);
  const { changes, open } = effect.expression && data && sqlTextOf(data) ? updateExpression(data, effect.expression, at, site.call) : changesOfObject(data, effect.operators);
  const row: WriteEvent['row'] = { filter: [...(filter ?? []), ...(expression ? conditionFilter(expression, site.call) : [])], changes, count: effect.count, row: effect.count?.miss === null ? effect.count.path : undefined, throwsOnMiss: effect.throwsOnMiss };
  const base = { kind: 'write', ...source, op: effect.op, target, connection: site.receiver, row } as const;
  // An object that is made only where there is none, and removed again, is a lock like a key is.
  const object = given && !filter ? objectKey(target, given) : undefined;
  const creates = effect.createsOnly?.some((it) => { const value = at(it.at); return value?.kind === 'const' && value.value === it.value; });
  if (object && creates) {
    const lock: Lock = { space: 'kv', kind: 'lease', key: object, owner: data, isCertain: false, title: library.title };
    return [{ kind: 'acquire', ...source, lock, granted: { kind: 'some', sort: 'object', site: site.call }, refused: 'throws', form: 'statement' }, { ...base, fenced: 'yes', why: 'it is only made where there is none', compared: [] }];
  }
  if (object && effect.op === 'delete' && effect.fence) {
    const checked = effect.fence.some((path) => at(path) !== undefined);
    return [{ kind: 'release', ...source, key: object, ownerChecked: checked, how: 'delete', form: 'statement' }, { ...base, fenced: checked ? 'yes' : 'no', compared: [] }];
  }
  if (effect.fence?.some((path) => at(path) !== undefined)) return [{ ...base, fenced: 'yes', why: 'a precondition', compared: [] }];
  if (expression) return [{ ...base, fenced: 'yes', why: 'a condition expression', compared: [] }];
  if (effect.op === 'insert') return [{ ...base, fenced: 'no', compared: [] }];
  if (!effect.filter || !given) return [{ ...base, fenced: 'no', compared: [] }];
  if (!filter) {
    // A filter that was built elsewhere may hold anything; a plain id is a selection by key.
    const isPlain = alternatives(given).every((it) => it.kind === 'param' || it.kind === 'const' || it.kind === 'text' || it.kind === 'derived' || (it.kind === 'field' && it.of.kind !== 'unknown') || it.kind === 'item');
    return [{ ...base, fenced: isPlain ? 'no' : 'unknown', why: isPlain ? undefined : 'its filter is not in sight', compared: [] }];
  }
  return [{ ...base, ...judge(filter, changes, open) }];
}

const objectKey = (bucket: string, key: Value): Value => text([constant(`${bucket}/`), key]);

/** An expression of DynamoDB with its placeholders' names and values. */
interface Expression {
  text: string;
  names: (Value & { kind: 'object' }) | undefined;
  values: (Value & { kind: 'object' }) | undefined;
}

function expressionOf(given: NonNullable<Write['expression']>, at: (path: Write['filter']) => Value | undefined): Expression | undefined {
  const text = at(given.text);
  if (!text) return undefined;
  const object = (value: Value | undefined): (Value & { kind: 'object' }) | undefined => (value?.kind === 'object' ? value : undefined);
  return { text: text.kind === 'const' ? String(text.value) : '', names: object(at(given.names)), values: object(at(given.values)) };
}

/** Its conditions are those of SQL, but for `#name`. */
function conditionFilter(expression: Expression, site: CallExpr): Filter {
  const facts = expression.text ? analyzeSql({ parts: [`SELECT 1 FROM t WHERE ${withNames(expression)}`] })?.[0] : undefined;
  return facts ? filterOf(facts.where, { site, holes: [], list: undefined, named: namedValues(expression) }) : [{ opaque: true }];
}

const namedValues = (expression: Expression): (Value & { kind: 'object' }) | undefined =>
  expression.values && { ...expression.values, props: new Map([...expression.values.props].map(([name, value]) => [name.replace(/^:/, ''), value])) };

const withNames = ({ text, names }: Expression): string =>
  text.split(/(#\w+)/).map((it) => {
    const name = it.startsWith('#') ? names?.props.get(it) : undefined;
    return it.startsWith('#') ? (name?.kind === 'const' ? String(name.value) : it.slice(1)) : it;
  }).join('');

/** `SET a = :a REMOVE b` */
function updateExpression(data: Value, given: NonNullable<Write['expression']>, at: (path: Write['filter']) => Value | undefined, site: CallExpr): { changes: Change[]; open: boolean } {
  if (data.kind !== 'const') return { changes: [], open: true };
  const expression: Expression = { ...(expressionOf({ ...given, text: { constant: ' ' } }, at) ?? { names: undefined, values: undefined }), text: String(data.value) };
  const parts = withNames(expression).split(/\b(SET|REMOVE|ADD|DELETE)\b/i);
  const changes: Change[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const clause = parts[i]!.toUpperCase();
    const body = parts[i + 1]!.trim();
    if (clause === 'SET') {
      const facts = analyzeSql({ parts: [`UPDATE t SET ${body}`] })?.[0];
      for (const it of facts?.set ?? []) changes.push({ column: it.column, value: operandValue(it.value, { site, holes: [], list: undefined, named: namedValues(expression) }), relative: it.relative !== undefined });
    } else for (const it of body.split(',')) changes.push({ column: it.trim().split(/\s/)[0]!, value: clause === 'REMOVE' ? constant(null) : undefined, relative: clause !== 'REMOVE' });
  }
  return { changes, open: false };
}

function targetName(effect: Write, { site, row }: Matched, calls: Calls): string {
  const { target } = effect;
  if (!target || 'receiver' in target) return lastName(site.receiver);
  if ('property' in target) {
    let at: Value | undefined = site.receiver;
    for (let i = 0; i < target.property && at?.kind === 'field'; i++) at = at.of;
    return lastName(at);
  }
  const value = calls.at(target, site, row);
  return value ? printValue(value) : 'a resource';
}

function lastName(value: Value | undefined): string {
  if (!value) return 'a resource';
  if (value.kind === 'either') return lastName(value.of[0]);
  if (value.kind === 'export') return value.name.slice(value.name.lastIndexOf('.') + 1);
  if (value.kind === 'result' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  if (value.kind === 'field') return value.name;
  if (value.kind === 'typed' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  if (value.kind === 'typed') return value.site?.callee.kind === 'member' && typeof value.site.callee.name === 'string' ? value.site.callee.name : value.type.split(':')[1]!;
  return printValue(value);
}

/** `{ id, version: { lt: 3 }, $or: [...] }` → conditions; undefined when it is not an object in sight. */
function filterOfObject(value: Value, operators: Operators | undefined): Filter | undefined {
  if (value.kind !== 'object') return undefined;
  const filter: Filter = [];
  for (const [name, it] of value.props) {
    const meaning = operators?.[name];
    if (meaning === 'and' && it.kind === 'array') it.items.forEach((each) => filter.push(...(filterOfObject(each, operators) ?? [{ opaque: true as const }])));
    else if (meaning === 'and' && it.kind === 'object') filter.push(...(filterOfObject(it, operators) ?? []));
    else if (meaning === 'or' && it.kind === 'array') filter.push({ any: it.items.map((each) => filterOfObject(each, operators) ?? [{ opaque: true as const }]) });
    else if (meaning !== undefined || name.startsWith('$')) filter.push({ opaque: true });
    else filter.push(...conditionsOn(name, it, operators));
  }
  if (value.open) filter.push({ opaque: true });
  return filter;
}

function conditionsOn(column: string, value: Value, operators: Operators | undefined): Filter {
  if (value.kind === 'typed' && value.configured?.has('compare')) return [{ column, op: printValue(value.configured.get('compare')!), value: value.args[0] }];
  if (value.kind !== 'object' || value.props.size === 0) return [{ column, op: value.kind === 'const' && value.value === null ? 'is null' : '=', value }];
  const found: Filter = [];
  for (const [name, it] of value.props) {
    const op = operators?.[name];
    if (op === undefined && name.startsWith('$')) found.push({ column, op: 'other', value: it });
    else if (op === undefined) {
      // A compound unique key: `{ id_version: { id, version } }`.
      found.push(...conditionsOn(name, it, operators));
    } else if (op === '<' || op === '<=' || op === '>' || op === '>=' || op === '=' || op === '<>') found.push({ column, op, value: it });
    else if (op === 'in') found.push({ column, op: '=', value: it.kind === 'array' ? it.items[0] : it });
    else found.push({ column, op: 'other', value: it });
  }
  return found;
}

function changesOfObject(value: Value | undefined, operators: Operators | undefined): { changes: Change[]; open: boolean } {
  if (!value) return { changes: [], open: false };
  if (value.kind !== 'object') return { changes: [], open: true };
  const changes: Change[] = [];
  let open = value.open;
  for (const [name, it] of value.props) {
    const meaning = operators?.[name];
    if ((meaning === 'set' || meaning === 'increment') && it.kind === 'object') {
      for (const [column, each] of it.props) changes.push({ column, value: each, relative: meaning === 'increment' });
      open ||= it.open;
    } else if (meaning === 'set' || meaning === 'increment') open = true;
    else if (it.kind === 'object' && [...it.props.keys()].some((key) => operators?.[key] === 'increment')) changes.push({ column: name, relative: true });
    else if (name.startsWith('$') && it.kind === 'object') for (const column of it.props.keys()) changes.push({ column, relative: true });
    else changes.push({ column: name, value: it });
  }
  return { changes, open };
}

/** The statement that a chain has built, when its last step is reached. */
export function chainEvents(matched: Matched, calls: Calls): ModelEvent[] {
  const steps: { effect: Build; matched: Matched }[] = [];
  for (let at: Matched | undefined = matched; at; ) {
    const build: Build | undefined = at.effects.find((it): it is Build => it.kind === 'build');
    if (build) steps.unshift({ effect: build, matched: at });
    const receiver: Value | undefined = at.site.receiver;
    const callee: Expr = at.site.call.callee;
    const previous: Expr | undefined = callee.kind === 'member' ? callee.object : callee;
    void receiver;
    if (previous?.kind === 'call') at = calls.match(calls.site(previous))[0];
    else if (previous?.kind === 'await') at = undefined;
    else at = undefined;
  }
  const op = steps.findLast((it) => it.effect.op !== undefined)?.effect.op;
  if (!op || op === 'select') return [];
  const filter: Filter = [];
  let changes: Change[] = [];
  let open = false;
  let target = 'a table';
  let conflict: 'nothing' | 'update' | undefined;
  let isFirst = true;
  for (const { effect, matched: { site, row } } of steps) {
    if (effect.table) {
      const value = calls.at(effect.table, site, row);
      if (value) target = tableName(value);
    }
    if (effect.conflict) conflict = effect.conflict;
    if (effect.set) {
      const found = changesOfObject(calls.at(effect.set, site, row), effect.operators);
      changes = [...changes, ...found.changes];
      open ||= found.open;
    }
    const added = effect.filter && builtFilter(effect.filter, effect.operators, { site, row }, calls);
    if (added && effect.or && !isFirst) filter.push({ opaque: true });
    else if (added) filter.push(...added);
    if (added) isFirst = false;
  }
  const last = <K extends 'count' | 'rows' | 'row' | 'throwsOnMiss'>(name: K): Build[K] => steps.findLast((it) => it.effect[name] !== undefined)?.effect[name];
  const row: WriteEvent['row'] = { filter, changes, count: last('count'), rows: last('rows'), row: last('row'), throwsOnMiss: last('throwsOnMiss') };
  const base = { kind: 'write', call: matched.site.call, library: matched.library, target, connection: matched.site.receiver, row } as const;
  if (op === 'insert' && conflict === undefined) return [{ ...base, op: 'insert', fenced: 'no', compared: [] }];
  if (conflict === 'nothing') return [{ ...base, op: 'insert', fenced: 'yes', compared: [] }];
  if (op === 'insert' || op === 'upsert') return [{ ...base, op: 'upsert', ...(filter.length ? judge(filter, changes, open) : { fenced: 'no' as const, compared: [] }) }];
  return [{ ...base, op, ...judge(filter, changes, open) }];
}

function tableName(value: Value): string {
  if (value.kind === 'typed' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  if (value.kind === 'result' && value.args[0]?.kind === 'const') return String(value.args[0].value);
  return printValue(value);
}

function builtFilter(given: NonNullable<Build['filter']>, operators: Operators | undefined, at: Pick<Matched, 'site' | 'row'>, calls: Calls): Filter | undefined {
  const value = (path: Parameters<Calls['at']>[0] | undefined): Value | undefined => path && calls.at(path, at.site, at.row);
  if (given.object) {
    const object = value(given.object);
    if (object?.kind === 'func') return [{ opaque: true }];
    if (object) return filterOfObject(object, operators) ?? [{ opaque: true }];
  }
  if (given.triple) {
    const column = value(given.triple.column);
    const compared = value(given.triple.value);
    if (!column) return undefined;
    const op = given.triple.op ? value(given.triple.op) : constant('=');
    const known = op?.kind === 'const' ? String(op.value) : 'other';
    return [{ column: columnName(column), op: known === 'in' || known === 'is' ? '=' : known, value: compared }];
  }
  if (given.expression) {
    const expression = value(given.expression);
    return expression ? conditionExpression(expression, operators, calls) : undefined;
  }
  if (given.sql) {
    const text = sqlTextOf(value(given.sql));
    const facts = text && analyzeSql({ parts: ['SELECT 1 FROM t WHERE ', ...text.sql.parts] });
    return facts?.[0] ? filterOf(facts[0].where, { site: at.site.call, holes: text!.holes, list: undefined, named: value(given.params)?.kind === 'object' ? (value(given.params) as Value & { kind: 'object' }) : undefined }) : [{ opaque: true }];
  }
  return undefined;
}

const columnName = (value: Value): string => (value.kind === 'field' ? value.name : value.kind === 'const' ? String(value.value) : printValue(value));

/** `and(eq(t.id, id), lt(t.token, token))` */
function conditionExpression(value: Value, operators: Operators | undefined, calls: Calls): Filter {
  if (value.kind !== 'typed' || !value.site) return [{ opaque: true }];
  const matched = calls.match(calls.site(value.site))[0];
  const build = matched?.effects.find((it): it is Build => it.kind === 'build');
  if (!matched || !build) return [{ opaque: true }];
  // The condition's own arguments stand in the value, so that a caller's are seen.
  const site = { ...matched.site, args: value.args };
  if (build.combine) {
    const items = calls.at(build.combine.items, site, matched.row);
    const each = (items?.kind === 'array' ? items.items : items ? [items] : []).map((it) => conditionExpression(it, operators, calls));
    if (build.combine.how === 'and') return each.flat();
    if (build.combine.how === 'or') return [{ any: each }];
    return [{ opaque: true }];
  }
  return (build.filter && builtFilter(build.filter, build.operators ?? operators, { site, row: matched.row }, calls)) ?? [{ opaque: true }];
}
