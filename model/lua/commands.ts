// Owns what the room knows of Redis commands: which operands are keys, what the command does to them, what it answers.

import type { LuaLease, LuaOperand } from './facts.ts';

export type Effect = 'read' | 'write' | 'create' | 'count' | 'delete' | 'expire' | 'none';
export type ReplyKind = 'integer' | 'status' | 'bulk' | 'array' | 'any';

export interface CommandShape {
  readonly effect: Effect;
  readonly reply: ReplyKind;
  readonly keys: 'first' | 'two' | 'all' | 'pairs' | 'none';
}

function shapes(names: string, effect: Effect, reply: ReplyKind, keys: CommandShape['keys'] = 'first'): [string, CommandShape][] {
  return names.split(' ').map((name) => [name, { effect, reply, keys }]);
}

/** `create` marks the writes by which a lock key comes into being; `count` those that raise a number. */
const table = new Map<string, CommandShape>([
  ...shapes('GET HGET GETRANGE SUBSTR LINDEX ZSCORE SRANDMEMBER JSON.GET', 'read', 'bulk'),
  ...shapes('TTL PTTL EXPIRETIME PEXPIRETIME STRLEN HLEN LLEN SCARD ZCARD ZCOUNT HEXISTS SISMEMBER ZRANK ZREVRANK XLEN GETBIT BITCOUNT', 'read', 'integer'),
  ...shapes('HGETALL HMGET HKEYS HVALS LRANGE SMEMBERS ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE XRANGE SMISMEMBER', 'read', 'array'),
  ...shapes('TYPE', 'read', 'status'),
  ...shapes('EXISTS', 'read', 'integer', 'all'),
  ...shapes('MGET', 'read', 'array', 'all'),
  ...shapes('SET SETEX PSETEX HMSET', 'create', 'status'),
  ...shapes('SETNX HSET HSETNX', 'create', 'integer'),
  ...shapes('GETSET', 'create', 'bulk'),
  ...shapes('MSETNX', 'create', 'integer', 'pairs'),
  ...shapes('MSET', 'create', 'status', 'pairs'),
  ...shapes('INCR INCRBY HINCRBY', 'count', 'integer'),
  ...shapes('DECR DECRBY LPUSH RPUSH LPUSHX RPUSHX SADD SREM ZADD ZREM HDEL LREM SETRANGE APPEND SETBIT PFADD ZREMRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYLEX LINSERT JSON.NUMINCRBY JSON.DEL', 'write', 'integer'),
  ...shapes('INCRBYFLOAT HINCRBYFLOAT ZINCRBY LPOP RPOP SPOP ZPOPMIN ZPOPMAX XADD', 'write', 'bulk'),
  ...shapes('LSET LTRIM JSON.SET JSON.MERGE', 'write', 'status'),
  ...shapes('RPOPLPUSH LMOVE RENAME RENAMENX COPY SMOVE ZRANGESTORE', 'write', 'any', 'two'),
  ...shapes('DEL UNLINK', 'delete', 'integer', 'all'),
  ...shapes('GETDEL', 'delete', 'bulk'),
  ...shapes('DELEX DELIFEQ', 'delete', 'integer'),
  ...shapes('EXPIRE PEXPIRE EXPIREAT PEXPIREAT', 'expire', 'integer'),
  ...shapes('GETEX', 'expire', 'bulk'),
  ...shapes('PERSIST', 'none', 'integer'),
]);

const unknown: CommandShape = { effect: 'none', reply: 'any', keys: 'none' };

/** The shape of a command, by its name in upper case. */
export function shapeOf(command: string): CommandShape {
  return table.get(command) ?? unknown;
}

/** The keys that a command names. */
export function keysOf(command: string, args: readonly LuaOperand[]): LuaOperand[] {
  switch (shapeOf(command).keys) {
    case 'first':
      return args.slice(0, 1);
    case 'two':
      return args.slice(0, 2);
    case 'all':
      return [...args];
    case 'pairs':
      return args.filter((_, index) => index % 2 === 0);
    case 'none':
      return [];
  }
}

export interface CommandOptions {
  readonly nx: boolean;
  readonly xx: boolean;
  /** The command answers the old value instead of its success. */
  readonly get: boolean;
  /** Score order decides (`ZADD … GT`). */
  readonly gt: boolean;
  readonly lt: boolean;
  /** The value that the command itself compares the content with. */
  readonly equals: LuaOperand | undefined;
  readonly lease: LuaLease | undefined;
}

const leaseWords = new Map<string, Pick<LuaLease, 'unit' | 'absolute'>>([
  ['PX', { unit: 'ms', absolute: false }],
  ['EX', { unit: 's', absolute: false }],
  ['PXAT', { unit: 'ms', absolute: true }],
  ['EXAT', { unit: 's', absolute: true }],
]);

/** Where a command's options may begin; before that stand keys and values, which may look like options. */
const optionsFrom = new Map([['SET', 2], ['GETEX', 1], ['ZADD', 1], ['DELEX', 1], ['EXPIRE', 2], ['PEXPIRE', 2], ['EXPIREAT', 2], ['PEXPIREAT', 2]]);

/** The options among a command's operands. */
export function optionsOf(command: string, args: readonly LuaOperand[]): CommandOptions {
  const words = new Set<string>();
  let lease = ownLease(command, args);
  let equals = command === 'DELIFEQ' ? args[1] : undefined;
  const from = optionsFrom.get(command) ?? args.length;
  for (let i = from; i < args.length; i++) {
    const word = wordOf(args[i]);
    if (word === undefined) continue;
    words.add(word);
    const unit = leaseWords.get(word);
    const value = args[i + 1];
    if (unit && value) lease = { ...unit, value };
    if (word === 'IFEQ' && value) equals = value;
    if (unit || word === 'IFEQ') i++;
  }
  return { nx: words.has('NX'), xx: words.has('XX'), get: words.has('GET'), gt: words.has('GT'), lt: words.has('LT'), equals, lease };
}

function ownLease(command: string, args: readonly LuaOperand[]): LuaLease | undefined {
  const value = args[1];
  if (!value) return undefined;
  if (command === 'SETEX' || command === 'EXPIRE') return { unit: 's', value, absolute: false };
  if (command === 'PSETEX' || command === 'PEXPIRE') return { unit: 'ms', value, absolute: false };
  if (command === 'EXPIREAT') return { unit: 's', value, absolute: true };
  if (command === 'PEXPIREAT') return { unit: 'ms', value, absolute: true };
  return undefined;
}

function wordOf(operand: LuaOperand | undefined): string | undefined {
  return operand?.kind === 'const' && typeof operand.value === 'string' ? operand.value.toUpperCase() : undefined;
}

const zaddWords: ReadonlySet<string> = new Set(['NX', 'XX', 'GT', 'LT', 'CH', 'INCR']);

/** What a command stores under its first key, with the field for hashes. */
export function valuesWritten(command: string, args: readonly LuaOperand[]): { field: LuaOperand | undefined; value: LuaOperand }[] {
  const plain = (index: number) => (args[index] ? [{ field: undefined, value: args[index] }] : []);
  switch (command) {
    case 'SET':
    case 'SETNX':
    case 'GETSET':
    case 'MSETNX':
    case 'MSET':
      return plain(1);
    case 'SETEX':
    case 'PSETEX':
      return plain(2);
    case 'HSET':
    case 'HMSET':
    case 'HSETNX':
    case 'HINCRBY': {
      const pairs = [];
      for (let i = 1; i + 1 < args.length; i += 2) pairs.push({ field: args[i], value: args[i + 1]! });
      return pairs;
    }
    case 'ZADD':
      return args.slice(1).filter((arg) => !zaddWords.has(wordOf(arg) ?? '')).map((value) => ({ field: undefined, value }));
    default:
      return args.slice(1).map((value) => ({ field: undefined, value }));
  }
}

/** Whether the command is refused when its condition on the key fails. */
export function isConditional(command: string, options: CommandOptions): boolean {
  if (command === 'SETNX' || command === 'MSETNX' || command === 'HSETNX' || command === 'DELIFEQ') return true;
  if (command === 'DELEX') return options.equals !== undefined;
  return command === 'SET' && (options.nx || options.xx || options.equals !== undefined);
}
