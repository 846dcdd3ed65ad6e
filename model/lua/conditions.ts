// Owns the tests of a script: their normal form, what is already decided on a path, and what passing one teaches.

import { shapeOf } from './commands.ts';
import type { LuaComparison, LuaCondition, LuaOperand, LuaReply } from './facts.ts';
import { conditionId, leavesOf, operandId, storedContentOf } from './operands.ts';
import type { Presence, State } from './state.ts';

const mirrored: Record<LuaComparison, LuaComparison> = { '==': '==', '~=': '~=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const opposite: Record<LuaComparison, LuaComparison> = { '==': '~=', '~=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** The condition that two operands compare so, or its answer where both are constants. */
export function comparison(operator: LuaComparison, left: LuaOperand, right: LuaOperand): LuaCondition | boolean {
  if (left.kind === 'const' && right.kind === 'const') return compareConstants(operator, left.value, right.value);
  if (left.kind === 'const' || (right.kind !== 'const' && storedContentOf(right) && !storedContentOf(left))) {
    return comparison(mirrored[operator], right, left);
  }
  if (right.kind === 'const' && (right.value === null || typeof right.value === 'boolean') && (operator === '==' || operator === '~=')) {
    // A missing key answers `false`; a comparison with `nil` means the same to whoever wrote it.
    const truth = (right.value === true) === (operator === '==');
    return { operator: truth ? 'truthy' : 'falsy', left };
  }
  const known = left.kind !== 'other' && operandId(left) === operandId(right);
  if (known) return operator === '==' || operator === '<=' || operator === '>=';
  return { operator, left, right };
}

function compareConstants(operator: LuaComparison, left: string | number | boolean | null, right: string | number | boolean | null): boolean {
  // In Lua '1' and 1 are different, and ordering them is an error.
  if (operator === '==') return left === right;
  if (operator === '~=') return left !== right;
  if (typeof left !== typeof right || left === null || right === null) return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** The condition that holds where this one does not. */
export function negate(condition: LuaCondition): LuaCondition {
  if ('right' in condition) return { ...condition, operator: opposite[condition.operator] };
  return { operator: condition.operator === 'truthy' ? 'falsy' : 'truthy', left: condition.left };
}

/** Whether the condition holds on this path, where that is already settled. */
export function decide(state: State, condition: LuaCondition): boolean | undefined {
  if (condition.operator === 'truthy' || condition.operator === 'falsy') {
    const truth = truthOf(condition.left);
    if (truth !== undefined) return truth === (condition.operator === 'truthy');
  }
  if (condition.left.kind === 'other') return stated(state, condition);
  return stated(state, condition) ?? impliedByTruth(state, condition) ?? impliedByEquality(state, condition) ?? impliedBySamples(state, condition);
}

/** Whether the operand counts as true in Lua, whatever its value: zero and the empty text do. */
export function truthOf(operand: LuaOperand): boolean | undefined {
  switch (operand.kind) {
    case 'const':
      return operand.value !== null && operand.value !== false;
    case 'key':
    case 'concat':
    case 'arithmetic':
    case 'encoded':
    case 'count':
      return true;
    case 'reply': {
      const { reply } = shapeOf(operand.command);
      const mayBeMissing = reply === 'bulk' || reply === 'any' || operand.command === 'SET' || operand.command.startsWith('Z');
      return mayBeMissing ? undefined : true;
    }
    default:
      return undefined;
  }
}

function stated(state: State, condition: LuaCondition): boolean | undefined {
  if (state.conditionIds.has(conditionId(condition))) return true;
  return state.conditionIds.has(conditionId(negate(condition))) ? false : undefined;
}

function impliedByTruth(state: State, condition: LuaCondition): boolean | undefined {
  if (!('right' in condition)) {
    // What equals a value that is there is there itself.
    const id = operandId(condition.left);
    const equal = state.conditions.some((known) => known.operator === '==' && operandId(known.left) === id);
    return equal ? condition.operator === 'truthy' : undefined;
  }
  if (condition.operator !== '==' && condition.operator !== '~=') return undefined;
  const missing = state.conditionIds.has(conditionId({ operator: 'falsy', left: condition.left }));
  return missing ? condition.operator === '~=' : undefined;
}

function impliedByEquality(state: State, condition: LuaCondition): boolean | undefined {
  if (!('right' in condition) || condition.right.kind !== 'const') return undefined;
  const id = operandId(condition.left);
  for (const known of state.conditions) {
    if (known.operator !== '==' || known.right.kind !== 'const' || operandId(known.left) !== id) continue;
    return compareConstants(condition.operator, known.right.value, condition.right.value);
  }
  return undefined;
}

/** What a reply can be where the key is missing, and where it is there. */
const samples = new Map<string, Record<'missing' | 'there', readonly number[]>>([
  ...['EXISTS', 'HEXISTS', 'SISMEMBER'].map((name) => [name, { missing: [0], there: [1] }] as const),
  ...['DEL', 'UNLINK', 'EXPIRE', 'PEXPIRE', 'EXPIREAT', 'PEXPIREAT'].map((name) => [name, { missing: [0], there: [1] }] as const),
  ...['TTL', 'PTTL'].map((name) => [name, { missing: [-2], there: [-1, 0, 1, 100, 1e9] }] as const),
  ...['STRLEN', 'HLEN', 'LLEN', 'SCARD', 'ZCARD'].map((name) => [name, { missing: [0], there: [1, 2, 100, 1e9] }] as const),
]);

function sampled(reply: LuaReply): Record<'missing' | 'there', readonly number[]> | undefined {
  // A reply about several keys is a sum.
  const several = shapeOf(reply.command).keys === 'all' && (reply.args.length > 0 || isEach(reply.of)) && reply.command !== 'EXISTS';
  const manyExist = reply.command === 'EXISTS' && reply.args.length > 0;
  return several || manyExist ? undefined : samples.get(reply.command);
}

function isEach(operand: LuaOperand | undefined): boolean {
  return operand?.kind === 'key' && operand.index === 'each';
}

function fits(conditions: readonly LuaCondition[], reply: LuaReply, sample: number): boolean {
  const id = operandId(reply);
  return conditions.every((condition) => {
    if (!('right' in condition) || condition.right.kind !== 'const' || operandId(condition.left) !== id) return true;
    return compareConstants(condition.operator, sample, condition.right.value);
  });
}

function impliedBySamples(state: State, condition: LuaCondition): boolean | undefined {
  if (condition.left.kind !== 'reply' || !('right' in condition) || condition.right.kind !== 'const') return undefined;
  const values = sampled(condition.left);
  if (!values) return undefined;
  const reply = condition.left;
  const answers = new Set([...values.missing, ...values.there].filter((sample) => fits(state.conditions, reply, sample)).map((sample) => fits([condition], reply, sample)));
  return answers.size === 1 ? answers.has(true) : undefined;
}

/** Whether a reply of 0 or 1 is settled by these tests: true for "it was there", false for "it was not". */
export function settledReply(conditions: readonly LuaCondition[], reply: LuaReply): boolean | undefined {
  const values = sampled(reply);
  if (!values) return undefined;
  const there = values.there.some((sample) => fits(conditions, reply, sample));
  const missing = values.missing.some((sample) => fits(conditions, reply, sample));
  return there === missing ? undefined : there;
}

/** Adds a test that was passed, and what it teaches about keys. */
export function assume(state: State, condition: LuaCondition): void {
  const id = conditionId(condition);
  if (state.conditionIds.has(id)) return;
  state.conditionIds.add(id);
  state.conditions = [...state.conditions, condition];
  const learned = presenceFrom(state, condition);
  if (learned && isCurrent(state, learned.reply)) state.presence.set(operandId(learned.key), learned.presence);
}

function presenceFrom(state: State, condition: LuaCondition): { key: LuaOperand; presence: Presence; reply: LuaReply } | undefined {
  const reply = leavesOf(condition.left).find((leaf): leaf is LuaReply => leaf.kind === 'reply');
  if (!reply?.of) return undefined;
  const told = (presence: Presence) => ({ key: reply.of!, presence, reply });
  if (reply.command === 'TYPE') {
    if (!('right' in condition) || condition.right.kind !== 'const') return undefined;
    return condition.operator === '==' ? told(condition.right.value === 'none' ? 'absent' : 'present') : condition.right.value === 'none' ? told('present') : undefined;
  }
  if (condition.left.kind === 'reply' && samples.has(reply.command)) {
    const there = settledReply(state.conditions, reply);
    if (there === undefined) return undefined;
    if (!asksForMember(reply)) return told(there ? 'present' : 'absent');
    return there ? told('present') : namesConstantField(reply) ? told('free') : undefined;
  }
  if (!storedContentOf(condition.left)) return undefined;
  if (condition.operator !== 'falsy') return condition.operator === '~=' ? undefined : told('present');
  // A part of the content may be missing while the content is there.
  const whole = condition.left.kind === 'reply' || (condition.left.kind === 'field' && condition.left.of === reply);
  if (!whole) return undefined;
  if (reply.command === 'GET' || reply.command === 'GETEX') return told('absent');
  return namesConstantField(reply) ? told('free') : undefined;
}

function asksForMember(reply: LuaReply): boolean {
  return reply.command === 'HEXISTS' || reply.command === 'SISMEMBER';
}

/** A missing field says that a lock kept in the hash is free only where the field is always the same one. */
function namesConstantField(reply: LuaReply): boolean {
  return reply.command.startsWith('H') && reply.args.length > 0 && reply.args.every((arg) => arg.kind === 'const');
}

/** Whether nothing was done to the key since the reply came. */
function isCurrent(state: State, reply: LuaReply): boolean {
  const id = operandId(reply);
  const from = state.events.findIndex((event) => operandId(event.reply) === id);
  const key = reply.of ? operandId(reply.of) : '';
  return state.events.slice(from + 1).every((event) => event.effect === 'read' || event.effect === 'none' || event.keys.every((k) => operandId(k) !== key));
}
