/** The token carried from the section to a write in a function of the same file, through the functions in between. */
import type { TSESTree } from '@typescript-eslint/types';
import type { UnfencedWrite } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { addArgument, addParameter, mayTakeMore, onlyCalledBy } from '../source/signatures.ts';
import type { Node } from '../source/tree.ts';

/**
 * Hands the token on; answers how it is called at the statement. Each function in between must be one that nothing
 * but this section calls: another caller has no token to give.
 */
export function carryToken({ call, via, event }: UnfencedWrite, token: string, draft: Draft): string | undefined {
  const { tree, style } = draft;
  const nodes = [call, ...via, event.call].filter((it, i, all) => i === 0 || it.span !== all[i - 1]!.span).map((it) => (it.func.module === tree.module ? tree.callAt(it.span) : undefined));
  let handed = token;
  for (const [i, node] of nodes.slice(0, -1).entries()) {
    const next: Node | undefined = nodes[i + 1];
    const func = node?.type === 'CallExpression' ? onlyCalledBy(node, tree) : undefined;
    if (!func || !next || !tree.isWithin(next, func) || !mayTakeMore(func, node as TSESTree.CallExpression)) return undefined;
    const name = draft.freeName(func, 'token', 'fencingToken');
    addParameter(func, style.isTypeScript ? `${name}: number` : name, draft);
    addArgument(node as TSESTree.CallExpression, handed, draft);
    handed = name;
  }
  return handed;
}
