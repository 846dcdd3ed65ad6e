/**
 * The owner value as it is written at a release: a name in sight, the value with which it was
 * compared, or a new constant beside the acquire, fresh where the old value told no holder from
 * another.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Script } from '../../../catalog/schema.ts';
import type { AcquireEvent } from '../../../model/events.ts';
import type { CallExpr, Expr } from '../../../model/ir.ts';
import { type LuaFacts, analyzeLua } from '../../../model/lua/index.ts';
import { scriptText } from '../../../model/scripts.ts';
import type { LockRelease, Model } from '../../../model/story.ts';
import { sameValue } from '../../../model/value.ts';
import { keyForm, sameKey } from '../../../model/key-form.ts';
import type { Draft } from '../source/draft.ts';
import { freshValue } from '../source/imports.ts';
import { keepsItsValue } from '../source/paths.ts';
import { isPresent, runsWith } from '../source/presence.ts';
import { type Binding, assignmentsTo, namesRead, resolve } from '../source/scopes.ts';
import { type Node, type Statement, type Tree, isPath, unwrap } from '../source/tree.ts';
import { sightings } from '../source/values.ts';
import { matchedRow, ownerMakers } from './client-calls.ts';

export interface Owner {
  text: string;
  /** An expression that has the value, by which its type is told; without it, it is a text. */
  node?: Node;
  /** The acquire gets a fresh value by this edit. */
  isFresh: boolean;
  /** An object keeps it by the lock's key. */
  isKept?: boolean;
  /** What the edit assumes. */
  note?: string;
}

/** The acquire as its own call says it, with its arguments unbound. */
export function ownAcquire(acquire: AcquireEvent, model: Model): AcquireEvent | undefined {
  return model.interpreter.meaning(acquire.call).events.find((it): it is AcquireEvent => it.kind === 'acquire');
}

/** The argument of the acquire that is the owner value. */
export function ownerArgument(acquire: AcquireEvent, model: Model): Expr | undefined {
  const row = matchedRow(acquire.call, model);
  for (const effect of row?.effects ?? []) if (effect.kind === 'put') return model.calls.exprAt(effect.value, row!.site);
  const inputs = scriptInputs(acquire.call, model);
  const operand = inputs?.facts.acquires[0]?.owner;
  if (inputs) return operand?.kind === 'arg' && typeof operand.index === 'number' ? inputs.args[operand.index] : undefined;
  const owner = ownAcquire(acquire, model)?.lock.owner;
  // A constant may stand among the arguments for another reason.
  if (!owner || owner.kind === 'const') return undefined;
  return partsOf(acquire.call.args).find((it) => sameValue(model.evaluator.value(it), owner));
}

/** The keys and arguments that a call hands to a script, and what the script does with them. */
export function scriptInputs(call: CallExpr, model: Model): { keys: Expr[]; args: Expr[]; facts: LuaFacts } | undefined {
  const row = matchedRow(call, model);
  const effect = row?.effects.find((it): it is Script => it.kind === 'script');
  const text = row && effect && scriptText(model.calls.at(effect.text, row.site, row.row));
  const facts = text === undefined ? undefined : analyzeLua(text);
  if (!row || !effect || !facts || call.args.some((it) => it.kind === 'spread')) return undefined;
  const { layout } = effect;
  if ('counted' in layout) {
    const count = model.calls.at(layout.counted, row.site, row.row);
    const n = count?.kind === 'const' ? Number(count.value) : NaN;
    const rest = call.args.slice(layout.from);
    return Number.isInteger(n) && rest.every((it) => it.kind !== 'array') ? { keys: rest.slice(0, n), args: rest.slice(n), facts } : undefined;
  }
  const [keys, args] = [model.calls.exprAt(layout.keys, row.site), model.calls.exprAt(layout.args, row.site)];
  return keys?.kind === 'array' && args?.kind === 'array' ? { keys: keys.items, args: args.items, facts } : undefined;
}

/** Expressions and what stands in their arrays and objects. */
export function partsOf(list: readonly Expr[]): Expr[] {
  return list.flatMap((it) => (it.kind === 'array' ? partsOf(it.items) : it.kind === 'object' ? partsOf(it.props.map((each) => each.value)) : it.kind === 'call' && it.isNew ? partsOf(it.args) : [it]));
}

/** A step of the holder that compares the owner value, or should: a release or a renewal. */
export type OwnedStep = Omit<LockRelease, 'event'> & { event: Pick<LockRelease['event'], 'call' | 'key'> };

/** A step as it is written, with the acquire whose value it compares. */
export interface WrittenStep {
  tree: Tree;
  model: Model;
  /** The call that is replaced. */
  release: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  /** The acquire, when it stands in this file, and its owner argument. */
  acquire: Node | undefined;
  argument: Node | undefined;
  /** The owner value tells holders apart; if not, the acquire must get a fresh one. */
  isTelling: boolean;
}

/** The same, where the step is a call that another one can take the place of. */
export interface Pair extends WrittenStep {
  release: TSESTree.CallExpression;
}

export const isCall = (it: WrittenStep): it is Pair => it.release.type === 'CallExpression';

export function pairOf(it: OwnedStep, tree: Tree, model: Model): WrittenStep | undefined {
  const node = tree.callAt(it.event.call.span);
  // A command object is sent by the call that carries it.
  const release = node?.type === 'NewExpression' ? tree.parent(node) : node;
  if (release?.type !== 'CallExpression' && release?.type !== 'TaggedTemplateExpression') return undefined;
  const own = it.acquire && it.acquire.call.func.module === tree.module ? it.acquire : undefined;
  const argument = own && ownerArgument(own, model);
  const written = argument && tree.expressionAt(argument.span);
  return { tree, model, release, acquire: own && tree.callAt(own.call.span), argument: written, isTelling: tells(it, written) };
}

/** Whether code reads what the key holds, and may want it as it is. A comparison before the release is mended with it. */
export function isReadElsewhere(it: OwnedStep, { model }: WrittenStep): boolean {
  if (it.owner.kind !== 'unknown') return false;
  const key = it.event.key;
  return it.event.call.func.module.functions.some((func) => model.summaries.of(func).deep.some(({ event }) => event.kind === 'get' && (!key || sameKey(event.key, key) || keyForm(event.key) === keyForm(key))));
}

/** A renewal compares with the value that every holder has, and would not know a fresh one. */
export function isRenewed({ event, lock }: LockRelease, model: Model): boolean {
  const key = lock?.key ?? event.key;
  return event.call.func.module.functions.some((func) => model.summaries.of(func).deep.some((it) => it.kind === 'renew' && it.event.ownerChecked && !!it.event.key && !!key && (sameKey(it.event.key, key) || keyForm(it.event.key) === keyForm(key))));
}

/** Whether the owner value is one that tells holders apart: it is fresh, or handed in under a name that says so. */
function tells(it: OwnedStep, argument: Node | undefined): boolean {
  if (it.owner.kind !== 'unknown') return it.owner.kind === 'fresh';
  if (it.comparedBefore) return true;
  const path = argument && unwrap(argument);
  const name = path?.type === 'Identifier' ? path.name : path?.type === 'MemberExpression' && path.property.type === 'Identifier' ? path.property.name : undefined;
  return name === undefined ? argument === undefined : ownerWords.test(name);
}

const ownerWords = /owner|token|lock|holder|lease|uuid|guid|nonce|value|secret|unique|random|instance|identity|identifier/i;

/** The owner value at the release of a lock that is taken in the same function, or whose value is in sight there. */
export function ownerInSight(it: OwnedStep, pair: WrittenStep, draft: Draft): Owner | undefined {
  const { tree, model, release, acquire, argument, isTelling } = pair;
  if (isTelling && argument && isPath(argument) && keepsItsValue(argument, release, tree)) return { text: tree.text(argument), node: argument, isFresh: false };
  const owner = it.lock?.owner ?? it.acquire?.lock.owner;
  if (it.owner.kind === 'fresh' && owner) {
    const found = sightings(release, tree, model, (value) => sameValue(value, owner)).find((each) => assignmentsTo(each.binding, tree).length === 0 && (!each.mayBeNothing || isPresent(each.text, release, tree)));
    if (found) return { text: found.text, node: found.binding.id, isFresh: false };
  }
  if (!acquire || !argument) return undefined;
  if (isTelling && isPath(argument)) return moved(argument, acquire, release, tree, draft);
  return isTelling || !isReadElsewhere(it, pair) ? beside(argument, acquire, pair, draft) : undefined;
}

/** Where a constant must stand to be seen by acquire and release: before the first statement of their common block that holds one of them. */
export function anchorOf(acquire: Node, release: Node, tree: Tree): { statement: Statement; block: Node } | undefined {
  const block = tree.commonBlock(acquire, release);
  if (!block || block.type === 'Program' || block.type === 'SwitchCase' || block.type === 'TSModuleBlock') return undefined;
  const [statement] = [tree.statementIn(block, acquire), tree.statementIn(block, release)].sort((a, b) => (a?.range[0] ?? 0) - (b?.range[0] ?? 0));
  // One value per run of the block: that is one per acquisition.
  return statement && runsWith(acquire, block, tree) ? { statement, block } : undefined;
}

/** The owner's own declaration, taken out of an inner block to where both see it. */
function moved(argument: Node, acquire: Node, release: Node, tree: Tree, draft: Draft): Owner | undefined {
  const it = unwrap(argument);
  const anchor = anchorOf(acquire, release, tree);
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  if (!anchor || !binding || binding.kind !== 'const' || binding.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.id) return undefined;
  const declaration = tree.parent(binding.declaration);
  if (declaration?.type !== 'VariableDeclaration' || declaration.declarations.length !== 1 || !tree.isWithin(declaration, anchor.statement)) return undefined;
  const { init } = binding.declaration;
  if (!init || !canMove(init, anchor.statement, tree) || !isOnlyIn(binding, tree, anchor.block)) return undefined;
  draft.before(anchor.statement, tree.text(declaration));
  draft.removeLine(declaration);
  return { text: binding.name, node: binding.id, isFresh: false };
}

/** No other variable of the block has this name. */
const isOnlyIn = (binding: Binding, tree: Tree, block: Node): boolean =>
  tree.identifiers(binding.name).every((it) => !tree.isWithin(it, block) || (resolve(binding.name, it, tree) ?? binding).id === binding.id);

/** Whether an expression means the same before a statement: every name in it is bound outside of it. */
export function canMove(expression: Node, statement: Statement, tree: Tree): boolean {
  return namesRead(expression, tree).every((it) => {
    const binding = resolve(it.name, it, tree);
    return !binding || binding.declaration.range[1] <= statement.range[0] || !tree.isWithin(binding.scope, tree.parent(statement)!) || binding.kind === 'param' || binding.kind === 'function' || binding.kind === 'import';
  });
}

/** A constant of its own for what stands in place: the same expression, or a fresh value. */
function beside(argument: Node, acquire: Node, { tree, model, release, isTelling }: WrittenStep, draft: Draft): Owner | undefined {
  const anchor = anchorOf(acquire, release, tree);
  if (!anchor) return undefined;
  const value = isTelling ? (canMove(argument, anchor.statement, tree) && !isPath(argument) ? tree.text(argument) : undefined) : freshOwner(argument, anchor.statement, model, draft);
  if (value === undefined) return undefined;
  const name = draft.freeName(anchor.block, 'owner', 'lockOwner');
  draft.before(anchor.statement, `const ${name} = ${value}${draft.style.semi}`);
  draft.replaceValue(argument, name);
  return { text: name, isFresh: !isTelling, ...(isTelling ? { node: argument } : {}) };
}

/** A fresh value for the acquire. What named the process before stays in it, for people who look at the key. */
export function freshOwner(argument: Node, at: Node, model: Model, draft: Draft): string | undefined {
  const made = freshValue(ownerMakers(model), at, draft);
  const old = unwrap(argument);
  if (!made || old.type === 'Literal' || (old.type === 'Identifier' && old.name === 'undefined') || (old.type === 'UnaryExpression' && old.operator === 'void')) return made;
  const inner = old.type === 'TemplateLiteral' ? draft.tree.text(old).slice(1, -1) : `\${${draft.tree.text(old)}}`;
  return old.type === 'TemplateLiteral' && old.expressions.length === 0 ? made : `\`${inner}:\${${made}}\``;
}
