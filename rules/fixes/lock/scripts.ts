/** Lua scripts as constants of the module: one that does the same is used again, else one is added at the head of the file. */
import type { ScriptForm } from '../../../catalog/schema.ts';
import { type LuaFacts, analyzeLua } from '../../../model/lua/index.ts';
import { scriptText } from '../../../model/scripts.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { endOfHead, startOfFile } from '../source/imports.ts';
import { inSight } from '../source/scopes.ts';
import type { Style } from '../source/style.ts';
import type { Node } from '../source/tree.ts';
import { valueOf } from '../source/values.ts';
import { preparedScript } from './client-calls.ts';

export interface Script {
  name: string;
  lines: readonly string[];
  /** Indentation steps of each line. */
  depths: readonly number[];
  /** Whether another script does exactly this. */
  fits(facts: LuaFacts): boolean;
}

/** `KEYS[1]` is the lock, `ARGV[1]` the owner value. */
export const compareAndDelete: Script = {
  name: 'RELEASE_IF_OURS',
  lines: ["if redis.call('get', KEYS[1]) == ARGV[1] then", "return redis.call('del', KEYS[1])", 'end', 'return 0'],
  depths: [0, 1, 0, 0],
  fits: ({ calls, releases, acquires, writes, renewals, mints, complete }) =>
    complete && acquires.length + writes.length + renewals.length + mints.length === 0 && releases.length === 1 && calls.every((it) => it.command === 'GET' || it.command === 'DEL' || it.command === 'UNLINK') &&
    releases.every((it) => it.ownerChecked && isInput(it.key, 'key', 0) && isInput(it.checkedKey, 'key', 0) && isInput(it.comparedWith, 'arg', 0) && returns(it.done, 1, it.key) && returns(it.refused, 0)),
};

/** Besides, `ARGV[2]` is the lease in milliseconds. */
export const compareAndExtend: Script = {
  name: 'RENEW_IF_OURS',
  lines: ["if redis.call('get', KEYS[1]) == ARGV[1] then", "return redis.call('pexpire', KEYS[1], ARGV[2])", 'end', 'return 0'],
  depths: [0, 1, 0, 0],
  fits: ({ calls, releases, acquires, writes, renewals, mints, complete }) =>
    complete && acquires.length + writes.length + releases.length + mints.length === 0 && renewals.length === 1 && calls.every((it) => it.command === 'GET' || it.command === 'PEXPIRE') &&
    renewals.every((it) => it.ownerChecked && isInput(it.key, 'key', 0) && isInput(it.checkedKey, 'key', 0) && isInput(it.comparedWith, 'arg', 0) && it.lease?.unit === 'ms' && !it.lease.absolute && isInput(it.lease.value, 'arg', 1) && returns(it.done, 1, it.key) && returns(it.refused, 0)),
};

/** Here `KEYS[2]` is the counter of tokens. */
export const grantWithToken: Script = {
  name: 'GRANT_WITH_TOKEN',
  lines: ["if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then", "return redis.call('incr', KEYS[2])", 'end', 'return 0'],
  depths: [0, 1, 0, 0],
  fits: ({ acquires, releases, writes, renewals, mints, complete }) =>
    complete && releases.length + renewals.length === 0 && writes.every((it) => isInput(it.key, 'key', 1)) && acquires.length === 1 && mints.length === 1 &&
    acquires.every((it) => isInput(it.key, 'key', 0) && isInput(it.owner, 'arg', 0) && !it.reentrant && it.lease?.unit === 'ms' && !it.lease.absolute && isInput(it.lease.value, 'arg', 1) && it.done.every((each) => each.kind === 'token') && returns(it.refused, 0)) &&
    mints.every((it) => it.insideAcquire && !it.expires && !it.field && isInput(it.key, 'key', 1)),
};

/** `KEYS[1]` is the value's key and `KEYS[2]` that of the largest token seen; `ARGV[1]` is the value, `ARGV[2]` the token. */
const writeUnless = (name: string, older: '>=' | '>', passes: '<' | '<='): Script => ({
  name,
  lines: [`if tonumber(redis.call('get', KEYS[2]) or '0') ${older} tonumber(ARGV[2]) then`, 'return 0', 'end', "redis.call('set', KEYS[1], ARGV[1])", "redis.call('set', KEYS[2], ARGV[2])", 'return 1'],
  depths: [0, 1, 0, 0, 0, 0],
  fits: ({ calls, releases, acquires, writes, renewals, mints, complete }) =>
    complete && releases.length + acquires.length + renewals.length + mints.length === 0 && calls.length === 3 && writes.length === 2 &&
    writes.every((it, i) => it.command === 'SET' && isInput(it.key, 'key', i) && isInput(it.values[0], 'arg', i) && it.fencedBy?.by === 'order' && it.fencedBy.operator === passes && isInput(it.fencedBy.key, 'key', 1) && isInput(it.fencedBy.comparedWith, 'arg', 1) && returns(it.done, 1) && returns(it.refused, 0)),
});

/** Only where no holder with this token or a later one has written. */
export const writeIfNewer = writeUnless('WRITE_IF_NEWER', '>=', '<');

/** The same for a holder that writes more than once. */
export const writeIfNotOlder = writeUnless('WRITE_IF_NOT_OLDER', '>', '<=');

const isInput = (operand: { kind: string; index?: unknown } | undefined, kind: 'key' | 'arg', index: number): boolean => operand?.kind === kind && operand.index === index;

/** Every way out answers the number, or how many keys the command has changed. */
const returns = (outcomes: LuaFacts['returns'], value: number, deleted?: unknown): boolean =>
  outcomes.length > 0 && outcomes.every((it) => (it.kind === 'const' && it.value === value) || (deleted !== undefined && it.kind === 'reply' && (it.command === 'DEL' || it.command === 'UNLINK' || it.command === 'PEXPIRE')));

/** The name of the module's constant that holds the script, as this client takes it. */
export function scriptConstant(script: Script, form: ScriptForm, at: Node, draft: Draft, model: Model): string | undefined {
  return knownConstant(script, form, at, draft, model) ?? draft.once(`script ${script.name}`, () => addConstant(script, form, draft));
}

function knownConstant(script: Script, form: ScriptForm, at: Node, draft: Draft, model: Model): string | undefined {
  const { tree } = draft;
  for (const binding of inSight(at, tree)) {
    if (binding.scope !== tree.program || (binding.kind !== 'const' && binding.kind !== 'import')) continue;
    const value = valueOf(binding, model, tree);
    // A client that takes a prepared script needs one; the others take the text itself.
    if (!value || (value.kind === 'typed') !== (form.prepared !== undefined) || (value.kind !== 'typed' && value.kind !== 'const')) continue;
    const text = scriptText(value);
    const facts = text?.includes('redis.') ? analyzeLua(text) : undefined;
    if (facts && script.fits(facts)) return binding.name;
  }
  return undefined;
}

function addConstant(script: Script, form: ScriptForm, draft: Draft): string | undefined {
  const { tree, style } = draft;
  const prepared = preparedScript(form, luaText(script, style), draft);
  if (prepared === undefined) return undefined;
  const name = draft.freeName(tree.program, script.name);
  const text = `const ${name} = ${prepared}${style.semi}`;
  const head = endOfHead(tree);
  if (head) draft.behind(head, `${style.newline}${style.newline}${text}`);
  else {
    const { offset, isBehind } = startOfFile(tree);
    draft.insert(offset, isBehind ? `${style.newline}${style.newline}${text}` : `${text}${style.newline}${style.newline}`);
  }
  return name;
}

function luaText({ lines, depths }: Script, { indent, newline }: Style): string {
  return `\`${newline}${lines.map((line, i) => indent.repeat(depths[i]! + 1) + line).join(newline)}${newline}\``;
}
