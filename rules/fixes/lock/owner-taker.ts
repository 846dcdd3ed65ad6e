/** A function that takes the lock with an owner value of its own, and is to be handed it: by a parameter that it has, or by one more. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Model } from '../../../model/story.ts';
import { type Caller, type Importers, callersOf } from '../callers/callers.ts';
import type { Drafts } from '../source/drafts.ts';
import { dropImport, freshValue, isMaker } from '../source/imports.ts';
import { type Binding, assignmentsTo, referencesTo, resolve } from '../source/scopes.ts';
import { addArgument, addParameter, placeOfParameter } from '../source/signatures.ts';
import { type FunctionNode, type Node, type Tree, unwrap } from '../source/tree.ts';
import { ownerMakers } from './client-calls.ts';

export class OwnerTaker {
  private readonly callers: readonly Caller[];
  private readonly served = new Set<Node>();
  /** The position of the parameter; undefined where the function cannot have one. */
  private readonly place: number | undefined;
  /** A parameter is there; the callers give something else for it, or nothing. */
  private isThere = false;
  /** What made the value that the function had for itself. */
  private maker: Node | undefined;

  /** `argument` is the owner value in the function's acquire. */
  constructor(
    private readonly func: FunctionNode,
    argument: Node,
    private readonly tree: Tree,
    private readonly model: Model,
    private readonly drafts: Drafts,
    importers: Importers | undefined,
  ) {
    const callers = callersOf(func, tree, model, importers);
    this.callers = callers ?? [];
    this.place = callers?.length ? this.take(argument) : undefined;
  }

  /** Hands a value in at a call; false where that call is not one of those that are known. */
  serve(call: TSESTree.CallExpression, name: string, tree: Tree): boolean {
    if (this.place === undefined || !this.callers.some((it) => it.call === call)) return false;
    if (this.served.has(call)) return true;
    this.served.add(call);
    const draft = this.drafts.of(tree.module);
    const given = call.arguments[this.place];
    if (!this.isThere || !given) return addArgument(call, name, draft, this.place);
    if (call.arguments.slice(0, this.place + 1).some((it) => it.type === 'SpreadElement')) return false;
    draft.replaceValue(given, name);
    return true;
  }

  /** A call that gives its lock back in no way that is known gets a fresh value in place. */
  serveOthers(made: (tree: Tree) => void): boolean {
    return this.callers.every(({ call, tree, module }) => {
      if (this.served.has(call)) return true;
      const value = freshValue(ownerMakers(this.model), call, this.drafts.of(module));
      if (value !== undefined) made(tree);
      return value !== undefined && this.serve(call, value, tree);
    });
  }

  /** Takes out the import of what made the value, where nothing else of the file needs it. */
  dropMaker(isMadeIn: (tree: Tree) => boolean): void {
    if (this.maker && !isMadeIn(this.tree)) dropImport(this.maker, this.drafts.of(this.tree.module));
  }

  /** Makes the function take the value; gives the position of its parameter. */
  private take(argument: Node): number | undefined {
    const { tree, func } = this;
    const draft = this.drafts.of(tree.module);
    const it = unwrap(argument);
    const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
    if (binding && assignmentsTo(binding, tree).length > 0) return undefined;
    if (binding?.kind === 'param') return this.asParameter(binding);
    const place = placeOfParameter(func, tree);
    if (place === undefined) return undefined;
    const own = binding && this.ownConstant(binding);
    const name = own ?? draft.freeName(func, 'owner', 'lockOwner');
    if (own === undefined) draft.replaceValue(argument, name);
    addParameter(func, draft.style.isTypeScript ? `${name}: string` : name, draft, place);
    return place;
  }

  private asParameter(binding: Binding): number | undefined {
    const { func, tree } = this;
    const place = func.params.findIndex((it) => it === binding.id || (it.type === 'AssignmentPattern' && it.left === binding.id));
    const type = binding.id.typeAnnotation?.typeAnnotation;
    const [first] = func.params;
    if (place < 0 || (type && type.type !== 'TSStringKeyword') || (first?.type === 'Identifier' && first.name === 'this')) return undefined;
    // What the value is besides is told to somebody.
    if (referencesTo(binding, tree).length !== 1) return undefined;
    this.isThere = true;
    return place;
  }

  /** A fresh value that the function makes for itself: its declaration gives way to the parameter. */
  private ownConstant({ name, kind, declaration, id }: Binding): string | undefined {
    const { tree, func, model } = this;
    const draft = this.drafts.of(tree.module);
    if (kind !== 'const' || declaration.type !== 'VariableDeclarator' || declaration.id !== id || !declaration.init || !tree.isWithin(declaration, func)) return undefined;
    const statement = tree.parent(declaration);
    if (statement?.type !== 'VariableDeclaration' || statement.declarations.length !== 1 || !isMaker(declaration.init, ownerMakers(model), tree)) return undefined;
    draft.removeLine(statement);
    const call = unwrap(declaration.init);
    this.maker = call.type === 'CallExpression' ? call.callee : undefined;
    return name;
  }
}
