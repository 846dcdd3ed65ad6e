/** A condition that is a text among the options of a write, with its values and the names of its columns beside it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { ExpressionForm } from '../../../catalog/schema.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { quoted } from '../source/style.ts';
import { type Node, type Tree, unwrap } from '../source/tree.ts';
import { addProperty } from './parameters.ts';

export interface WrittenExpression {
  form: ExpressionForm;
  node: TSESTree.NewExpression | TSESTree.CallExpression;
  options: TSESTree.ObjectExpression;
}

/** The write as it is written; undefined where its options do not stand there, or hold a condition already. */
export function expressionOf(call: CallExpr, tree: Tree, model: Model): WrittenExpression | undefined {
  const matched = matchedRow(call, model);
  const node = tree.callAt(call.span);
  if (!matched || (node?.type !== 'NewExpression' && node?.type !== 'CallExpression') || node.arguments.length !== 1) return undefined;
  const callee = unwrap(node.callee);
  const name = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
  const form = matched.library.edits?.expressions?.find((it) => it.on === matched.row.on && it.name.includes(name));
  const options = unwrap(node.arguments[0]!);
  if (!form || options.type !== 'ObjectExpression' || options.properties.some((it) => it.type === 'SpreadElement') || partOf(options, form.condition)) return undefined;
  return { form, node, options };
}

/** The value of an option. */
export function partOf(of: TSESTree.ObjectExpression, name: string): Node | undefined {
  const found = of.properties.find((it): it is TSESTree.Property => it.type === 'Property' && !it.computed && it.key.type === 'Identifier' && it.key.name === name);
  return found && unwrap(found.value);
}

/** Many plain words are reserved, and stand there under another name. */
const isPlainWord = (column: string): boolean => !column.includes('_');
export const columnIn = (column: string): string => (isPlainWord(column) ? `#${column}` : column);

export const wrapped = (wrap: string | undefined, value: string): string => (wrap === undefined ? value : wrap.replace('{value}', value));

export interface Condition {
  /** With the slots of the form. */
  text: string;
  column: string;
  /** What stands for the value in the text. */
  placeholder: string;
  /** Without it, the value is among the values already. */
  value?: string;
}

/** Adds the condition; false where the values or names do not stand there in full. */
export function addCondition({ form, options }: WrittenExpression, { text, column, placeholder, value }: Condition, draft: Draft): boolean {
  const { style } = draft;
  const name = columnIn(column);
  const added = [`${form.condition}: ${quoted(text.replaceAll('{column}', name).replaceAll('{value}', placeholder), style)}`];
  const add = (option: string, key: string, content: string): boolean => {
    const entry = `${quoted(key, style)}: ${content}`;
    const known = partOf(options, option);
    if (!known) return added.push(`${option}: { ${entry} }`) > 0;
    if (known.type !== 'ObjectExpression' || known.properties.some((it) => it.type === 'SpreadElement' || (it.type === 'Property' && it.key.type === 'Literal' && it.key.value === key))) return false;
    return addProperty(known, entry, draft);
  };
  // One insertion: what is new would all go to the same place.
  return (!isPlainWord(column) || add(form.names, name, quoted(column, style))) && (value === undefined || add(form.values, placeholder, value)) && addProperty(options, added.join(', '), draft);
}
