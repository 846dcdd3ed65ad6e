/** A fence in a write whose conditions are texts of its options, with values beside them; the client throws on a refusal. */
import type { Draft } from '../source/draft.ts';
import type { Node } from '../source/tree.ts';
import { type WrittenExpression, addCondition, columnIn, partOf, wrapped } from './condition-text.ts';
import type { FencePlan } from './fence-plan.ts';
import { addProperty, property } from './parameters.ts';

/** Writes the fence; false where what is stored, or the values, do not stand there in full. */
export function fenceExpression(written: WrittenExpression, plan: FencePlan, draft: Draft): boolean {
  const { form, options } = written;
  const stored = partOf(options, form.update ?? form.item ?? '');
  // A text of a number needs no number in between.
  const value = wrapped(form.number, form.number ? plan.token : plan.number);
  if (!stored || !(form.item ? storeInItem(stored, plan.column, value) : storeByExpression(stored))) return false;
  return addCondition(written, { text: plan.isRepeated ? form.notAbove : form.below, column: plan.column, placeholder: ':token', value }, draft);

  function storeInItem(item: Node, column: string, content: string): boolean {
    return item.type === 'ObjectExpression' && !item.properties.some((it) => it.type === 'SpreadElement') && addProperty(item, property(column, content), draft);
  }

  /** Only assignments: what is added or removed beside them has a place of its own in the text. */
  function storeByExpression(text: Node): boolean {
    if (text.type !== 'Literal' || typeof text.value !== 'string' || !/^\s*SET\s/i.test(text.value) || /\b(?:ADD|REMOVE|DELETE)\b/i.test(text.value) || text.value.includes(plan.column)) return false;
    draft.insert(text.range[1] - 1, `, ${columnIn(plan.column)} = :token`);
    return true;
  }
}
