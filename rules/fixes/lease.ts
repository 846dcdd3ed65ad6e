/** Edits that give a lock its lease in the step that takes it. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Lease } from '../../catalog/schema.ts';
import type { AcquireEvent } from '../../model/events.ts';
import type { Story } from '../../model/story.ts';
import type { UnboundedLock } from '../../model/unbounded.ts';
import { unitOfName } from '../../model/units.ts';
import type { Edit } from '../finding.ts';
import { answerOf } from './lock/acquire-answer.ts';
import { isDropped } from './lock/answers.ts';
import { type Test, testAround } from './lock/answer-test.ts';
import { asValue, clientOf, formFor, matchedRow, methodOf, replaceCall, writeCall } from './lock/client-calls.ts';
import { canMove } from './lock/owner.ts';
import { Draft, attempt } from './source/draft.ts';
import { inSight, referencesTo } from './source/scopes.ts';
import { type Node, type Statement, type Tree, isPath, treeOf, unwrap } from './source/tree.ts';

/** One call that takes the lock with its lease, where the length is written in the expiry after it or in a constant of the file. */
export const leaseEdits = (it: UnboundedLock, story: Story): Edit[] => attempt(() => oneStep(it, story));

interface Length {
  text: string;
  unit: 's' | 'ms';
}

function oneStep({ acquire, call, expiry }: UnboundedLock, { model, module }: Story): Edit[] {
  const tree = treeOf(module);
  const node = acquire.func.module === module && acquire === call ? tree.callAt(acquire.span) : undefined;
  const method = node?.type === 'CallExpression' ? methodOf(node) : undefined;
  const client = clientOf(acquire, acquire, model);
  const row = matchedRow(acquire, model);
  const put = row?.effects.find((it) => it.kind === 'put');
  const event = put && model.interpreter.meaning(acquire).events.find((it): it is AcquireEvent => it.kind === 'acquire');
  const form = client && method && formFor(client.library.edits?.grants, client, method.name, model);
  if (node?.type !== 'CallExpression' || !row || !put || !event || !form) return [];
  const [key, owner] = [put.key, put.value].map((path) => {
    const expr = model.calls.exprAt(path, row.site);
    return expr && tree.expressionAt(expr.span);
  });
  const draft = new Draft(tree);
  const length = expiry ? lengthOfExpiry() : namedLength(node, tree);
  if (!key || !owner || !length || isSpread(node)) return [];
  // What SETNX answers, SET does not.
  const answersOtherwise = event.granted.kind !== 'const' || event.granted.value !== form.answers;
  if (answersOtherwise && !retest(node, event, form.answers)) return [];
  const unit = length.unit === 's' ? 'EX' : 'PX';
  const slots = { key: tree.text(key), owner: asValue(owner, tree.text(owner), form, draft, model), unit, lower: unit.toLowerCase(), length: length.text };
  return replaceCall(node, writeCall(form, slots, node, draft), draft) ? draft.finish({ kind: 'lease-in-one-step', title: expiry ? 'Take the lock and its lease in one step' : `Take the lock with a lease of \`${length.text}\`` }) : [];

  /** The length of the expiry that follows wherever the lock was granted; its statement goes. */
  function lengthOfExpiry(): Length | undefined {
    const later = expiry!.func === acquire.func ? tree.callAt(expiry!.span) : undefined;
    const known = later && matchedRow(expiry!, model);
    const effect = known?.effects.find((it): it is typeof it & { lease?: readonly Lease[] } => it.kind === 'expire');
    const lease = known && effect && model.calls.lease(effect.lease, known.site, known.row);
    const at = lease?.site && tree.expressionAt(lease.site.span);
    const statement = later && tree.statementOf(later);
    const taking = tree.statementOf(node!);
    if (!at || !statement || !taking || statement.type !== 'ExpressionStatement' || unwrap(statement.expression) !== later || !isDropped(later, tree)) return undefined;
    if ((lease.unit !== 's' && lease.unit !== 'ms') || !canMove(at, taking, tree) || !(at.type === 'Literal' || isPath(at) || at.type === 'BinaryExpression')) return undefined;
    if (!followsGrant(statement, taking, event!, node!, tree)) return undefined;
    draft.removeLine(statement);
    return { text: tree.text(at), unit: lease.unit };
  }

  /** The tests of the answer, in the words of the new call. */
  function retest(of: TSESTree.CallExpression, acquired: AcquireEvent, granted: string): boolean {
    const answer = answerOf(of, tree);
    const places = answer?.kind === 'kept' ? referencesTo(answer.binding, tree) : answer ? [answer.value] : [];
    const tests = places.map((it) => testAround(it, acquired, tree));
    if (!answer || tests.length === 0) return false;
    return tests.every((test, i) => test !== undefined && rewrite(test, places[i]!, granted));
  }

  function rewrite({ node: test, isGranted }: Test, answer: Node, granted: string): boolean {
    // Truth alone tells both answers.
    if (test.type !== 'BinaryExpression') return true;
    const other = test.left === answer ? test.right : test.left;
    const [start, end] = [test.left.range[1], test.right.range[0]];
    const sign = tree.source.slice(start, end).indexOf(test.operator);
    if (sign < 0) return false;
    draft.replace({ start: start + sign, end: start + sign + test.operator.length }, isGranted ? '===' : '!==');
    draft.replace(other, draft.style.quote + granted + draft.style.quote);
    return true;
  }
}

const isSpread = (call: TSESTree.CallExpression): boolean => call.arguments.some((it) => it.type === 'SpreadElement');

/** The statement runs wherever the lock was granted: beside the acquire, or as one of several in the branch of the grant. */
function followsGrant(statement: Statement, taking: Statement, event: AcquireEvent, call: Node, tree: Tree): boolean {
  const block = tree.parent(taking);
  const parent = tree.parent(statement);
  if (parent === block) return true;
  const branch = parent && tree.parent(parent);
  if (parent?.type !== 'BlockStatement' || parent.body.length < 2 || branch?.type !== 'IfStatement' || branch.consequent !== parent || (branch !== taking && tree.parent(branch) !== block)) return false;
  const answer = answerOf(call, tree);
  const places = answer?.kind === 'kept' ? referencesTo(answer.binding, tree) : answer ? [answer.value] : [];
  return places.some((it) => {
    const test = testAround(it, event, tree);
    return test?.isGranted === true && test.node === branch.test;
  });
}

/** The only constant of the file that says the length of a lock, in a unit that its name tells. */
function namedLength(at: Node, tree: Tree): Length | undefined {
  const found = inSight(at, tree).filter(({ kind, scope, name, declaration, id }) => {
    if (kind !== 'const' || scope !== tree.program || declaration.type !== 'VariableDeclarator' || declaration.id !== id) return false;
    return lengthWords.test(name) && unitOfName(name) !== undefined && isNumber(declaration.init);
  });
  const [only] = found;
  const unit = only && unitOfName(only.name);
  return found.length === 1 && unit ? { text: only!.name, unit } : undefined;
}

const isNumber = (node: Node | null): boolean => (node?.type === 'Literal' && typeof node.value === 'number') || (node?.type === 'BinaryExpression' && node.operator === '*' && isNumber(node.left) && isNumber(node.right));

const lengthWords = /(?:lock|lease|mutex).*(?:ttl|lease|expir|timeout|duration|length|ms|sec)|^(?:ttl|lease)/i;
