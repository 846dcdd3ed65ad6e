/**
 * A value handed down to a place deep in the code: a parameter for each function on the way, and an argument
 * at every call of it. Whoever calls one of them must have the value, or be handed it in turn.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Model } from '../../../model/story.ts';
import type { Drafts } from '../source/drafts.ts';
import { addArgument, addParameter, placeOfParameter } from '../source/signatures.ts';
import { type FunctionNode, type Node, type Tree, isFunction } from '../source/tree.ts';
import { type Caller, type Importers, callersOf } from './callers.ts';

/** What is handed down: its names, its type, and how a caller has it. */
export interface Handed {
  names: readonly [string, ...string[]];
  type: string;
  /** How the value is written at a call; `inherit` where the call's own function is handed it; undefined where it cannot be had. */
  at(caller: Caller): string | 'inherit' | undefined;
}

/** So many functions may stand between. */
const maxDepth = 6;

export class HandedDown {
  private readonly names = new Map<FunctionNode, string>();
  /** How many calls hand the value on. */
  calls = 0;

  constructor(
    private readonly handed: Handed,
    private readonly drafts: Drafts,
    private readonly model: Model,
    private readonly importers: Importers | undefined,
  ) {}

  /** How many functions take it. */
  get functions(): number {
    return this.names.size;
  }

  /** The parameter by which the function around a node has the value; undefined where one of its callers cannot hand it in. */
  to(node: Node, tree: Tree, depth = 0): string | undefined {
    const func = ownFunction(node, tree);
    const known = func && this.names.get(func);
    if (!func || known !== undefined || depth > maxDepth) return known;
    const place = placeOfParameter(func, tree);
    const callers = place === undefined ? undefined : callersOf(func, tree, this.model, this.importers);
    if (!callers?.length) return undefined;
    const draft = this.drafts.of(tree.module);
    const name = draft.freeName(func, ...this.handed.names);
    this.names.set(func, name);
    for (const it of callers) {
      const found = this.handed.at(it);
      const given = found === 'inherit' ? this.to(it.call, it.tree, depth + 1) : found;
      if (given === undefined || !addArgument(it.call, given, this.drafts.of(it.module), place)) return undefined;
      this.calls++;
    }
    addParameter(func, draft.style.isTypeScript ? `${name}: ${this.handed.type}` : name, draft, place);
    return name;
  }
}

/** The function around a node that others call: not one that is written where it is handed over. */
function ownFunction(node: Node, tree: Tree): FunctionNode | undefined {
  for (const it of tree.upwards(node)) {
    if (!isFunction(it) || it === node) continue;
    const parent = tree.parent(it);
    const isHandedOver = (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee !== it && parent.arguments.includes(it as TSESTree.CallExpressionArgument);
    if (!isHandedOver) return it;
  }
  return undefined;
}
