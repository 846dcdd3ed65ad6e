/** Edits that ask an acquire whether it was granted, and leave when it was not. */
import type { Unguarded } from '../../model/guards.ts';
import type { Model, Story } from '../../model/story.ts';
import type { Deep } from '../../model/deep.ts';
import { sameSite } from '../../model/value.ts';
import type { Edit } from '../finding.ts';
import { type KeptAnswer, answerOf } from './lock/acquire-answer.ts';
import { testAround } from './lock/answer-test.ts';
import { matchedRow } from './lock/client-calls.ts';
import { grantTest } from './lock/grant-test.ts';
import { Draft, attempt } from './source/draft.ts';
import { referencesTo } from './source/scopes.ts';
import { quoted } from './source/style.ts';
import { type Node, type Statement, type Tree, isPath, treeOf, unwrap } from './source/tree.ts';
import { lookAtCount } from './write/affected-count.ts';
import { typeCount } from './write/fence-sql.ts';

/** The guard, where the answer can be had as a value and a throw gives back nobody else's lock. */
export const guardEdits = (it: Unguarded, story: Story): Edit[] => attempt(() => guardFor(it, story));

function guardFor({ section, how, test }: Unguarded, { model, module }: Story): Edit[] {
  const outcomes = section.tracked?.outcomes;
  const tree = treeOf(module);
  const call = tree.callAt(section.at.span);
  if (!outcomes?.refused || !call || section.at.func.module !== module || isUndoneBlindly(call, section.releases, tree)) return [];
  const draft = new Draft(tree);
  const refuse = `throw new Error(${message(section, draft, model)})${draft.style.semi}`;
  const done = how === 'constant' ? retest(call, test?.op.kind === 'branch' ? tree.expressionAt(test.op.test.span) : undefined) : how === 'passed' ? leave() : ask();
  return done ? draft.finish({ kind: 'guard', title: 'Go on only when the lock was granted' }) : [];

  /** Nobody asks: the answer gets a name and a test. */
  function ask(): boolean {
    const { acquire } = section;
    const count = sameSite(section.at, acquire.call) && acquire.form === 'statement' ? acquire.statement?.row?.count : undefined;
    const matched = matchedRow(section.at, model);
    if (count && matched && (call!.type === 'CallExpression' || call!.type === 'TaggedTemplateExpression')) {
      return isAlone(call!, tree) && lookAtCount(call!, { count, refusal: refuse, isSync: matched.library.edits?.isSync ?? false }, draft) && typeCount(call!, matched, draft);
    }
    const answer = answerOf(call!, tree);
    if (answer?.kind === 'kept') return addTest(answer.statement, answer.name);
    const value = tree.parent(call!);
    const statement = value?.type === 'AwaitExpression' ? tree.parent(value) : undefined;
    if (statement?.type !== 'ExpressionStatement') return false;
    const name = draft.freeName(tree.parent(statement)!, ...nameFor(section));
    if (!addTest(statement, name)) return false;
    draft.insert(statement.range[0], `const ${name} = `);
    return true;
  }

  function addTest(statement: Statement, name: string): boolean {
    const written = grantTest(name, outcomes!.held, outcomes!.refused!, draft.style);
    if (written) draft.after(statement, `if (${written.refused}) ${refuse}`);
    return written !== undefined;
  }

  /** A refusal is seen already: what is done about it ends with a throw. */
  function leave(): boolean {
    const answer = answerOf(call!, tree);
    const references = answer?.kind === 'kept' ? referencesTo(answer.binding, tree) : [];
    const known = references[0] && testAround(references[0], section.acquire, tree);
    const tested = references.length === 1 && known ? tree.parent(known.node) : undefined;
    if (!known || known.isGranted || tested?.type !== 'IfStatement' || tested.test !== known.node || tested.alternate || tree.parent(tested) !== tree.parent((answer as KeptAnswer).statement)) return false;
    const last = tested.consequent.type === 'BlockStatement' ? tested.consequent.body[tested.consequent.body.length - 1] : tested.consequent;
    if (!last || last.type === 'ReturnStatement' || last.type === 'ThrowStatement') return false;
    draft.after(last, refuse);
    return true;
  }

  /** A test that decides nothing becomes one that does. */
  function retest(acquire: Node, at: Node | undefined): boolean {
    const answer = answerOf(acquire, tree);
    const branch = at && tree.parent(at);
    if (answer?.kind !== 'kept' || !at || branch?.type !== 'IfStatement' || branch.test !== at) return false;
    const written = grantTest(answer.name, outcomes!.held, outcomes!.refused!, draft.style);
    const inner = at.type === 'UnaryExpression' ? at.argument : at.type === 'BinaryExpression' ? at.left : at;
    if (!written || inner.type !== 'Identifier' || inner.name !== answer.name || isExpectedError(branch, tree)) return false;
    draft.replace(at, leaves(branch.consequent) ? written.refused : written.granted);
    return leaves(branch.consequent) || !branch.alternate;
  }
}

/** TypeScript is told to accept the test as it was. */
const isExpectedError = (statement: Node, tree: Tree): boolean => tree.module.comments.some((it) => it.span.end <= statement.range[0] && tree.source.slice(it.span.end, statement.range[0]).trim() === '' && tree.text(it.span).includes('@ts-'));

function leaves(statement: Statement): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body[statement.body.length - 1] : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' || last?.type === 'ContinueStatement' || last?.type === 'BreakStatement';
}

/** The call stands as a statement, or as the only value of a declaration. */
function isAlone(call: Node, tree: Tree): boolean {
  const value = tree.parent(call)?.type === 'AwaitExpression' ? tree.parent(call)! : call;
  const parent = tree.parent(value);
  return parent?.type === 'ExpressionStatement' || parent?.type === 'VariableDeclarator';
}

/** A throw at the acquire would reach a release that does not ask whose the lock is. */
function isUndoneBlindly(call: Node, releases: readonly Deep[], tree: Tree): boolean {
  const blind = releases.filter(({ event }) => !('ownerChecked' in event) || !event.ownerChecked).map((it) => it.at.span);
  for (const it of tree.upwards(call)) {
    const around = tree.parent(it);
    if (around?.type !== 'TryStatement' || around.block !== it) continue;
    if ([around.handler, around.finalizer].some((after) => after && blind.some((each) => each.start >= after.range[0] && each.end <= after.range[1]))) return true;
  }
  return false;
}

/** What the answer is called. */
function nameFor({ tracked, acquire, at }: Unguarded['section']): string[] {
  const held = tracked!.outcomes.held;
  if (held.kind === 'const' && typeof held.value === 'boolean') return ['granted', 'isGranted'];
  return sameSite(at, acquire.call) && acquire.form !== 'library' ? ['reply', 'lockReply'] : ['lock', 'lease', 'grant'];
}

/** What is said of a refusal: the key, where it is written so that it can be said again. */
function message({ lock, acquire, at }: Unguarded['section'], draft: Draft, model: Model): string {
  const { tree, style } = draft;
  if (lock.key?.kind === 'const' && typeof lock.key.value === 'string') return quoted(`${lock.key.value} is locked`, style);
  const row = sameSite(at, acquire.call) ? matchedRow(acquire.call, model) : undefined;
  const put = row?.effects.find((it) => it.kind === 'put');
  const expr = put && model.calls.exprAt(put.key, row!.site);
  const key = expr && tree.expressionAt(expr.span);
  if (key && isPath(key) && unwrap(key) === key) return `\`\${${tree.text(key)}} is locked\``;
  if (key?.type === 'TemplateLiteral' && key.expressions.every((it) => isPath(it) && unwrap(it) === it)) return `${tree.text(key).slice(0, -1)} is locked\``;
  return quoted('The lock was not granted', style);
}
