/**
 * Who calls a function of a module, in all files of the project: every call, or nothing where one cannot be
 * known. A function that is handed on as a value, re-exported, or imported in a way that its name does not
 * tell has callers that nobody can list.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Module } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { type Binding, referencesTo, resolve } from '../source/scopes.ts';
import { type FunctionNode, type Node, type Tree, treeOf } from '../source/tree.ts';

/** What the edits may know of the project's other files. */
export interface Importers {
  /** Every file of the project that may import `file`; undefined where that cannot be told, and where other projects may import it as well. */
  of(file: string): readonly string[] | undefined;
}

export interface Calls {
  module: Module;
  tree: Tree;
  calls: TSESTree.CallExpression[];
}

/** All calls of an exported function, by module, those of its own module included; undefined where some are not known. */
export function callsOf(func: FunctionNode, tree: Tree, model: Model, importers: Importers): Calls[] | undefined {
  const own = bindingOf(func, tree);
  if (!own || !isExported(own, tree)) return undefined;
  const files = importers.of(tree.module.file);
  const found: Calls[] = [];
  const add = (module: Module, bindings: readonly Binding[], isOwn: boolean): boolean => {
    const calls: TSESTree.CallExpression[] = [];
    const at = treeOf(module);
    for (const it of bindings.flatMap((binding) => referencesTo(binding, at))) {
      const parent = at.parent(it);
      if (isOwn && parent?.type === 'ExportSpecifier') continue;
      if (parent?.type !== 'CallExpression' || parent.callee !== it || parent.optional) return false;
      calls.push(parent);
    }
    if (calls.length > 0) found.push({ module, tree: at, calls });
    return true;
  };
  if (!files || !add(tree.module, [own], true)) return undefined;
  for (const file of files) {
    if (file === tree.module.file) continue;
    const module = model.project.module(file);
    const bindings = module && importedAs(own.name, module, tree.module, model);
    if (!module || !bindings || !add(module, bindings, false)) return undefined;
  }
  return found;
}

/** The names by which `module` has the export `name` of `from`; undefined where it may have it in another way. */
function importedAs(name: string, module: Module, from: Module, model: Model): Binding[] | undefined {
  const leads = (specifier: string): boolean => model.project.imported(module, specifier)?.file === from.file;
  const tree = treeOf(module);
  const bindings: Binding[] = [];
  let declared = 0;
  for (const statement of tree.program.body) {
    if (statement.type === 'ExportAllDeclaration' && leads(statement.source.value)) return undefined;
    if (statement.type === 'ExportNamedDeclaration' && statement.source && leads(statement.source.value)) {
      declared++;
      if (statement.specifiers.some((it) => nameOf(it.local) === name)) return undefined;
    }
    if (statement.type !== 'ImportDeclaration' || !leads(statement.source.value)) continue;
    declared++;
    for (const it of statement.specifiers) {
      if (it.type !== 'ImportSpecifier') return undefined;
      if (nameOf(it.imported) !== name || it.importKind === 'type') continue;
      const binding = resolve(it.local.name, it.local, tree);
      if (!binding || isHandedOut(binding, tree)) return undefined;
      bindings.push(binding);
    }
  }
  // Required, or imported while it runs: by which name is not said in one place.
  return declared < module.specifiers.filter(leads).length ? undefined : bindings;
}

const nameOf = (node: TSESTree.Identifier | TSESTree.StringLiteral): string => (node.type === 'Identifier' ? node.name : node.value);
const isHandedOut = (binding: Binding, tree: Tree): boolean => tree.identifiers(binding.name).some((it) => tree.parent(it)?.type === 'ExportSpecifier');

/** The name of a function that is declared at the top of its module and never given another value. */
function bindingOf(func: FunctionNode, tree: Tree): Binding | undefined {
  const parent = tree.parent(func);
  const id = func.type === 'FunctionDeclaration' ? func.id : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' && !parent.id.typeAnnotation ? parent.id : undefined;
  const binding = id ? resolve(id.name, id, tree) : undefined;
  return binding && binding.scope === tree.program && binding.kind !== 'let' ? binding : undefined;
}

/** By its own name, and by no other. */
function isExported(binding: Binding, tree: Tree): boolean {
  for (const it of tree.upwards(binding.declaration)) {
    if (it.type === 'ExportDefaultDeclaration') return false;
    if (it.type === 'ExportNamedDeclaration') return !isHandedOut(binding, tree);
  }
  const specifiers = tree.identifiers(binding.name).flatMap((it) => {
    const parent = tree.parent(it);
    return parent?.type === 'ExportSpecifier' && parent.local === (it as Node) ? [parent] : [];
  });
  return specifiers.length === 1 && nameOf(specifiers[0]!.exported) === binding.name;
}
