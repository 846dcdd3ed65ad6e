/**
 * Calls of a method, or of a function in an object, wherever its name is said: those that lead to it, and
 * nothing where one may do so without being known to.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { ClassDef, Func, Module } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { type Value, alternatives } from '../../../model/value.ts';
import { classAround } from '../source/paths.ts';
import { type Node, type Tree, treeOf } from '../source/tree.ts';
import { callOf } from '../source/values.ts';
import type { Caller } from './callers.ts';

/** All calls of `func` as the member `name` in these modules; undefined where some are not known. `canHave` says whether a module can have the object at all. */
export function callsOfMember(func: Func, name: string, modules: readonly Module[], canHave: (module: Module) => boolean, model: Model): Caller[] | undefined {
  const found: Caller[] = [];
  for (const module of modules) {
    const tree = treeOf(module);
    const mayHave = module === func.module || canHave(module);
    for (const use of mentionsOf(name, tree)) {
      const what = judge(use, func, mayHave, tree, model);
      if (what === 'unknown') return undefined;
      if (what !== 'other') found.push({ module, tree, call: what });
    }
  }
  return found;
}

/** Places where a member of that name is read, bound or described. */
function mentionsOf(name: string, tree: Tree): Node[] {
  const found: Node[] = [];
  for (const id of tree.identifiers(name)) {
    const parent = tree.parent(id);
    if (parent?.type === 'MemberExpression' && parent.property === id && !parent.computed) found.push(parent);
    else if (parent?.type === 'Property' && parent.key === id && tree.parent(parent)?.type === 'ObjectPattern') found.push(parent);
    else if ((parent?.type === 'TSMethodSignature' || parent?.type === 'TSPropertySignature' || parent?.type === 'TSAbstractMethodDefinition') && parent.key === id) found.push(parent);
  }
  // By a text, or by a name that only its class knows.
  if (tree.source.includes(`'${name}'`) || tree.source.includes(`"${name}"`) || tree.source.includes(`#${name}`)) {
    for (const it of tree.nodes) {
      if (it.type === 'MemberExpression' && ((it.computed && it.property.type === 'Literal' && it.property.value === name) || (it.property.type === 'PrivateIdentifier' && it.property.name === name))) found.push(it);
    }
  }
  return found;
}

function judge(use: Node, func: Func, mayHave: boolean, tree: Tree, model: Model): TSESTree.CallExpression | 'other' | 'unknown' {
  // Without the object nothing here can be about it; in JavaScript it may be handed in with nothing written about it.
  const otherwise = mayHave || !/\.[cm]?tsx?$/.test(tree.module.file) ? 'unknown' : 'other';
  if (use.type !== 'MemberExpression') return mayHave ? 'unknown' : 'other';
  const parent = tree.parent(use);
  const call = parent?.type === 'CallExpression' && parent.callee === use ? parent : undefined;
  const expr = call && callOf(call, tree);
  if (!call || !expr || expr.callee.kind !== 'member') return mayHave && !isElsewhere(use, func, tree, model) ? 'unknown' : 'other';
  const { entered } = model.interpreter.meaning(expr);
  if (entered.some((it) => it.callee.func === func)) return entered.length === 1 && !call.optional && !use.optional ? call : 'unknown';
  if (entered.length > 0 || model.calls.match(model.calls.site(expr)).some((it) => it.row.on !== 'any')) return 'other';
  return alternatives(model.evaluator.value(expr.callee.object)).every((it) => isOther(it, func, model)) ? 'other' : otherwise;
}

/** Whether a receiver is surely nothing that has the function. */
function isOther(value: Value, func: Func, model: Model): boolean {
  switch (value.kind) {
    case 'const':
    case 'text':
    case 'array':
    case 'export':
    case 'global':
    case 'typed':
    case 'fresh':
    case 'class':
    case 'namespace':
    case 'object':
    case 'func':
      return true;
    default: {
      const found = model.identities.of(value);
      if (found?.type !== undefined || found?.builtin !== undefined) return true;
      return found?.def !== undefined && !(func.owner && isRelated(found.def, func.owner, model));
    }
  }
}

/** A member of `this` in another class, which has nothing to do with the function's own. */
function isElsewhere(use: TSESTree.MemberExpression, { owner }: Func, tree: Tree, model: Model): boolean {
  const cls = use.object.type === 'ThisExpression' ? classAround(use, tree) : undefined;
  const def = cls && tree.module.classes.find((it) => it.span.start === cls.range[0] && it.span.end === cls.range[1]);
  return def !== undefined && owner !== undefined && !isRelated(def, owner, model);
}

const isRelated = (a: ClassDef, b: ClassDef, { evaluator }: Model): boolean => evaluator.lineage(a).includes(b) || evaluator.lineage(b).includes(a);
