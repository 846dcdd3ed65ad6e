/**
 * A token minted in the grant of a wrapper, and handed to the function that runs under the lock. Only
 * where every caller of the wrapper is known and takes no further parameter: a function that has one
 * would get the token for something else.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import { type Caller, type Importers, callersOf } from '../callers/callers.ts';
import type { Draft } from '../source/draft.ts';
import type { Drafts } from '../source/drafts.ts';
import { referencesTo, resolve } from '../source/scopes.ts';
import { addArgument, addParameter } from '../source/signatures.ts';
import { type FunctionNode, type Node, type Tree, descend, isFunction, treeOf, unwrap } from '../source/tree.ts';
import { funcAt } from '../source/values.ts';
import { type Minted, mintInGrant } from './mint.ts';
import { untakenToken } from './token.ts';

/** A wrapper that hands a token to the function which is its argument `index`, behind `count` others. */
export interface HandedOn {
  callers: readonly Caller[];
  index: number;
  count: number;
  note: string;
}

/** Mints in the wrapper of a section and hands the token on; undefined where not all that takes part is known. */
export function mintInWrapper(section: Section, drafts: Drafts, model: Model, importers: Importers | undefined): HandedOn | undefined {
  const { acquire } = section;
  const { module } = acquire.call.func;
  if (section.form !== 'body' || section.at === acquire.call) return undefined;
  const tree = treeOf(module);
  const taken = tree.callAt(acquire.call.span);
  const wrapper = taken && tree.functionOf(taken);
  const handed = wrapper && bodyCall(wrapper, tree);
  if (!wrapper || !handed) return undefined;
  const index = wrapper.params.indexOf(handed.param as TSESTree.Parameter);
  const count = handed.call.arguments.length;
  const callers = callersOf(wrapper, tree, model, importers);
  const draft = drafts.of(module);
  if (!callers?.every((it) => takesNoMore(it, index, count)) || !widenType(handed.param, count, draft)) return undefined;
  const minted = mintInGrant({ ...section, at: acquire.call }, handed.call, draft, model);
  if (!minted) return undefined;
  addArgument(handed.call, minted.token, draft);
  return { callers, index, count, note: minted.note };
}

/** The function that is written in place takes the token that its wrapper hands on. */
export function takeInBody(section: Section, write: Node, { callers, index, count, note }: HandedOn, draft: Draft): Minted | undefined {
  const { tree } = draft;
  const outer = section.at.func.module === tree.module ? tree.callAt(section.at.span) : undefined;
  const body = outer?.type === 'CallExpression' && callers.some((it) => it.call === outer) ? outer.arguments[index] : undefined;
  if (!body || !isFunction(body) || !tree.isWithin(write, body) || body.params.length !== count) return undefined;
  const token = draft.freeName(body, 'token', 'fencingToken');
  addParameter(body, token, draft);
  return { token, block: body, note };
}

/** A wrapper hands its token on already, and the function that is written in place only has to take it. */
export function takeFromWrapper(section: Section, write: Node, draft: Draft, model: Model): Minted | undefined {
  const { tree } = draft;
  const outer = section.form === 'body' && section.at.func.module === tree.module ? tree.callAt(section.at.span) : undefined;
  const body = outer?.type === 'CallExpression' ? outer.arguments.find((it) => isFunction(it) && tree.isWithin(write, it)) : undefined;
  const func = body && funcAt(body, tree);
  if (!body || !isFunction(body) || !func || !untakenToken(func, section, model)) return undefined;
  const token = draft.freeName(body, 'token', 'fencingToken');
  addParameter(body, token, draft);
  return { token, block: body, note: '' };
}

/** The only call of a function that was handed in, and the parameter that it came by. */
function bodyCall(wrapper: FunctionNode, tree: Tree): { call: TSESTree.CallExpression; param: Node } | undefined {
  const calls = descend(wrapper).flatMap((it) => {
    const callee = it.type === 'CallExpression' ? unwrap(it.callee) : undefined;
    const binding = callee?.type === 'Identifier' ? resolve(callee.name, callee, tree) : undefined;
    return it.type === 'CallExpression' && binding?.kind === 'param' && binding.scope === wrapper ? [{ call: it, param: binding.id as Node, uses: referencesTo(binding, tree).length }] : [];
  });
  const [only] = calls;
  return calls.length === 1 && only?.uses === 1 && only.call.arguments.every((it) => it.type !== 'SpreadElement') && wrapper.params.includes(only.param as TSESTree.Parameter) ? only : undefined;
}

/** A call of the wrapper with a function of at most so many parameters. */
function takesNoMore({ call, tree }: Caller, index: number, count: number): boolean {
  if (call.arguments.some((it) => it.type === 'SpreadElement')) return false;
  const given = call.arguments[index];
  if (!given) return false;
  const it = unwrap(given);
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  const declared = binding?.declaration.type === 'VariableDeclarator' ? binding.declaration.init : binding?.declaration;
  const func = isFunction(it) ? it : binding && binding.kind !== 'let' && declared && isFunction(declared) ? declared : undefined;
  return func !== undefined && func.params.length <= count && func.params.every((each) => each.type !== 'RestElement');
}

/** The written type of the function that is handed in gets one more parameter. */
function widenType(param: Node, count: number, draft: Draft): boolean {
  const written = param.type === 'Identifier' ? param.typeAnnotation?.typeAnnotation : undefined;
  if (!written) return !draft.style.isTypeScript;
  if (written.type !== 'TSFunctionType' || written.params.length !== count) return false;
  const last = written.params[count - 1];
  const open = draft.tree.source.indexOf('(', written.range[0]);
  draft.insert(last?.range[1] ?? open + 1, `${last ? ', ' : ''}token: number`);
  return true;
}
