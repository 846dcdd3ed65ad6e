/** The parameters of a statement, extended by the token where they stand: a list, spread arguments, or an object of names. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Sql } from '../../../catalog/schema.ts';
import type { FenceRewrite } from '../../../model/sql/index.ts';
import type { Draft } from '../source/draft.ts';
import { referencesTo, resolve } from '../source/scopes.ts';
import { quoted } from '../source/style.ts';
import { type Node, unwrap } from '../source/tree.ts';

/** Extends the parameters of a call; false where they do not stand there in full. `count` is how many the text had. */
export function extendParameters(call: TSESTree.CallExpression, effect: Sql, { insertedParams, tokenName }: FenceRewrite, count: number, token: string, draft: Draft): boolean {
  if (insertedParams.length === 0) return true;
  const path = effect.params;
  if (!path && effect.binds !== undefined && tokenName !== undefined) return bind(call, effect.binds, tokenName, token, draft);
  if (!path || call.arguments.some((it) => it.type === 'SpreadElement')) return false;
  const values = insertedParams.map((it) => it.at);
  if ('rest' in path) {
    const given = call.arguments.slice(path.rest);
    const [only] = given;
    if (given.length === 1 && only && isWhole(unwrap(only))) return tokenName === undefined ? extendList(only, values, count, token, draft) : extendObject(only, tokenName, token, draft);
    if (tokenName !== undefined) return given.length === 1 && only !== undefined && extendObject(only, tokenName, token, draft);
    return given.length === count && insertAmong(given, values, token, call.range[1] - 1, call.arguments.length > 0, draft);
  }
  if (!('arg' in path) || 'each' in path || path.built !== undefined) return false;
  const node = nodeAt(call, path.arg, path.path);
  if (node) return tokenName === undefined ? extendList(node, values, count, token, draft) : extendObject(node, tokenName, token, draft);
  // No parameters so far: the list itself is new.
  if (count > 0 || path.path || call.arguments.length !== path.arg) return false;
  const last = call.arguments[call.arguments.length - 1];
  if (!last) return false;
  draft.insert(last.range[1], tokenName === undefined ? `, [${token}]` : `, { ${property(tokenName, token)} }`);
  return true;
}

/** One more parameter is bound in the chain, behind those that are, or else behind what the statement is sent through. */
function bind(call: TSESTree.CallExpression, step: string, name: string, token: string, draft: Draft): boolean {
  const { tree, style } = draft;
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression') return false;
  const { object } = callee;
  if (object.type === 'Identifier' ? !isSentOnce(object, step, draft) : object.type !== 'CallExpression') return false;
  const gap = object.type === 'CallExpression' && isStep(object.callee, step) ? /^\s*/.exec(tree.source.slice(object.callee.object.range[1]))![0] : '';
  draft.insert(object.range[1], `${gap}.${step}(${quoted(name, style)}, ${token})`);
  return true;
}

const isStep = (callee: Node, step: string): callee is TSESTree.MemberExpression => callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === step;

/** Nothing but this call sends what the name stands for: a parameter is bound once. */
function isSentOnce(name: TSESTree.Identifier, step: string, { tree }: Draft): boolean {
  const binding = resolve(name.name, name, tree);
  const [declared, sent] = [binding?.declaration, name].map((it) => it && tree.statementOf(it));
  if (binding?.kind !== 'const' || !declared || !sent || tree.parent(declared) !== tree.parent(sent)) return false;
  return referencesTo(binding, tree).every((it) => it === name || isStep(tree.parent(it)!, step));
}

const isWhole = (node: Node): boolean => node.type === 'ArrayExpression' || node.type === 'ObjectExpression';

function nodeAt(call: TSESTree.CallExpression, index: number, path: readonly string[] | undefined): Node | undefined {
  let node: Node | undefined = call.arguments[index];
  for (const name of path ?? []) {
    const it: Node | undefined = node && unwrap(node);
    if (it?.type !== 'ObjectExpression') return undefined;
    const found: TSESTree.ObjectLiteralElement | undefined = it.properties.find((each) => each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name);
    node = found?.type === 'Property' ? found.value : undefined;
  }
  return node;
}

function extendList(node: Node, at: readonly number[], count: number, token: string, draft: Draft): boolean {
  const it = unwrap(node);
  if (it.type !== 'ArrayExpression' || it.elements.length !== count || it.elements.some((each) => each === null || each.type === 'SpreadElement')) return false;
  return insertAmong(it.elements as Node[], at, token, it.range[1] - 1, count > 0, draft);
}

/** Positions count in the list as it is after the insertions before them. */
function insertAmong(items: readonly Node[], at: readonly number[], token: string, end: number, hasItems: boolean, draft: Draft): boolean {
  const { source } = draft.tree;
  at.forEach((position, k) => {
    const index = position - k;
    const next = items[index];
    const last = items[items.length - 1];
    if (next) draft.insert(next.range[0], `${token}, `);
    else if (last) {
      const gap = items.length > 1 ? source.slice(items[items.length - 2]!.range[1], last.range[0]) : ', ';
      draft.insert(last.range[1], `${/^,\s*$/.test(gap) ? gap : ', '}${token}`);
    } else draft.insert(end, hasItems ? `, ${token}` : token);
  });
  return true;
}

function extendObject(node: Node, name: string, token: string, draft: Draft): boolean {
  const it = unwrap(node);
  if (it.type === 'Identifier' || it.type === 'MemberExpression') {
    draft.replace(node, `{ ...${draft.tree.text(node)}, ${property(name, token)} }`);
    return true;
  }
  return it.type === 'ObjectExpression' && addProperty(it, property(name, token), draft);
}

export const property = (name: string, value: string): string => (name === value ? name : `${name}: ${value}`);

/** One more property, on a line of its own where the others are. */
export function addProperty(it: TSESTree.ObjectExpression, text: string, draft: Draft): boolean {
  const { source } = draft.tree;
  const last = it.properties[it.properties.length - 1];
  if (!last) {
    draft.replace(it, `{ ${text} }`);
    return true;
  }
  const gap = source.slice(it.range[0] + 1, it.properties[0]!.range[0]);
  const isBroken = gap.includes('\n') && gap.trim() === '';
  draft.insert(last.range[1], isBroken ? `,${gap.slice(gap.lastIndexOf('\n') - (gap[gap.lastIndexOf('\n') - 1] === '\r' ? 1 : 0))}${text}` : `, ${text}`);
  return true;
}

