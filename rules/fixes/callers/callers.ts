/**
 * Who calls a function, in its file or in all files of the project: every call, or nothing where one cannot be
 * known. A function that is handed on as a value, or described by an interface or a base class, has callers that
 * nobody can list.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Module } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { type FunctionNode, type Tree } from '../source/tree.ts';
import { funcAt } from '../source/values.ts';
import { callsOfExport, ownExportCalls } from './importing.ts';
import { callsOfMember } from './members.ts';
import { reachOf } from './reach.ts';

/** What the edits may know of the project's other files. */
export interface Importers {
  /** Every file of the project that may import `file`; undefined where that cannot be told, and where other projects may import it as well. */
  of(file: string): readonly string[] | undefined;
  /** Every file of the project whose text has a word; undefined where that cannot be told. */
  saying(word: string): readonly string[] | undefined;
  /** Every file of the project that imports `file` itself or by way of others; undefined where that cannot be told. */
  reaching(file: string): ReadonlySet<string> | undefined;
}

export interface Caller {
  module: Module;
  tree: Tree;
  call: TSESTree.CallExpression;
}

/** All calls of a function; undefined where some are not known. Without importers only what its own file keeps to itself is known. */
export function callersOf(func: FunctionNode, tree: Tree, model: Model, importers: Importers | undefined): Caller[] | undefined {
  const reach = reachOf(func, tree);
  const { module } = tree;
  if (!reach) return undefined;
  const found: Caller[] = reach.calls.map((call) => ({ module, tree, call }));
  for (const name of new Set(reach.exports)) {
    const own = ownExportCalls(name, tree);
    const others = importers && callsOfExport(module, name, model, importers);
    if (!own || !others) return undefined;
    found.push(...own.map((call) => ({ module, tree, call })), ...others);
  }
  const { member } = reach;
  if (member) {
    const own = funcAt(func, tree);
    const others = member.isOwn ? [] : modulesSaying(member.name, module, model, importers);
    const reaching = member.isOwn ? undefined : importers?.reaching(module.file);
    const calls = own && others && (member.isOwn || reaching) ? callsOfMember(own, member.name, [module, ...others], (it) => reaching?.has(it.file) ?? false, model) : undefined;
    if (!calls) return undefined;
    found.push(...calls);
  }
  return found.filter((it, i) => found.findIndex((other) => other.call === it.call) === i);
}

/** More files that say a name than this are too many to look into while somebody waits. */
const maxFiles = 50;

function modulesSaying(name: string, own: Module, model: Model, importers: Importers | undefined): Module[] | undefined {
  // What a package publishes may be called by whoever has it.
  const files = importers?.of(own.file) && importers.saying(name);
  if (!files || files.length > maxFiles) return undefined;
  const modules = files.filter((it) => it !== own.file).map((it) => model.project.module(it));
  return modules.every((it) => it !== undefined) ? modules : undefined;
}
