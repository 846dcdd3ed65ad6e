/** What an expression is made of, and which expressions of a function depend on what a call has answered. */
import type { CallExpr, Expr, Func, Variable } from './ir.ts';
import { sameSite } from './value.ts';

/** The expression and all that it is made of; bodies of functions are not part of it. */
export function* expressionsIn(expr: Expr): Generator<Expr> {
  yield expr;
  for (const it of partsOf(expr)) yield* expressionsIn(it);
}

/** The expressions that one is directly made of. */
export function partsOf(expr: Expr): Expr[] {
  switch (expr.kind) {
    case 'template':
      return expr.parts.filter((it) => typeof it !== 'string');
    case 'member':
      return typeof expr.name === 'string' ? [expr.object] : [expr.object, expr.name];
    case 'call':
      return [expr.callee, ...expr.args];
    case 'object':
      return expr.props.flatMap((it) => (it.name === undefined || typeof it.name === 'string' ? [it.value] : [it.name, it.value]));
    case 'array':
      return expr.items;
    case 'binary':
    case 'logical':
      return [expr.left, expr.right];
    case 'conditional':
      return [expr.test, expr.yes, expr.no];
    case 'not':
    case 'unary':
    case 'await':
    case 'spread':
    case 'element':
      return [expr.of];
    case 'part':
      return expr.fallback ? [expr.of, expr.fallback] : [expr.of];
    case 'assign':
      return [expr.value];
    default:
      return [];
  }
}

/** Where the answer of a call goes within a function: through variables and fields of `this`. */
export class AnswerFlow {
  private readonly variables = new Set<Variable>();
  /** Fields that are given the answer, or something made of it. */
  readonly fields = new Set<string>();
  /** The answer is kept where others than the function's own variables see it. */
  isKept = false;

  constructor(func: Func, private readonly call: CallExpr, given: readonly Variable[] = []) {
    for (const it of given) this.variables.add(it);
    for (let before = -1; before !== this.size; ) {
      before = this.size;
      for (const { op } of func.graph().steps) if (op.kind === 'assign' && this.mentions(op.value)) this.assign(op.target, func);
    }
  }

  private get size(): number {
    return this.variables.size + this.fields.size;
  }

  private assign(target: (Expr & { kind: 'assign' })['target'], func: Func): void {
    if (target.kind === 'variable') {
      this.variables.add(target.variable);
      this.isKept ||= target.variable.owner !== func;
    } else {
      if (target.kind === 'field') this.fields.add(target.name);
      this.isKept = true;
    }
  }

  /** Whether the expression depends on the answer. */
  mentions(expr: Expr): boolean {
    for (const it of expressionsIn(expr)) {
      if (it.kind === 'call' && sameSite(it, this.call)) return true;
      if (it.kind === 'var' && this.variables.has(it.variable)) return true;
      if (it.kind === 'member' && it.object.kind === 'this' && typeof it.name === 'string' && this.fields.has(it.name)) return true;
    }
    return false;
  }
}
