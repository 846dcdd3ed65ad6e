/** A fence in a write of one call with a filter and data, in the form that the catalog gives for it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { FenceForm } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { isDropped } from '../lock/answers.ts';
import { methodOf } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { type Node, type Tree, unwrap } from '../source/tree.ts';
import { lookAtCount } from './affected-count.ts';
import type { FencePlan } from './fence-plan.ts';
import { addProperty, property } from './parameters.ts';

export interface WrittenObject {
  form: FenceForm;
  matched: Matched;
  call: TSESTree.CallExpression;
  filter: TSESTree.ObjectExpression;
  data: TSESTree.ObjectExpression;
}

/** The write as it is written; undefined where it has parts that the fenced form has no place for. */
export function objectOf(call: CallExpr, tree: Tree, model: Model): WrittenObject | undefined {
  const matched = model.calls.match(model.calls.site(call))[0];
  const node = tree.callAt(call.span);
  const method = node?.type === 'CallExpression' ? methodOf(node) : undefined;
  const form = matched?.library.edits?.fences?.find((it) => [it.on].flat().includes(matched.row.on) && it.name === method?.name);
  if (!matched || !form || node?.type !== 'CallExpression' || node.arguments.length !== 1) return undefined;
  const given = unwrap(node.arguments[0]!);
  if (given.type !== 'ObjectExpression' || given.properties.length !== 2) return undefined;
  const [filter, data] = [part(given, form.filter), part(given, form.data)];
  if (!filter || !data || !isFlat(filter, form.conditions) || !isFlat(data, form.operators)) return undefined;
  return { form, matched, call: node, filter, data };
}

function part(of: TSESTree.ObjectExpression, name: string): TSESTree.ObjectExpression | undefined {
  const found = of.properties.find((it) => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === name);
  const value = found?.type === 'Property' ? unwrap(found.value) : undefined;
  return value?.type === 'ObjectExpression' ? value : undefined;
}

/** Plain columns: no compound keys, and no values that write other rows as well. */
function isFlat(of: TSESTree.ObjectExpression, operators: readonly string[]): boolean {
  return of.properties.every((it) => {
    if (it.type !== 'Property' || it.computed) return false;
    const value: Node = unwrap(it.value);
    if (value.type !== 'ObjectExpression') return true;
    return value.properties.every((each) => each.type === 'Property' && each.key.type === 'Identifier' && operators.includes(each.key.name));
  });
}

/** Writes the fence; false where the answer is used in a way that the fenced form does not serve. */
export function fenceObject({ form, call, filter, data }: WrittenObject, plan: FencePlan, draft: Draft): boolean {
  const { tree } = draft;
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression') return false;
  if (form.becomes !== form.name) {
    if (!isDropped(call, tree)) return false;
    draft.replace(callee.property, form.becomes);
  }
  const column = camelCase(plan.column);
  const condition = (plan.isRepeated ? form.notAbove : form.below).replace('{token}', plan.number);
  addProperty(filter, `${column}: ${condition}`, draft);
  addProperty(data, property(column, plan.number), draft);
  return lookAtCount(call, { count: form.count, refusal: plan.refusal, isSync: false }, draft);
}

/** `last_token` → `lastToken`. */
export const camelCase = (column: string): string => column.replace(/_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
