/**
 * A token minted in the grant of a function that takes the lock for others, and answered by it: as a number in
 * the place of a truth, or as a part of what it hands out. Whoever asks for a truth must be content with a number.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import { constant } from '../../../model/value.ts';
import { type Caller, type Importers, callersOf } from '../callers/callers.ts';
import type { Draft } from '../source/draft.ts';
import type { Drafts } from '../source/drafts.ts';
import { isPresent, leaves } from '../source/presence.ts';
import { isReassigned, referencesTo, resolve } from '../source/scopes.ts';
import { indentAt } from '../source/style.ts';
import { type FunctionNode, type Node, childrenOf, isFunction, treeOf } from '../source/tree.ts';
import { funcAt } from '../source/values.ts';
import { addProperty, property } from '../write/parameters.ts';
import { answerName, answerOf, takeOut } from './acquire-answer.ts';
import { type Test, testAround } from './answer-test.ts';
import { type Minted, mintInGrant } from './mint.ts';
import { ownerArgument } from './owner.ts';

/** What a function answers once it has a token: the token or 0, an object with it, or an object of the owner value and it. */
export interface Answering {
  shape: 'number' | 'part' | 'owner';
  note: string;
}

/** Mints in the function by which a section takes its lock; undefined where what it answers cannot hold the token for certain. */
export function mintInHelper(section: Section, drafts: Drafts, model: Model, importers: Importers | undefined): Answering | undefined {
  const { acquire, at } = section;
  const tree = treeOf(acquire.call.func.module);
  const taken = tree.callAt(acquire.call.span);
  const helper = taken && tree.functionOf(taken);
  const entered = model.interpreter.meaning(at).entered.map((it) => it.callee.func);
  if (section.form !== 'pair' || at === acquire.call || !helper || entered.length !== 1 || entered[0] !== funcAt(helper, tree)) return undefined;
  const answer = answerOf(taken, tree);
  const returns = helper.body.type === 'BlockStatement' ? returnsIn(helper.body) : [];
  if (!answer || returns.length === 0 || returns.some((it) => !it.argument)) return undefined;
  const tests = answer.kind === 'kept' ? referencesTo(answer.binding, tree).map((it) => testAround(it, acquire, tree)) : [testAround(answer.value, acquire, tree)];
  const argument = ownerArgument(acquire, model);
  const owner = argument && tree.text(argument.span);
  const granting = returns.flatMap((it) => valuesOf(it.argument!));
  const isTest = (node: Node): boolean => tests.some((it) => it?.node === node && it.isGranted);
  const shape = granting.every((it) => isTruth(it) || isTest(it)) ? 'number' : granting.every((it) => it.type === 'ObjectExpression' || isNothing(it)) ? 'part' : granting.every((it) => (it.type === 'Identifier' && it.name === owner) || isNothing(it)) ? 'owner' : undefined;
  const callers = shape === 'part' ? [] : callersOf(helper, tree, model, importers);
  if (!shape || !callers || (shape === 'number' && !callers.every(asksForTruth)) || (shape === 'owner' && !callers.every((it) => it.module === at.func.module && it.call.range[0] === at.span.start))) return undefined;
  const draft = drafts.of(tree.module);
  const spell = (test: Test, token: string): string | undefined => (shape === 'number' && granting.includes(test.node) ? token : undefined);
  const minted = mintInGrant({ acquire, at: acquire.call }, taken, draft, model, { spell });
  if (!minted || !retype(helper, shape, draft)) return undefined;
  for (const it of granting) {
    const isGrant = it.type === 'ObjectExpression' || (it.type === 'Identifier' && !isNothing(it)) || (it.type === 'Literal' && it.value === true);
    if (isGrant && (!tree.isWithin(it, minted.block) || it.range[0] < answer.statement.range[1])) return undefined;
    if (it.type === 'ObjectExpression') {
      if (it.properties.some((each) => each.type !== 'Property' || (each.key.type === 'Identifier' && each.key.name === 'token')) || !addProperty(it, property('token', minted.token), draft)) return undefined;
    } else if (shape === 'owner' && isGrant) draft.replace(it, `{ ${property('owner', tree.text(it))}, ${property('token', minted.token)} }`);
    else if (shape === 'number' && isTruth(it)) draft.replace(it, isGrant ? minted.token : '0');
  }
  return { shape, note: minted.note };
}

/** The caller keeps the token that the function answers. */
export function takeAnswer(section: Section, write: Node, { shape, note }: Answering, draft: Draft): Minted | undefined {
  const { tree } = draft;
  const call = section.at.func.module === tree.module ? tree.callAt(section.at.span) : undefined;
  const answer = call && answerOf(call, tree);
  const block = answer && tree.parent(answer.statement);
  if (!answer || !block || !tree.isWithin(write, block)) return undefined;
  if (shape !== 'number') {
    if (answer.kind !== 'kept' || !isPresent(answer.name, write, tree)) return undefined;
    return shape === 'part' ? { token: `${answer.name}.token`, block, note } : unpacked(answer.name, answer.statement, block, note, draft);
  }
  const told = { granted: constant(true), refused: constant(false) };
  const tests = answer.kind === 'kept' ? referencesTo(answer.binding, tree).map((it) => testAround(it, told, tree)) : [testAround(answer.value, told, tree)];
  if (tests.includes(undefined)) return undefined;
  const token = answerName(answer.statement, draft, 'token', 'fencingToken');
  const spell = (it: Test): string => `${token} ${it.isGranted ? '!==' : '==='} 0`;
  if (answer.kind === 'kept') {
    draft.replace((tree.parent(answer.value) as TSESTree.VariableDeclarator).id, token);
    for (const it of tests) draft.replace(it!.node, spell(it!));
  } else takeOut(answer, token, spell(tests[0]!), draft, { whole: tests[0]!.node });
  return { token, block, note };
}

/** `const held = await acquire(); if (!held) return; const { owner, token } = held;` */
function unpacked(owner: string, statement: TSESTree.VariableDeclaration, block: Node, note: string, draft: Draft): Minted | undefined {
  const { tree, style } = draft;
  const list: readonly Node[] = block.type === 'BlockStatement' ? block.body : [];
  const guard = list[list.indexOf(statement) + 1];
  const binding = resolve(owner, statement.declarations[0]!.id, tree);
  if (guard?.type !== 'IfStatement' || guard.alternate || !leaves(guard.consequent) || !binding) return undefined;
  const before = referencesTo(binding, tree).filter((it) => tree.isWithin(it, guard));
  if (before.some((it) => !tree.isWithin(it, guard.test)) || before.length !== 1) return undefined;
  const held = draft.freeName(block, 'held', 'grant');
  const token = draft.freeName(block, 'token', 'fencingToken');
  draft.replace(statement.declarations[0]!.id, held);
  draft.replace(before[0]!, held);
  draft.insert(draft.lineEnd(guard) ?? guard.range[1], `${style.newline}${indentAt(tree.source, guard.range[0])}const { ${property('owner', owner)}, ${property('token', token)} } = ${held}${style.semi}`);
  return { token, block, note };
}

function returnsIn(node: Node): TSESTree.ReturnStatement[] {
  if (isFunction(node)) return [];
  return node.type === 'ReturnStatement' ? [node] : childrenOf(node).flatMap(returnsIn);
}

/** What an expression can come out as: both sides of a choice. */
function valuesOf(node: Node): Node[] {
  return node.type === 'ConditionalExpression' ? [...valuesOf(node.consequent), ...valuesOf(node.alternate)] : [node];
}

const isTruth = (node: Node): boolean => node.type === 'Literal' && typeof node.value === 'boolean';
const isNothing = (node: Node): boolean => (node.type === 'Literal' && (node.value === null || node.value === false)) || (node.type === 'Identifier' && node.name === 'undefined');

/** A call of which nothing is asked but whether its answer is true. */
function asksForTruth({ call, tree }: Caller): boolean {
  const awaited = tree.parent(call);
  if (awaited?.type !== 'AwaitExpression') return false;
  const isAsked = (node: Node): boolean => {
    const parent = tree.parent(node);
    if (parent?.type === 'LogicalExpression') return isAsked(parent);
    return (parent?.type === 'UnaryExpression' && parent.operator === '!') || ((parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression' || parent?.type === 'WhileStatement') && parent.test === node);
  };
  const parent = tree.parent(awaited);
  if (parent?.type === 'ExpressionStatement' || isAsked(awaited)) return true;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier' || parent.id.typeAnnotation) return false;
  const binding = resolve(parent.id.name, parent.id, tree);
  return binding !== undefined && !isReassigned(binding, tree) && referencesTo(binding, tree).every(isAsked);
}

/** What the function is written to answer; false where that is said in another place. */
function retype({ returnType }: FunctionNode, shape: Answering['shape'], draft: Draft): boolean {
  const promise = returnType?.typeAnnotation;
  if (!promise) return true;
  const given = promise.type === 'TSTypeReference' ? promise.typeArguments?.params[0] : undefined;
  if (!given || promise.type !== 'TSTypeReference' || draft.tree.text(promise.typeName) !== 'Promise') return false;
  const parts: readonly Node[] = given.type === 'TSUnionType' ? given.types : [given];
  if (shape === 'number') {
    if (given.type !== 'TSBooleanKeyword') return false;
    draft.replace(given, 'number');
    return true;
  }
  const [main, ...rest] = parts.filter((it) => it.type !== 'TSNullKeyword' && it.type !== 'TSUndefinedKeyword' && draft.tree.text(it) !== 'false');
  if (!main || rest.length > 0) return false;
  if (shape === 'owner') {
    if (main.type !== 'TSStringKeyword') return false;
    draft.replace(main, '{ owner: string; token: number }');
    return true;
  }
  return main.type === 'TSTypeLiteral' ? widen(main.members, draft) : main.type === 'TSTypeReference' && widenNamed(main, draft);
}

/** The type has a name: it must be one that only this function answers, and that only this file has. */
function widenNamed(type: TSESTree.TSTypeReference, draft: Draft): boolean {
  const { tree } = draft;
  const binding = type.typeName.type === 'Identifier' ? resolve(type.typeName.name, type.typeName, tree) : undefined;
  const { declaration } = binding ?? {};
  const members = declaration?.type === 'TSInterfaceDeclaration' ? declaration.body.body : declaration?.type === 'TSTypeAliasDeclaration' && declaration.typeAnnotation.type === 'TSTypeLiteral' ? declaration.typeAnnotation.members : undefined;
  if (!binding || !members) return false;
  // Elsewhere it may be the type of what is handed in; what is made of that type has no token.
  const made = referencesTo(binding, tree).filter((it) => [...tree.upwards(it)].some((each, i, all) => each.type === 'TSTypeAnnotation' && isFunction(all[i + 1] ?? each) && (all[i + 1] as FunctionNode).returnType === each) || [...tree.upwards(it)].some((each) => each.type === 'VariableDeclarator' || each.type === 'TSAsExpression' || each.type === 'TSInterfaceHeritage'));
  return made.length === 1 && widen(members, draft);
}

function widen(members: readonly TSESTree.TypeElement[], draft: Draft): boolean {
  const { source } = draft.tree;
  const last = members[members.length - 1];
  if (!last || members.some((it) => it.type !== 'TSPropertySignature' || (it.key.type === 'Identifier' && it.key.name === 'token'))) return false;
  const mark = /[;,]$/.exec(source.slice(last.range[0], last.range[1]))?.[0] ?? '';
  const line = source.lastIndexOf('\n', last.range[0]) + 1;
  const isOwnLine = source.slice(line, last.range[0]).trim() === '';
  const gap = isOwnLine ? `${draft.style.newline}${indentAt(source, last.range[0])}` : ' ';
  draft.insert(last.range[1], `${mark || isOwnLine ? '' : ';'}${gap}token: number${mark}`);
  return true;
}
