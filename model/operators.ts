/** Operators on symbolic values: folded where the answer is certain, unknown otherwise. */
import { type Value, alternatives, constant, either, isNothing, sameValue, text, truthiness, unknown } from './value.ts';

export function binary(op: string, left: Value, right: Value): Value {
  if (left.kind === 'either' || right.kind === 'either') {
    const results = alternatives(left).flatMap((l) => alternatives(right).map((r) => binary(op, l, r)));
    return results.length <= 16 ? either(results) : unknown('one of many values');
  }
  switch (op) {
    case '===':
    case '!==': {
      const same = equal(left, right, true);
      return same === undefined ? unknown('a comparison') : constant(op === '===' ? same : !same);
    }
    case '==':
    case '!=': {
      const same = equal(left, right, false);
      return same === undefined ? unknown('a comparison') : constant(op === '==' ? same : !same);
    }
    case '+':
      if (isNumber(left) && isNumber(right)) return constant((left.value as number) + (right.value as number));
      if (isText(left) || isText(right)) return text([left, right]);
      return { kind: 'derived', from: [left, right], how: '+' };
    case '-':
    case '*':
    case '/':
    case '%':
    case '**':
      if (isNumber(left) && isNumber(right)) return constant(arithmetic(op, left.value as number, right.value as number));
      return { kind: 'derived', from: [left, right], how: op };
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (isNumber(left) && isNumber(right)) return constant(order(op, left.value as number, right.value as number));
      return unknown('a comparison');
    default:
      return unknown(`the operator ${op}`);
  }
}

export function unary(op: string, of: Value): Value {
  if (op === 'typeof') {
    const sort = sortOf(of);
    return sort ? constant(sort) : unknown('a type test');
  }
  if (of.kind === 'const' && typeof of.value === 'number') {
    if (op === '-') return constant(-of.value);
    if (op === '+') return of;
  }
  if (op === '+' && of.kind === 'const' && typeof of.value === 'string') return constant(Number(of.value));
  return { kind: 'derived', from: [of], how: op };
}

/** Whether two values are equal: true, false, or undefined when it cannot be told. */
function equal(a: Value, b: Value, strict: boolean): boolean | undefined {
  if (a.kind === 'const' && b.kind === 'const') {
    // eslint-disable-next-line eqeqeq -- the user's own `==` is folded
    return strict ? a.value === b.value : a.value == b.value;
  }
  if (isNothing(a) || isNothing(b)) return truthiness(isNothing(a) ? b : a) === true ? false : undefined;
  const isBoolean = (it: Value): boolean => it.kind === 'const' && typeof it.value === 'boolean';
  if (strict && (isBoolean(a) || isBoolean(b))) {
    const sort = sortOf(isBoolean(a) ? b : a);
    return sort && sort !== 'boolean' ? false : undefined;
  }
  // A value is what it is: the same random value equals itself. Unknown calls need not repeat.
  if (sameValue(a, b) && (a.kind === 'fresh' || a.kind === 'param' || a.kind === 'const')) return true;
  return undefined;
}

/** What `typeof` answers, where it is certain. */
function sortOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'const':
      return typeof value.value;
    case 'text':
      return 'string';
    case 'func':
    case 'class':
    case 'releaser':
      return 'function';
    case 'object':
    case 'array':
    case 'instance':
    case 'typed':
    case 'this':
      return 'object';
    case 'some':
      return value.sort === 'array' ? 'object' : value.sort;
    default:
      return undefined;
  }
}

const isNumber = (it: Value): it is Value & { kind: 'const' } => it.kind === 'const' && typeof it.value === 'number';
const isText = (it: Value): boolean => it.kind === 'text' || (it.kind === 'const' && typeof it.value === 'string');

function arithmetic(op: string, a: number, b: number): number {
  switch (op) {
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    default:
      return a ** b;
  }
}

function order(op: string, a: number, b: number): boolean {
  switch (op) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

/** True when null or undefined, false when neither, undefined when it cannot be told. */
export function nullish(value: Value): boolean | undefined {
  if (value.kind === 'const') return value.value === null || value.value === undefined;
  if (value.kind === 'either') {
    const all = value.of.map(nullish);
    return all.every((it) => it === true) ? true : all.every((it) => it === false) ? false : undefined;
  }
  return truthiness(value) === true ? false : undefined;
}
