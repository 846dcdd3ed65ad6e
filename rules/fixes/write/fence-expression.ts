/** A fence in a write whose conditions are texts of its options, with values beside them; the client throws on a refusal. */
import type { TSESTree } from '@typescript-eslint/types';
import type { ExpressionForm } from '../../../catalog/schema.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { quoted } from '../source/style.ts';
import { type Node, type Tree, unwrap } from '../source/tree.ts';
import type { FencePlan } from './fence-plan.ts';
import { addProperty, property } from './parameters.ts';

export interface WrittenExpression {
  form: ExpressionForm;
  options: TSESTree.ObjectExpression;
}

/** The options as they are written; undefined where they do not stand there, or hold a condition already. */
export function expressionOf(call: CallExpr, tree: Tree, model: Model): WrittenExpression | undefined {
  const matched = matchedRow(call, model);
  const node = tree.callAt(call.span);
  if (!matched || (node?.type !== 'NewExpression' && node?.type !== 'CallExpression') || node.arguments.length !== 1) return undefined;
  const callee = unwrap(node.callee);
  const name = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
  const form = matched.library.edits?.expressions?.find((it) => it.on === matched.row.on && it.name.includes(name));
  const options = unwrap(node.arguments[0]!);
  if (!form || options.type !== 'ObjectExpression' || options.properties.some((it) => it.type === 'SpreadElement') || part(options, form.condition)) return undefined;
  return { form, options };
}

function part(of: TSESTree.ObjectExpression, name: string): Node | undefined {
  const found = of.properties.find((it): it is TSESTree.Property => it.type === 'Property' && !it.computed && it.key.type === 'Identifier' && it.key.name === name);
  return found && unwrap(found.value);
}

/** Writes the fence; false where what is stored, or the values, do not stand there in full. */
export function fenceExpression({ form, options }: WrittenExpression, plan: FencePlan, draft: Draft): boolean {
  const { tree, style } = draft;
  const values = part(options, form.values);
  if (values && (values.type !== 'ObjectExpression' || /[':"]:token\b/.test(tree.text(values)))) return false;
  const stored = part(options, form.update ?? form.item!);
  if (!stored || !(form.item ? storeInItem(stored, plan, draft) : storeByExpression(stored, plan, draft))) return false;
  const condition = (plan.isRepeated ? form.notAbove : form.below).replaceAll('{column}', plan.column).replaceAll('{token}', ':token');
  const value = `${quoted(':token', style)}: ${plan.number}`;
  if (values) addProperty(values as TSESTree.ObjectExpression, value, draft);
  // One insertion: both would go to the same place.
  const added = [`${form.condition}: ${quoted(condition, style)}`, ...(values ? [] : [`${form.values}: { ${value} }`])];
  return addProperty(options, added.join(', '), draft);
}

const storeInItem = (item: Node, { column, number }: FencePlan, draft: Draft): boolean =>
  item.type === 'ObjectExpression' && !item.properties.some((it) => it.type === 'SpreadElement') && addProperty(item, property(column, number), draft);

/** Only assignments: what is added or removed beside them has a place of its own in the text. */
function storeByExpression(text: Node, { column }: FencePlan, draft: Draft): boolean {
  if (text.type !== 'Literal' || typeof text.value !== 'string' || !/^\s*SET\s/i.test(text.value) || /\b(?:ADD|REMOVE|DELETE)\b/i.test(text.value) || text.value.includes(column)) return false;
  draft.insert(text.range[1] - 1, `, ${column} = :token`);
  return true;
}
