/** What the names in sight stand for: from a binding of the tree to the model's value. */
import type { CallExpr, Func, Module, Variable } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import { type Value, alternatives } from '../../../model/value.ts';
import { type Binding, inSight } from './scopes.ts';
import type { Node, Tree } from './tree.ts';

const variables = new WeakMap<Module, Map<number, Variable>>();

/** The model's variables of a module, by where they are declared. */
function variablesOf(module: Module): Map<number, Variable> {
  let found = variables.get(module);
  if (found) return found;
  variables.set(module, (found = new Map()));
  for (const func of module.functions) {
    for (const param of func.params) if (param.variable) found.set(param.variable.span.start, param.variable);
    for (const step of func.graph().steps) {
      if (step.op.kind === 'assign' && step.op.target.kind === 'variable') found.set(step.op.target.variable.span.start, step.op.target.variable);
    }
  }
  return found;
}

export function variableOf(binding: Binding, tree: Tree): Variable | undefined {
  const { module } = tree;
  if (binding.kind !== 'import') return variablesOf(module).get(binding.id.range[0]);
  const it = binding.declaration;
  const parent = tree.parent(it);
  if (parent?.type !== 'ImportDeclaration') return undefined;
  const name = it.type === 'ImportSpecifier' ? (it.imported.type === 'Identifier' ? it.imported.name : it.imported.value) : it.type === 'ImportDefaultSpecifier' ? 'default' : '*';
  return { name: binding.name, kind: 'import', module, span: { start: binding.id.range[0], end: binding.id.range[1] }, values: [], import: { specifier: parent.source.value, name } };
}

export function valueOf(binding: Binding, model: Model, tree: Tree): Value | undefined {
  const variable = variableOf(binding, tree);
  return variable && model.evaluator.variable(variable);
}

/** A name in sight, or a property of one, whose value passes the test: how it is written. */
export interface Sighted {
  text: string;
  binding: Binding;
  /** The name may also stand for nothing. */
  mayBeNothing: boolean;
}

/** How a value is written at a node: by a name, or by a property of what a name stands for. The nearest name first. */
export function sightings(at: Node, tree: Tree, model: Model, test: (value: Value) => boolean, seen: (binding: Binding) => Value | undefined = () => undefined): Sighted[] {
  const direct: Sighted[] = [];
  const inner: Sighted[] = [];
  for (const binding of inSight(at, tree)) {
    if (binding.kind === 'import' || binding.kind === 'function' || binding.kind === 'class') continue;
    const value = seen(binding) ?? valueOf(binding, model, tree);
    if (!value) continue;
    const all = alternatives(value);
    const mayBeNothing = all.some((it) => it.kind === 'const' && !it.value);
    if (all.some(test)) direct.push({ text: binding.name, binding, mayBeNothing });
    for (const it of all) {
      if (it.kind !== 'object') continue;
      for (const [name, each] of it.props) {
        if (/^[\w$]+$/.test(name) && alternatives(each).some(test)) inner.push({ text: `${binding.name}.${name}`, binding, mayBeNothing });
      }
    }
  }
  return [...direct, ...inner];
}

/** The function of the model that a node of the tree stands for. */
export function funcAt(node: Node, tree: Tree): Func | undefined {
  const parent = tree.parent(node);
  // A method of a class begins with its name.
  const [start, end] = parent?.type === 'MethodDefinition' && parent.value === node ? parent.range : node.range;
  return tree.module.functions.find((it) => it.span.start === start && it.span.end === end);
}

const calls = new WeakMap<Module, Map<string, CallExpr>>();

/** The call of the model that a call of the tree stands for; undefined where no way leads to it. */
export function callOf(node: Node, { module }: Tree): CallExpr | undefined {
  let found = calls.get(module);
  if (!found) {
    calls.set(module, (found = new Map()));
    for (const func of module.functions) for (const { op } of func.graph().steps) if (op.kind === 'call') found.set(`${op.call.span.start}:${op.call.span.end}`, op.call);
  }
  return found.get(`${node.range[0]}:${node.range[1]}`);
}
