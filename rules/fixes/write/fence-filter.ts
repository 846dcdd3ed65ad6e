/** A fence in a write whose filter and data are objects in arguments of their own. */
import type { TSESTree } from '@typescript-eslint/types';
import type { FilterForm, OrderForm, Write } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { nameOfExport } from '../source/imports.ts';
import { type Tree, unwrap } from '../source/tree.ts';
import { lookAtCount } from './affected-count.ts';
import { camelCase } from './fence-object.ts';
import type { FencePlan } from './fence-plan.ts';
import { addProperty, property } from './parameters.ts';

export interface WrittenFilter {
  form: FilterForm;
  matched: Matched;
  effect: Write;
  call: TSESTree.CallExpression;
  filter: TSESTree.ObjectExpression;
  data: TSESTree.ObjectExpression;
}

/** The write as it is written; undefined where its filter or data do not stand there as objects. */
export function filterOf(call: CallExpr, tree: Tree, model: Model): WrittenFilter | undefined {
  const matched = matchedRow(call, model);
  const form = matched?.library.edits?.orders?.find(({ on }) => on.includes(matched.row.on));
  const effect = matched?.effects.find((it): it is Write => it.kind === 'write');
  const node = tree.callAt(call.span);
  if (!matched || !form || !effect?.filter || !effect.data || !effect.count || effect.throwsOnMiss || (effect.op !== 'update' && effect.op !== 'replace') || node?.type !== 'CallExpression') return undefined;
  const [filter, data] = [effect.filter, effect.data].map((path) => {
    const expr = model.calls.exprAt(path, matched.site);
    const found = expr && tree.expressionAt(expr.span);
    return found && unwrap(found);
  });
  return filter?.type === 'ObjectExpression' && data?.type === 'ObjectExpression' ? { form, matched, effect, call: node, filter, data } : undefined;
}

/** Writes the fence; false where a part may hold the column already, or the answer cannot be looked at. */
export function fenceFilter({ form, matched, effect, call, filter, data }: WrittenFilter, plan: FencePlan, draft: Draft): boolean {
  const column = camelCase(plan.column);
  if (filter.properties.some((it) => it.type === 'SpreadElement' || isNamed(it, column))) return false;
  const condition = orderText(form, plan, draft);
  const target = dataObject(data, effect, form);
  if (condition === undefined || !target || (target !== 'new' && target.properties.some((it) => isNamed(it, column)))) return false;
  const stored = property(column, plan.number);
  return (
    addProperty(filter, `${column}: ${condition.replaceAll('{token}', plan.number)}`, draft) &&
    (target === 'new' ? addProperty(data, `${form.set!}: { ${stored} }`, draft) : addProperty(target, stored, draft)) &&
    lookAtCount(call, { count: effect.count!, refusal: plan.refusal, isSync: matched.library.edits?.isSync ?? false }, draft)
  );
}

const isNamed = (it: TSESTree.ObjectLiteralElement, name: string): boolean => it.type === 'Property' && !it.computed && it.key.type === 'Identifier' && it.key.name === name;

/** The object whose properties become columns: the data itself, or what stands under the operator that sets. */
function dataObject(data: TSESTree.ObjectExpression, effect: Write, { set }: FilterForm): TSESTree.ObjectExpression | 'new' | undefined {
  if (!set || effect.op === 'replace') return data;
  const names = data.properties.map((it) => (it.type === 'Property' && it.key.type === 'Identifier' && !it.computed ? it.key.name : ''));
  if (!names.every((it) => it.startsWith(set[0]!))) return names.some((it) => it.startsWith(set[0]!) || it === '') ? undefined : data;
  const own = data.properties.find((it): it is TSESTree.Property => isNamed(it, set) && it.type === 'Property');
  if (!own) return 'new';
  const value = unwrap(own.value);
  return value.type === 'ObjectExpression' ? value : undefined;
}

/** The condition with what it uses imported; undefined where a name for it cannot be had. */
export function orderText(form: OrderForm, { isRepeated }: Pick<FencePlan, 'isRepeated'>, draft: Draft): string | undefined {
  const text = isRepeated ? form.notAbove : form.below;
  if (!form.uses) return text;
  const wanted = isRepeated ? form.uses.notAbove : form.uses.below;
  const name = nameOfExport(form.uses.from, wanted, draft);
  return name && text.replace(wanted, name);
}
