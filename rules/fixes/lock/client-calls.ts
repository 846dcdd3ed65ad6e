/** Calls of a lock's client in its own shape, as the catalog says that they are written. */
import type { TSESTree } from '@typescript-eslint/types';
import type { CallForm, CommandForm, Library, ScriptForm, TypeId } from '../../../catalog/schema.ts';
import type { Matched } from '../../../model/calls.ts';
import type { CallExpr } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { isMaker, nameOfExport } from '../source/imports.ts';
import { assignmentsToProperty, classAround } from '../source/paths.ts';
import { resolve } from '../source/scopes.ts';
import { type Node, type Tree, isFunction, unwrap } from '../source/tree.ts';

/** What is known of the client by the call that is replaced, or by the acquire where its type is not known. */
export interface Client {
  matched: Matched;
  library: Library;
  on: TypeId;
  /** The acquire of the same receiver. */
  acquire: CallExpr | undefined;
}

/** The row that a call matched, when a library of known clients has it. */
export function matchedRow(call: CallExpr, model: Model): Matched | undefined {
  return model.calls.match(model.calls.site(call))[0];
}

/** The client on which a call is made. */
export function clientOf(call: CallExpr, acquire: CallExpr | undefined, model: Model): Client | undefined {
  const own = matchedRow(call, model);
  if (!own) return undefined;
  if (own.row.on !== 'any') return { matched: own, library: own.library, on: own.row.on, acquire };
  const other = acquire && matchedRow(acquire, model);
  // By its shape alone a call says nothing of its client; the acquire may.
  return other && { matched: own, library: other.library, on: other.row.on, acquire };
}

/** The form of a call that this client takes in the place of `instead`. */
export function formFor<F extends CallForm>(forms: readonly F[] | undefined, client: Client, instead: string, model: Model): F | undefined {
  return forms?.find((form) => {
    if (![form.on].flat().includes(client.on)) return false;
    if (form.instead && !form.instead.includes(instead)) return false;
    const of = form.when && client.acquire ? model.calls.site(client.acquire) : client.matched.site;
    if (form.when && !client.acquire) return false;
    return model.calls.fitting({ row: { on: form.on as TypeId, name: form.method, versions: form.versions, when: form.when, does: [] }, library: client.library }, of) !== undefined;
  });
}

export const scriptForm = (client: Client, instead: string, model: Model): ScriptForm | undefined => formFor(client.library.edits?.scripts, client, instead, model);

export const commandForm = (client: Client, command: CommandForm['command'], instead: string, model: Model): CommandForm | undefined =>
  formFor(client.library.edits?.commands?.filter((it) => it.command === command), client, instead, model);

/** A form with its slots filled, as `method(arguments)`. A callback that ends the old call ends the new one. */
export function writeCall(form: CallForm, slots: Record<string, string>, old: TSESTree.CallExpression, draft: Draft): string {
  const { style, tree } = draft;
  const template = form.arguments.replaceAll("'", style.quote);
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole);
  const last = old.arguments[old.arguments.length - 1];
  const callback = last && isFunction(last) ? `, ${tree.text(last)}` : '';
  return `${form.method}(${filled}${callback})`;
}

/** Puts a call of the same receiver in the place of another one. */
export function replaceCall(old: TSESTree.CallExpression, text: string, draft: Draft): boolean {
  const callee = unwrap(old.callee);
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  draft.replace({ start: callee.property.range[0], end: old.range[1] }, text);
  return true;
}

/** The receiver of a method call, as it is written. */
export function methodOf(call: TSESTree.CallExpression): { receiver: Node; name: string } | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return { receiver: callee.object, name: callee.property.name };
}

/** An expression as a client takes it: as it is, or turned into text where it is not text already. */
export function asValue(node: Node | undefined, text: string, form: CallForm, draft: Draft, model: Model): string {
  return form.isText && node && !isText(node, draft.tree, model) ? `String(${text})` : text;
}

/** Whether an expression is surely a text. */
export function isText(node: Node, tree: Tree, model: Model): boolean {
  const it = unwrap(node);
  switch (it.type) {
    case 'Literal':
      return typeof it.value === 'string';
    case 'TemplateLiteral':
      return true;
    case 'BinaryExpression':
      return it.operator === '+' && (isText(it.left, tree, model) || isText(it.right, tree, model));
    case 'CallExpression': {
      const callee = unwrap(it.callee);
      if (callee.type === 'Identifier' && callee.name === 'String') return true;
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && textMethods.has(callee.property.name)) return true;
      return isMaker(it, ownerMakers(model), tree);
    }
    case 'Identifier': {
      const binding = resolve(it.name, it, tree);
      if (!binding) return false;
      if (binding.id.typeAnnotation) return binding.id.typeAnnotation.typeAnnotation.type === 'TSStringKeyword';
      return binding.kind === 'const' && binding.declaration.type === 'VariableDeclarator' && binding.declaration.id === binding.id && binding.declaration.init !== null && isText(binding.declaration.init, tree, model);
    }
    case 'MemberExpression':
      return it.object.type === 'ThisExpression' && it.property.type === 'Identifier' && isTextProperty(it.property.name, it, tree, model);
    default:
      return false;
  }
}

/** A property of the class that is declared as a text, or gets one where it is declared and never another value. */
function isTextProperty(name: string, at: Node, tree: Tree, model: Model): boolean {
  const cls = classAround(at, tree);
  const members = cls?.type === 'ClassDeclaration' || cls?.type === 'ClassExpression' ? cls.body.body : [];
  const found = members.find((it): it is TSESTree.PropertyDefinition => it.type === 'PropertyDefinition' && it.key.type === 'Identifier' && it.key.name === name);
  if (found?.typeAnnotation) return found.typeAnnotation.typeAnnotation.type === 'TSStringKeyword';
  return found?.value !== undefined && found.value !== null && isText(found.value, tree, model) && (found.readonly || assignmentsToProperty(name, tree).length === 0);
}

/** Methods that answer a text, whatever they are of. */
const textMethods = new Set(['toString', 'join', 'toISOString', 'stringify', 'padStart', 'toLowerCase']);

/** Every export that is known to make an owner value. */
export const ownerMakers = (model: Model): readonly { from: string; name: string }[] => model.project.catalog.libraries.flatMap((it) => it.edits?.makers ?? []);

/** A script's text as a value of the module: the text itself, or what the client makes of it. */
export function preparedScript(form: ScriptForm, text: string, draft: Draft): string | undefined {
  if (!form.prepared) return text;
  const name = nameOfExport(form.prepared.from, form.prepared.name, draft);
  return name && form.prepared.text.replace(form.prepared.name, name).replace('{text}', text);
}

