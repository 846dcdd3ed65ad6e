/**
 * The graph that the rest of the model works on. `model/lower/` makes it from syntax once; from here
 * on nothing knows ESTree. Everything keeps the span of the source that it came from.
 */
import type { Program } from './host.ts';
import type { Span } from './place.ts';

export type Constant = string | number | boolean | bigint | null | undefined;

/** A name of the source and what may be bound to it. */
export interface Variable {
  name: string;
  kind: 'const' | 'let' | 'param' | 'function' | 'class' | 'import' | 'catch' | 'global' | 'type';
  /** The function in whose body it lives; undefined for globals. */
  owner?: Func;
  module?: Module;
  span: Span;
  /** Every value that is assigned, initial value first. */
  values: Expr[];
  /** What `push` and `unshift` add to the list that it holds. */
  added?: Expr[];
  /** Properties are set on it after it was made: what an object literal does not have may be there all the same. */
  grows?: boolean;
  /** What is put on it after it was made, by property. */
  kept?: Map<string, Expr[]>;
  /** Assigned where its value cannot be seen (a destructuring default, an update). */
  opaque?: boolean;
  annotation?: TypeRef;
  decorators?: Expr[];
  import?: { specifier: string; name: string };
  /** For a parameter: its position. */
  index?: number;
}

/** A written type, as far as it names things. */
export type TypeRef =
  | { kind: 'name'; name: string; /** `Redis` of `IORedis.Redis` */ variable?: Variable; path: string[]; args: TypeRef[] }
  | { kind: 'typeof'; expr: Expr }
  /** `ReturnType<…>` */
  | { kind: 'returns'; of: TypeRef }
  /** `InstanceType<…>` */
  | { kind: 'instance'; of: TypeRef }
  /** `Omit<…>` and `Pick<…>`; a name in angle brackets stands for names that are listed elsewhere. */
  | { kind: 'part'; of: TypeRef; how: 'Omit' | 'Pick'; names: string[] }
  | { kind: 'union'; of: TypeRef[] }
  | { kind: 'object'; members: Map<string, TypeRef> }
  | { kind: 'array'; of: TypeRef }
  /** `isPromised`: what it returns is written as a promise; `returns` is what that is a promise of. */
  | { kind: 'function'; returns?: TypeRef; isPromised?: boolean }
  | { kind: 'other' };

interface Base {
  span: Span;
}

/** An expression. Object identity names one evaluation point: a duplicated `finally` has its own. */
export type Expr =
  | (Base & { kind: 'const'; value: Constant })
  | (Base & { kind: 'template'; parts: (string | Expr)[] })
  | (Base & { kind: 'var'; variable: Variable })
  /** `this` of the method, constructor or accessor `func` (arrow functions inside see the same). */
  | (Base & { kind: 'this'; func: Func })
  /** A module as a whole: `require('x')`, `await import('x')`. */
  | (Base & { kind: 'module'; specifier: string; module: Module })
  | (Base & { kind: 'member'; object: Expr; name: string | Expr; optional: boolean })
  | CallExpr
  | (Base & { kind: 'object'; props: { name: string | Expr | undefined; value: Expr; span: Span }[] })
  | (Base & { kind: 'array'; items: Expr[] })
  | (Base & { kind: 'spread'; of: Expr })
  | (Base & { kind: 'function'; func: Func })
  | (Base & { kind: 'class'; def: ClassDef })
  | (Base & { kind: 'binary'; op: string; left: Expr; right: Expr })
  | (Base & { kind: 'logical'; op: '&&' | '||' | '??'; left: Expr; right: Expr })
  | (Base & { kind: 'not'; of: Expr })
  | (Base & { kind: 'unary'; op: string; of: Expr })
  | (Base & { kind: 'conditional'; test: Expr; yes: Expr; no: Expr })
  | (Base & { kind: 'await'; of: Expr })
  | (Base & { kind: 'assign'; target: Target; value: Expr })
  /** An element of a collection: the variable of a `for … of`. */
  | (Base & { kind: 'element'; of: Expr })
  /** A part of a destructured value: `rest` when it is what the named parts left over. */
  | (Base & { kind: 'part'; of: Expr; name: string | number; fallback?: Expr })
  | (Base & { kind: 'param'; func: Func; index: number })
  | (Base & { kind: 'error' })
  /** An empty object that is said to be something: `{} as Redis`. */
  | (Base & { kind: 'claimed'; type: TypeRef; module: Module })
  | (Base & { kind: 'opaque'; why: string });

export interface CallExpr extends Base {
  kind: 'call';
  callee: Expr;
  args: Expr[];
  isNew: boolean;
  /** A tagged template: the template is the only argument. */
  isTag: boolean;
  optional: boolean;
  /** What becomes of the result. `chained`: it is the receiver of the next call. */
  use: 'value' | 'await' | 'drop' | 'return' | 'chained' | 'void';
  /** The awaited result is not used either. */
  dropped: boolean;
  typeArgs: TypeRef[];
  func: Func;
}

export type Target =
  | { kind: 'variable'; variable: Variable }
  | { kind: 'field'; object: Expr; name: string }
  | { kind: 'other' };

export type Op =
  | { kind: 'call'; call: CallExpr }
  | { kind: 'await'; expr: Expr }
  | { kind: 'assign'; target: Target; value: Expr; declares: boolean }
  | { kind: 'branch'; test: Expr }
  /** A `switch` case, a loop head: successors are chosen by something that is not followed. */
  | { kind: 'fork' }
  | { kind: 'return'; value?: Expr }
  | { kind: 'throw'; value: Expr }
  | { kind: 'catch'; variable?: Variable }
  /** The end of a `using` block: the variable's value is disposed. */
  | { kind: 'dispose'; variable: Variable; isAwait: boolean }
  | { kind: 'pass' };

/** One step. For a branch `next[0]` is the true side, `next[1]` the false side. */
export interface Step {
  id: number;
  op: Op;
  span: Span;
  next: Step[];
  /** Where control goes when this step throws. */
  fail?: Step;
}

export interface Graph {
  entry: Step;
  /** The single step that every `return` leads to. */
  exit: Step;
  /** The single step that every uncaught throw leads to. */
  raise: Step;
  steps: Step[];
}

export interface Param {
  variable?: Variable;
  index: number;
  annotation?: TypeRef;
  fallback?: Expr;
  rest: boolean;
  /** `constructor(private readonly redis: Redis)` */
  property?: string;
  decorators: Expr[];
  span: Span;
}

export interface Func {
  name: string;
  module: Module;
  /** The class whose member it is. */
  owner?: ClassDef;
  isStatic: boolean;
  kind: 'module' | 'function' | 'arrow' | 'method' | 'constructor' | 'getter' | 'setter';
  isAsync: boolean;
  isGenerator: boolean;
  /** The function in which it is written. */
  parent?: Func;
  /** The call that it is written as an argument of. */
  handedTo?: CallExpr;
  params: Param[];
  /** What a written `this` parameter says of the receiver. */
  thisType?: TypeRef;
  returnType?: TypeRef;
  decorators: Expr[];
  span: Span;
  /** Span of the name, or of the whole function. */
  nameSpan: Span;
  /** The function's own steps; made at the first call. */
  graph(): Graph;
}

export interface Field {
  name: string;
  isStatic: boolean;
  annotation?: TypeRef;
  /** Initialiser and every `this.name = …` of the class. */
  values: Expr[];
  decorators: Expr[];
  span: Span;
  /** The constructor parameter that becomes this field. */
  param?: { func: Func; index: number };
}

export interface ClassDef {
  name: string;
  module: Module;
  base?: Expr;
  implements: TypeRef[];
  methods: Map<string, Func>;
  statics: Map<string, Func>;
  getters: Map<string, Func>;
  fields: Map<string, Field>;
  construct?: Func;
  decorators: Expr[];
  span: Span;
}

export interface Export {
  /** A value of this module. */
  value?: Expr;
  /** A type or interface of this module. */
  type?: Variable;
  /** Handed on from another module. */
  from?: { specifier: string; name: string };
}

export interface Module {
  file: string;
  text: string;
  /** The tree that it was lowered from. Only edits look inside. */
  program: Program;
  starts: number[];
  exports: Map<string, Export>;
  /** `export * from`. */
  stars: string[];
  /** `module.exports = …` or `export =`. */
  whole?: Expr;
  /** All specifiers that it imports or requires. */
  specifiers: string[];
  functions: Func[];
  classes: ClassDef[];
  /** Interfaces and type aliases, by name. */
  types: Map<string, TypeRef>;
  body: Func;
  comments: { text: string; span: Span; line: number }[];
  /** The object literals of the file, by where they start. */
  objects: Map<number, Expr & { kind: 'object' }>;
  /** Constructs that the lowering does not follow, each with a reason. */
  unknown: { span: Span; why: string }[];
}
