/** A fence for a value in a key-value store: a script that compares the token with the largest one seen, which it keeps beside the value. */
import type { TSESTree } from '@typescript-eslint/types';
import type { ScriptForm } from '../../../catalog/schema.ts';
import type { WriteEvent } from '../../../model/events.ts';
import type { Model } from '../../../model/story.ts';
import { asValue, clientOf, matchedRow, methodOf, replaceCall, scriptForm, writeCall } from '../lock/client-calls.ts';
import { keyBeside } from '../lock/mint.ts';
import { scriptConstant, writeIfNewer, writeIfNotOlder } from '../lock/scripts.ts';
import type { Draft } from '../source/draft.ts';
import type { Node, Tree } from '../source/tree.ts';
import type { FencePlan } from './fence-plan.ts';

export interface WrittenValue {
  form: ScriptForm;
  call: TSESTree.CallExpression;
  key: Node;
  value: Node;
  model: Model;
}

/** A plain `SET` of a value, with nothing else asked for. */
export function valueOf(event: WriteEvent, tree: Tree, model: Model): WrittenValue | undefined {
  const matched = matchedRow(event.call, model);
  const put = matched?.effects.find((it) => it.kind === 'put');
  const node = tree.callAt(event.call.span);
  const method = node?.type === 'CallExpression' ? methodOf(node) : undefined;
  const client = clientOf(event.call, undefined, model);
  const form = client && method && scriptForm(client, method.name, model);
  if (event.op !== 'put' || put?.kind !== 'put' || put.condition || put.trap || !form || node?.type !== 'CallExpression' || node.arguments.length !== 2) return undefined;
  const [key, value] = [put.key, put.value].map((path) => {
    const expr = model.calls.exprAt(path, matched!.site);
    return expr && tree.expressionAt(expr.span);
  });
  return key && value ? { form, call: node, key, value, model } : undefined;
}

/** Writes the fence; false where the write is not awaited in a statement of its own. */
export function fenceValue({ form, call, key, value, model }: WrittenValue, plan: FencePlan, draft: Draft): boolean {
  const { tree, style } = draft;
  const awaited = tree.parent(call);
  const statement = awaited && tree.parent(awaited);
  if (awaited?.type !== 'AwaitExpression' || statement?.type !== 'ExpressionStatement') return false;
  const script = scriptConstant(plan.isRepeated ? writeIfNotOlder : writeIfNewer, form, call, draft, model);
  if (script === undefined) return false;
  const token = form.isText ? `String(${plan.token})` : plan.number;
  const slots = { script, count: '2', keys: `${tree.text(key)}, ${keyBeside(key, plan.column, draft)}`, args: `${asValue(value, tree.text(value), form, draft, model)}, ${token}` };
  if (!replaceCall(call, writeCall(form, slots, call, draft), draft)) return false;
  draft.insert(statement.range[0], style.isTypeScript ? 'if (Number(' : 'if ((');
  draft.replace({ start: awaited.range[1], end: statement.range[1] }, `) === 0) ${plan.refusal}`);
  return true;
}
