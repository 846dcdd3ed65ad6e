/** Edits that convert the length of a lease into the unit in which it is read. */
import type { Story } from '../../model/story.ts';
import type { UnitMismatch } from '../../model/units.ts';
import type { Edit } from '../finding.ts';
import { Draft, attempt } from './source/draft.ts';
import { resolve } from './source/scopes.ts';
import { separated } from './source/style.ts';
import { type Node, type Tree, isPath, treeOf } from './source/tree.ts';

/** The conversion, where the length is a number that stands in this file. */
export const unitEdits = (it: UnitMismatch, story: Story): Edit[] => attempt(() => converted(it, story));

function converted({ expr, place, readAs, by }: UnitMismatch, { module }: Story): Edit[] {
  const tree = treeOf(module);
  const node = expr && place.file === module.file ? tree.expressionAt(expr.span) : undefined;
  if (!node || node.range[0] < place.start || node.range[1] > place.end || isText(node, tree)) return [];
  const draft = new Draft(tree);
  const text = tree.text(node);
  if (node.type === 'Literal') {
    if (by.kind !== 'size' || typeof node.value !== 'number') return [];
    draft.replaceValue(node, separated(readAs === 's' ? node.value / 1000 : node.value * 1000, tree));
  } else if (readAs === 's' && node.type === 'BinaryExpression' && node.operator === '*' && node.right.type === 'Literal' && node.right.value === 1000) {
    draft.replaceValue(node, tree.text(node.left));
  } else if (isPath(node) || node.type === 'BinaryExpression') {
    const operand = isPath(node) ? text : `(${text})`;
    // A length that is known to be whole needs no rounding.
    draft.replaceValue(node, readAs === 'ms' ? `${operand} * 1000` : by.kind === 'size' ? `${operand} / 1000` : `Math.ceil(${operand} / 1000)`);
  } else return [];
  return draft.finish({ kind: 'convert-unit', title: `Convert the length to ${readAs === 's' ? 'seconds' : 'milliseconds'}` });
}

/** Declared as a text, it cannot be counted with. */
function isText(node: Node, tree: Tree): boolean {
  const binding = node.type === 'Identifier' ? resolve(node.name, node, tree) : undefined;
  const type = binding?.id.typeAnnotation?.typeAnnotation.type;
  return type !== undefined && type !== 'TSNumberKeyword';
}
