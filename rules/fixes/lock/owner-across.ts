/**
 * The owner value at a release that stands in another function than the acquire: in the object that
 * the acquire handed out, in a parameter of the same name, or in a field of the class. Where nothing
 * keeps it yet, the edit adds a field. What would need other callers is not offered.
 */
import type { TSESTree } from '@typescript-eslint/types';
import { sameKey } from '../../../model/key-form.ts';
import type { LockRelease } from '../../../model/story.ts';
import { alternatives, sameValue } from '../../../model/value.ts';
import type { Draft } from '../source/draft.ts';
import { assignmentsToProperty, classAround, isInConstructor, rootOf, sharesThis } from '../source/paths.ts';
import { isPresent } from '../source/presence.ts';
import { assignmentsTo, namesRead, resolve } from '../source/scopes.ts';
import { indentAt } from '../source/style.ts';
import { type FunctionNode, type Node, type Statement, type Tree, descend, isPath, unwrap } from '../source/tree.ts';
import { answerName, answerOf, takeOut } from './acquire-answer.ts';
import { isText } from './client-calls.ts';
import { type Owner, type Pair, freshOwner, isReadElsewhere, ownAcquire } from './owner.ts';

export function ownerAcross(it: LockRelease, pair: Pair, key: Node, draft: Draft): Owner | undefined {
  const own = pair.isTelling ? (inHandle(it, pair, key) ?? inParameter(pair) ?? inField(pair, draft)) : undefined;
  return own ?? (pair.isTelling || !isReadElsewhere(it, pair) ? inNewField(it, pair, key, draft) : undefined);
}

/** `release(held)`: the acquire answers an object with the key and the owner value, and the key is read from it here. */
function inHandle(it: LockRelease, { tree, model, release }: Pair, key: Node): Owner | undefined {
  const path = unwrap(key);
  const acquire = it.acquire && ownAcquire(it.acquire, model);
  if (path.type !== 'MemberExpression' || path.computed || path.property.type !== 'Identifier' || !acquire?.lock.owner || !acquire.lock.key) return undefined;
  const root = rootOf(path);
  const binding = root.type === 'Identifier' && root === path.object ? resolve(root.name, root, tree) : undefined;
  if (binding?.kind !== 'param' || assignmentsTo(binding, tree).length > 0) return undefined;
  const { owner, key: lockKey } = acquire.lock;
  for (const answer of alternatives(model.evaluator.returns(acquire.call.func))) {
    const kept = answer.kind === 'object' ? answer.props.get(path.property.name) : undefined;
    if (answer.kind !== 'object' || !kept || !sameKey(kept, lockKey)) continue;
    const name = [...answer.props].find(([, value]) => sameValue(value, owner))?.[0];
    if (name === undefined || !/^[\w$]+$/.test(name) || !typeHas(binding.id, name, tree)) return undefined;
    const text = `${binding.name}.${name}`;
    return assignmentsToProperty(name, tree).some((each) => tree.isWithin(each, tree.functionOf(release)!)) ? undefined : { text, node: path, isFresh: false };
  }
  return undefined;
}

/** Whether the written type of a parameter is known to have a property; a parameter without a type has what its callers give. */
function typeHas(id: TSESTree.Identifier, name: string, tree: Tree): boolean {
  const written = id.typeAnnotation?.typeAnnotation;
  if (!written) return true;
  if (written.type === 'TSTypeLiteral') return written.members.some((it) => it.type === 'TSPropertySignature' && it.key.type === 'Identifier' && it.key.name === name);
  if (written.type !== 'TSTypeReference' || written.typeName.type !== 'Identifier') return false;
  const type = tree.module.types.get(written.typeName.name);
  return type?.kind === 'object' && type.members.has(name);
}

/** `acquire(key, owner)` and `release(key, owner)`: a parameter that is called as the acquire calls the value. */
function inParameter({ tree, release, argument }: Pair): Owner | undefined {
  const it = argument && unwrap(argument);
  const func = tree.functionOf(release);
  if (it?.type !== 'Identifier' || !func) return undefined;
  const there = resolve(it.name, release, tree);
  if (there?.kind !== 'param' || there.scope !== func || assignmentsTo(there, tree).length > 0) return undefined;
  return { text: there.name, node: there.id, isFresh: false };
}

/** A field in which the class keeps the value of the lock that it holds. */
function inField({ tree, release, acquire, argument }: Pair, draft: Draft): Owner | undefined {
  if (!acquire || !argument || !sharesThis(acquire, release, tree)) return undefined;
  const field = fieldOf(argument, acquire, tree);
  if (field === undefined) return undefined;
  const text = `this.${field}`;
  const func = tree.functionOf(release)!;
  const isOpen = !draft.style.isTypeScript || mayBeMissing(field, release, tree);
  const cleared = assignmentsToProperty(field, tree).filter((it) => it.range[1] < release.range[0] && tree.functionOf(it) === func);
  if (cleared.length === 0) return { text: isOpen && !isPresent(text, release, tree) ? `${text} ?? ${draft.style.quote.repeat(2)}` : text, node: argument, isFresh: false };
  // It is forgotten before the key is deleted, so it must be read before that.
  const first = tree.statementOf(cleared[0]!);
  const block = first && tree.parent(first);
  if (first?.type !== 'ExpressionStatement' || block?.type !== 'BlockStatement' || !tree.isWithin(release, block)) return undefined;
  const name = draft.freeName(block, field, 'owner');
  const value = isOpen && !isPresent(text, first, tree) ? `${text} ?? ${draft.style.quote.repeat(2)}` : text;
  draft.before(first, name === field && value === text ? `const { ${name} } = this${draft.style.semi}` : `const ${name} = ${value}${draft.style.semi}`);
  return { text: name, node: argument, isFresh: false };
}

/** The name of the field that holds the argument: the argument itself, or what its constant is put into. */
function fieldOf(argument: Node, acquire: Node, tree: Tree): string | undefined {
  const it = unwrap(argument);
  if (it.type === 'MemberExpression' && it.object.type === 'ThisExpression' && it.property.type === 'Identifier' && !it.computed) return it.property.name;
  const binding = it.type === 'Identifier' ? resolve(it.name, it, tree) : undefined;
  if (!binding) return undefined;
  for (const name of namesOfFields(classAround(acquire, tree))) {
    const isKept = assignmentsToProperty(name, tree).some((each) => {
      if (each.type !== 'AssignmentExpression' || each.operator !== '=' || each.left.type !== 'MemberExpression' || each.left.object.type !== 'ThisExpression') return false;
      const right = unwrap(each.right);
      return right.type === 'Identifier' && resolve(right.name, right, tree)?.id === binding.id;
    });
    if (isKept) return name;
  }
  return undefined;
}

function membersOf(cls: Node | undefined): readonly TSESTree.ClassElement[] {
  return cls?.type === 'ClassDeclaration' || cls?.type === 'ClassExpression' ? cls.body.body : [];
}

const namesOfFields = (cls: Node | undefined): string[] => {
  if (!cls) return [];
  const declared = membersOf(cls).flatMap((it) => (it.type === 'PropertyDefinition' && it.key.type === 'Identifier' && !it.static ? [it.key.name] : []));
  return [...new Set([...declared, ...assignedFields(cls)])];
};

const assignedFields = (cls: Node): string[] =>
  descend(cls).flatMap((it) => (it.type === 'AssignmentExpression' && it.left.type === 'MemberExpression' && it.left.object.type === 'ThisExpression' && it.left.property.type === 'Identifier' ? [it.left.property.name] : []));

/** A field that may be undefined or null by its declaration. */
function mayBeMissing(field: string, at: Node, tree: Tree): boolean {
  const declared = membersOf(classAround(at, tree)).find((it) => it.type === 'PropertyDefinition' && it.key.type === 'Identifier' && it.key.name === field);
  if (declared?.type !== 'PropertyDefinition') return true;
  const type = declared.typeAnnotation?.typeAnnotation;
  return declared.optional || (type ? type.type !== 'TSStringKeyword' : declared.value?.type === 'Literal' && declared.value.value === null);
}

/** A field is added: one per object where each object is one lock, else one that keeps a value per key. */
function inNewField(it: LockRelease, pair: Pair, key: Node, draft: Draft): Owner | undefined {
  const { tree, model, release, acquire, argument, isTelling } = pair;
  const cls = acquire && classAround(acquire, tree);
  if (!acquire || !argument || !cls || !sharesThis(acquire, release, tree)) return undefined;
  const places = { acquire: methodAround(acquire, tree), release: methodAround(release, tree) };
  if (!places.acquire || !places.release || places.acquire === places.release || !isMethod(places.acquire, tree) || !isMethod(places.release, tree)) return undefined;
  const lockKey = acquireKey(it, pair);
  const answer = answerOf(acquire, tree);
  const statement = release && tree.statementOf(release);
  const first = membersOf(cls)[0];
  if (!lockKey || !answer || !statement || !first || it.acquire!.refused === 'throws' || it.acquire!.refused === 'waits') return undefined;
  const perKey = !isOfObject(lockKey, tree);
  if (perKey && (tree.text(lockKey) !== tree.text(key) || !isPath(key))) return undefined;
  const taken = new Set([...namesOfFields(cls), ...membersOf(cls).flatMap((member) => ('key' in member && member.key.type === 'Identifier' ? [member.key.name] : []))]);
  const field = [perKey ? 'owners' : 'owner', perKey ? 'lockOwners' : 'lockOwner'].find((name) => !taken.has(name));
  const value = isTelling ? tree.text(argument) : freshOwner(argument, acquire, model, draft);
  if (!field || value === undefined) return undefined;
  const { semi, quote, isTypeScript } = draft.style;
  const none = quote.repeat(2);
  draft.insert(first.range[0], `${declaration(field, perKey, none, isTypeScript)}${semi}${draft.style.newline.repeat(first.type === 'PropertyDefinition' ? 1 : 2)}${indentAt(tree.source, first.range[0])}`);
  const granted = `${answer.kind === 'kept' ? answer.name : answerName(answer.statement, draft, 'reply', 'granted')}`;
  const test = grantTest(it, granted, draft);
  if (test === undefined) return undefined;
  const local = isPath(argument) && isTelling ? tree.text(argument) : draft.freeName(tree.parent(answer.statement)!, 'owner', 'lockOwner');
  const kept = isTelling && !isText(argument, tree, model) ? `String(${local})` : local;
  const keep = `if (${test}) ${perKey ? `this.${field}.set(${tree.text(lockKey)}, ${kept})` : `this.${field} = ${kept}`}${semi}`;
  if (local !== tree.text(argument)) {
    draft.before(answer.statement, `const ${local} = ${value}${semi}`);
    draft.replaceValue(argument, local);
  }
  if (answer.kind === 'kept') draft.after(answer.statement, keep);
  else takeOut(answer, granted, granted, draft, { then: [keep] });
  const isFresh = !isTelling;
  if (!perKey) return { text: `this.${field}`, isFresh };
  return { ...fromMap(field, key, statement, draft), isFresh, isKept: true, note: 'The value is kept per key in this object: of two holders in one process, the later one counts.' };
}

const isMethod = (func: FunctionNode, tree: Tree): boolean => {
  const member = tree.parent(func);
  return member?.type === 'MethodDefinition' && !member.static && member.kind === 'method';
};

function declaration(field: string, perKey: boolean, none: string, isTypeScript: boolean): string {
  if (perKey) return isTypeScript ? `private readonly ${field} = new Map<string, string>()` : `${field} = new Map()`;
  return `${isTypeScript ? 'private ' : ''}${field} = ${none}`;
}

function fromMap(field: string, key: Node, statement: Statement, draft: Draft): { text: string } {
  const { tree, style } = draft;
  const block = tree.parent(statement);
  const name = draft.freeName(block ?? statement, 'owner', 'lockOwner');
  draft.before(statement, `const ${name} = this.${field}.get(${tree.text(key)}) ?? ${style.quote.repeat(2)}${style.semi}`);
  draft.before(statement, `this.${field}.delete(${tree.text(key)})${style.semi}`);
  return { text: name };
}

/** The test of the answer by which the value is kept. */
function grantTest(it: LockRelease, name: string, { style }: Draft): string | undefined {
  const granted = it.acquire?.granted;
  if (granted?.kind !== 'const') return undefined;
  if (granted.value === true) return name;
  if (typeof granted.value === 'string') return `${name} === ${style.quote}${granted.value}${style.quote}`;
  return typeof granted.value === 'number' ? `${name} === ${granted.value}` : undefined;
}

function acquireKey(it: LockRelease, { tree, model }: Pair): Node | undefined {
  const acquire = it.acquire && ownAcquire(it.acquire, model);
  const { key } = acquire?.lock ?? {};
  const found = key && acquire?.call.args.find((each) => sameKey(model.evaluator.value(each), key));
  return found && tree.expressionAt(found.span);
}

/** The key is made of fields that only the constructor sets: each object is one lock. */
function isOfObject(key: Node, tree: Tree): boolean {
  const it = unwrap(key);
  if (it.type === 'TemplateLiteral') return it.expressions.length > 0 && it.expressions.every((each) => isOfObject(each, tree));
  if (it.type !== 'MemberExpression' || it.computed || it.object.type !== 'ThisExpression' || it.property.type !== 'Identifier') return it.type === 'Literal';
  return assignmentsToProperty(it.property.name, tree).every((each) => isInConstructor(each, tree)) && namesRead(it, tree).length === 0;
}

const methodAround = (node: Node, tree: Tree): FunctionNode | undefined => {
  let func = tree.functionOf(node);
  while (func?.type === 'ArrowFunctionExpression') func = tree.functionOf(func);
  return func;
};
