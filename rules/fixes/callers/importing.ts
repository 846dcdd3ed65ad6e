/** Calls of an export in the files that import it, by whatever name they have it and through whatever hands it on. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Module } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { type Binding, referencesTo, resolve } from '../source/scopes.ts';
import { type Node, type Tree, treeOf } from '../source/tree.ts';
import type { Caller, Importers } from './callers.ts';
import { isWhole, nameOf } from './reach.ts';

interface Exported {
  from: Module;
  /** `=` for the whole of a CommonJS module. */
  name: string;
}

/** The calls in one module, and the exports by which it hands the function on. */
interface Uses {
  calls: TSESTree.CallExpression[];
  again: Exported[];
}

/** All calls of an export in other files; undefined where some are not known. */
export function callsOfExport(from: Module, name: string, model: Model, importers: Importers): Caller[] | undefined {
  const found: Caller[] = [];
  const open: Exported[] = [{ from, name }];
  for (const it of open) {
    const files = importers.of(it.from.file);
    if (!files || open.length > 20) return undefined;
    for (const file of files) {
      if (file === it.from.file) continue;
      const module = model.project.module(file);
      const uses = module && usesIn(module, it, model);
      if (!module || !uses) return undefined;
      found.push(...uses.calls.map((call) => ({ module, tree: treeOf(module), call })));
      open.push(...uses.again.filter((each) => !open.some((known) => known.from === each.from && known.name === each.name)));
    }
  }
  return found;
}

function usesIn(module: Module, { from, name }: Exported, model: Model): Uses | undefined {
  const leads = (specifier: string): boolean => model.project.imported(module, specifier)?.file === from.file;
  const tree = treeOf(module);
  const uses: Uses = { calls: [], again: [] };
  const seen = new Set<string>();
  const isOnlyWhole = from.whole !== undefined;
  const take = (binding: Binding | undefined, isWholeModule: boolean): boolean => binding !== undefined && (isWholeModule ? ofModule(binding, name, module, tree, uses) : ofFunction(binding, module, tree, uses));
  for (const statement of tree.program.body) {
    if (statement.type === 'ExportAllDeclaration' && leads(statement.source.value)) {
      seen.add(statement.source.value);
      if (statement.exported || name === '=') return undefined;
      if (name !== 'default') uses.again.push({ from: module, name });
    }
    if (statement.type === 'ExportNamedDeclaration' && statement.source && leads(statement.source.value)) {
      seen.add(statement.source.value);
      for (const it of statement.specifiers) if (nameOf(it.local) === name || (name === '=' && nameOf(it.local) === 'default')) uses.again.push({ from: module, name: nameOf(it.exported) });
    }
    if (statement.type === 'TSImportEqualsDeclaration' && statement.moduleReference.type === 'TSExternalModuleReference' && statement.moduleReference.expression.type === 'Literal' && leads(String(statement.moduleReference.expression.value))) {
      seen.add(String(statement.moduleReference.expression.value));
      if (!take(resolve(statement.id.name, statement.id, tree), name !== '=')) return undefined;
    }
    if (statement.type !== 'ImportDeclaration' || !leads(statement.source.value)) continue;
    seen.add(statement.source.value);
    for (const it of statement.specifiers) {
      if (statement.importKind === 'type' || (it.type === 'ImportSpecifier' && it.importKind === 'type')) continue;
      const binding = resolve(it.local.name, it.local, tree);
      const imported = it.type === 'ImportSpecifier' ? nameOf(it.imported) : it.type === 'ImportDefaultSpecifier' ? 'default' : '*';
      if (imported === '*' ? !take(binding, true) : imported === name || (imported === 'default' && name === '=') ? !take(binding, false) : imported === 'default' && isOnlyWhole && !take(binding, true)) return undefined;
    }
  }
  for (const it of tree.identifiers('require')) {
    const call = tree.parent(it);
    const [first] = call?.type === 'CallExpression' && call.callee === it ? call.arguments : [];
    if (first?.type !== 'Literal' || typeof first.value !== 'string' || !leads(first.value)) continue;
    seen.add(first.value);
    if (!required(call as TSESTree.CallExpression, name, tree, take, uses)) return undefined;
  }
  // Imported while it runs, or in a way that is not known: by which name is not said in one place.
  if (module.specifiers.some((it) => !seen.has(it) && leads(it))) return undefined;
  return tree.nodes.some((it) => it.type === 'ImportExpression' && it.source.type === 'Literal' && leads(String(it.source.value))) ? undefined : uses;
}

/** `const { name } = require(…)`, `const module = require(…)`, `require(…).name(…)`. */
function required(call: TSESTree.CallExpression, name: string, tree: Tree, take: (binding: Binding | undefined, isWholeModule: boolean) => boolean, uses: Uses): boolean {
  const parent = tree.parent(call);
  if (parent?.type === 'ExpressionStatement') return true;
  if (parent?.type === 'MemberExpression' && parent.object === call) return ofProperty(parent, name, tree, uses);
  if (parent?.type !== 'VariableDeclarator' || parent.init !== call) return false;
  return parent.id.type === 'Identifier' ? take(resolve(parent.id.name, parent.id, tree), name !== '=') : parent.id.type === 'ObjectPattern' && fromPattern(parent.id, name, tree, take);
}

function fromPattern(pattern: TSESTree.ObjectPattern, name: string, tree: Tree, take: (binding: Binding | undefined, isWholeModule: boolean) => boolean): boolean {
  return pattern.properties.every((it) => {
    if (it.type !== 'Property' || it.computed || it.key.type !== 'Identifier') return false;
    return it.key.name !== name || (it.value.type === 'Identifier' && take(resolve(it.value.name, it.value, tree), false));
  });
}

/** What is done with a name that stands for the function. */
function ofFunction(binding: Binding, module: Module, tree: Tree, uses: Uses): boolean {
  if (binding.kind === 'let') return false;
  return referencesTo(binding, tree).every((it) => {
    const parent = tree.parent(it);
    if (parent?.type === 'CallExpression' && parent.callee === it && !parent.optional) uses.calls.push(parent);
    else if (parent?.type === 'ExportSpecifier') uses.again.push({ from: module, name: nameOf(parent.exported) });
    else if (parent?.type === 'ExportDefaultDeclaration') uses.again.push({ from: module, name: 'default' });
    else return false;
    return true;
  });
}

/** What is done with a name that stands for the module that has it. */
function ofModule(binding: Binding, name: string, module: Module, tree: Tree, uses: Uses): boolean {
  return referencesTo(binding, tree).every((it) => {
    const parent = tree.parent(it);
    if (parent?.type === 'VariableDeclarator' && parent.init === it && parent.id.type === 'ObjectPattern') return fromPattern(parent.id, name, tree, (inner) => inner !== undefined && ofFunction(inner, module, tree, uses));
    return parent?.type === 'MemberExpression' && parent.object === it && ofProperty(parent, name, tree, uses);
  });
}

/** `module.name`: another name does not matter; this one must be called. */
function ofProperty(member: TSESTree.MemberExpression, name: string, tree: Tree, uses: Uses): boolean {
  if (member.computed || member.property.type !== 'Identifier') return false;
  if (member.property.name !== name) return true;
  const call = tree.parent(member);
  if (call?.type !== 'CallExpression' || call.callee !== member || call.optional || member.optional) return false;
  uses.calls.push(call);
  return true;
}

/** Calls of a CommonJS export in its own file, by the name of the export: `exports.name(…)`. */
export function ownExportCalls(name: string, tree: Tree): TSESTree.CallExpression[] | undefined {
  const found: Uses = { calls: [], again: [] };
  for (const id of tree.identifiers(name)) {
    const member = tree.parent(id);
    if (member?.type !== 'MemberExpression' || member.property !== (id as Node) || !(isWhole(member.object) || (member.object.type === 'Identifier' && member.object.name === 'exports'))) continue;
    const parent = tree.parent(member);
    if (parent?.type === 'AssignmentExpression' && parent.left === member) continue;
    if (!ofProperty(member, name, tree, found)) return undefined;
  }
  return found.calls;
}
