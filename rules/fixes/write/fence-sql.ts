/** A fence in the text of a statement: the token in its SET and its WHERE, in its parameters, and its count looked at. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Effect, Sql } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import type { CallExpr, Expr } from '../../../model/ir.ts';
import { type SqlFacts, addFence, analyzeSql } from '../../../model/sql/index.ts';
import type { Model } from '../../../model/story.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { nameOfType } from '../source/imports.ts';
import { referencesTo, resolve } from '../source/scopes.ts';
import { type Node, type Tree } from '../source/tree.ts';
import { lookAtCount } from './affected-count.ts';
import type { FencePlan } from './fence-plan.ts';
import { extendParameters } from './parameters.ts';
import { holesOf, insertSql, isExported, sourceOfText, writtenSql } from './sql-text.ts';

/** What is known of a statement as it is written; undefined where it cannot be edited. */
export interface WrittenStatement {
  effect: Sql;
  matched: Matched;
  call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  text: Node;
  facts: SqlFacts;
}

export function statementOf(call: CallExpr, tree: Tree, model: Model): WrittenStatement | undefined {
  const matched = model.calls.match(model.calls.site(call))[0];
  const effect = matched?.effects.find((it: Effect): it is Sql => it.kind === 'sql');
  const node = tree.callAt(call.span);
  // A client that is known by the shape of its calls alone may tell its count in another way.
  if (!matched?.library.packages.length || !effect || effect.procedure || (node?.type !== 'CallExpression' && node?.type !== 'TaggedTemplateExpression')) return undefined;
  const text = textNode(call, node, effect, tree, model, matched);
  const written = text && writtenSql(text, tree);
  const facts = written && analyzeSql(written.text, effect.dialect);
  const [first] = facts ?? [];
  return text && first && facts?.length === 1 ? { effect, matched, call: node, text, facts: first } : undefined;
}

function textNode(call: CallExpr, node: Node, effect: Sql, tree: Tree, model: Model, matched: Matched): Node | undefined {
  if ('template' in effect.text) return node.type === 'TaggedTemplateExpression' ? node.quasi : undefined;
  const receiver = call.callee.kind === 'member' ? call.callee.object : undefined;
  const expr = 'ctor' in effect.text ? preparedText(call, effect.text.ctor, tree) : 'self' in effect.text ? receiver : model.calls.exprAt(effect.text, matched.site);
  const at = expr && tree.expressionAt(expr.span);
  if (at?.type === 'TaggedTemplateExpression') return expr?.kind === 'call' && isPrepared(expr, model) ? at.quasi : undefined;
  return at && sourceOfText(at, tree);
}

/** The tag only makes the statement: its holes are parameters all the same. */
const isPrepared = (tag: CallExpr, model: Model): boolean => matchedRow(tag, model)?.effects.some((it) => it.kind === 'sql' && it.prepares !== undefined) ?? false;

/** The text of a statement that was prepared before: in place, or as a constant that only this call uses. */
function preparedText(call: CallExpr, index: number, tree: Tree): Expr | undefined {
  const receiver = call.callee.kind === 'member' ? call.callee.object : undefined;
  if (receiver?.kind === 'call') return receiver.args[index];
  if (receiver?.kind !== 'var' || receiver.variable.module !== tree.module || receiver.variable.values.length !== 1) return undefined;
  const [value] = receiver.variable.values;
  const id = tree.expressionAt(receiver.span);
  const binding = id?.type === 'Identifier' ? resolve(id.name, id, tree) : undefined;
  if (binding?.kind !== 'const' || binding.declaration.type !== 'VariableDeclarator' || isExported(binding.declaration, tree) || referencesTo(binding, tree).length !== 1) return undefined;
  return value?.kind === 'call' ? value.args[index] : undefined;
}

/** Writes the fence; false where the statement, its parameters or its answer do not allow it. */
export function fenceStatement({ effect, matched, call, text, facts }: WrittenStatement, plan: FencePlan, draft: Draft): boolean {
  const { tree } = draft;
  const written = writtenSql(text, tree);
  // A row that is gone is what a DELETE wants: its count of nothing is no refusal.
  if (!written || !effect.count || facts.kind === 'delete') return false;
  const isTag = tree.parent(text)?.type === 'TaggedTemplateExpression';
  const rewrite = addFence(written.text, { column: plan.column, tokenParam: isTag ? 'hole' : 'next', inclusive: plan.isRepeated, dialect: effect.dialect });
  if (!rewrite || !insertSql(written, rewrite, plan.token, holesOf(text, tree), draft)) return false;
  const count = facts.params.reduce((most, it) => Math.max(most, it.index + 1), 0);
  if (!isTag && !extendParameters(call as TSESTree.CallExpression, effect, rewrite, facts.style === 'question' ? facts.params.length : count, plan.token, draft)) return false;
  return lookAtCount(call, { count: effect.count, refusal: plan.refusal, isSync: matched.library.edits?.isSync ?? false }, draft) && typeCount(call, matched, draft);
}

/** TypeScript sees the count only with the right type argument. */
export function typeCount(call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression, matched: Matched, draft: Draft): boolean {
  const type = matched.library.edits?.countType;
  if (!draft.style.isTypeScript || !type?.on.includes(matched.row.on)) return true;
  const written = call.typeArguments?.params[0];
  if (written) return draft.tree.text(written).split('.').pop() === type.name;
  const name = nameOfType(type.from, type.name, draft);
  if (name === undefined || call.type !== 'CallExpression') return false;
  draft.insert(call.callee.range[1], `<${name}>`);
  return true;
}
