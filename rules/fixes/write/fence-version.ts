/**
 * A fence by the version that was read in the critical section: it becomes a precondition of the
 * write. What another holder has written since has another version, and the write is refused.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Read, VersionForm, Write } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import { documentKey } from '../../../model/documents.ts';
import type { WriteEvent } from '../../../model/events.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Section } from '../../../model/sections.ts';
import type { Model, UnfencedWrite } from '../../../model/story.ts';
import { type Value, sameSite, sameValue } from '../../../model/value.ts';
import { matchedRow } from '../lock/client-calls.ts';
import type { Draft } from '../source/draft.ts';
import { type Node, type Tree, isBlock, isLoop, unwrap } from '../source/tree.ts';
import { addProperty, property } from './parameters.ts';

export interface WrittenVersion {
  form: VersionForm;
  call: TSESTree.CallExpression | TSESTree.NewExpression;
  /** What the answer of the read is called. */
  answer: TSESTree.VariableDeclarator;
}

interface Place {
  section: Section;
  tree: Tree;
  model: Model;
}

/** The write with the read that tells its version; undefined where none was read in the section, or something else comes between. */
export function versionOf({ event }: UnfencedWrite, place: Place): WrittenVersion | undefined {
  const { section, tree, model } = place;
  const { call } = event;
  const node = call.func.module === tree.module ? tree.callAt(call.span) : undefined;
  const matched = matchedRow(call, model);
  if (!node || node.type === 'TaggedTemplateExpression' || !matched) return undefined;
  const form = matched.library.edits?.versions?.find((it) => it.on === matched.row.on && it.name.includes(nameOf(node)));
  const target = form && thingOf(matched, model);
  if (!form || !target) return undefined;
  const same = callsBefore(call).filter((it) => isOf(target, it, model));
  const reads = same.filter((it) => effectOf(matchedRow(it, model))?.kind === 'read');
  const [read] = reads;
  // What was read before the version may be older than it; a write in between changes it.
  const taking = read && tree.callAt(read.span);
  if (!taking || reads.length < same.length || !form.reads.includes(nameOf(taking)) || !isInSection(read, section)) return undefined;
  if (section.items.some(({ event: other }) => other.kind === 'write' && mayBeSame(other, event))) return undefined;
  const answer = declaratorOf(taking, tree);
  return answer && isWrittenOnce(node, answer, tree) ? { form, call: node, answer } : undefined;
}

/** Another write that may be of the same thing: its name is not known to be another one. */
function mayBeSame(other: WriteEvent, { call, target, row }: WriteEvent): boolean {
  if (other.target !== target || sameSite(other.call, call)) return false;
  const [a, b] = [other.row?.by, row?.by];
  return a?.kind !== 'const' || b?.kind !== 'const' || a.value === b.value;
}

function nameOf(call: Node): string {
  const it = call.type === 'CallExpression' || call.type === 'NewExpression' ? unwrap(call.callee) : undefined;
  return it?.type === 'Identifier' ? it.name : it?.type === 'MemberExpression' && it.property.type === 'Identifier' ? it.property.name : '';
}

/** The calls of the same function that stand before this one, in their order. */
function callsBefore(call: CallExpr): CallExpr[] {
  const found: CallExpr[] = [];
  for (const { op } of call.func.graph().steps) {
    if (op.kind === 'call' && op.call.span.end <= call.span.start && !found.some((it) => sameSite(it, op.call))) found.push(op.call);
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

const effectOf = (matched: Matched | undefined): Read | Write | undefined => matched?.effects.find((it): it is Read | Write => it.kind === 'read' || it.kind === 'write');

/** What a call reads or writes: where it is kept, and under which name. */
function thingOf(matched: Matched, model: Model): (Value | undefined)[] | undefined {
  const effect = effectOf(matched);
  const { target } = effect ?? {};
  if (!effect || !target || 'property' in target) return undefined;
  if ('receiver' in target) return matched.site.receiver && [documentKey(matched.site.receiver)];
  return [target, effect.filter].map((path) => path && model.calls.at(path, matched.site, matched.row));
}

function isOf(thing: readonly (Value | undefined)[], call: CallExpr, model: Model): boolean {
  const matched = matchedRow(call, model);
  const other = matched && thingOf(matched, model);
  return other?.length === thing.length && other.every((it, i) => it !== undefined && thing[i] !== undefined && sameValue(it, thing[i]));
}

/** A function that the section calls is in it as a whole. */
function isInSection(read: CallExpr, { frame, flow, form }: Section): boolean {
  if (read.func !== frame) return true;
  if (form !== 'pair' || !flow) return false;
  return [...flow.states].some(([step, states]) => step.op.kind === 'call' && sameSite(step.op.call, read) && states.size === 1 && states.has('held'));
}

/** The constant that is made of the awaited answer. */
function declaratorOf(call: Node, tree: Tree): TSESTree.VariableDeclarator | undefined {
  const carrier = tree.parent(call);
  const sent = call.type === 'NewExpression' ? carrier : call;
  const awaited = sent && tree.parent(sent);
  const declarator = awaited && tree.parent(awaited);
  const declaration = declarator && tree.parent(declarator);
  return awaited?.type === 'AwaitExpression' && declarator?.type === 'VariableDeclarator' && declarator.init === awaited && declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declarator : undefined;
}

/** The constant is in sight at the write, and no loop in between writes again. */
function isWrittenOnce(write: Node, answer: Node, tree: Tree): boolean {
  const block = tree.parent(tree.parent(answer)!);
  for (const it of tree.upwards(write)) {
    if (it === block) return isBlock(it);
    if (isLoop(it)) return false;
  }
  return false;
}

/** Writes the precondition; false where the options or the answer are not written in a way that has room for it. */
export function fenceByVersion({ form, call, answer }: WrittenVersion, draft: Draft): boolean {
  const version = versionIn(answer.id, form.version, draft);
  return version !== undefined && addOption(call, form.options, form.at, version, draft);
}

/** How the version is written, by the names that the answer was given. */
function versionIn(id: Node, path: readonly string[], draft: Draft): string | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return id.type === 'Identifier' ? id.name : undefined;
  if (id.type === 'Identifier') return id.name + path.map((it) => (/^\d+$/.test(it) ? `[${it}]` : `.${it}`)).join('');
  if (id.type === 'ArrayPattern') {
    const element = id.elements[Number(first)];
    return element ? versionIn(element, rest, draft) : undefined;
  }
  if (id.type !== 'ObjectPattern' || rest.length > 0) return undefined;
  const known = id.properties.find((it) => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === first);
  if (known) return known.type === 'Property' && known.value.type === 'Identifier' ? known.value.name : undefined;
  const last = id.properties[id.properties.length - 1];
  if (last?.type !== 'Property') return undefined;
  const name = draft.freeName(draft.tree.functionOf(id) ?? draft.tree.program, first, 'version');
  draft.insert(last.range[1], `, ${property(first, name)}`);
  return name;
}

function addOption(call: TSESTree.CallExpression | TSESTree.NewExpression, index: number, path: readonly string[], value: string, draft: Draft): boolean {
  const given = call.arguments[index];
  const nested = (names: readonly string[]): string => names.reduceRight((inner, name, i) => (i === names.length - 1 ? property(name, value) : `${name}: { ${inner} }`), '');
  if (!given) {
    const last = call.arguments[call.arguments.length - 1];
    if (call.arguments.length !== index || !last || call.arguments.some((it) => it.type === 'SpreadElement')) return false;
    draft.insert(last.range[1], `, { ${nested(path)} }`);
    return true;
  }
  let at = unwrap(given);
  for (let depth = 0; ; depth++) {
    if (at.type !== 'ObjectExpression' || at.properties.some((it) => it.type === 'SpreadElement')) return false;
    const found: TSESTree.ObjectLiteralElement | undefined = at.properties.find((it) => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === path[depth]);
    if (!found) return addProperty(at, nested(path.slice(depth)), draft);
    if (found.type !== 'Property' || depth === path.length - 1) return false;
    at = unwrap(found.value);
  }
}
