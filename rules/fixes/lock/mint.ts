/**
 * A token minted inside the grant: the acquire becomes a script that sets the key and raises a
 * counter in one step, and its guard asks for the token. Only where the guard is a plain test of the
 * answer; a token that is minted after the acquire would be no fence.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { AcquireEvent } from '../../../model/events.ts';
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { referencesTo } from '../source/scopes.ts';
import { separated } from '../source/style.ts';
import { type Node, type Tree, isPath, unwrap } from '../source/tree.ts';
import { type TestedAnswer, answerOf, takeOut } from './acquire-answer.ts';
import { wrapInNumber } from './answers.ts';
import { type Test, testAround } from './answer-test.ts';
import { asValue, clientOf, matchedRow, methodOf, replaceCall, scriptForm, writeCall } from './client-calls.ts';
import { ownerArgument } from './owner.ts';
import { grantWithToken, scriptConstant } from './scripts.ts';

export interface Minted {
  token: string;
  /** Where the token is in sight. */
  block: Node;
  note: string;
  /** The service has counted it, and it is only read. */
  isRead?: boolean;
}

/** What the token is called, and by which key it is counted, where the code says both already. */
export interface Known {
  name?: string;
  counter?: Node;
  /** How a test of the answer is written, where it is more than a test: it is what a function answers. */
  spell?(test: Test, token: string): string | undefined;
}

/** Rewrites the acquire of a section so that it mints; undefined where its guard cannot be rewritten for certain. */
export function mintInGrant(section: Pick<Section, 'acquire' | 'at'>, write: Node, draft: Draft, model: Model, known?: Known): Minted | undefined {
  const { tree } = draft;
  const { acquire } = section;
  if (acquire.form !== 'put' || section.at !== acquire.call || acquire.call.func.module !== tree.module) return undefined;
  const call = tree.callAt(acquire.call.span);
  const answer = call?.type === 'CallExpression' ? answerOf(call, tree) : undefined;
  const block = answer && tree.parent(answer.statement);
  if (call?.type !== 'CallExpression' || !answer || !block || !tree.isWithin(write, block)) return undefined;
  const tests = answer.kind === 'kept' ? referencesTo(answer.binding, tree).map((it) => testAround(it, acquire, tree)) : [testAround(answer.value, acquire, tree)];
  const parts = tests.includes(undefined) ? undefined : partsOfGrant(acquire, call, known?.counter, draft, model);
  if (!parts) return undefined;
  const token = known?.name ?? draft.freeName(block, 'token', 'fencingToken');
  replaceCall(call, parts.text, draft);
  const spell = (it: Test): string => known?.spell?.(it, token) ?? `${token} ${it.isGranted ? '!==' : '==='} 0`;
  if (answer.kind === 'kept') {
    const { id } = tree.parent(answer.value) as TSESTree.VariableDeclarator;
    draft.replace(id, token);
    wrapInNumber(answer.value, draft);
    for (const it of tests) draft.replace(it!.node, spell(it!));
  } else takeOut(answer as TestedAnswer, token, spell(tests[0]!), draft, { wrap: 'Number', whole: tests[0]!.node });
  return { token, block, note: parts.note };
}

/** The call that grants and mints, in the client's shape. */
function partsOfGrant(acquire: AcquireEvent, call: TSESTree.CallExpression, counter: Node | undefined, draft: Draft, model: Model): { text: string; note: string } | undefined {
  const { tree } = draft;
  const client = clientOf(acquire.call, acquire.call, model);
  const method = methodOf(call);
  const row = matchedRow(acquire.call, model);
  const put = row?.effects.find((it) => it.kind === 'put');
  const form = client && method && scriptForm(client, method.name, model);
  if (!form || !put || !row) return undefined;
  const key = nodeOf(model.calls.exprAt(put.key, row.site), tree);
  const owner = nodeOf(ownerArgument(acquire, model), tree);
  const lease = model.calls.lease(put.lease, row.site, row.row);
  const length = nodeOf(lease?.site, tree);
  if (!key || !owner || !lease || !length || isNothing(owner)) return undefined;
  const ms = milliseconds(length, lease.unit, draft);
  if (ms === undefined) return undefined;
  const script = scriptConstant(grantWithToken, form, call, draft, model);
  if (script === undefined) return undefined;
  const keys = [tree.text(key), counter ? tree.text(counter) : keyBeside(key, 'token', draft)];
  const args = [asValue(owner, tree.text(owner), form, draft, model), form.isText ? millisecondsAsText(ms, draft) : ms];
  const text = writeCall(form, { script, count: '2', keys: keys.join(', '), args: args.join(', ') }, call, draft);
  const isTagged = /\{[^$}]+\}/.test(tree.text(key).replace(/\$\{[^}]*\}/g, ''));
  return { text, note: isTagged ? '' : 'In a cluster, key and counter must share a slot: put what they have in common into braces.' };
}

const isNothing = (node: Node): boolean => node.type === 'Identifier' && node.name === 'undefined';

const nodeOf = (expr: { span: { start: number; end: number } } | undefined, tree: Tree): Node | undefined => expr && tree.expressionAt(expr.span);

/** A key beside another one: `<key>:token`. */
export function keyBeside(key: Node, name: string, { tree }: Draft): string {
  const it = unwrap(key);
  const text = tree.text(it);
  if (it.type === 'TemplateLiteral') return `${text.slice(0, -1)}:${name}\``;
  if (it.type === 'Literal' && typeof it.value === 'string') return `${text.slice(0, -1)}:${name}${text.slice(-1)}`;
  return `\`\${${text}}:${name}\``;
}

/** A length of time as milliseconds; undefined where it is no length. */
export function milliseconds(length: Node, unit: string, { tree }: Draft): string | undefined {
  const it = unwrap(length);
  const text = tree.text(length);
  if (unit === 'ms') return text;
  if (unit !== 's') return undefined;
  if (it.type === 'Literal') return Number.isFinite(Number(it.value)) ? separated(Number(it.value) * 1000, tree) : undefined;
  return `${isPath(it) || it.type === 'CallExpression' ? text : `(${text})`} * 1000`;
}

/** The same, for a client that takes text only. */
export const millisecondsAsText = (ms: string, { style }: Draft): string => (/^[\d_]+$/.test(ms) ? style.quote + ms.replaceAll('_', '') + style.quote : `String(${ms})`);
