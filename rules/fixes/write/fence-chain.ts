/** A fence in a statement that a chain of steps builds: the token in its data, and one more condition in its filter. */
import type { TSESTree } from '@typescript-eslint/types';
import type { ChainForm } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import type { WriteEvent } from '../../../model/events.ts';
import type { Model } from '../../../model/story.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { nameOfExport } from '../source/imports.ts';
import { resolve } from '../source/scopes.ts';
import { type Node, type Tree, descend, isPath, unwrap } from '../source/tree.ts';
import { lookAtCount } from './affected-count.ts';
import { camelCase } from './fence-object.ts';
import { orderText } from './fence-filter.ts';
import type { FencePlan } from './fence-plan.ts';
import { addProperty, property } from './parameters.ts';

export interface WrittenChain {
  form: ChainForm;
  matched: Matched;
  event: WriteEvent;
  steps: Step[];
}

interface Step {
  name: string;
  call: TSESTree.CallExpression;
}

/** The chain as it is written, its first step first; undefined where its parts do not stand in one expression. */
export function chainOf(event: WriteEvent, tree: Tree, model: Model): WrittenChain | undefined {
  const matched = matchedRow(event.call, model);
  const form = matched?.library.edits?.chains?.find(({ on }) => on.includes(matched.row.on));
  const node = tree.callAt(event.call.span);
  if (!matched || !form || event.op !== 'update' || !event.row?.count || event.row.throwsOnMiss || node?.type !== 'CallExpression') return undefined;
  const steps = stepsOf(node, tree);
  const has = (names: readonly string[] | undefined): boolean => steps.some(({ name }) => names?.includes(name));
  return has(form.data) && has(form.filter) && !has(form.refuses) ? { form, matched, event, steps } : undefined;
}

/** The calls of a chain, from the whole expression inwards. */
function stepsOf(node: TSESTree.CallExpression, tree: Tree): Step[] {
  let top: TSESTree.CallExpression = node;
  for (let member = tree.parent(top); member?.type === 'MemberExpression' && member.object === top; member = tree.parent(top)) {
    const outer = tree.parent(member);
    if (outer?.type !== 'CallExpression' || outer.callee !== member || isPromiseStep(member)) break;
    top = outer;
  }
  const found: Step[] = [];
  for (let it: Node = top; it.type === 'CallExpression'; ) {
    const callee: Node = unwrap(it.callee);
    if (callee.type !== 'MemberExpression') {
      found.unshift({ name: '', call: it });
      break;
    }
    if (callee.property.type === 'Identifier' && !callee.computed) found.unshift({ name: callee.property.name, call: it });
    it = unwrap(callee.object);
  }
  return found;
}

const isPromiseStep = (member: TSESTree.MemberExpression): boolean => member.property.type === 'Identifier' && /^(?:then|catch|finally)$/.test(member.property.name);

/** Writes the fence; false where the data is no object in place, or the answer cannot be looked at. */
export function fenceChain(chain: WrittenChain, plan: FencePlan, draft: Draft): boolean {
  const { form, steps } = chain;
  const data = dataOf(chain);
  const names = namesOf(form, tableOf(form, steps), plan, draft.tree);
  if (!data || data.properties.some((it) => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === names.data)) return false;
  return addProperty(data, property(names.data, plan.number), draft) && addCondition(chain, names.condition, plan, draft);
}

/** Writes the comparison alone, where the token is in the data already; false where the column's own name is not known. */
export function compareInChain(chain: WrittenChain, column: string, stored: (data: Node) => string | undefined, plan: Omit<Compared, 'number'>, draft: Draft): boolean {
  const data = dataOf(chain);
  const number = data && stored(data);
  return number !== undefined && (chain.form.beside !== undefined || namesColumns(chain)) && addCondition(chain, column, { ...plan, number }, draft);
}

type Compared = Pick<FencePlan, 'number' | 'isRepeated' | 'refusal'>;

/** What is stored, where it is an object in place. */
function dataOf({ form, steps }: WrittenChain): TSESTree.ObjectExpression | undefined {
  const holders = steps.filter(({ name }) => form.data.includes(name));
  const data = holders.length === 1 && holders[0]!.call.arguments.length === 1 ? unwrap(holders[0]!.call.arguments[0]!) : undefined;
  return data?.type === 'ObjectExpression' ? data : undefined;
}

function addCondition({ form, matched, event, steps }: WrittenChain, column: string, plan: Compared, draft: Draft): boolean {
  const table = tableOf(form, steps);
  const last = steps.findLast(({ name }) => form.filter.includes(name))!;
  if (form.step) addStep(last, form, column, plan, draft);
  else if (!table || table.type === 'SpreadElement' || !isPath(table) || !addBeside(last, form, column, draft.tree.text(table), plan, draft)) return false;
  return lookAtCount(steps[steps.length - 1]!.call, { count: event.row!.count!, refusal: plan.refusal, isSync: matched.library.edits?.isSync ?? false }, draft);
}

/** What the chain is about: the argument of its first step that has one. */
const tableOf = (form: ChainForm, steps: readonly Step[]): Node | undefined => steps.find(({ name, call }) => call.arguments.length > 0 && !form.data.includes(name) && !form.filter.includes(name))?.call.arguments[0];

/** Whether the chain speaks of columns, not of properties of a class that stands for the table. */
export const namesColumns = ({ form, steps }: WrittenChain): boolean => form.names === 'column' || tableOf(form, steps)?.type === 'Literal';

/** How the column is called in the data and in the condition. */
function namesOf({ names, step }: ChainForm, table: Node | undefined, { column }: FencePlan, tree: Tree): { data: string; condition: string } {
  if (names === 'column' || table?.type === 'Literal') return { data: column, condition: column };
  const name = declaredProperty(table, column, tree) ?? camelCase(column);
  return { data: name, condition: step ? column : name };
}

/** The property under which a table that is declared in this file has the column. */
function declaredProperty(table: Node | undefined, column: string, tree: Tree): string | undefined {
  const binding = table?.type === 'Identifier' ? resolve(table.name, table, tree) : undefined;
  if (!binding || binding.kind === 'import') return undefined;
  for (const it of descend(binding.declaration)) {
    if (it.type !== 'Property' || it.key.type !== 'Identifier') continue;
    if ([...descend(it.value)].some((each) => each.type === 'Literal' && each.value === column)) return it.key.name;
  }
  return undefined;
}

/** One more step behind the last condition, on a line of its own where that has one. */
function addStep({ call }: Step, { step }: ChainForm, column: string, plan: Compared, draft: Draft): void {
  const { tree, style } = draft;
  const callee = unwrap(call.callee) as TSESTree.MemberExpression;
  const gap = /^\s*/.exec(tree.source.slice(callee.object.range[1]))![0];
  const text = (plan.isRepeated ? step!.notAbove : step!.below).replaceAll("'", style.quote).replaceAll('{column}', column);
  draft.insert(call.range[1], (gap.includes('\n') ? gap : '') + filled(text, plan.number));
}

/** `{ token: {token} }` is written short where the value is called so. */
const filled = (text: string, token: string): string => text.replaceAll('{ token: {token} }', `{ ${property('token', token)} }`).replaceAll('{token}', token);

function addBeside({ call }: Step, { beside }: ChainForm, column: string, table: string, plan: Compared, draft: Draft): boolean {
  const [filter] = call.arguments;
  const condition = orderText(beside!, plan, draft);
  const join = nameOfExport(beside!.uses!.from, beside!.join, draft);
  if (!filter || call.arguments.length !== 1 || condition === undefined || join === undefined) return false;
  const text = condition.replaceAll('{table}', table).replaceAll('{column}', column).replaceAll('{token}', plan.number);
  const inner = unwrap(filter);
  const lastOf = inner.type === 'CallExpression' && draft.tree.text(inner.callee) === join ? inner.arguments[inner.arguments.length - 1] : undefined;
  if (lastOf) draft.insert(lastOf.range[1], `, ${text}`);
  else {
    draft.insert(filter.range[0], `${join}(`);
    draft.insert(filter.range[1], `, ${text})`);
  }
  return true;
}
