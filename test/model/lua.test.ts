// Owns the tests of the Lua room: each script beside everything that is to be said of it, and nothing more.

import luaparse from 'luaparse';
import { describe, expect, it } from 'vitest';
import { analyzeLua, operandId, sameOperand, type LuaCondition, type LuaFacts, type LuaFence, type LuaLease, type LuaOperand, type LuaReturn } from '../../model/lua/index.ts';

/** A name, a script, and a line for each thing that it does. */
type Case = readonly [name: string, lua: string, ...says: string[]];

/** A verdict per line; a script that says one line too many or too few fails. */
function tell(facts: LuaFacts | undefined): string[] {
  if (!facts) return ['no Lua'];
  return [
    ...facts.acquires.map((a) => `acquire ${op(a.key)} for ${op(a.owner)}${lease(a.lease)}${a.reentrant ? ', again for its holder' : ''} -> ${outcome(a)}`),
    ...facts.releases.map((r) => `release ${op(r.key)} ${check(r)}${r.consumes ? ', handed out' : ''}${r.undoesAcquire ? ', undoing' : ''}${fence(r.fencedBy)} -> ${outcome(r)}`),
    ...facts.renewals.map((r) => `renew ${op(r.key)} ${check(r)}${lease(r.lease)} -> ${outcome(r)}`),
    ...facts.mints.map((m) => `mint ${op(m.key)}${m.field ? `.${op(m.field)}` : ''}${m.insideAcquire ? ' inside the grant' : ''}${m.expires ? ', ends' : ''}`),
    ...facts.writes.map((w) => `${w.command} ${op(w.key)}${lease(w.lease)}${fence(w.fencedBy)}${w.equalityGuard ? `, if ${op(w.equalityGuard.stored)} == ${op(w.equalityGuard.comparedWith)}` : ''} -> ${outcome(w)}`),
  ];
}

function check(step: { ownerChecked: boolean; comparedWith?: LuaOperand | undefined; checkedKey?: LuaOperand | undefined; key: LuaOperand }): string {
  const other = step.checkedKey && !sameOperand(step.checkedKey, step.key) ? ` of ${op(step.checkedKey)}` : '';
  if (step.ownerChecked) return `checked${other} against ${op(step.comparedWith)}`;
  return step.comparedWith ? `blind, compared with ${op(step.comparedWith)}` : 'blind';
}

function fence(fencedBy: LuaFence | undefined): string {
  if (!fencedBy) return '';
  switch (fencedBy.by) {
    case 'order':
      return `, fenced: ${op(fencedBy.stored)} ${fencedBy.operator} ${op(fencedBy.comparedWith)}${fencedBy.recorded ? ' (recorded)' : ''}`;
    case 'owner':
      return `, fenced: owner ${op(fencedBy.comparedWith)} of ${op(fencedBy.key)}`;
    case 'bound':
      return `, bound by ${op(fencedBy.comparedWith)}`;
    case 'grant':
      return `, fenced: grant of ${op(fencedBy.key)}`;
    case 'absence':
      return `, only if absent`;
  }
}

function lease(length: LuaLease | undefined): string {
  return length ? ` for ${op(length.value)} ${length.unit}${length.absolute ? ' (a point in time)' : ''}` : '';
}

function outcome(step: { done: readonly LuaReturn[]; refused: readonly LuaReturn[] }): string {
  return `${step.done.map(ret).join(' or ') || 'never'} | ${step.refused.map(ret).join(' or ') || 'never'}`;
}

function op(operand: LuaOperand | undefined): string {
  if (!operand) return 'nothing';
  switch (operand.kind) {
    case 'key':
      return operand.index === 'each' ? 'KEYS[*]' : `KEYS[${operand.index + 1}]`;
    case 'arg':
      return operand.index === 'each' ? 'ARGV[*]' : `ARGV[${operand.index + 1}]`;
    case 'const':
      return JSON.stringify(operand.value);
    case 'concat':
      return operand.parts.map(op).join('..');
    case 'reply':
      return `${operand.command}(${[operand.of, ...operand.args].filter((o) => o !== undefined).map(op).join(' ')})`;
    case 'field':
      return `${op(operand.of)}.${operand.name}`;
    case 'arithmetic':
      return `${op(operand.left)}${operand.operator}${op(operand.right)}`;
    case 'derived':
      return `${operand.by}(${operand.from.map(op).join(', ')})`;
    case 'encoded':
      return `json{${[...(operand.of ? [op(operand.of)] : []), ...operand.fields.map((f) => `${f.name}=${op(f.value)}`)].join(', ')}}`;
    case 'count':
      return `#${operand.of}`;
    case 'either':
      return operand.options.map(op).join('|');
    case 'other':
      return '?';
  }
}

function ret(value: LuaReturn): string {
  switch (value.kind) {
    case 'const':
      return value.value === null ? 'nil' : JSON.stringify(value.value);
    case 'reply':
      return `${value.command}(${op(value.of)})`;
    case 'arg':
      return op(value);
    case 'count':
      return `#${value.of}`;
    case 'array':
      return `{${value.items.map(ret).join(', ')}}`;
    case 'error':
      return `error ${value.message ?? '?'}`;
    case 'token':
    case 'other':
      return value.kind;
  }
}

function condition(test: LuaCondition): string {
  return 'right' in test ? `${op(test.left)} ${test.operator} ${op(test.right)}` : `${op(test.left)} is ${test.operator}`;
}

const release: readonly Case[] = [
  ['the canonical script', `
    if redis.call("get",KEYS[1]) == ARGV[1] then
      return redis.call("del",KEYS[1])
    else
      return 0
    end`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['upper case, single quotes, no else', `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`,
    'release KEYS[1] checked against ARGV[1] -> 1 | nil',
  ],
  ['operands the other way round', `if ARGV[1] == redis.call('get', KEYS[1]) then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['early return on ~=', `
    local cur = redis.call('GET', KEYS[1])
    if cur ~= ARGV[1] then return 0 end
    redis.call('DEL', KEYS[1])
    return 1`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['locals for everything, elseif, word answers', `
    local key, owner = KEYS[1], ARGV[1]
    local cur = redis.call('GET', key)
    if not cur then
      return 'GONE'
    elseif cur ~= owner then
      return 'FOREIGN'
    end
    redis.call('UNLINK', key)
    return 'RELEASED'`,
    'release KEYS[1] checked against ARGV[1] -> "RELEASED" | "GONE" or "FOREIGN"',
  ],
  ['true and false reach the client as 1 and nil', `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) return true end return false`,
    'release KEYS[1] checked against ARGV[1] -> 1 | nil',
  ],
  ['as one expression', `return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0`, 'release KEYS[1] checked against ARGV[1] -> 1 | 0'],
  ['a table of two', `if redis.call('get', KEYS[1]) == ARGV[1] then return {redis.call('del', KEYS[1]), 'ok'} end return {0, redis.call('get', KEYS[1])}`,
    'release KEYS[1] checked against ARGV[1] -> {1, "ok"} | {0, GET(KEYS[1])}',
  ],
  ['errors instead of numbers', `
    local v = redis.call('get', KEYS[1])
    if v == false then return redis.error_reply('NOLOCK nobody has it') end
    if v ~= ARGV[1] then error('NOTOWNER') end
    redis.call('del', KEYS[1])
    return redis.status_reply('DONE')`,
    'release KEYS[1] checked against ARGV[1] -> "DONE" | error NOLOCK nobody has it or error NOTOWNER',
  ],
  ['JSON field', `
    local cur = redis.call('GET', KEYS[1])
    if cur and cjson.decode(cur).token == ARGV[1] then return redis.call('DEL', KEYS[1]) end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['JSON under pcall, two fields', `
    local val = redis.call("GET", KEYS[1])
    if val == false then return 0 end
    local ok, data = pcall(cjson.decode, val)
    if not ok then return 0 end
    if data["worker"] == ARGV[1] and tostring(data["fence"]) == ARGV[2] then
      redis.call("DEL", KEYS[1])
      return 1
    end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['hash field', `
    if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['two fields by HMGET', `
    local held = redis.call('HMGET', KEYS[1], 'owner', 'token')
    if held[1] ~= ARGV[1] or held[2] ~= ARGV[2] then return 0 end
    return redis.call('DEL', KEYS[1])`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['a part of the stored text', `
    local cur = redis.call('GET', KEYS[1])
    if cur and string.sub(cur, 1, #ARGV[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['owner joined from two arguments', `
    if redis.call('GET', KEYS[1]) ~= ARGV[1] .. ':' .. ARGV[2] then return 0 end
    return redis.call('DEL', KEYS[1])`,
    'release KEYS[1] checked against ARGV[1]..":"..ARGV[2] -> 1 | 0',
  ],
  ['a hash of the argument', `if redis.call('get', KEYS[1]) == redis.sha1hex(ARGV[1]) then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] checked against redis.sha1hex(ARGV[1]) -> 1 | 0',
  ],
  ['through functions of the script', `
    local function owns(key, id) return redis.call('get', key) == id end
    local function drop(key) return redis.call('del', key) end
    if owns(KEYS[1], ARGV[1]) then return drop(KEYS[1]) end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['a renamed redis.call and a joined key', `
    local rcall = redis.call
    local lockKey = KEYS[1] .. ':lock'
    if rcall("GET", lockKey) == ARGV[1] then return rcall("DEL", lockKey) end
    return 0`,
    'release KEYS[1]..":lock" checked against ARGV[1] -> 1 | 0',
  ],
  ['Valkey name, pcall, shebang, other alphabets', `#!lua flags=allow-cross-slot-keys
    -- снять блокировку, 释放锁
    if server.call('get', KEYS[1]) == ARGV[1] then return server.pcall('del', KEYS[1]) end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['EXPIRE 0 and PEXPIRE 0', `
    if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('expire', KEYS[1], 0)
    return redis.call('pexpire', KEYS[2], '0')`,
    'release KEYS[1] checked against ARGV[1] -> PEXPIRE(KEYS[2]) | 0',
    'release KEYS[2] checked of KEYS[1] against ARGV[1] -> 1 | 0',
  ],
  ['DELIFEQ', `return redis.call('DELIFEQ', KEYS[1], ARGV[1])`, 'release KEYS[1] checked against ARGV[1] -> 1 | 0'],
  ['DELEX with and without a condition', `redis.call('DELEX', KEYS[2]) return redis.call('DELEX', KEYS[1], 'IFEQ', ARGV[1])`,
    'release KEYS[2] blind -> 1 or 0 | never',
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['negated', `if not (redis.call('get', KEYS[1]) == ARGV[1]) then return 0 end return redis.call('del', KEYS[1])`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['with a further test', `if redis.call('get', KEYS[1]) == ARGV[1] and redis.call('pttl', KEYS[1]) > tonumber(ARGV[2]) then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['a flag set on the way', `
    local mine = false
    if redis.call('get', KEYS[1]) == ARGV[1] then mine = true end
    if mine then return redis.call('del', KEYS[1]) end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['the owner passed as a key', `if redis.call('get', KEYS[1]) == KEYS[2] then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] checked against KEYS[2] -> 1 | 0',
  ],
  ["a second key under the first one's owner", `
    if redis.call('get', KEYS[1]) == ARGV[1] then
      redis.call('del', KEYS[1], KEYS[1] .. ':token')
      return redis.call('del', KEYS[2])
    end
    return 0`,
    'release KEYS[1] checked against ARGV[1] -> DEL(KEYS[2]) | 0',
    'release KEYS[1]..":token" checked of KEYS[1] against ARGV[1] -> DEL(KEYS[2]) | 0',
    'release KEYS[2] checked of KEYS[1] against ARGV[1] -> 1 | 0',
  ],
  ['two keys in one DEL', `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1], KEYS[2]) end return 0`,
    'release KEYS[1] checked against ARGV[1] -> DEL(KEYS[1]) | 0',
    'release KEYS[2] checked of KEYS[1] against ARGV[1] -> DEL(KEYS[1]) | 0',
  ],
  ['reentrant hash: counted down, then deleted', `
    if (redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0) then return nil end;
    local counter = redis.call('HINCRBY', KEYS[1], ARGV[2], -1);
    if (counter > 0) then
      redis.call('PEXPIRE', KEYS[1], ARGV[1]); return 0;
    else
      redis.call('DEL', KEYS[1]); redis.call('PUBLISH', KEYS[2], ARGV[3]); return 1;
    end;`,
    'release KEYS[1] checked against ARGV[2] -> 1 | nil or 0',
    'renew KEYS[1] checked against ARGV[2] for ARGV[1] ms -> 0 | nil or 1',
  ],
  ['all of several keys, one by one', `
    local count = 0
    for i, key in ipairs(KEYS) do
      if redis.call("get", key) == ARGV[1] then
        redis.pcall("del", key)
        count = count + 1
      end
    end
    return count`,
    'release KEYS[*] checked against ARGV[1] -> #keys | 0',
  ],
  ['all of several keys, numbered', `
    local n = 0
    for i = 1, #KEYS do
      if redis.call('get', KEYS[i]) == ARGV[i] then n = n + redis.call('del', KEYS[i]) end
    end
    return n`,
    'release KEYS[*] checked against ARGV[*] -> #keys | 0',
  ],
  ['two keys of a list that the script spells out', `
    for _, key in ipairs({KEYS[1], KEYS[2]}) do
      if redis.call('get', key) == ARGV[1] then redis.call('del', key) end
    end`,
    'release KEYS[1] checked against ARGV[1] -> nil | nil',
    'release KEYS[2] checked against ARGV[1] -> nil | nil',
  ],
];

const deletionWithoutAnOwnerCheck: readonly Case[] = [
  ['blind', `return redis.call('del', KEYS[1])`, 'release KEYS[1] blind -> 1 | 0'],
  ['blind, answer thrown away', `redis.call('del', KEYS[1]) return 1`, 'release KEYS[1] blind -> 1 | never'],
  ['all keys at once', `return redis.call('del', unpack(KEYS))`, 'release KEYS[*] blind -> 1 | 0'],
  ['if it exists', `if redis.call('exists', KEYS[1]) == 1 then return redis.call('del', KEYS[1]) end return 0`, 'release KEYS[1] blind -> 1 | 0'],
  ['if it exists, handed out: a one-time token', `local v = redis.call('get', KEYS[1]) if v then redis.call('del', KEYS[1]) end return v`,
    'release KEYS[1] blind, handed out -> GET(KEYS[1]) | nil',
  ],
  ['GETDEL', `return redis.call('GETDEL', KEYS[1])`, 'release KEYS[1] blind, handed out -> GETDEL(KEYS[1]) | nil'],
  ['under an argument alone', `if tonumber(ARGV[2]) > 0 then return redis.call('del', KEYS[1]) end return 0`, 'release KEYS[1] blind -> 1 | 0'],
  ['against a constant', `if redis.call('get', KEYS[1]) == 'locked' then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] blind, compared with "locked" -> 1 | 0',
  ],
  ['checked on one branch only', `
    if ARGV[2] == 'force' then return redis.call('del', KEYS[1]) end
    if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
    return 0`,
    'release KEYS[1] blind -> 1 | 0',
    'release KEYS[1] checked against ARGV[1] -> 1 | 0',
  ],
  ['an optional owner', `if ARGV[1] == '' or redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] blind -> 1 | 0',
  ],
  ['two stored values compared with each other', `if redis.call('get', KEYS[1]) == redis.call('get', KEYS[2]) then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] blind -> 1 | 0',
  ],
  ['the comparison comes too late', `redis.call('del', KEYS[1]) if redis.call('get', KEYS[2]) == ARGV[1] then return 1 end return 0`,
    'release KEYS[1] blind -> 1 or 0 | never',
  ],
  ['the lengths are compared, not the values', `local v = redis.call('get', KEYS[1]) if v and #v == #ARGV[1] then return redis.call('del', KEYS[1]) end return 0`,
    'release KEYS[1] blind -> 1 | 0',
  ],
  ['a tombstone by version', `
    local v = redis.call('HGET', KEYS[1], 'v')
    if v and tonumber(v) > tonumber(ARGV[1]) then return 0 end
    return redis.call('DEL', KEYS[1])`,
    'release KEYS[1] blind, fenced: HGET(KEYS[1] "v") <= ARGV[1] -> 1 | 0',
  ],
  ['replaced, not released', `redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[1]) return 1`, 'RPUSH KEYS[1] -> 1 | never'],
  ['a computed command is no verdict', `return redis.call(ARGV[1], KEYS[1])`],
];

const acquire: readonly Case[] = [
  ['SET NX PX', `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])`, 'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> "OK" | nil'],
  ['lower-case options, seconds first, word answers', `
    local ok = redis.call('SET', KEYS[1], ARGV[1], 'ex', tonumber(ARGV[2]), 'nx')
    if ok then return 'ACQUIRED' else return 'LOCKED' end`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] s -> "ACQUIRED" | "LOCKED"',
  ],
  ['the status is a table with ok', `
    local r = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')
    if type(r) == 'table' and r.ok == 'OK' or r and r['ok'] == 'OK' then return 1 end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['a status compared as text is never equal', `if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') == 'OK' then return 1 end return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 0 | 0',
  ],
  ['a point in time', `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2])`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms (a point in time) -> "OK" | nil',
  ],
  ['no lease', `return redis.call('setnx', KEYS[1], ARGV[1])`, 'acquire KEYS[1] for ARGV[1] -> 1 | 0'],
  ['SETNX, then PEXPIRE where it was granted', `
    if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
      redis.call('pexpire', KEYS[1], ARGV[2])
      return 1
    else
      return 0
    end`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ["SETNX, then EXPIRE in any case: the loser prolongs the winner's lease", `local r = redis.call('setnx', KEYS[1], ARGV[1]) redis.call('expire', KEYS[1], ARGV[2]) return r`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] s -> 1 | 0',
    'renew KEYS[1] blind for ARGV[2] s -> 1 or 0 | never',
  ],
  ['SETNX taken for a boolean: zero is true', `if redis.call('SETNX', KEYS[1], ARGV[1]) then return 1 else return 0 end`, 'acquire KEYS[1] for ARGV[1] -> 1 | 1'],
  ['a lease on one branch only', `
    if redis.call('setnx', KEYS[1], ARGV[1]) == 0 then return 0 end
    if ARGV[2] ~= '' then redis.call('pexpire', KEYS[1], ARGV[2]) end
    return 1`,
    'acquire KEYS[1] for ARGV[1] -> 1 | 0',
  ],
  ['a default lease', `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2] or '30000')`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2]|"30000" ms -> "OK" | nil',
  ],
  ['EXISTS first', `if redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['EXISTS > 0 and PSETEX', `if redis.call("EXISTS", KEYS[1]) > 0 then return 0 end redis.call("PSETEX", KEYS[1], ARGV[2] * 1000, ARGV[1]) return 1`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2]*1000 ms -> 1 | 0',
  ],
  ['GET == false', `if redis.call('get', KEYS[1]) == false then redis.call('set', KEYS[1], ARGV[1], 'EX', 30) return true end return false`,
    'acquire KEYS[1] for ARGV[1] for 30 s -> 1 | nil',
  ],
  ['GET == nil', `if redis.call('get', KEYS[1]) == nil then redis.call('setex', KEYS[1], 30, ARGV[1]) return 1 end return 0`,
    'acquire KEYS[1] for ARGV[1] for 30 s -> 1 | 0',
  ],
  ['TTL == -2', `if redis.call('ttl', KEYS[1]) == -2 then redis.call('set', KEYS[1], ARGV[1], 'EX', 10) return 1 end return 0`,
    'acquire KEYS[1] for ARGV[1] for 10 s -> 1 | 0',
  ],
  ['all of several keys', `
    for i, key in ipairs(KEYS) do
      if redis.call("exists", key) == 1 then
        return 0
      end
    end
    for i, key in ipairs(KEYS) do
      redis.call("set", key, ARGV[2], "PX", ARGV[3])
    end
    return #KEYS`,
    'acquire KEYS[*] for ARGV[2] for ARGV[3] ms -> #keys | 0',
  ],
  ['two keys or none', `
    if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
      if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
      redis.call('DEL', KEYS[1])
    end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
    'acquire KEYS[2] for ARGV[1] for ARGV[2] ms -> 1 | 0',
    'release KEYS[1] checked against ARGV[1], undoing -> 0 | 1 or 0',
  ],
  ['a hash', `
    if redis.call('exists', KEYS[1]) == 0 then
      redis.call('hset', KEYS[1], 'since', ARGV[3], 'owner', ARGV[1])
      redis.call('pexpire', KEYS[1], ARGV[2])
      return 1
    end
    return 0`,
    'acquire KEYS[1] for ARGV[3]|ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['a hash of several values: the compared one is the owner', `
    local owner = redis.call('HGET', KEYS[1], 'owner')
    if owner and owner ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'host', ARGV[2], 'owner', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    return 1`,
    'acquire KEYS[1] for ARGV[1] for ARGV[3] ms, again for its holder -> 1 | 0',
  ],
  ['retried in a loop', `
    local n = 0
    repeat
      if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
      n = n + 1
    until n > 3
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['taken over once the stored end has passed', `
    local t = redis.call('TIME')
    local cur = redis.call('GET', KEYS[1])
    if cur and cjson.decode(cur).ends > tonumber(t[1]) then return 0 end
    redis.call('SET', KEYS[1], cjson.encode({ owner = ARGV[1], ends = t[1] + ARGV[2] }))
    return 1`,
    'acquire KEYS[1] for json{owner=ARGV[1], ends=TIME().1+ARGV[2]} -> 1 | 0',
  ],
  ['a JSON value', `
    if redis.call('EXISTS', KEYS[1]) == 1 then return nil end
    redis.call('SET', KEYS[1], cjson.encode({ token = ARGV[1], at = redis.call('TIME')[1] }), 'PX', ARGV[2])
    return ARGV[1]`,
    'acquire KEYS[1] for json{token=ARGV[1], at=TIME().1} for ARGV[2] ms -> ARGV[1] | nil',
  ],
  ['again for its holder', `
    if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
      return 1
    elseif redis.call('get', KEYS[1]) == ARGV[1] then
      redis.call('pexpire', KEYS[1], ARGV[2])
      return 1
    end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms, again for its holder -> 1 | 0',
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['again for its holder, one SET', `
    local cur = redis.call('get', KEYS[1])
    if cur == ARGV[1] or cur == false then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms, again for its holder -> 1 | 0',
  ],
  ['a reentrant hash', `
    if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then
      redis.call('hincrby', KEYS[1], ARGV[2], 1);
      redis.call('pexpire', KEYS[1], ARGV[1]);
      return nil;
    end;
    return redis.call('pttl', KEYS[1]);`,
    'acquire KEYS[1] for ARGV[2] for ARGV[1] ms, again for its holder -> nil | PTTL(KEYS[1])',
  ],
  ['a hash whose lease is a field', `
    local now, ttl = tonumber(ARGV[3]), tonumber(ARGV[2])
    local current = redis.call('HMGET', KEYS[1], 'owner', 'expires_at')
    local ends = tonumber(current[2])
    if current[1] and ends and ends > now then return {0, ends} end
    redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expires_at', now + ttl)
    redis.call('PEXPIRE', KEYS[1], ttl)
    return {1, now + ttl}`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> {1, other} | {0, other}',
  ],
  ['a hash whose lease is a field, again for its holder', `
    local now, ttl = tonumber(ARGV[3]), tonumber(ARGV[2])
    local current = redis.call('HMGET', KEYS[1], 'owner', 'expires_at')
    local ends = tonumber(current[2])
    if current[1] and ends and ends > now then
      if current[1] == ARGV[1] then
        redis.call('HSET', KEYS[1], 'expires_at', now + ttl)
        redis.call('PEXPIRE', KEYS[1], ttl)
        return 1
      end
      return 0
    end
    redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expires_at', now + ttl)
    redis.call('PEXPIRE', KEYS[1], ttl)
    return 1`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms, again for its holder -> 1 | 0',
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['set if absent of a field, by whom it may concern', `return redis.call('HSETNX', KEYS[1], 'owner', ARGV[1])`, 'acquire KEYS[1] for ARGV[1] -> 1 | 0'],
];

const renewal: readonly Case[] = [
  ['PEXPIRE', `if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) else return 0 end`,
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['seconds made of an argument', `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('expire', KEYS[1], math.floor(ARGV[2] / 1000))`,
    'renew KEYS[1] checked against ARGV[1] for ARGV[2]/1000 s -> 1 | 0',
  ],
  ['by SET, all of several keys', `
    for i, key in ipairs(KEYS) do
      if redis.call("get", key) ~= ARGV[1] then
        return 0
      end
    end
    for i, key in ipairs(KEYS) do
      redis.call("set", key, ARGV[1], "PX", ARGV[2])
    end
    return #KEYS`,
    'renew KEYS[*] checked against ARGV[1] for ARGV[2] ms -> #keys | 0',
  ],
  ['by SET of the JSON again', `
    local cur = redis.call("get", KEYS[1])
    if not cur then return 0 end
    local data = cjson.decode(cur)
    if data.token == ARGV[1] then
      data.expiresAt = tonumber(ARGV[3])
      redis.call("set", KEYS[1], cjson.encode(data), "PX", tonumber(ARGV[2]))
      return 1
    end
    return 0`,
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['by SET IFEQ', `return redis.call('SET', KEYS[1], ARGV[1], 'IFEQ', ARGV[1], 'PX', ARGV[2])`,
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> "OK" | nil',
  ],
  ['two forms of the same lock', `
    local kind = redis.call("TYPE", KEYS[1]).ok
    if kind == "hash" and redis.call("HGET", KEYS[1], "owner") == ARGV[1] then
      return redis.call("PEXPIRE", KEYS[1], ARGV[2])
    elseif kind == "string" and redis.call("GET", KEYS[1]) == ARGV[1] then
      return redis.call("PEXPIRE", KEYS[1], ARGV[2])
    end
    return 0`,
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> 1 | 0',
  ],
  ['without a comparison', `return redis.call('pexpire', KEYS[1], ARGV[1])`, 'renew KEYS[1] blind for ARGV[1] ms -> 1 | 0'],
  ['of whoever won', `
    if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
    return redis.call('pexpire', KEYS[1], ARGV[2])`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 1',
    'renew KEYS[1] blind for ARGV[2] ms -> 1 | never',
  ],
  ['if it exists', `if redis.call('exists', KEYS[1]) == 1 then redis.call('expire', KEYS[1], ARGV[1]) return 1 end return 0`,
    'renew KEYS[1] blind for ARGV[1] s -> 1 | 0',
  ],
  ['SET XX', `return redis.call('SET', KEYS[1], ARGV[1], 'XX', 'EX', ARGV[2])`, 'renew KEYS[1] blind for ARGV[2] s -> "OK" | nil'],
  ['GETEX', `return redis.call('GETEX', KEYS[1], 'PX', ARGV[1])`, 'renew KEYS[1] blind for ARGV[1] ms -> GETEX(KEYS[1]) | nil'],
];

const minting: readonly Case[] = [
  ['inside the grant', `
    if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
      return redis.call('incr', KEYS[2])
    end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> token | 0',
    'mint KEYS[2] inside the grant',
  ],
  ['inside the grant, with an expiry', `
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
    local fence = redis.call('INCR', KEYS[2])
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return fence`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> token | 0',
    'mint KEYS[2] inside the grant, ends',
  ],
  ['asked back with GET', `
    if redis.call('setnx', KEYS[1], ARGV[1]) == 0 then return {0} end
    redis.call('expire', KEYS[1], ARGV[2])
    redis.call('incr', KEYS[2])
    return {1, redis.call('get', KEYS[2])}`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] s -> {1, token} | {0}',
    'mint KEYS[2] inside the grant',
  ],
  ['NX after a test of its own', `
    if redis.call('GET', KEYS[1]) ~= false then return {0, false} end
    local fence = redis.call('INCR', KEYS[2])
    if tonumber(ARGV[3]) > 0 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
    if redis.call('SET', KEYS[1], cjson.encode({ worker = ARGV[1], fence = fence }), 'NX', 'EX', tonumber(ARGV[2])) then return {1, fence} end
    return {0, false}`,
    'acquire KEYS[1] for json{worker=ARGV[1], fence=INCR(KEYS[2])} for ARGV[2] s -> {1, token} | {0, nil}',
    'mint KEYS[2] inside the grant, ends',
  ],
  ['kept in the value', `
    if redis.call('get', KEYS[1]) then return false end
    local fence = redis.call('incr', KEYS[1] .. ':fence')
    redis.call('set', KEYS[1], ARGV[1] .. ':' .. fence, 'PX', ARGV[2])
    return tostring(fence)`,
    'acquire KEYS[1] for ARGV[1]..":"..INCR(KEYS[1]..":fence") for ARGV[2] ms -> token | nil',
    'mint KEYS[1]..":fence" inside the grant',
  ],
  ['a counter inside the lock that ends with it', `
    if redis.call('HSETNX', KEYS[1], 'owner', ARGV[1]) == 1 then
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return redis.call('HINCRBY', KEYS[1], 'fence', 1)
    end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> token | 0',
    'mint KEYS[1]."fence" inside the grant, ends',
  ],
  ['before a grant that may be refused', `
    local fence = redis.call('INCR', KEYS[2])
    if redis.call('SET', KEYS[1], fence, 'NX', 'PX', ARGV[1]) then return fence end
    return nil`,
    'acquire KEYS[1] for INCR(KEYS[2]) for ARGV[1] ms -> token | nil',
    'mint KEYS[2]',
  ],
  ['alone', `return redis.call('INCRBY', KEYS[1], 1)`, 'mint KEYS[1]'],
  ['with a reentrant branch that returns the old one', `
    local owner = redis.call('HGET', KEYS[1], 'owner')
    if owner and owner ~= ARGV[1] then return {0, owner} end
    if owner == ARGV[1] then
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return {1, redis.call('HGET', KEYS[1], 'fence')}
    end
    local fence = redis.call('INCR', KEYS[2])
    redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fence', fence)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return {1, tostring(fence)}`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms, again for its holder -> {1, HGET(KEYS[1])} or {1, token} | {0, HGET(KEYS[1])}',
    'renew KEYS[1] checked against ARGV[1] for ARGV[2] ms -> {1, HGET(KEYS[1])} | {0, HGET(KEYS[1])}',
    'mint KEYS[2] inside the grant',
  ],
];

const writes: readonly Case[] = [
  ['set if newer', `
    local seen = tonumber(redis.call('GET', KEYS[2]) or '0')
    if tonumber(ARGV[2]) < seen then return 0 end
    redis.call('SET', KEYS[2], ARGV[2])
    redis.call('SET', KEYS[1], ARGV[1])
    return 1`,
    'SET KEYS[2], fenced: GET(KEYS[2]) <= ARGV[2] (recorded) -> 1 | 0',
    'SET KEYS[1], fenced: GET(KEYS[2]) <= ARGV[2] (recorded) -> 1 | 0',
  ],
  ['set if newer, the wrong way round', `
    local seen = tonumber(redis.call('GET', KEYS[2]) or '0')
    if tonumber(ARGV[2]) > seen then return 0 end
    redis.call('SET', KEYS[1], ARGV[1])
    return 1`,
    'SET KEYS[1], fenced: GET(KEYS[2]) >= ARGV[2] -> 1 | 0',
  ],
  ['hash set if newer', `
    local cur = redis.call('HGET', KEYS[1], 'version')
    if cur and tonumber(cur) >= tonumber(ARGV[1]) then return 0 end
    redis.call('HSET', KEYS[1], 'version', ARGV[1], 'data', ARGV[2])
    return 1`,
    'HSET KEYS[1], fenced: HGET(KEYS[1] "version") < ARGV[1] (recorded) -> 1 | 0',
  ],
  ['JSON set if newer', `
    local cur = redis.call('GET', KEYS[1])
    if cur then
      local seen = cjson.decode(cur).fence
      if seen and tonumber(seen) > tonumber(ARGV[1]) then return redis.error_reply('STALE') end
    end
    redis.call('SET', KEYS[1], cjson.encode({ fence = tonumber(ARGV[1]), data = ARGV[2] }), 'EX', 60)
    return 'OK'`,
    'SET KEYS[1] for 60 s, fenced: GET(KEYS[1]).fence <= ARGV[1] (recorded) -> "OK" | error STALE',
  ],
  ['a maximum', `
    local value = tonumber(ARGV[1])
    if redis.call("EXISTS", KEYS[1]) == 1 then
      if value <= tonumber(redis.call('GET', KEYS[1])) then return false end
    end
    redis.call('SET', KEYS[1], value)
    return true`,
    'SET KEYS[1], fenced: GET(KEYS[1]) < ARGV[1] (recorded) -> 1 | nil',
  ],
  ['the order that ZADD keeps itself', `return redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])`,
    'ZADD KEYS[1], fenced: ZADD(KEYS[1] "GT" ARGV[1] ARGV[2]) < ARGV[1] (recorded) -> ZADD(KEYS[1]) | never',
  ],
  ['the order on one branch only', `
    if ARGV[3] == '1' and tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[2]) then return 0 end
    redis.call('SET', KEYS[1], ARGV[1])
    return 1`,
    'SET KEYS[1] -> 1 | 0',
  ],
  ['compare and set', `
    if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'data', ARGV[2])
    return 1`,
    'HSET KEYS[1], if HGET(KEYS[1] "version") == ARGV[1] -> 1 | 0',
  ],
  ['compare and set, or create, with a number made of the expected one', `
    local v = redis.call('HGET', KEYS[1], 'version')
    if v and v ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1)
    return 1`,
    'HSET KEYS[1], if HGET(KEYS[1] "version") == ARGV[1] -> 1 | 0',
  ],
  ['a part of the content that is missing', `
    local v = redis.call('get', KEYS[1])
    if not string.match(v, ARGV[2]) then redis.call('set', KEYS[1], ARGV[1]) return 1 end
    return 0`,
    'SET KEYS[1] -> 1 | 0',
  ],
  ['compare and set of a document', `
    local old = cjson.decode(redis.call('GET', KEYS[1]))
    if old.version ~= tonumber(ARGV[1]) then return 0 end
    old.version = old.version + 1
    redis.call('SET', KEYS[1], cjson.encode(old), 'EX', 3600)
    return 1`,
    'SET KEYS[1] for 3600 s, if GET(KEYS[1]).version == ARGV[1] -> 1 | 0',
  ],
  ['the state that the write ends', `
    if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
    redis.call('HMSET', KEYS[1], 'status', 'done', 'result', ARGV[1])
    return 1`,
    'HMSET KEYS[1], if HGET(KEYS[1] "status") == "running" -> 1 | 0',
  ],
  ['compare and set, or create', `
    local current = redis.call("get", KEYS[1])
    if ARGV[1] == "" then
      if current then return -2 end
    elseif current ~= ARGV[1] then
      return -2
    end
    redis.call("set", KEYS[1], ARGV[2])
    return 1`,
    'SET KEYS[1], if GET(KEYS[1]) == ARGV[1] -> 1 | -2',
  ],
  ['under the owner check of a lock', `
    if redis.call("get", KEYS[1]) ~= ARGV[1] then
      return 0
    end
    redis.call("rpush", KEYS[2], ARGV[2])
    redis.call("setex", KEYS[3], ARGV[4], ARGV[3])
    return 1`,
    'RPUSH KEYS[2], fenced: owner ARGV[1] of KEYS[1] -> 1 | 0',
    'SETEX KEYS[3] for ARGV[4] s, fenced: owner ARGV[1] of KEYS[1] -> 1 | 0',
  ],
  ['where the lock was just granted', `
    if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
      redis.call('hset', KEYS[2], 'runner', ARGV[1])
      return 1
    end
    return 0`,
    'acquire KEYS[1] for ARGV[1] for ARGV[2] ms -> 1 | 0',
    'HSET KEYS[2], fenced: grant of KEYS[1] -> 1 | 0',
  ],
  ['a bounded change', `
    local stock = tonumber(redis.call('get', KEYS[1]) or '0')
    if stock < tonumber(ARGV[1]) then return -1 end
    return redis.call('decrby', KEYS[1], ARGV[1])`,
    'DECRBY KEYS[1], bound by ARGV[1] -> DECRBY(KEYS[1]) | -1',
  ],
  ['a member that was not there', `
    if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
    return 1`,
    'HSET KEYS[1], only if absent -> 1 | 0',
  ],
  ['nothing guards it', `redis.call('hset', KEYS[1], 'a', ARGV[1]) return redis.call('lpush', KEYS[2], ARGV[2])`,
    'HSET KEYS[1] -> LPUSH(KEYS[2]) | never',
    'LPUSH KEYS[2] -> LPUSH(KEYS[2]) | never',
  ],
  ['the existence of another key guards nothing', `if redis.call('exists', KEYS[2]) == 1 then return -2 end redis.call('set', KEYS[1], ARGV[1]) redis.call('set', KEYS[1], ARGV[2]) return 1`,
    'SET KEYS[1] -> 1 | -2',
    'SET KEYS[1] -> 1 | -2',
  ],
  ['unpack(ARGV) tells nobody apart', `redis.call('hset', KEYS[1], unpack(ARGV)) return 1`, 'HSET KEYS[1] -> 1 | never'],
  ['unpack(ARGV) into names', `local field, value = unpack(ARGV) return redis.call('hset', KEYS[1], field, value)`, 'HSET KEYS[1] -> HSET(KEYS[1]) | never'],
];

const noLock: readonly Case[] = [
  ['a rate limiter', `
    local current = redis.call('INCR', KEYS[1])
    if current == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
    return current`,
    'mint KEYS[1], ends',
  ],
  ['a rate limiter that answers yes or no', `
    local current = redis.call('get', KEYS[1])
    if current and tonumber(current) >= tonumber(ARGV[1]) then
      return 0
    else
      redis.call('incr', KEYS[1])
      if not current then redis.call('expire', KEYS[1], ARGV[2]) end
      return 1
    end`,
    'INCR KEYS[1], bound by ARGV[1] -> 1 | 0',
  ],
  ['a rate limiter that starts with SET NX', `redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX') return redis.call('INCR', KEYS[1])`,
    'mint KEYS[1], ends',
    'SET KEYS[1] for ARGV[2] s -> token | token',
  ],
  ['a counter that is set or raised', `if redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], 1, 'EX', 60) else redis.call('incr', KEYS[1]) end`,
    'SET KEYS[1] for 60 s, only if absent -> nil | nil',
    'INCR KEYS[1] -> nil | nil',
  ],
  ['a semaphore', `
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
    if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
      redis.call('ZADD', KEYS[1], ARGV[3], ARGV[4])
      redis.call('PEXPIRE', KEYS[1], ARGV[5])
      return 1
    end
    return 0`,
    'ZREMRANGEBYSCORE KEYS[1] -> 1 or 0 | never',
    'ZADD KEYS[1] -> 1 | 0',
  ],
  ['a token bucket', `
    local b = cjson.decode(redis.call('GET', KEYS[1]) or '{}')
    local t = math.min(ARGV[1], (b.tokens or ARGV[1]) + (ARGV[3] - (b.last or ARGV[3])) * ARGV[2])
    if t < 1 then return 0 end
    redis.call('SET', KEYS[1], cjson.encode({ tokens = t - 1, last = ARGV[3] }))
    return 1`,
    'SET KEYS[1] -> 1 | 0',
  ],
  ['a queue', `local job = redis.call('rpop', KEYS[1]) if job then redis.call('hset', KEYS[2], job, ARGV[1]) end return job`,
    'RPOP KEYS[1] -> RPOP(KEYS[1]) or nil | never',
    'HSET KEYS[2] -> RPOP(KEYS[1]) | nil',
  ],
  ['the removal of what is not there', `if redis.call('exists', KEYS[1]) == 0 then return redis.call('del', KEYS[1]) end return 2`],
  ['a read', `return redis.call('get', KEYS[1])`],
  ['nothing at all', `-- nothing`],
  ['a broken script', `if redis.call('get', KEYS[1]) == ARGV[1] then return`, 'no Lua'],
  ['another language', `SELECT * FROM locks WHERE name = $1`, 'no Lua'],
];

const allCases = [
  { what: 'release', cases: release },
  { what: 'deletion without an owner check', cases: deletionWithoutAnOwnerCheck },
  { what: 'acquire', cases: acquire },
  { what: 'renewal', cases: renewal },
  { what: 'minting', cases: minting },
  { what: 'writes', cases: writes },
  { what: 'no lock', cases: noLock },
];

describe.each(allCases)('$what', ({ cases }) => {
  it.each(cases)('%s', (_, lua, ...says) => {
    expect(tell(analyzeLua(lua))).toEqual(says);
  });
});

describe('calls', () => {
  it('gives each call its command, operands and the tests that hold whenever it runs', () => {
    const facts = analyzeLua(`
      local v = redis.call('get', KEYS[1])
      if not v then return 0 end
      if tonumber(ARGV[2]) > 10 and v == ARGV[1] then redis.call('Expire', KEYS[1], 5) end
      redis.pcall('hset', KEYS[2], 'n', v)`);
    expect(facts?.calls.map((call) => [call.command, call.args.map(op), call.conditions.map(condition)])).toEqual([
      ['GET', ['KEYS[1]'], []],
      ['EXPIRE', ['KEYS[1]', '5'], ['GET(KEYS[1]) is truthy', 'ARGV[2] > 10', 'GET(KEYS[1]) == ARGV[1]']],
      ['HSET', ['KEYS[2]', '"n"', 'GET(KEYS[1])'], ['GET(KEYS[1]) is truthy']],
    ]);
  });

  it('keeps only the tests that all ways to a call have passed', () => {
    const facts = analyzeLua(`
      if redis.call('get', KEYS[1]) == ARGV[1] or ARGV[2] == 'x' then return redis.call('del', KEYS[1]) end`);
    expect(facts?.calls.map((call) => [call.command, call.conditions.map(condition)])).toEqual([['GET', []], ['DEL', []]]);
  });

  it('reads the options of SET', () => {
    const [set, plain] = analyzeLua(`redis.call('set', KEYS[1], 'NX', 'px', 5, 'xx') redis.call('setnx', KEYS[2], 1)`)?.calls ?? [];
    expect(set).toMatchObject({ nx: false, xx: true, lease: { unit: 'ms', value: { kind: 'const', value: 5 }, absolute: false } });
    expect(analyzeLua("redis.call('set', KEYS[1], ARGV[1], 'IFEQ', 'nx')")?.calls[0]?.nx).toBe(false);
    expect(plain).toMatchObject({ command: 'SETNX', nx: true, xx: false, lease: undefined });
  });

  it('points from each verdict to its call', () => {
    const facts = analyzeLua(`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end`);
    expect(facts?.calls[facts.releases[0]?.call ?? -1]?.command).toBe('DEL');
  });

  it('runs a local function as often as it is called, each time for its own keys', () => {
    const facts = analyzeLua(`local function put(k, v) redis.call('set', k, v) end put(KEYS[1], ARGV[1]) put(KEYS[2], ARGV[2])`);
    expect(facts?.calls.map((call) => call.args.map(op))).toEqual([['KEYS[1]', 'ARGV[1]'], ['KEYS[2]', 'ARGV[2]']]);
  });

  it('traces a value that differs from path to path', () => {
    const facts = analyzeLua(`local ttl = ARGV[1] if ARGV[2] == 'long' then ttl = 600 end return redis.call('expire', KEYS[1], ttl)`);
    expect(facts?.calls.map((call) => call.args.map(op))).toEqual([['KEYS[1]', '600|ARGV[1]']]);
  });

  it('names the fields that HMGET answers in order', () => {
    const facts = analyzeLua("local v = redis.call('hmget', KEYS[1], 'owner', 'fence') if v[2] == ARGV[1] then redis.call('persist', KEYS[1]) end");
    expect(facts?.calls[1]?.conditions.map(condition)).toEqual(['HMGET(KEYS[1] "owner" "fence").fence == ARGV[1]']);
  });

  it('does not follow what an error has ended', () => {
    for (const rest of ["stop() redis.call('del', KEYS[1])", "redis.call('del', KEYS[1], stop())", "return stop() or redis.call('del', KEYS[1])"]) {
      const facts = analyzeLua(`local function stop() error('no') end ${rest}`);
      expect(facts?.calls).toEqual([]);
      expect(facts?.returns.map(ret)).toEqual(['error no']);
    }
  });

  it('asks the server once where nothing has changed between two equal reads', () => {
    const facts = analyzeLua(`
      if redis.call('get', KEYS[1]) == ARGV[1] then return 1 end
      if redis.call('get', KEYS[1]) == ARGV[1] then return 2 end
      return 3`);
    expect(facts?.returns.map(ret)).toEqual(['1', '3']);
  });
});

describe('what a client receives', () => {
  it.each([
    ['return true', '1'],
    ['return false', 'nil'],
    ['return', 'nil'],
    ['return 3.9', '3'],
    ["return '7'", '"7"'],
    ['return {1, false, nil, 4}', '{1, nil}'],
    ["return {err = 'BUSY'}", 'error BUSY'],
    ["return redis.call('set', KEYS[1], 1)", '"OK"'],
    ['return #KEYS', '#keys'],
    ['return ARGV[2]', 'ARGV[2]'],
    ["return redis.call('ping')", 'PING(nothing)'],
    ["return cjson.encode({a = 1})", 'other'],
    ["return 'é→\\065'", '"é→A"'],
  ])('%s -> %s', (lua, received) => {
    expect(analyzeLua(lua)?.returns.map(ret)).toEqual([received]);
  });
});

function isLua(text: string): boolean {
  try {
    luaparse.parse(Buffer.from(text).toString('latin1'), { luaVersion: '5.1' });
    return true;
  } catch {
    return false;
  }
}

describe('what a path knows', () => {
  it.each([
    ['what equals something is there', "local v = redis.call('get', KEYS[1]) if v == ARGV[1] then if v then return 1 end return 2 end return 3", ['1', '3']],
    ['what is missing equals nothing', "local v = redis.call('get', KEYS[1]) if not v then if v == ARGV[1] then return 1 end return 2 end return 3", ['2', '3']],
    ['what is one thing is not another', "local v = redis.call('get', KEYS[1]) if v == 'a' then if v == 'b' then return 1 end return 2 end return 3", ['2', '3']],
    ['a number that is smaller is not larger', "local a = tonumber(ARGV[1]) if a < 5 then if a >= 5 then return 1 end return 2 end return 3", ['2', '3']],
    ['EXISTS of one key is 0 or 1', "local n = redis.call('exists', KEYS[1]) if n == 0 then return 1 elseif n == 1 then return 2 end return 3", ['1', '2']],
    ['EXISTS of two keys may be more', "local n = redis.call('exists', KEYS[1], KEYS[2]) if n == 0 then return 1 elseif n == 1 then return 2 end return 3", ['1', '2', '3']],
    ['an old read says nothing of a key deleted since', "local v = redis.call('get', KEYS[1]) redis.call('del', KEYS[1]) if v then return redis.call('exists', KEYS[1]) end return 7", ['0', '7']],
    ['tostring makes a text', "if tostring(1) == '1' then return 1 end return 2", ['1']],
    ['tonumber makes a number, or nothing', "if tonumber('x') then return 1 end return tonumber(' 42 ')", ['42']],
    ['zero and the empty text are true', "if tonumber('0') then if '' then return 1 end end return 2", ['1']],
    ['a number is not its text', "if '1' == 1 then return 1 end return 2", ['2']],
    ['a loop over an empty list is skipped', "for i, k in ipairs({}) do return 1 end return 2", ['2']],
    ['a loop over a reply may be skipped', "for i, k in ipairs(redis.call('smembers', KEYS[1])) do return 1 end return 2", ['1', '2']],
    ['a loop ends at break', "for i = 1, 3 do if i == 2 then break end redis.call('incr', KEYS[i]) end return 5", ['5']],
    ['a second local of the same name is another variable', "local x = 1 local f = function() return x end local x = 2 return f()", ['1']],
  ])('%s', (_, lua, returns) => {
    expect(analyzeLua(lua)?.returns.map(ret)).toEqual(returns);
  });
});

describe('the room', () => {
  it('remembers what it said of a text', () => {
    const lua = "return redis.call('del', KEYS[1]) -- once";
    expect(analyzeLua(lua)).toBe(analyzeLua(lua));
  });

  it('forgets the oldest texts', () => {
    const first = analyzeLua('return 0 -- oldest');
    for (let i = 0; i < 600; i++) analyzeLua(`return ${i} -- later`);
    const again = analyzeLua('return 0 -- oldest');
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it('has facts for whatever is left of a script, as long as it is Lua', () => {
    for (const { cases } of allCases) {
      for (const [, lua] of cases) {
        for (let end = 0; end < lua.length; end += 9) {
          const text = lua.slice(0, end);
          expect({ text, known: analyzeLua(text) !== undefined }).toEqual({ text, known: isLua(text) });
        }
      }
    }
  });

  it('says so when it could not follow every path', () => {
    const steps = Array.from({ length: 12 }, (_, i) => `if ARGV[${i + 1}] == 'x' then redis.call('hset', KEYS[${i + 1}], 'f', 1) end`);
    expect(analyzeLua(steps.slice(0, 3).join('\n'))?.complete).toBe(true);
    expect(analyzeLua(steps.join('\n'))?.complete).toBe(false);
    expect(analyzeLua("local function f() return f() + f() end return f()")?.complete).toBe(true);
  });

  it('loses nothing on many paths that send the same commands', () => {
    const defaults = Array.from({ length: 9 }, (_, i) => `local v${i} = tonumber(ARGV[${i + 1}]) or ${i}`);
    const facts = analyzeLua([...defaults, "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], v3) end return 0"].join('\n'));
    expect(facts?.complete).toBe(true);
    expect(tell(facts)).toEqual(['renew KEYS[1] checked against ARGV[1] for ARGV[4]|3 ms -> 1 | 0']);
  });

  it('tells operands apart by what they stand for', () => {
    const [a, b] = analyzeLua("redis.call('get', KEYS[1] .. ':x') redis.call('del', KEYS[1] .. ':x')")?.calls ?? [];
    expect(sameOperand(a?.keys[0], b?.keys[0])).toBe(true);
    expect(operandId({ kind: 'arg', index: 0 })).not.toBe(operandId({ kind: 'key', index: 0 }));
  });
});
