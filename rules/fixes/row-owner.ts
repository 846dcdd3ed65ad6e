/** Edits that name the owner in the filter by which a lock row or document is given back. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Sql, Write } from '../../catalog/schema.ts';
import { writeEvents } from '../../model/documents.ts';
import type { WriteEvent } from '../../model/events.ts';
import { addFence } from '../../model/sql/index.ts';
import { statementEvents } from '../../model/statements.ts';
import type { Model } from '../../model/story.ts';
import { sameValue } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import { isDropped } from './lock/answers.ts';
import { matchedRow } from './lock/client-calls.ts';
import { type OwnedStep, type Owner, ownAcquire } from './lock/owner.ts';
import type { Draft } from './source/draft.ts';
import type { Drafts } from './source/drafts.ts';
import { indentAt, quoted } from './source/style.ts';
import { type Tree, unwrap } from './source/tree.ts';
import { type WrittenExpression, addCondition, expressionOf, wrapped } from './write/condition-text.ts';
import { type WrittenStatement, statementOf } from './write/fence-sql.ts';
import { addProperty, extendParameters, property } from './write/parameters.ts';
import { holesOf, insertSql, writtenSql } from './write/sql-text.ts';

/** The filter of the release, with the owner's column in it. `ownerIn` tells how the owner value is written there. */
export function rowOwnerEdits(release: OwnedStep, ownerIn: (drafts: Drafts) => Owner | undefined, tree: Tree, model: Model, drafts: Drafts, { kind, title } = { kind: 'compare-and-delete', title: 'Release only if still ours' }): Edit[] {
  const column = ownerColumn(release, model);
  if (column === undefined) return [];
  const draft = drafts.of(tree.module);
  const owner = ownerIn(drafts);
  if (!owner) return [];
  const statement = statementOf(release.event.call, tree, model);
  const expression = statement ? undefined : expressionOf(release.event.call, tree, model);
  const done = statement ? inStatement(statement, column, owner, draft) : expression ? inCondition(expression, release, column, owner, kind, draft) : inFilter(release, column, owner, draft, model);
  return done ? drafts.finish({ kind, title: `${title} (\`${column}\` in the ${expression ? 'condition' : 'filter'})` }) : [];
}

/** The column into which the acquire puts the owner value, as the acquire spells it. */
function ownerColumn({ acquire }: OwnedStep, model: Model): string | undefined {
  const owner = acquire && ownAcquire(acquire, model)?.lock.owner;
  const matched = acquire && matchedRow(acquire.call, model);
  if (!owner || !matched) return undefined;
  const events = matched.effects.flatMap((it) => (it.kind === 'sql' ? (statementEvents(it, matched, model.calls) ?? []) : it.kind === 'write' ? writeEvents(it, matched, model.calls) : []));
  const changes = events.filter((it): it is WriteEvent => it.kind === 'write').flatMap((it) => it.row?.changes ?? []);
  const column = changes.find((it) => it.value && sameValue(it.value, owner))?.column;
  if (column === undefined || !matched.effects.some((it) => it.kind === 'sql')) return column;
  // The facts of a statement fold the case of names; quoted ones must keep it.
  const { span, func } = acquire.call;
  return new RegExp(`["\`[]?\\b${column.replace(/\W/g, '\\$&')}\\b["\`\\]]?`, 'i').exec(func.module.text.slice(span.start, span.end))?.[0];
}

function inStatement({ effect, call, text, facts }: WrittenStatement, column: string, owner: Owner, draft: Draft): boolean {
  const { tree } = draft;
  const written = writtenSql(text, tree);
  const isTag = call.type === 'TaggedTemplateExpression';
  const rewrite = written && addFence(written.text, { column, tokenParam: isTag ? 'hole' : 'next', equals: true, dialect: (effect as Sql).dialect });
  if (!written || !rewrite || !insertSql(written, rewrite, owner.text, holesOf(text, tree), draft)) return false;
  const count = facts.style === 'question' ? facts.params.length : facts.params.reduce((most, it) => Math.max(most, it.index + 1), 0);
  return isTag || extendParameters(call as TSESTree.CallExpression, effect, rewrite, count, owner.text, draft);
}

/** A release whose condition does not hold does nothing; a renewal throws. */
function inCondition(written: WrittenExpression, { acquire }: OwnedStep, column: string, owner: Owner, kind: string, draft: Draft): boolean {
  const { tree, style } = draft;
  const { form, node } = written;
  const taking = acquire && tree.callAt(acquire.call.span);
  const isAsText = !form.text || (taking !== undefined && tree.text(taking).replaceAll(/\s/g, '').includes(form.text.replace('{value}', owner.text).replaceAll(/\s/g, '')));
  if (!isAsText || !addCondition(written, { text: form.equals, column, placeholder: ':owner', value: wrapped(form.text, owner.text) }, draft)) return false;
  if (kind !== 'compare-and-delete') return true;
  const sending = node.type === 'NewExpression' ? tree.parent(node) : node;
  if (sending?.type !== 'CallExpression' || tree.parent(sending)?.type !== 'AwaitExpression' || !isDropped(sending, tree)) return false;
  const outer = indentAt(tree.source, sending.range[0]);
  const refused = `if (!(error instanceof Error) || error.name !== ${quoted(form.refused, style)}) throw error${style.semi}`;
  draft.insert(sending.range[1], `.catch((error${style.isTypeScript ? ': unknown' : ''}) => {${style.newline}${outer}${style.indent}${refused}${style.newline}${outer}})`);
  return true;
}

/** A filter that is an object gets one more property; a call that throws on a miss would throw when the lock was lost. */
function inFilter({ event }: OwnedStep, column: string, owner: Owner, draft: Draft, model: Model): boolean {
  const { tree } = draft;
  const matched = matchedRow(event.call, model);
  const effect = matched?.effects.find((it): it is Write => it.kind === 'write');
  const expr = effect?.filter && !effect.throwsOnMiss ? model.calls.exprAt(effect.filter, matched!.site) : undefined;
  const node = expr && tree.expressionAt(expr.span);
  const filter = node && unwrap(node);
  return filter?.type === 'ObjectExpression' && !filter.properties.some((it) => it.type === 'SpreadElement') && addProperty(filter, property(column, owner.text), draft);
}
