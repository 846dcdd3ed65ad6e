/** The test in which the answer of an acquire stands. */
import type { Constant } from '../../../catalog/schema.ts';
import type { AcquireEvent } from '../../../model/events.ts';
import { type Node, type Tree, unwrap } from '../source/tree.ts';

export interface Test {
  node: Node;
  /** It is true for a granted acquire. */
  isGranted: boolean;
}

/** What tells a grant from a refusal. */
type Told = Pick<AcquireEvent, 'granted' | 'refused'>;

/** The test in which the answer stands, when it tells a grant from a refusal. */
export function testAround(answer: Node, acquire: Told, tree: Tree): Test | undefined {
  const constants = grantConstants(acquire);
  const parent = tree.parent(answer);
  if (!constants || !parent) return undefined;
  if (parent.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator)) {
    const other = constantOf(parent.left === answer ? parent.right : parent.left);
    if (!other) return undefined;
    const [granted, refused] = [compare(parent.operator, constants.granted, other.value), compare(parent.operator, constants.refused, other.value)];
    return granted === refused ? undefined : { node: parent, isGranted: granted };
  }
  if (Boolean(constants.granted) === Boolean(constants.refused)) return undefined;
  if (parent.type === 'UnaryExpression' && parent.operator === '!') return { node: parent, isGranted: false };
  const isTest = (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') && parent.test === answer;
  return isTest ? { node: answer, isGranted: true } : undefined;
}

function grantConstants({ granted, refused }: Told): { granted: Constant; refused: Constant } | undefined {
  if (granted.kind !== 'const' || typeof refused === 'string' || refused.kind !== 'const') return undefined;
  return { granted: granted.value as Constant, refused: refused.value as Constant };
}

function constantOf(node: Node): { value: Constant } | undefined {
  const it = unwrap(node);
  if (it.type === 'Literal' && !('regex' in it) && typeof it.value !== 'bigint') return { value: it.value as Constant };
  return it.type === 'Identifier' && it.name === 'undefined' ? { value: undefined } : undefined;
}

function compare(operator: string, value: Constant, other: Constant): boolean {
  const isLoose = operator.length === 2;
  const isNothing = (it: Constant): boolean => it === null || it === undefined;
  const same = value === other || (isLoose && isNothing(value) && isNothing(other));
  return operator.startsWith('!') ? !same : same;
}
