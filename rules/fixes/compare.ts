/** Edits that compare a token in the statement that stores it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Sql, Write } from '../../catalog/schema.ts';
import { isLossUnheardAfter } from '../../model/losses.ts';
import { addFence } from '../../model/sql/index.ts';
import type { SectionStory, Story } from '../../model/story.ts';
import type { UncheckedToken } from '../../model/token-checks.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import { isRepeatedWrite } from './fence.ts';
import { isDropped } from './lock/answers.ts';
import { matchedRow } from './lock/client-calls.ts';
import { Draft, attempt } from './source/draft.ts';
import { type Node, descend, isPath, treeOf, unwrap } from './source/tree.ts';
import { lookAtCount } from './write/affected-count.ts';
import { addCondition, expressionOf, partOf } from './write/condition-text.ts';
import { chainOf, compareInChain } from './write/fence-chain.ts';
import { orderText } from './write/fence-filter.ts';
import { objectOf } from './write/fence-object.ts';
import { statementOf, typeCount } from './write/fence-sql.ts';

import { addProperty, extendParameters } from './write/parameters.ts';
import { holesOf, insertSql, writtenSql } from './write/sql-text.ts';
import { refusal } from './write/stale-error.ts';

/** The comparison in the condition of the write, where the token is stored by the same call. */
export const compareEdits = (it: UncheckedToken, section: SectionStory | undefined, story: Story, settings: Settings): Edit[] => attempt(() => comparison(it, section, story, settings));

interface Job {
  draft: Draft;
  node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  /** As the code spells it. */
  column: string;
  isRepeated: boolean;
  /** The statement that throws. */
  refused: string;
}

function comparison({ event, how, column: folded }: UncheckedToken, section: SectionStory | undefined, story: Story, settings: Settings): Edit[] {
  const { model, module } = story;
  const tree = treeOf(module);
  const node = event.call.func.module === module ? tree.callAt(event.call.span) : undefined;
  const matched = matchedRow(event.call, model);
  if (section && isLossUnheardAfter(section, [event], model)) return [];
  if (!node || !matched || !folded || !/^\w+$/.test(folded)) return [];
  const column = new RegExp(`["\`[]?\\b${folded}\\b["\`\\]]?`, 'i').exec(tree.text(node))?.[0];
  if (column === undefined) return [];
  const draft = new Draft(tree);
  const isRepeated = !section || isRepeatedWrite(section, event, node, tree);
  const done = node.type === 'NewExpression' ? how !== 'inverted' && inCondition(column, isRepeated) : compare({ draft, node, column, isRepeated, refused: refusal(event.target.replaceAll('`', ''), node, settings, draft, model) });
  return done ? draft.finish({ kind: 'compare-token', title: how === 'inverted' ? 'Let only the newer token pass' : `Compare \`${folded}\` in the same statement`, note: how === 'inverted' || expressionOf(event.call, tree, model) ? '' : `Where \`${folded}\` may hold nothing, give it 0 first: a comparison with nothing refuses every write.` }) : [];

  function compare(it: Job): boolean {
    if (how === 'inverted') return turn(it);
    return inStatement(it) || inObject(it) || inFilter(it) || inChain(it) || inCondition(it.column, it.isRepeated);
  }

  function inStatement(it: Job): boolean {
    const statement = statementOf(event.call, tree, model);
    const written = statement && writtenSql(statement.text, tree);
    const count = statement?.effect.count;
    if (!statement || !written || !count) return false;
    const { facts, text, effect } = statement;
    const rewrite = addFence(written.text, { column: it.column, tokenParam: it.node.type === 'TaggedTemplateExpression' ? 'hole' : 'next', inclusive: it.isRepeated, dialect: effect.dialect });
    if (!rewrite || !insertSql(written, rewrite, '', holesOf(text, tree), draft)) return false;
    if (rewrite.insertedParams.length > 0) {
      const stored = facts.set.find((each) => each.column === folded!.toLowerCase())?.value;
      const token = stored?.kind === 'param' && it.node.type === 'CallExpression' ? parameterAt(it.node, effect, stored.index) : undefined;
      const amount = facts.style === 'question' ? facts.params.length : facts.params.reduce((most, each) => Math.max(most, each.index + 1), 0);
      if (!token || !canBeWrittenTwice(token) || it.node.type !== 'CallExpression' || !extendParameters(it.node, effect, rewrite, amount, tree.text(token), draft)) return false;
    }
    return look(it, count) && typeCount(it.node, statement.matched, draft);
  }

  /** A write of one object, which may become another method for it. */
  function inObject(it: Job): boolean {
    const object = objectOf(event.call, tree, model);
    const token = object && storedIn(object.data, it.column);
    const callee = object && unwrap(object.call.callee);
    if (!object || !token || callee?.type !== 'MemberExpression') return false;
    if (object.form.becomes !== object.form.name) {
      if (!isDropped(object.call, tree)) return false;
      draft.replace(callee.property, object.form.becomes);
    }
    addProperty(object.filter, `${it.column}: ${(it.isRepeated ? object.form.notAbove : object.form.below).replace('{token}', token)}`, draft);
    return lookAtCount(it.node, { count: object.form.count, refusal: it.refused, isSync: false }, draft);
  }

  /** A filter and data that are arguments of their own. */
  function inFilter(it: Job): boolean {
    const order = matched!.library.edits?.orders?.find(({ on }) => on.includes(matched!.row.on));
    const effect = matched!.effects.find((each): each is Write => each.kind === 'write');
    if (!order || !effect?.filter || !effect.data || !effect.count || effect.throwsOnMiss || effect.op !== 'update') return false;
    const [filter, data] = [effect.filter, effect.data].map((path) => {
      const expr = model.calls.exprAt(path, matched!.site);
      const found = expr && tree.expressionAt(expr.span);
      return found && unwrap(found);
    });
    const token = data && storedIn(data, it.column);
    if (filter?.type !== 'ObjectExpression' || !token || filter.properties.some((each) => each.type === 'SpreadElement')) return false;
    const condition = orderText(order, it, draft);
    if (condition === undefined) return false;
    addProperty(filter, `${it.column}: ${condition.replace('{token}', token)}`, draft);
    return look(it, effect.count);
  }

  /** A statement that a chain of steps builds. */
  function inChain(it: Job): boolean {
    const chain = chainOf(event, tree, model);
    return chain !== undefined && compareInChain(chain, it.column, (data) => storedIn(data, it.column), { isRepeated: it.isRepeated, refusal: it.refused }, draft);
  }

  /** A text of conditions among the options; a refusal is thrown. */
  function inCondition(name: string, repeats: boolean): boolean {
    const expression = expressionOf(event.call, tree, model);
    const stored = expression && partOf(expression.options, expression.form.update ?? expression.form.item ?? '');
    if (!expression || !stored) return false;
    const condition = { text: repeats ? expression.form.notAbove : expression.form.below, column: name };
    if (stored.type === 'ObjectExpression') {
      const value = storedIn(stored, name);
      return value !== undefined && addCondition(expression, { ...condition, placeholder: ':token', value }, draft);
    }
    const placeholder = stored.type === 'Literal' ? new RegExp(`(?<![#\\w])${name}\\s*=\\s*(:\\w+)`).exec(String(stored.value))?.[1] : undefined;
    return placeholder !== undefined && addCondition(expression, { ...condition, placeholder }, draft);
  }

  function storedIn(data: Node, name: string): string | undefined {
    const found = descend(data).filter((each): each is TSESTree.Property => each.type === 'Property' && !each.computed && each.key.type === 'Identifier' && each.key.name === name);
    return found.length === 1 && canBeWrittenTwice(found[0]!.value) ? tree.text(found[0]!.value) : undefined;
  }

  function look({ node: call, refused: refusalText }: Job, count: NonNullable<Sql['count']>): boolean {
    return lookAtCount(call, { count, refusal: refusalText, isSync: matched!.library.edits?.isSync ?? false }, draft);
  }

  /** The sign alone is wrong. */
  function turn(it: Job): boolean {
    const name = it.column.replace(/\W/g, '\\$&');
    const signs = [...tree.text(it.node).matchAll(new RegExp(`${name}\\s*(>)=?|(<)=?\\s*${name}(?!\\w)|${name}['"]?\\s*:\\s*\\{\\s*\\$?(gt)e?\\s*:`, 'g'))];
    const [found] = signs;
    const sign = found?.[1] ?? found?.[2] ?? found?.[3];
    if (!found || !sign || signs.length !== 1) return false;
    const start = it.node.range[0] + found.index + found[0].indexOf(sign, found[2] ? 0 : it.column.length);
    draft.replace({ start, end: start + sign.length }, sign === '>' ? '<' : sign === '<' ? '>' : 'lt');
    return true;
  }
}

/** A path of names, also turned into a number or a text: to evaluate it again gives the same. */
function canBeWrittenTwice(node: Node): boolean {
  const it = unwrap(node);
  const [only] = it.type === 'CallExpression' ? it.arguments : [];
  return isPath(node) || (it.type === 'CallExpression' && it.callee.type === 'Identifier' && /^(?:Number|String|BigInt)$/.test(it.callee.name) && it.arguments.length === 1 && isPath(only!));
}

/** The expression of a parameter in a list that stands in place. */
function parameterAt(call: TSESTree.CallExpression, { params }: Sql, index: number): Node | undefined {
  if (!params) return undefined;
  if ('rest' in params) {
    const given = call.arguments.slice(params.rest);
    const only = given.length === 1 ? unwrap(given[0]!) : undefined;
    return only?.type === 'ArrayExpression' ? (only.elements[index] ?? undefined) : given[index];
  }
  const list = 'arg' in params && !params.path && call.arguments[params.arg];
  const it = list ? unwrap(list) : undefined;
  return it?.type === 'ArrayExpression' ? (it.elements[index] ?? undefined) : undefined;
}
