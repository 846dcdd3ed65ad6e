// Owns the tests that make a step safe: equality with an owner value, an order of tokens, the absence of older data.

import { settledReply } from './conditions.ts';
import type { LuaCondition, LuaOperand, LuaReply } from './facts.ts';
import { isInput, operandId, sameOperand, storedContentOf } from './operands.ts';
import type { Event } from './state.ts';

/** Stored content that equals something. */
export interface Match {
  readonly key: LuaOperand | undefined;
  readonly stored: LuaOperand;
  readonly comparedWith: LuaOperand;
}

/** Stored content that stands in an order to something sent. */
export interface Order extends Match {
  readonly operator: '<' | '<=' | '>' | '>=';
}

/** The equalities of stored content that hold when the event runs, the command's own included. */
export function matchesAt(event: Event): readonly Match[] {
  const matches = matchesIn(event.conditions);
  const own = event.options.equals;
  if (!own || event.outcome === 'refused') return matches;
  const stored: LuaReply = { kind: 'reply', command: 'GET', of: event.keys[0], args: [], at: event.at };
  return [{ key: event.keys[0], stored, comparedWith: own }, ...matches];
}

/** The equalities of stored content among some tests. */
export const matchesIn = oncePerList((conditions): readonly Match[] =>
  conditions.flatMap((condition) => {
    if (condition.operator !== '==') return [];
    const stored = storedContentOf(condition.left);
    return stored ? [{ key: stored.of, stored: condition.left, comparedWith: condition.right }] : [];
  }),
);

/** Many commands of a path stand under the same list of tests, and every verdict asks again. */
function oncePerList<T>(ask: (conditions: readonly LuaCondition[]) => T): (conditions: readonly LuaCondition[]) => T {
  const answers = new WeakMap<readonly LuaCondition[], T>();
  return (conditions) => {
    let answer = answers.get(conditions);
    if (answer === undefined) answers.set(conditions, (answer = ask(conditions)));
    return answer;
  };
}

/** Members that were found: the field, or the set member, that bears the owner value in its name. */
export function membersIn(conditions: readonly LuaCondition[]): Match[] {
  return conditions.flatMap((condition) => {
    const reply = condition.left;
    if (reply.kind !== 'reply' || !reply.args[0] || !isInput(reply.args[0])) return [];
    const asks = reply.command === 'HEXISTS' || reply.command === 'SISMEMBER';
    const reads = reply.command === 'HGET' || reply.command === 'ZSCORE';
    const found = asks ? settledReply(conditions, reply) === true : reads && condition.operator === 'truthy';
    return found ? [{ key: reply.of, stored: reply, comparedWith: reply.args[0] }] : [];
  });
}

/** The test by which only the holder comes to this step; one of the key's own content before one of another key's. */
export function ownerCheck(event: Event, key: LuaOperand): Match | undefined {
  const matches = matchesAt(event);
  const own = (match: Match) => sameOperand(match.key, key);
  return (
    matches.find((match) => own(match) && isInput(match.comparedWith)) ??
    membersIn(event.conditions).find(own) ??
    matches.find((match) => isInput(match.comparedWith))
  );
}

const ordersIn = oncePerList((conditions): readonly Order[] =>
  conditions.flatMap((condition): Order[] => {
    if (!('right' in condition) || condition.operator === '==' || condition.operator === '~=') return [];
    const stored = storedContentOf(condition.left);
    if (!stored || storedContentOf(condition.right)) return [];
    return [{ key: stored.of, stored: condition.left, comparedWith: condition.right, operator: condition.operator }];
  }),
);

/** The orders between stored values and others that hold when the event runs. */
export function ordersAt(event: Event): readonly Order[] {
  return ordersIn(event.conditions);
}

/** The replies that said "nothing is stored" before the event. */
export function absencesAt(event: Event): LuaReply[] {
  return event.conditions.flatMap((condition) => {
    const reply = condition.left;
    if (reply.kind === 'field' && reply.of.kind === 'reply' && condition.operator === 'falsy') return [reply.of];
    if (reply.kind !== 'reply') return [];
    const missing = condition.operator === 'falsy' ? storedContentOf(reply) !== undefined : settledReply(event.conditions, reply) === false;
    return missing ? [reply] : [];
  });
}

/** What was known of one key of an event. */
export function presenceBefore(event: Event, key: LuaOperand): Event['before'][number] {
  const id = operandId(key);
  return event.before[event.keys.findIndex((candidate) => operandId(candidate) === id)];
}
