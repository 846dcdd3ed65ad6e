/** Edits that put a fencing token, or the version that was read, into the condition of a write. */
import type { WriteEvent } from '../../model/events.ts';
import { isLossUnheardAfter } from '../../model/losses.ts';
import type { CallExpr } from '../../model/ir.ts';
import type { Section } from '../../model/sections.ts';
import type { Model, SectionStory, Story, UnfencedWrite } from '../../model/story.ts';
import { sameSite } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { Importers } from './callers/callers.ts';
import { CarriedToken, asNumber } from './lock/carried-token.ts';
import { SectionTokens } from './lock/section-token.ts';
import { type Draft, attempt } from './source/draft.ts';
import { Drafts } from './source/drafts.ts';
import { type Node, type Tree, isFunction, isLoop, treeOf } from './source/tree.ts';
import { chainOf, fenceChain, namesColumns } from './write/fence-chain.ts';
import { expressionOf } from './write/condition-text.ts';
import { fenceExpression } from './write/fence-expression.ts';
import { fenceFilter, filterOf } from './write/fence-filter.ts';
import { camelCase, fenceObject, objectOf } from './write/fence-object.ts';
import type { FencePlan } from './write/fence-plan.ts';
import { fenceStatement, statementOf } from './write/fence-sql.ts';
import { fenceByVersion, versionOf } from './write/fence-version.ts';
import { fenceValue, valueOf } from './write/fence-value.ts';
import { refusal } from './write/stale-error.ts';

/** The fenced write, with a token that is at hand, or else with one that the same edit mints in the grant. With importers it may reach into other files. */
export const fenceEdits = (section: SectionStory, write: UnfencedWrite, story: Story, settings: Settings, importers?: Importers): Edit[] => attempt(() => fenceAll(section, [write], story, settings, importers));

/** All unfenced writes of a section at once: what a renewal around them cannot do. */
export const sectionFenceEdits = (section: SectionStory, story: Story, settings: Settings, importers?: Importers): Edit[] =>
  attempt(() => fenceAll(section, section.unfenced.filter((it) => it.event.op !== 'insert'), story, settings, importers));

function fenceAll(around: SectionStory, writes: readonly UnfencedWrite[], story: Story, settings: Settings, importers: Importers | undefined): Edit[] {
  const { section } = around;
  const { model, module } = story;
  // The last fence would leave a renewal whose answer nobody hears, beside work that has no fence.
  if (isLossUnheardAfter(around, writes.map((it) => it.event), model)) return [];
  const { column } = settings.fence;
  const drafts = new Drafts(module);
  const tokens = new SectionTokens(drafts, model, importers);
  const carried = new CarriedToken(writes.map((it) => it.event), tokens, story, settings, { drafts, importers });
  const notes: string[] = [];
  let last: { token: string; verb: string; to: string; version?: string } = { token: '', verb: '', to: '' };
  for (const write of writes) {
    const { call } = write.event;
    const version = versionOf(write, { section, tree: treeOf(module), model });
    if (version) {
      if (!fenceByVersion(version, drafts.of(module))) return [];
      notes.push(version.form.note ?? '');
      last = { ...last, version: version.form.at[version.form.at.length - 1] };
      continue;
    }
    const isHere = sameSite(write.call, call);
    const tree = treeOf(call.func.module);
    const [reported, node] = [treeOf(module).callAt(write.call.span), tree.callAt(call.span)];
    const what = node && writeOf(write.event, tree, model);
    if (!reported || !node || !what || (tree.module !== module && !importers)) return [];
    // A later write of the section that wants a smaller token would be refused by this one.
    if (sameTarget(section, write.event).some((it) => comparesStrictly(treeOf(it.func.module).text(it.span), column))) return [];
    // A section that has no token needs no search for its callers.
    const held = tokens.at(section, reported, treeOf(module));
    const token = isHere || held === undefined ? held : carried.to(node, tree);
    if (token === undefined || !(isHere || carried.passes(write.call))) return [];
    const isRepeated = sameTarget(section, write.event).length > 0 || (!isHere && carried.isRepeated) || [write.call, ...write.via, call].some((it) => isCallInLoop(it, section));
    const draft = drafts.of(tree.module);
    const number = asDeclared(isHere ? asNumber(token, node, tree) : token, what.property?.(column) ?? column, tree);
    if (!what.fence({ token, number, column, isRepeated, refusal: refusal(write.event.target.replaceAll('`', ''), node, settings, draft, model) }, draft)) return [];
    notes.push(what.migration(column));
    last = { ...last, token: isHere ? token : (carried.first ?? token), verb: what.verb, to: isHere || reported.type !== 'CallExpression' ? '' : treeOf(module).text(reported.callee) };
  }
  if (!tokens.areOfOneCounter()) return [];
  const what = writes.length > 1 ? `the ${writes.length} writes under this lock` : last.to ? `the ${last.verb} that \`${last.to}\` does` : `this ${last.verb}`;
  if (last.version && !last.token) return drafts.finish({ kind: 'fenced-write', title: `Write only over the version that was read (\`${last.version}\`)`, note: [...new Set(notes)].filter(Boolean).join('\n') });
  const edits = drafts.finish({
    kind: 'fenced-write',
    title: tokens.isMinted ? `Mint a token in the grant, and fence ${what} with it` : `Fence ${what} with \`${last.token}\``,
    note: [...new Set([...notes, ...tokens.notes])].filter(Boolean).join('\n'),
  });
  return edits.map((it) => (it.changes.some((change) => change.file !== undefined) ? { ...it, kind: 'fenced-write-across', title: `${it.title}, handed on at ${carried.calls === 1 ? 'its one call' : `${carried.calls} calls`}` } : it));
}

interface Fenceable {
  verb: string;
  fence(plan: FencePlan, draft: Draft): boolean;
  /** The column that the table needs. */
  migration(column: string): string;
  /** How the column is called in code, where that is not its own name. */
  property?(column: string): string;
}

function writeOf(event: WriteEvent, tree: Tree, model: Model): Fenceable | undefined {
  const { call } = event;
  const statement = statementOf(call, tree, model);
  if (statement) {
    const { kind, target } = statement.facts;
    return { verb: kind.toUpperCase(), fence: (plan, draft) => fenceStatement(statement, plan, draft), migration: alterTable(target ?? 'the_table', statement.effect.dialect) };
  }
  const object = objectOf(call, tree, model);
  if (object) return { verb: 'update', fence: (plan, draft) => fenceObject(object, plan, draft), property: camelCase, migration: (name) => `${camelCase(name)} BigInt @default(0) @map("${name}")` };
  const value = valueOf(event, tree, model);
  if (value) return { verb: 'SET', fence: (plan, draft) => fenceValue(value, plan, draft), migration: () => 'In a cluster, the value and its token must share a slot: put what their keys have in common into braces.' };
  const expression = expressionOf(call, tree, model);
  if (expression) return { verb: 'write', fence: (plan, draft) => fenceExpression(expression, plan, draft), migration: (name) => `\`${name}\` is a number that need not be there yet.` };
  const filter = filterOf(call, tree, model);
  const chain = filter ? undefined : chainOf(event, tree, model);
  const fence = filter ? (plan: FencePlan, draft: Draft): boolean => fenceFilter(filter, plan, draft) : chain && ((plan: FencePlan, draft: Draft): boolean => fenceChain(chain, plan, draft));
  const target = event.target.replaceAll('`', '');
  const migration = chain && namesColumns(chain) ? alterTable(target, '') : (name: string): string => `${target} needs a number \`${camelCase(name)}\` that begins at 0: for SQL, a column ${name} BIGINT NOT NULL DEFAULT 0.`;
  return fence && { verb: 'update', fence, migration, ...(chain && namesColumns(chain) ? {} : { property: camelCase }) };
}

const alterTable = (table: string, dialect: string | undefined) => (name: string): string => `ALTER TABLE ${table} ADD ${dialect === 'mssql' ? '' : 'COLUMN '}${name} BIGINT NOT NULL DEFAULT 0`;

/** The number as the file declares the column: as a text or a bigint, where its type says so. */
function asDeclared(number: string, name: string, tree: Tree): string {
  for (const id of tree.identifiers(name)) {
    const parent = tree.parent(id);
    if ((parent?.type !== 'TSPropertySignature' && parent?.type !== 'PropertyDefinition') || parent.key !== id) continue;
    const type = parent.typeAnnotation?.typeAnnotation.type;
    if (type === 'TSStringKeyword') return `String(${/^Number\((.*)\)$/.exec(number)?.[1] ?? number})`;
    if (type === 'TSBigIntKeyword') return `BigInt(${/^Number\((.*)\)$/.exec(number)?.[1] ?? number})`;
  }
  return number;
}

/** Whether one grant may write the same more than once, so that an equal token is no refusal. */
export const isRepeatedWrite = (story: SectionStory, event: WriteEvent, node: Node, tree: Tree): boolean =>
  sameTarget(story.section, event).length > 0 || !story.section.items.some((it) => sameSite(it.at, event.call)) || isInLoop(node, story.section, tree);

/** Other writes of the same table in the section. */
function sameTarget({ items }: Section, write: WriteEvent): CallExpr[] {
  const found: CallExpr[] = [];
  for (const { event } of items) {
    if (event.kind !== 'write' || event.target !== write.target || sameSite(event.call, write.call)) continue;
    if (!found.some((it) => sameSite(it, event.call))) found.push(event.call);
  }
  return found;
}

const comparesStrictly = (text: string, column: string): boolean => {
  const at = text.indexOf(`${column} <`);
  return at >= 0 && text[at + column.length + 2] !== '=';
};

/** Whether one grant runs the write again and again: in a loop, or in a callback for each element. */
function isInLoop(node: Node, { at }: Section, tree: Tree): boolean {
  const acquire = at.func.module === tree.module ? tree.callAt(at.span) : undefined;
  for (const it of tree.upwards(node)) {
    if (acquire && tree.isWithin(acquire, it)) return false;
    if (isLoop(it)) return true;
    if (!isFunction(it)) continue;
    const call = tree.parent(it);
    if (call?.type === 'CallExpression' && call.callee.type === 'MemberExpression' && call.callee.property.type === 'Identifier' && eachMethods.has(call.callee.property.name)) return true;
  }
  return false;
}

function isCallInLoop({ func, span }: CallExpr, section: Section): boolean {
  const tree = treeOf(func.module);
  const node = tree.callAt(span);
  return node !== undefined && isInLoop(node, section, tree);
}

const eachMethods = new Set(['map', 'forEach', 'flatMap', 'filter', 'reduce', 'each']);
