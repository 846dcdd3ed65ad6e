/** Edits that take a lock by a call that this client understands, and that refuses a second holder. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Ineffective } from '../../model/ineffective.ts';
import type { Story } from '../../model/story.ts';
import { constant } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import { answerOf } from './lock/acquire-answer.ts';
import { testAround } from './lock/answer-test.ts';
import { clientOf, formFor, matchedRow, methodOf, replaceCall, writeCall } from './lock/client-calls.ts';
import { statementsOf } from './source/blocks.ts';
import { Draft, attempt } from './source/draft.ts';
import { leaves } from './source/presence.ts';
import { referencesTo } from './source/scopes.ts';
import { quoted } from './source/style.ts';
import { type Node, type Statement, type Tree, isBlock, treeOf, unwrap } from './source/tree.ts';

/** The right call, with the key, the owner value and the length of the wrong one, and its answer asked. */
export const effectiveEdits = (it: Ineffective, story: Story): Edit[] => attempt(() => takenInOneStep(it, story));

function takenInOneStep({ call, look }: Ineffective, { model, module }: Story): Edit[] {
  const tree = treeOf(module);
  const node = call.func.module === module ? tree.callAt(call.span) : undefined;
  const row = matchedRow(call, model);
  const put = row?.effects.find((it) => it.kind === 'put');
  const client = clientOf(call, undefined, model);
  const method = node?.type === 'CallExpression' ? methodOf(node) : undefined;
  const form = client && method && formFor(client.library.edits?.grants, client, method.name, model);
  if (node?.type !== 'CallExpression' || !row || !put || !form) return [];
  const [key, owner] = [put.key, put.value].map((path) => {
    const expr = model.calls.exprAt(path, row.site);
    return expr && tree.expressionAt(expr.span);
  });
  const length = lengthIn(node);
  if (!key || !owner || !length || node.arguments.some((it) => it.type === 'SpreadElement')) return [];
  const draft = new Draft(tree);
  const told = { granted: constant(form.answers), refused: constant(null) };
  const answer = answerOf(node, tree);
  const places = answer?.kind === 'kept' ? referencesTo(answer.binding, tree) : [tree.parent(node)!];
  if (!(places.length > 0 && places.every((it) => testAround(it, told, tree))) && !ask(node, look && tree.callAt(look.span), form.answers, draft)) return [];
  const unit = length.unit;
  const slots = { key: tree.text(key), owner: tree.text(owner), unit, lower: unit.toLowerCase(), length: tree.text(length.node) };
  return replaceCall(node, writeCall(form, slots, node, draft), draft) ? draft.finish({ kind: 'right-call', title: 'Take the lock in one step, only where nobody holds it' }) : [];
}

interface Length {
  node: Node;
  unit: 'EX' | 'PX';
}

/** The length as the wrong call says it: behind a flag, or under a name of its options. */
function lengthIn(call: TSESTree.CallExpression): Length | undefined {
  for (const [i, arg] of call.arguments.entries()) {
    const flag = arg.type === 'Literal' ? unitOf(arg.value) : undefined;
    const next = call.arguments[i + 1];
    if (flag && next && next.type !== 'SpreadElement') return { node: next, unit: flag };
    const options = unwrap(arg);
    if (options.type === 'ObjectExpression') return lengthOf(options);
  }
  return undefined;
}

function lengthOf(options: TSESTree.ObjectExpression): Length | undefined {
  for (const it of options.properties) {
    if (it.type !== 'Property' || it.computed || it.key.type !== 'Identifier') continue;
    const unit = unitOf(it.key.name);
    if (unit) return { node: it.value, unit };
    if (it.key.name === 'expiration' && it.value.type === 'ObjectExpression') {
      const part = (name: string): Node | undefined => (it.value as TSESTree.ObjectExpression).properties.flatMap((each) => (each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name ? [each.value] : []))[0];
      const [type, value] = [part('type'), part('value')];
      const named = type?.type === 'Literal' ? unitOf(type.value) : undefined;
      return named && value ? { node: value, unit: named } : undefined;
    }
  }
  return undefined;
}

const unitOf = (word: unknown): Length['unit'] | undefined => (typeof word === 'string' && /^(?:ex|px)$/i.test(word) ? (word.toUpperCase() as Length['unit']) : undefined);

/** Nobody asks for the answer, which is always the same so far: it gets a name and a guard that leaves as the look before does. */
function ask(call: TSESTree.CallExpression, look: Node | undefined, granted: string, draft: Draft): boolean {
  const { tree, style } = draft;
  const value = tree.parent(call);
  const statement = value && tree.parent(value);
  if (value?.type !== 'AwaitExpression' || statement?.type !== 'ExpressionStatement' || isInTry(statement, tree)) return false;
  const block = tree.parent(statement)!;
  const name = draft.freeName(block, 'reply', 'lockReply');
  draft.after(statement, `if (${name} !== ${quoted(granted, style)}) ${leaving(look, statement, tree) ?? `throw new Error(${quoted('The lock was not granted', style)})${style.semi}`}`);
  draft.insert(statement.range[0], `const ${name} = `);
  return true;
}

/** A refusal would reach what is done after the `try`, which may release. */
function isInTry(node: Node, tree: Tree): boolean {
  const func = tree.functionOf(node);
  for (const it of tree.upwards(node)) {
    if (it === func) return false;
    if (it.type === 'TryStatement') return true;
  }
  return false;
}

/** How the test of the look leaves, where it stands in the same run of statements. */
function leaving(look: Node | undefined, statement: Statement, tree: Tree): string | undefined {
  const block = tree.parent(statement);
  if (!look || !block || !isBlock(block)) return undefined;
  const list = statementsOf(block);
  const from = tree.statementIn(block, look);
  const test = from && list.slice(list.indexOf(from), list.indexOf(statement)).find((it) => it.type === 'IfStatement' && it.alternate === null && leaves(it.consequent));
  if (test?.type !== 'IfStatement') return undefined;
  const only = test.consequent.type === 'BlockStatement' ? (test.consequent.body.length === 1 ? test.consequent.body[0]! : undefined) : test.consequent;
  return only && tree.commentsWithin({ start: only.range[0], end: only.range[1] }).length === 0 ? tree.text(only) : undefined;
}
