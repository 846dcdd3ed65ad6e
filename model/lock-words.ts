/**
 * What the code calls things, for the few questions that nothing else answers: without a section in
 * sight, only words tell a lock from a mark, a throttle or a one-time value.
 */
import type { Func } from './ir.ts';
import { type Value, alternatives } from './value.ts';
import { keyForm } from './key-form.ts';

/** A lock, and neither a block, a clock nor a flock; `jobLock` and `syncLock` are none of these either. */
const lock = '(?<![bcfBCF])lock|Lock|(?<![BCF])LOCK';
const otherWords = '[mM]utex|MUTEX|(?<![rR]e)[lL]ease|(?<!RE)LEASE|[sS]emaphore|SEMAPHORE|[aA]cquire|ACQUIRE';

/** Also in names of what takes it. */
export const lockWords = new RegExp(`${lock}|${otherWords}|[cC]ritical|CRITICAL|[eE]xclusive|EXCLUSIVE`);

/** Somebody is kept out for a while, as after too many attempts: nobody holds that. */
export const lockoutWords = /lock(?:ed)?[-_ ]?out/i;

/** What is done once in a while, or once at all: a mark that nobody holds, whatever its helpers are called. */
const markWords = /idempot|de-?dup|throttl|cool-?down|debounc|rate-?limit|nonce|replay/i;

/** Whether one of the words says that it is about a lock, and none that it is a mark, or that somebody is kept out, as after too many attempts. */
export const speakOfLock = (words: readonly string[]): boolean => words.some((it) => lockWords.test(it)) && !words.some((it) => lockoutWords.test(it) || markWords.test(it));

/** The same, but not what is only said to be locked, unlocked or leased: an account, a door, a flat. */
export const strictLockWords = /(?<![bcfBCF]|[uU]n)lock(?!ed|out|Out)|(?<![uU]n)Lock(?!ed|out|Out)|(?<![BCF]|UN)LOCK(?!ED|_?OUT)|(?<![rR]e)[lL]ease(?!d)|(?<!RE)LEASE(?!D)|[mM]utex|MUTEX|[sS]emaphore|SEMAPHORE|[aA]cquire|ACQUIRE/;

/** Names of tables and of the functions around their statements. */
export const rowWords = new RegExp(`${lock}|${otherWords}`);

/** A count of what somebody has tried: who has tried too often is locked out, and holds nothing. A fencing token is counted up just so, and only its name tells the two apart. */
export const attemptWords = /attempt|fail|tries/i;

/** By what standard name a function is handed the key under which it does its work once. */
export const idempotencyWords = /^idempotency_?(?:key|token)$/i;

/** What gives back is called. */
export const giveWords = /unlock|release|free|unlease/i;

/** A function's name after its class's, and before those of the functions around it. */
export const nameOf = (func: Func): string => `${func.owner?.name ?? ''}.${func.name}.${func.parent ? nameOf(func.parent) : ''}`;

/** The words that stand in a key itself. */
export const constantsOf = (key: Value): string[] =>
  key.kind === 'text' ? key.parts.flatMap((it) => (it.kind === 'const' ? [String(it.value)] : [])) : key.kind === 'const' ? [String(key.value)] : key.kind === 'field' ? [key.name] : [];

/** The form of a key, by which helpers that rebuild it in their own terms are paired. */
export const formOf = (key: Value | undefined): string | undefined => key && alternatives(key).map(keyForm).find((it) => it !== undefined);
