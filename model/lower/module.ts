/** A parsed file → `Module`: its functions and classes, what it imports and exports. The only entry to this room. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Program } from '../host.ts';
import type { ClassDef, Expr, Field, Func, Graph, Module, TypeRef, Variable } from '../ir.ts';
import { lineAndColumn, lineStarts, type Span } from '../place.ts';
import { ExportLowering } from './exports.ts';
import { keyName, lowerExpression } from './expressions.ts';
import { FunctionLowering, type FunctionNode, record } from './functions.ts';
import { Scope, spanOf } from './scope.ts';
import { lowerMembers } from './types.ts';

type Node = TSESTree.Node;

/** Lowers a whole file. Never throws for syntax that it does not know: that is listed in `unknown`. */
export function lowerModule(file: string, text: string, program: Program): Module {
  return new ModuleLowering(file, text, program as unknown as TSESTree.Program).module;
}

export class ModuleLowering {
  readonly module: Module;
  readonly exports: ExportLowering;
  readonly scopes = new WeakMap<Node, Scope>();
  private readonly functions = new WeakMap<Node, Func>();
  private readonly classes = new WeakMap<Node, ClassDef>();
  private readonly globals = new Map<string, Variable>();
  private readonly prototypes = new Map<Variable, ClassDef>();

  constructor(file: string, text: string, program: TSESTree.Program) {
    const starts = lineStarts(text);
    const body = makeFunc('module', undefined as unknown as Module, { start: 0, end: text.length });
    const module: Module = {
      file, text, program: program as unknown as Program, starts, body, exports: new Map(), stars: [], specifiers: [], functions: [body], classes: [], types: new Map(), objects: new Map(), unknown: [],
      comments: (program.comments ?? []).map((it) => ({ text: it.value, span: { start: it.range[0], end: it.range[1] }, line: lineAndColumn(starts, it.range[0]).line })),
    };
    body.module = module;
    this.module = module;
    this.exports = new ExportLowering(this);
    const f = new FunctionLowering(this, body, new Scope(undefined, body, true), body);
    setGraph(body, f.runStatements(program.body, body.span));
    this.exports.bindNames(f);
  }

  global(name: string, node: Node): Variable {
    let found = this.globals.get(name);
    if (!found) this.globals.set(name, (found = { name, kind: 'global', module: this.module, span: spanOf(node), values: [] }));
    return found;
  }

  specifier(name: string): void {
    if (!this.module.specifiers.includes(name)) this.module.specifiers.push(name);
  }

  unknown(span: Span, why: string): void {
    this.module.unknown.push({ span, why });
  }

  function(node: FunctionNode, outer: FunctionLowering): Func {
    const known = this.functions.get(node);
    if (known) return known;
    const isArrow = node.type === 'ArrowFunctionExpression';
    const func = makeFunc(isArrow ? 'arrow' : 'function', this.module, spanOf(node));
    this.functions.set(node, func);
    func.name = node.id?.name ?? '';
    if (node.id) func.nameSpan = spanOf(node.id);
    func.isAsync = node.async;
    func.isGenerator = node.generator;
    func.parent = outer.func;
    this.lowerInto(func, node, outer, isArrow ? outer.thisFunc : func);
    return func;
  }

  private lowerInto(func: Func, node: FunctionNode, outer: FunctionLowering, thisFunc: Func): void {
    this.module.functions.push(func);
    const f = new FunctionLowering(this, func, new Scope(outer.scope, func, true), thisFunc);
    if (node.type === 'FunctionExpression' && node.id) f.scope.declare(node.id.name, 'function', node.id).values.push({ kind: 'function', func, span: func.span });
    if (node.returnType) func.returnType = f.type(node.returnType.typeAnnotation);
    setGraph(func, f.run(node));
  }

  class(node: TSESTree.ClassDeclaration | TSESTree.ClassExpression, outer: FunctionLowering): ClassDef {
    const known = this.classes.get(node);
    if (known) return known;
    const def: ClassDef = {
      name: node.id?.name ?? '', module: this.module, implements: [], methods: new Map(), statics: new Map(), getters: new Map(), fields: new Map(),
      base: node.superClass ? lowerExpression(node.superClass, outer) : undefined,
      decorators: (node.decorators ?? []).map((it) => lowerExpression(it.expression, outer)),
      span: spanOf(node),
    };
    this.classes.set(node, def);
    this.module.classes.push(def);
    if (node.id && node.type === 'ClassDeclaration') {
      const variable = outer.find(node.id.name, node.id);
      if (!variable.values.length) variable.values.push({ kind: 'class', def, span: spanOf(node) });
    }
    for (const it of node.implements ?? []) {
      if (it.expression.type === 'Identifier') def.implements.push({ kind: 'name', name: it.expression.name, variable: outer.scope.find(it.expression.name), path: [], args: [] });
    }
    // Initialisers see the instance as methods do; their own steps are in no function that is looked at.
    const initFunc = makeFunc('method', this.module, spanOf(node));
    initFunc.owner = def;
    const init = new FunctionLowering(this, initFunc, new Scope(outer.scope, initFunc, true), initFunc);
    const bodies: (() => void)[] = [];
    for (const it of node.body.body) this.member(it, def, init, outer, bodies);
    for (const lowerBody of bodies) lowerBody();
    return def;
  }

  private member(node: TSESTree.ClassElement, def: ClassDef, init: FunctionLowering, outer: FunctionLowering, bodies: (() => void)[]): void {
    if (node.type === 'StaticBlock') {
      bodies.push(() => init.runStatements(node.body, spanOf(node)));
      return;
    }
    if (node.type === 'TSIndexSignature') return;
    const name = node.computed ? computedName(node.key) : keyName(node.key);
    if (node.type === 'MethodDefinition' || node.type === 'TSAbstractMethodDefinition') {
      const func = makeFunc(node.kind === 'get' ? 'getter' : node.kind === 'set' ? 'setter' : node.kind, this.module, spanOf(node));
      func.name = name;
      func.nameSpan = spanOf(node.key);
      func.owner = def;
      func.isStatic = node.static;
      func.isAsync = node.value.async;
      func.isGenerator = node.value.generator;
      func.decorators = (node.decorators ?? []).map((it) => lowerExpression(it.expression, outer));
      this.functions.set(node.value, func);
      if (node.value.body) {
        if (node.kind === 'constructor') def.construct = func;
        else if (node.kind === 'get') def.getters.set(name, func);
        else if (node.kind === 'method') (node.static ? def.statics : def.methods).set(name, func);
      } else if (node.kind === 'method' && node.type === 'TSAbstractMethodDefinition') func.kind = 'method';
      if (node.value.body || node.type === 'MethodDefinition') bodies.push(() => this.method(func, node.value, def, outer, node.value.body !== null));
      return;
    }
    const annotation = 'typeAnnotation' in node && node.typeAnnotation ? outer.type(node.typeAnnotation.typeAnnotation) : undefined;
    const field = this.field(def, name, node);
    field.annotation ??= annotation;
    field.isStatic = node.static;
    field.decorators.push(...(node.decorators ?? []).map((it) => lowerExpression(it.expression, outer)));
    if ('value' in node && node.value) {
      const value = node.value;
      bodies.push(() => {
        const lowered = lowerExpression(value, init);
        if (lowered.kind === 'function') {
          lowered.func.name ||= name;
          lowered.func.owner ??= def;
        }
        record(field.values, lowered);
      });
    }
  }

  private method(func: Func, value: FunctionNode, def: ClassDef, outer: FunctionLowering, hasBody: boolean): void {
    if (!hasBody) return;
    this.lowerInto(func, value, outer, func);
    for (const param of func.params) {
      if (!param.property) continue;
      const field = this.field(def, param.property, undefined, param.span);
      field.annotation ??= param.annotation;
      field.decorators.push(...param.decorators);
      field.param = { func, index: param.index };
      record(field.values, { kind: 'param', func, index: param.index, span: param.span });
    }
  }

  private field(def: ClassDef, name: string, node?: Node, span: Span = node ? spanOf(node) : def.span): Field {
    let field = def.fields.get(name);
    if (!field) def.fields.set(name, (field = { name, isStatic: false, values: [], decorators: [], span }));
    return field;
  }

  /** Notes `this.x = …` with the class, `exports.x = …` with the module, `F.prototype.x = …` as a method. */
  assignField(object: Expr, name: string, value: Expr, f: FunctionLowering): void {
    if (object.kind === 'var') {
      const { variable } = object;
      variable.grows = true;
      const values = (variable.kept ??= new Map<string, Expr[]>()).get(name);
      if (values) record(values, value);
      else variable.kept.set(name, [value]);
    }
    if (object.kind === 'this') {
      const def = f.thisFunc.owner;
      if (def) record(this.field(def, name, undefined, value.span).values, value);
      return;
    }
    if (object.kind === 'var' && object.variable.kind === 'global') {
      if (object.variable.name === 'module' && name === 'exports') this.module.whole = value;
      if (object.variable.name === 'exports') this.module.exports.set(name, { value });
      return;
    }
    if (object.kind !== 'member' || typeof object.name !== 'string' || object.object.kind !== 'var') return;
    if (object.object.variable.name === 'module' && object.name === 'exports' && object.object.variable.kind === 'global') this.module.exports.set(name, { value });
    if (object.name === 'prototype') {
      const def = this.prototypeClass(object.object.variable);
      if (def && value.kind === 'function') {
        value.func.owner = def;
        value.func.kind = 'method';
        value.func.name ||= name;
        def.methods.set(name, value.func);
      }
    }
  }

  private prototypeClass(variable: Variable): ClassDef | undefined {
    const known = this.prototypes.get(variable);
    if (known) return known;
    const construct = variable.values.find((it) => it.kind === 'function');
    if (!construct) return undefined;
    const def: ClassDef = {
      name: variable.name, module: this.module, implements: [], methods: new Map(), statics: new Map(), getters: new Map(), fields: new Map(),
      construct: construct.func, decorators: [], span: construct.span,
    };
    this.prototypes.set(variable, def);
    this.module.classes.push(def);
    construct.func.owner = def;
    // From here on the name stands for the class; what its constructor puts on `this` was lowered before.
    variable.values.unshift({ kind: 'class', def, span: construct.span });
    for (const step of construct.func.graph().steps) {
      if (step.op.kind === 'assign' && step.op.target.kind === 'field' && step.op.target.object.kind === 'this') record(this.field(def, step.op.target.name, undefined, step.span).values, step.op.value);
    }
    return def;
  }

  declareType(node: TSESTree.TSInterfaceDeclaration | TSESTree.TSTypeAliasDeclaration, f: FunctionLowering): void {
    const lower = (it: TSESTree.TypeNode): TypeRef => f.type(it);
    if (node.type === 'TSTypeAliasDeclaration') this.module.types.set(node.id.name, lower(node.typeAnnotation));
    else {
      const own: TypeRef = { kind: 'object', members: lowerMembers(node.body.body, lower) };
      const bases = node.extends.flatMap((it): TypeRef[] => (it.expression.type === 'Identifier' ? [{ kind: 'name', name: it.expression.name, variable: f.scope.find(it.expression.name), path: [], args: it.typeArguments?.params.map(lower) ?? [] }] : []));
      this.module.types.set(node.id.name, bases.length ? { kind: 'union', of: [own, ...bases] } : own);
    }
  }

}

/** `[Symbol.asyncDispose]` and quoted names; anything else has no name that can be looked up. */
function computedName(node: Node): string {
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'Symbol' && node.property.type === 'Identifier') return `@@${node.property.name}`;
  if (node.type === 'Literal') return String(node.value);
  return '';
}

function makeFunc(kind: Func['kind'], module: Module, span: Span): Func {
  return {
    name: '', module, isStatic: false, kind, isAsync: false, isGenerator: false, params: [], decorators: [], span, nameSpan: span,
    graph: () => emptyGraph(span),
  };
}

function setGraph(func: Func, graph: Graph): void {
  func.graph = () => graph;
}

function emptyGraph(span: Span): Graph {
  const step = (id: number): Graph['entry'] => ({ id, op: { kind: 'pass' }, span, next: [] });
  const graph: Graph = { entry: step(0), exit: step(1), raise: step(2), steps: [] };
  graph.entry.next[0] = graph.exit;
  graph.steps.push(graph.entry, graph.exit, graph.raise);
  return graph;
}
