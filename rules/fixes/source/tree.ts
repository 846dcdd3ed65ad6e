/** The syntax tree of a module as edits walk it: parents, the node at a span, statements and the text between. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Module } from '../../../model/ir.ts';
import type { Span } from '../../../model/place.ts';

export type Node = TSESTree.Node;
export type Statement = TSESTree.ProgramStatement;
export type FunctionNode = TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression;

/** Nodes whose statements stand one after another. */
export type Block = TSESTree.Program | TSESTree.BlockStatement | TSESTree.StaticBlock | TSESTree.SwitchCase | TSESTree.TSModuleBlock;

const trees = new WeakMap<Module, Tree>();

/** The tree of a module, indexed at the first question. */
export function treeOf(module: Module): Tree {
  let tree = trees.get(module);
  if (!tree) trees.set(module, (tree = new Tree(module)));
  return tree;
}

export class Tree {
  readonly program: TSESTree.Program;
  readonly source: string;
  private readonly parents = new Map<Node, Node>();
  private readonly byStart = new Map<number, Node[]>();
  private readonly byName = new Map<string, TSESTree.Identifier[]>();
  /** Every node, each before what is below it. */
  readonly nodes: readonly Node[] = [];
  /** The declarations by `var`, which bind their names in the whole function. */
  readonly vars: readonly TSESTree.VariableDeclaration[] = [];

  constructor(readonly module: Module) {
    this.program = module.program as unknown as TSESTree.Program;
    this.source = module.text;
    this.index(this.program);
  }

  private index(node: Node): void {
    (this.nodes as Node[]).push(node);
    push(this.byStart, node.range[0], node);
    if (node.type === 'Identifier') push(this.byName, node.name, node);
    else if (node.type === 'VariableDeclaration' && node.kind === 'var') (this.vars as Node[]).push(node);
    for (const child of childrenOf(node)) {
      this.parents.set(child, node);
      this.index(child);
    }
  }

  parent(node: Node): Node | undefined {
    return this.parents.get(node);
  }

  /** The node itself first, then what encloses it, outwards. */
  *upwards(node: Node): Generator<Node> {
    for (let at: Node | undefined = node; at; at = this.parents.get(at)) yield at;
  }

  text(of: Node | Span): string {
    const { start, end } = spanOf(of);
    return this.source.slice(start, end);
  }

  /** The call, tagged template or `new` that has exactly this span. */
  callAt(span: Span): TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression | undefined {
    return this.nodesAt(span).find((it) => it.type === 'CallExpression' || it.type === 'NewExpression' || it.type === 'TaggedTemplateExpression');
  }

  /** The expression that has exactly this span. */
  expressionAt(span: Span): TSESTree.Expression | undefined {
    return this.nodesAt(span).find(isExpression);
  }

  private nodesAt(span: Span): Node[] {
    return this.byStart.get(span.start)?.filter((it) => it.range[1] === span.end) ?? [];
  }

  /** All identifiers of a name, wherever they stand. */
  identifiers(name: string): readonly TSESTree.Identifier[] {
    return this.byName.get(name) ?? [];
  }

  /** The innermost statement around a node, the node itself included. */
  statementOf(node: Node): Statement | undefined {
    for (const it of this.upwards(node)) if (isStatement(it)) return it;
    return undefined;
  }

  /** The statement of `block` in which a node stands. */
  statementIn(block: Block, node: Node): Statement | undefined {
    let below: Node = node;
    for (const it of this.upwards(node)) {
      if (it === block) return isStatement(below) ? below : undefined;
      below = it;
    }
    return undefined;
  }

  functionOf(node: Node): FunctionNode | undefined {
    for (let at = this.parents.get(node); at; at = this.parents.get(at)) if (isFunction(at)) return at;
    return undefined;
  }

  /** The innermost block that holds both nodes. */
  commonBlock(a: Node, b: Node): Block | undefined {
    const around = new Set(this.upwards(a));
    for (const it of this.upwards(b)) if (around.has(it) && isBlock(it)) return it;
    return undefined;
  }

  isWithin(inner: Node, outer: Node): boolean {
    for (const it of this.upwards(inner)) if (it === outer) return true;
    return false;
  }

  commentsWithin({ start, end }: Span): Module['comments'] {
    return this.module.comments.filter((it) => it.span.start >= start && it.span.end <= end);
  }
}

export const spanOf = (of: Node | Span): Span => ('range' in of ? { start: of.range[0], end: of.range[1] } : of);

const skipped = new Set(['parent', 'range', 'loc', 'tokens', 'comments', 'type']);

export function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  // Of large files, every node is asked: nothing is made for its other properties.
  for (const key of Object.keys(node)) {
    const value: unknown = node[key as keyof Node];
    if (typeof value !== 'object' || value === null || skipped.has(key)) continue;
    if (!Array.isArray(value)) {
      if (isNode(value)) found.push(value);
    } else for (const it of value) if (isNode(it)) found.push(it);
  }
  return found;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'range' in value;

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Every node below, the node itself first. */
export function descend(node: Node, found: Node[] = []): Node[] {
  found.push(node);
  for (const child of childrenOf(node)) descend(child, found);
  return found;
}

export const isFunction = (node: Node): node is FunctionNode => node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

export const isBlock = (node: Node): node is Block => node.type === 'BlockStatement' || node.type === 'Program' || node.type === 'StaticBlock' || node.type === 'SwitchCase' || node.type === 'TSModuleBlock';

export const isLoop = (node: Node): boolean => node.type === 'WhileStatement' || node.type === 'DoWhileStatement' || node.type === 'ForStatement' || node.type === 'ForOfStatement' || node.type === 'ForInStatement';

const isStatement = (node: Node): node is Statement => /(?:Statement|Declaration)$/.test(node.type) || node.type === 'TSExportAssignment';

const isExpression = (node: Node): node is TSESTree.Expression => !isStatement(node) && !isBlock(node) && node.type !== 'Property' && node.type !== 'VariableDeclarator' && node.type !== 'ChainExpression';

/** What stands inside of `await`, `!`, `as` and `?.` chains. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'AwaitExpression':
      return unwrap(node.argument);
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return unwrap(node.expression);
    default:
      return node;
  }
}

/** A name or a path of names: reading it twice gives the same and does nothing. */
export function isPath(node: Node): boolean {
  const it = unwrap(node);
  if (it.type === 'Identifier' || it.type === 'ThisExpression') return true;
  return it.type === 'MemberExpression' && !it.computed && isPath(it.object);
}
