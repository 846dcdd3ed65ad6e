/** Writes that are one call with a filter and data: objects, and DynamoDB's expressions → write events. */
import type { Operators, Write } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import type { Lock, ModelEvent, WriteEvent } from './events.ts';
import { type Change, type Filter, judge } from './fences.ts';
import type { CallExpr } from './ir.ts';
import { analyzeSql } from './sql/index.ts';
import { pendingAt } from './pending.ts';
import { isVersioned } from './versions.ts';
import { filterOf, operandValue, sqlTextOf } from './statements.ts';
import { type Value, alternatives, constant, contains, printValue, text, unknown } from './value.ts';

/** A write that is one call with a filter and data, or the step of a chain that makes it one. */
export function writeEvents(effect: Write, matched: Matched, calls: Calls): ModelEvent[] {
  const { site, library } = matched;
  const at = (path: Write['filter']): Value | undefined => {
    const value = path && calls.at(path, site, matched.row);
    if (path && 'each' in path && value?.kind === 'array' && value.items.length === 1 && !value.open) return value.items[0];
    return value && effect.wrappers ? unwrapped(value, effect.wrappers) : value;
  };
  const source = { call: site.call, library };
  const target = targetName(effect, matched, calls);
  const elements = elementsOf(effect, matched, calls);
  if (elements === 'none') return [];
  if (elements === 'unknown') return [{ kind: 'write', ...source, op: effect.op, target, connection: at(effect.transaction) ?? site.receiver, fenced: 'unknown', why: 'its list is not in sight', compared: [] }];
  if (effect.expiry && at(effect.expiry)) return [{ kind: 'put', ...source, key: constant(target), value: unknown('data'), hasExpiry: true, onlyIfPresent: false }];
  const given = at(effect.filter);
  const filter = given && filterOfObject(given, effect.operators);
  const expression = effect.expression && expressionOf(effect.expression, at);
  const data = at(effect.data);
  const { changes, open } = effect.expression && data && sqlTextOf(data) ? updateExpression(data, effect.expression, at, site.call) : changesOfObject(data, effect.operators);
  // A document that is written by its own method is chosen by itself.
  const document = effect.filter ? given : documentOf(effect, matched, calls);
  const row: WriteEvent['row'] = { by: filter ? undefined : document, filter: [...(filter ?? []), ...(expression ? conditionFilter(expression, site.call) : [])], changes, count: effect.count, row: effect.count?.miss === null ? effect.count.path : undefined, throwsOnMiss: effect.throwsOnMiss };
  // A file or object whose name has a random part.
  const name = effect.target && 'arg' in effect.target ? at(effect.target) : undefined;
  const key = name && contains(name, (it) => it.kind === 'fresh' && it.source === 'random') ? name : undefined;
  const base = { kind: 'write', ...source, op: effect.op, target, key, connection: at(effect.transaction) ?? site.receiver, row } as const;
  // An object that is made only where there is none, and removed again, is a lock like a key is.
  const object = given && !filter ? objectKey(target, given) : undefined;
  const creates = effect.createsOnly?.some((it) => { const value = at(it.at); return value?.kind === 'const' && value.value === it.value; });
  if (object && creates) {
    const lock: Lock = { space: 'kv', kind: 'lease', key: object, owner: data, lease: calls.lease(effect.lease, site, matched.row), isCertain: false, title: library.title };
    return [{ kind: 'acquire', ...source, lock, granted: { kind: 'some', sort: 'object', site: site.call }, refused: 'throws', form: 'statement' }, { ...base, fenced: 'yes', why: 'it is only made where there is none', compared: [] }];
  }
  if (object && effect.op === 'delete' && effect.fence) {
    const checked = effect.fence.some((path) => at(path) !== undefined);
    return [{ kind: 'release', ...source, key: object, ownerChecked: checked, how: 'delete', form: 'statement' }, { ...base, fenced: checked ? 'yes' : 'no', compared: [] }];
  }
  if (effect.fence?.some((path) => at(path) !== undefined)) return [{ ...base, fenced: 'yes', why: 'a precondition', compared: [] }];
  if (effect.flushes) {
    const pending = pendingAt(matched, effect.versioned ?? [], calls);
    if (!pending) return [{ ...base, fenced: 'unknown', why: 'what it writes is not in sight', compared: [] }];
    const what = { ...base, target: lastName(pending.entity) };
    if (pending.versioned === 'yes') return [{ ...what, fenced: 'yes', why: 'the model compares its version', compared: [] }];
    return [{ ...what, fenced: pending.versioned, why: pending.versioned === 'no' ? undefined : 'not all that it writes is known to have no version', compared: [] }];
  }
  const entity = effect.target && 'arg' in effect.target ? at(effect.target) : undefined;
  if (effect.versioned && isVersioned([site.receiver, data, entity], effect.versioned, calls.evaluator, calls.identities)) return [{ ...base, fenced: 'yes', why: 'the model compares its version', compared: [] }];
  if (effect.raises && isVersioned([site.receiver, data, entity], effect.raises, calls.evaluator, calls.identities)) return [{ ...base, fenced: 'unknown', why: 'the entity has a version', compared: [] }];
  if (expression) return [{ ...base, fenced: 'yes', why: 'a condition expression', compared: [] }];
  if (effect.op === 'insert') return [{ ...base, fenced: 'no', compared: [] }];
  if (effect.op === 'save') {
    const made = savedAs(data ?? site.receiver);
    if (made === 'insert') return [{ ...base, op: 'insert', fenced: 'no', compared: [], row: { ...row, by: undefined, changes: changesOfObject(madeFrom(data ?? site.receiver), effect.operators).changes } }];
    if (made === 'unknown') return [{ ...base, fenced: 'unknown', why: 'it is not known whether it was read or made', compared: [] }];
  }
  if (!effect.filter || !given) return [{ ...base, fenced: 'no', compared: [] }];
  if (!filter) {
    // A filter that was built elsewhere may hold anything; a plain id is a selection by key.
    const isPlain = alternatives(given).every((it) => it.kind === 'param' || it.kind === 'const' || it.kind === 'text' || it.kind === 'derived' || (it.kind === 'field' && it.of.kind !== 'unknown') || it.kind === 'item');
    return [{ ...base, fenced: isPlain ? 'no' : 'unknown', why: isPlain ? undefined : 'its filter is not in sight', compared: [], handed: { filter: given, data, operators: effect.operators } }];
  }
  return [{ ...base, ...judge(filter, changes, open) }];
}

/** A write whose filter its caller has handed over, once that is known. */
export function withFilter(event: WriteEvent): WriteEvent {
  const { handed, row } = event;
  const filter = handed && filterOfObject(handed.filter, handed.operators);
  if (!filter) return event;
  const { changes, open } = changesOfObject(handed.data, handed.operators);
  return { ...event, handed: undefined, why: undefined, row: row && { ...row, by: undefined, filter, changes }, ...judge(filter, changes, open) };
}

/** Whether a write that is an element of a list, as one kind among others, stands in it. */
function elementsOf(effect: Write, { site, row }: Matched, calls: Calls): 'some' | 'none' | 'unknown' {
  const path = [effect.filter, effect.data, effect.expression?.text].find((it) => it !== undefined && 'each' in it);
  if (!path || !('each' in path)) return 'some';
  const list = calls.at({ arg: path.arg, path: path.path }, site, row);
  if (list?.kind !== 'array') return 'unknown';
  if (list.items.some((it) => it.kind === 'object' && it.props.has(path.each[0]!))) return 'some';
  return list.open || list.items.some((it) => it.kind !== 'object' || it.open) ? 'unknown' : 'none';
}

/** A reference that is made again, `collection('locks').doc(name)`, is the same document. */
export function documentKey(value: Value): Value {
  if (value.kind !== 'typed' || value.base?.kind !== 'typed' || value.args.length !== 1) return value;
  const [home] = value.base.args;
  return home?.kind === 'const' ? objectKey(String(home.value), value.args[0]!) : value;
}

/** The reference of one document, where the call names no filter. */
function documentOf({ target, op }: Write, { site, row }: Matched, calls: Calls): Value | undefined {
  if (!target || 'property' in target) return undefined;
  const document = 'receiver' in target ? site.receiver : calls.at(target, site, row);
  const key = document && documentKey(document);
  // What inserts by the receiver is as a rule called on the collection.
  return op === 'insert' && 'receiver' in target && key === document ? undefined : key;
}

/** The properties that a new entity was made with. */
function madeFrom(value: Value | undefined): Value | undefined {
  const [made] = value ? alternatives(value) : [];
  if (made?.kind === 'object') return made;
  return made?.kind === 'typed' || made?.kind === 'instance' || made?.kind === 'result' ? made.args.find((it) => it.kind === 'object') : undefined;
}

/** Whether what is saved was made here (an insert), or comes from the store. */
function savedAs(value: Value | undefined): 'insert' | 'unknown' | 'save' {
  if (!value) return 'save';
  const all = alternatives(value).map((it) => {
    if (it.kind === 'array') return it.items.length ? savedAs(it.items[0]) : 'unknown';
    if (it.kind === 'instance') return 'insert';
    if (it.kind === 'typed') return it.site?.isNew ? 'insert' : 'save';
    if (it.kind === 'result') return it.callee.kind === 'field' && it.callee.name === 'create' ? 'insert' : 'save';
    if (it.kind !== 'object') return 'save';
    if ([...it.props.keys()].some((name) => /^_?id$/i.test(name))) return 'save';
    return it.open ? 'unknown' : 'insert';
  });
  return all.every((it) => it === 'insert') ? 'insert' : all.includes('save') ? 'save' : 'unknown';
}

/** `{ name: { S: 'a' } }` without what names the types. */
function unwrapped(value: Value, wrappers: readonly string[]): Value {
  if (value.kind !== 'object') return value;
  const props = new Map([...value.props].map(([name, it]) => {
    const [[wrapper, inner] = []] = it.kind === 'object' && it.props.size === 1 ? [...it.props] : [];
    return [name, wrapper !== undefined && inner && wrappers.includes(wrapper) ? inner : it] as const;
  }));
  return { ...value, props };
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

/** What a write or read is about: a table, model, collection, bucket or file, for people and to tell whether two are about the same. */
export function targetName(effect: Pick<Write, 'target'>, { site, row }: Matched, calls: Calls): string {
  const { target } = effect;
  if (!target || 'receiver' in target) return lastName(site.receiver);
  if ('property' in target) {
    let at: Value | undefined = site.receiver;
    for (let i = 0; i < target.property && at?.kind === 'field'; i++) at = at.of;
    return lastName(at);
  }
  const found = calls.at(target, site, row);
  if (!found) return lastName(site.receiver);
  const value = 'each' in target && found?.kind === 'array' && found.items.length > 0 ? found.items[0] : found;
  return value?.kind === 'typed' || (value?.kind === 'result' && (value.args[0]?.kind === 'class' || value.args[0]?.kind === 'typed')) ? lastName(value) : value ? printValue(value) : lastName(site.receiver);
}

function lastName(value: Value | undefined): string {
  if (!value) return 'a resource';
  if (value.kind === 'either') return lastName(value.of[0]);
  if (value.kind === 'item') return lastName(value.of);
  if (value.kind === 'export' || value.kind === 'global') return value.name.slice(value.name.lastIndexOf('.') + 1);
  if (value.kind === 'field') return value.name;
  // What a model or repository of a class hands out is called after the class.
  const named = value.kind === 'typed' && value.base?.kind === 'class' ? value.base : value.kind === 'typed' || value.kind === 'result' ? value.args[0] : undefined;
  if (named?.kind === 'class' && named.def.name) return named.def.name;
  if (value.kind === 'result' || value.kind === 'typed') {
    // What stands behind the store that it is reached through: `doc(db, 'orders', id)`.
    const first = value.args.find((it) => it.kind !== 'typed');
    if (first?.kind === 'const') return String(first.value);
  }
  // The document of a collection is called after it.
  if (value.kind === 'typed' && value.base?.kind === 'typed' && value.base.args[0]?.kind === 'const') return String(value.base.args[0].value);
  // What a query of a model has found is called after the model, not after the query.
  if (value.kind === 'typed' && (value.base?.kind === 'export' || value.base?.kind === 'typed' || value.base?.kind === 'either') && value.site?.callee.kind === 'member') return lastName(value.base);
  if (value.kind === 'typed') return value.site?.callee.kind === 'member' && typeof value.site.callee.name === 'string' ? value.site.callee.name : value.type.split(':')[1]!;
  return printValue(value);
}

/** `{ id, version: { lt: 3 }, $or: [...] }` → conditions; undefined when it is not an object in sight. */
export function filterOfObject(value: Value, operators: Operators | undefined): Filter | undefined {
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
  if (value.kind === 'object' && value.open && value.props.size === 0) return [{ opaque: true }];
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

/** `{ status: 'done', $inc: { version: 1 } }` → changes; open when some of them are not in sight. */
export function changesOfObject(value: Value | undefined, operators: Operators | undefined): { changes: Change[]; open: boolean } {
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
