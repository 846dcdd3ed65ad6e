/** A fence in a write of one call with a filter and data, in the form that the catalog gives for it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { FenceForm } from '../../catalog/schema.ts';
import type { Matched } from '../../model/calls.ts';
import type { CallExpr } from '../../model/ir.ts';
import type { Model } from '../../model/story.ts';
import { lookAtCount } from './affected-count.ts';
import type { Draft } from './draft.ts';
import type { FencePlan } from './fence.ts';
import { isDropped } from './answers.ts';
import { methodOf } from './client-calls.ts';
import { addProperty, property } from './parameters.ts';
import { type Node, type Tree, unwrap } from './tree.ts';

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
  if (!filter || !data || !isFlat(filter, []) || !isFlat(data, form.operators)) return undefined;
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
    return value.properties.every((each) => each.type === 'Property' && each.key.type === 'Identifier' && (operators.length === 0 ? filterWords.has(each.key.name) : operators.includes(each.key.name)));
  });
}

/** Comparisons that a filter may hold beside its key. */
const filterWords = new Set(['equals', 'in', 'notIn', 'not', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith']);

/** Writes the fence; false where the answer is used in a way that the fenced form does not serve. */
export function fenceObject({ form, call, filter, data }: WrittenObject, plan: FencePlan, draft: Draft, model: Model): boolean {
  const { tree } = draft;
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression') return false;
  if (form.becomes !== form.name) {
    if (!isDropped(call, tree)) return false;
    draft.replace(callee.property, form.becomes);
  }
  const column = camelCase(plan.column);
  const condition = (plan.isRepeated ? form.notAbove : form.below).replace('{token}', plan.token);
  addProperty(filter, `${column}: ${condition}`, draft);
  addProperty(data, property(column, plan.token), draft);
  const count = countOf(form, model);
  return count !== undefined && lookAtCount(call, { count, refusal: plan.refusal, isSync: false }, draft);
}

/** How the fenced method tells its count. */
function countOf(form: FenceForm, model: Model): { path: readonly string[]; miss: 0 } | undefined {
  for (const { row } of [form.on].flat().flatMap((type) => model.project.catalog.callsOnType(type, form.becomes))) {
    for (const effect of [row.does].flat()) if (effect.kind === 'write' && effect.count?.miss === 0) return { path: effect.count.path, miss: 0 };
  }
  return undefined;
}

/** `last_token` → `lastToken`. */
export const camelCase = (column: string): string => column.replace(/_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
