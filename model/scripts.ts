/** A Lua script sent to the server → what it takes, gives back, prolongs, mints and writes. */
import type { Library, Script } from '../catalog/schema.ts';
import { milliseconds } from './arguments.ts';
import type { Calls, Matched } from './calls.ts';
import type { Lock, ModelEvent } from './events.ts';
import type { CallExpr } from './ir.ts';
import { type LuaOperand, type LuaOutcomes, type LuaReturn, type LuaWrite, analyzeLua } from './lua/index.ts';
import { type Value, alternatives, constant, either, printValue, text, unknown } from './value.ts';

/** The text of a script: itself, or what a sha or a loaded script was made from. */
export function scriptText(value: Value | undefined): string | undefined {
  if (!value) return undefined;
  for (const it of alternatives(value)) {
    if (it.kind === 'const' && typeof it.value === 'string') return it.value;
    if (it.kind === 'derived' && it.from.length === 1) return scriptText(it.from[0]);
    if (it.kind === 'typed' && it.args.length) return scriptText(it.args[0]);
    if (it.kind === 'object' && it.props.has('lua')) return scriptText(it.props.get('lua'));
  }
  return undefined;
}

/** Events of a `script` row; undefined when the script's text is not known or no Lua. */
export function scriptEvents(effect: Script, matched: Matched, calls: Calls): ModelEvent[] | undefined {
  const { site, row, library } = matched;
  const lua = scriptText(calls.at(effect.text, site, row));
  if (lua === undefined || effect.trap) return undefined;
  const layout = effect.layout;
  let keys: Value[] = [];
  let args: Value[] = [];
  if ('counted' in layout) {
    const count = calls.at(layout.counted, site, row);
    const n = count?.kind === 'const' ? Number(count.value) : NaN;
    const items = site.args.slice(layout.from).flatMap((it) => (it.kind === 'array' ? it.items : [it]));
    const plain = items[items.length - 1]?.kind === 'func' ? items.slice(0, -1) : items;
    if (Number.isInteger(n)) {
      keys = plain.slice(0, n);
      args = plain.slice(n);
    } else if (plain.length > 0 && !site.open) {
      keys = plain.slice(0, 1);
      args = plain.slice(1);
    }
  } else {
    keys = listOf(calls.at(layout.keys, site, row));
    args = listOf(calls.at(layout.args, site, row));
  }
  return eventsOfScript(lua, keys, args, site.call, library);
}

function listOf(value: Value | undefined): Value[] {
  if (value?.kind === 'array') return value.items;
  return value ? [value] : [];
}

/** What a script does with given keys and arguments. */
export function eventsOfScript(lua: string, keys: Value[], args: Value[], call: CallExpr, library: Library | undefined): ModelEvent[] | undefined {
  const facts = analyzeLua(lua);
  if (!facts) return undefined;
  const of = (operand: LuaOperand | undefined): Value => operandValue(operand, keys, args);
  const events: ModelEvent[] = [];
  const source = { call, library };
  for (const it of facts.acquires) {
    const lease = it.lease && { value: of(it.lease.value), unit: it.lease.unit, ms: it.lease.absolute ? undefined : milliseconds(of(it.lease.value), it.lease.unit), site: undefined };
    const lock: Lock = { space: 'kv', kind: 'lease', key: of(it.key), owner: it.owner && of(it.owner), lease, isCertain: false, title: library?.title ?? 'Redis' };
    events.push({ kind: 'acquire', ...source, lock, granted: returnsValue(it.done, call, args), refused: returnsValue(it.refused, call, args), form: 'script', mints: facts.mints.some((mint) => mint.insideAcquire) });
  }
  for (const it of facts.releases) {
    if (it.undoesAcquire || it.consumes) continue;
    const checked = it.ownerChecked || it.fencedBy !== undefined;
    events.push({ kind: 'release', ...source, key: of(it.key), ownerChecked: checked, comparedWith: it.comparedWith && of(it.comparedWith), how: 'script', form: 'script', several: it.key.kind === 'key' && it.key.index === 'each' && keys.length > 1 });
  }
  for (const it of facts.renewals) events.push({ kind: 'renew', ...source, key: of(it.key), ownerChecked: it.ownerChecked, how: 'script' });
  for (const it of facts.mints) events.push({ kind: 'mint', ...source, key: of(it.key), expires: it.expires });
  const own = new Set([...facts.acquires, ...facts.releases, ...facts.renewals].map((it) => it.call));
  for (const it of facts.writes) {
    if (own.has(it.call)) continue;
    const key = of(it.key);
    if (it.lease) {
      events.push({ kind: 'put', ...source, key, value: unknown('written by a script'), hasExpiry: true, onlyIfPresent: false });
      continue;
    }
    // A script that decides on what is stored is more than a blind write; what it decides is its author's.
    const fenced = it.fencedBy || it.equalityGuard ? 'yes' : facts.calls.some((each) => each.conditions.length > 0) ? 'unknown' : 'no';
    const order = it.fencedBy?.by === 'order' ? { op: it.fencedBy.operator, value: of(it.fencedBy.comparedWith), recorded: it.fencedBy.recorded } : undefined;
    events.push({ kind: 'write', ...source, op: 'data', target: printValue(key), fenced, compared: args, why: it.fencedBy ? 'the script compares' : undefined, sends: it.values.map(of), order, answerTells: isCompared(it) && tellsRefusal(it) });
  }
  return events;
}

/** The write is bound to an order, a bound, or what its caller expects to be stored. A count that must not fall below nothing is bound to nobody. */
const isCompared = ({ fencedBy, equalityGuard }: LuaWrite): boolean => (fencedBy ? fencedBy.by === 'order' || (fencedBy.by === 'bound' && fencedBy.comparedWith.kind !== 'const') : equalityGuard?.comparedWith.kind === 'arg');

/** Whether a refused write is answered otherwise than one that was done, and by no error. */
function tellsRefusal({ done, refused }: LuaOutcomes): boolean {
  const isPlain = (it: LuaReturn): boolean => it.kind === 'const';
  const same = (a: LuaReturn, b: LuaReturn): boolean => a.kind === 'const' && b.kind === 'const' && a.value === b.value;
  return refused.length > 0 && refused.every(isPlain) && done.length > 0 && done.every((it) => !refused.some((other) => same(it, other)));
}

function operandValue(operand: LuaOperand | undefined, keys: Value[], args: Value[]): Value {
  if (!operand) return unknown('nothing');
  switch (operand.kind) {
    case 'key':
      return operand.index === 'each' ? (keys.length === 1 ? keys[0]! : either(keys)) : (keys[operand.index] ?? unknown('a key that is not handed over'));
    case 'arg':
      return operand.index === 'each' ? either(args) : (args[operand.index] ?? unknown('an argument that is not handed over'));
    case 'const':
      return constant(operand.value);
    case 'concat':
      return text(operand.parts.map((it) => operandValue(it, keys, args)));
    case 'derived':
      return { kind: 'derived', from: operand.from.map((it) => operandValue(it, keys, args)), how: operand.by };
    case 'encoded':
      return { kind: 'derived', from: operand.fields.map((it) => operandValue(it.value, keys, args)), how: 'encoded' };
    default:
      return unknown('computed by the script');
  }
}

function returnsValue(returns: readonly LuaReturn[], call: CallExpr, args: Value[]): Value {
  const of = (it: LuaReturn): Value => {
    switch (it.kind) {
      case 'const':
        return constant(it.value);
      case 'token':
        return { kind: 'some', sort: 'number', site: call };
      case 'arg':
        return it.index === 'each' ? unknown('an argument') : (args[it.index] ?? unknown('an argument'));
      case 'array':
        return { kind: 'array', items: it.items.map(of), open: false };
      default:
        return unknown('what the script answers');
    }
  };
  return returns.length ? either(returns.map(of)) : unknown('what the script answers');
}
