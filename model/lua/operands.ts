// Owns the questions about one operand: is it the same as another, what is it made of, was it stored or sent.

import type { LuaCondition, LuaOperand, LuaReply } from './facts.ts';

const ids = new WeakMap<LuaOperand, string>();
const conditionIds = new WeakMap<LuaCondition, string>();

/** A text that is equal for equal operands. */
export function operandId(operand: LuaOperand): string {
  let id = ids.get(operand);
  if (id === undefined) {
    id = spell(operand);
    ids.set(operand, id);
  }
  return id;
}

function spell(operand: LuaOperand): string {
  switch (operand.kind) {
    case 'key':
    case 'arg':
      return `${operand.kind}[${operand.index}]`;
    case 'const':
      return JSON.stringify(operand.value) ?? 'null';
    case 'concat':
      return `(${operand.parts.map(operandId).join('..')})`;
    case 'reply':
      return `reply${operand.at}(${operand.command} ${[...(operand.of ? [operand.of] : []), ...operand.args].map(operandId).join(' ')})`;
    case 'field':
      return `${operandId(operand.of)}.${JSON.stringify(operand.name)}`;
    case 'arithmetic':
      return `(${operandId(operand.left)}${operand.operator}${operandId(operand.right)})`;
    case 'derived':
      return `${operand.by}(${operand.from.map(operandId).join(',')})`;
    case 'encoded':
      return `encoded(${operand.of ? operandId(operand.of) : ''};${operand.fields.map((f) => `${f.name}=${operandId(f.value)}`).join(',')})`;
    case 'count':
      return `#${operand.of}`;
    case 'either':
      return `either(${operand.options.map(operandId).join('|')})`;
    case 'other':
      return `?${operand.at}`;
  }
}

/** Whether two operands stand for the same value. */
export function sameOperand(a: LuaOperand | undefined, b: LuaOperand | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && operandId(a) === operandId(b));
}

/** A text that is equal for equal conditions. */
export function conditionId(condition: LuaCondition): string {
  let id = conditionIds.get(condition);
  if (id === undefined) {
    const left = operandId(condition.left);
    id = 'right' in condition ? `${left} ${condition.operator} ${operandId(condition.right)}` : `${condition.operator} ${left}`;
    conditionIds.set(condition, id);
  }
  return id;
}

/** The inputs, replies and constants that an operand is made of, itself included where it is one. */
export function leavesOf(operand: LuaOperand): readonly LuaOperand[] {
  switch (operand.kind) {
    case 'concat':
      return operand.parts.flatMap(leavesOf);
    case 'field':
      return leavesOf(operand.of);
    case 'arithmetic':
      return [...leavesOf(operand.left), ...leavesOf(operand.right)];
    case 'derived':
      return operand.from.flatMap(leavesOf);
    case 'encoded':
      return [...(operand.of ? leavesOf(operand.of) : []), ...operand.fields.flatMap((field) => leavesOf(field.value))];
    case 'either':
      return operand.options.flatMap(leavesOf);
    default:
      return [operand];
  }
}

/** Commands whose answer is what somebody wrote under the key. */
const contentReads: ReadonlySet<string> = new Set([
  'GET', 'GETEX', 'GETSET', 'GETDEL', 'GETRANGE', 'SUBSTR', 'HGET', 'HGETALL', 'HMGET', 'HVALS', 'MGET', 'SET', 'LINDEX', 'LRANGE', 'ZSCORE', 'ZRANGE',
  'ZREVRANGE', 'SMEMBERS', 'JSON.GET', 'SRANDMEMBER', 'LPOP', 'RPOP',
]);

/** The reply that an operand takes stored content from. */
export function storedContentOf(operand: LuaOperand): LuaReply | undefined {
  return leavesOf(operand).find((leaf): leaf is LuaReply => leaf.kind === 'reply' && contentReads.has(leaf.command));
}

/** Whether the operand carries something that the caller sent as an argument. */
export function isSent(operand: LuaOperand): boolean {
  return leavesOf(operand).some((leaf) => leaf.kind === 'arg');
}

/** Whether the operand carries something that the caller sent at all; an owner value is at times passed as a key. */
export function isInput(operand: LuaOperand): boolean {
  return leavesOf(operand).some((leaf) => leaf.kind === 'arg' || leaf.kind === 'key');
}

/** Whether every input of `part`, of which there is one at least, is also one of `whole`. */
export function sharesInput(whole: LuaOperand, part: LuaOperand): boolean {
  const inside = new Set(leavesOf(whole).map(operandId));
  const inputs = leavesOf(part).filter((leaf) => leaf.kind === 'arg' || leaf.kind === 'key');
  return inputs.length > 0 && inputs.every((leaf) => inside.has(operandId(leaf)));
}

/** Whether `whole` holds every input of `part` as it is: a number that was reckoned with does not count. */
export function carries(whole: LuaOperand, part: LuaOperand): boolean {
  return sharesInput(withoutArithmetic(whole), part);
}

function withoutArithmetic(operand: LuaOperand): LuaOperand {
  switch (operand.kind) {
    case 'arithmetic':
      return { kind: 'const', value: null };
    case 'concat':
      return { ...operand, parts: operand.parts.map(withoutArithmetic) };
    case 'derived':
      return { ...operand, from: operand.from.map(withoutArithmetic) };
    case 'encoded':
      return { ...operand, fields: operand.fields.map((field) => ({ ...field, value: withoutArithmetic(field.value) })) };
    case 'either':
      return { ...operand, options: operand.options.map(withoutArithmetic) };
    default:
      return operand;
  }
}

/** One operand that stands for all of them. */
export function eitherOf(operands: readonly LuaOperand[]): LuaOperand {
  const distinct = new Map<string, LuaOperand>();
  for (const operand of operands.flatMap((o) => (o.kind === 'either' ? o.options : [o]))) distinct.set(operandId(operand), operand);
  const options = [...distinct.values()];
  return options.length === 1 ? options[0]! : { kind: 'either', options };
}
